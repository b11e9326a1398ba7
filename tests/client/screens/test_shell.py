"""Which activity has the window: a stack, tried without a window."""

import pytest

from client.screens.activity import Back, Home, Open, Quit, Replace
from client.screens.shell import Shell


class Told:
    """An activity that writes down what happens to it, and moves when it is told to."""

    def __init__(self, name, log):
        self.name, self.log, self.move = name, log, None

    def enter(self, notice=""):
        self.log.append(f"{self.name}+{notice}")

    def step(self, now, dt):
        move, self.move = self.move, None
        return move

    def rest(self, now):
        self.log.append(f"{self.name}.")

    def leave(self):
        self.log.append(f"{self.name}-")

    def close(self):
        self.log.append(f"{self.name}!")


@pytest.fixture
def log():
    return []


def step(shell, log, move=None):
    shell.top.move = move
    log.clear()
    shell.step(1.0, 0.01)
    return list(log)


def test_the_first_is_entered_and_the_lowest_only_when_one_comes_back_to_it(log):
    shell = Shell(Told("a", log), Told("b", log))
    assert log == ["b+"]
    assert step(shell, log) == ["a."]
    assert step(shell, log, Back("why")) == ["a.", "b-", "b!", "a+why"]
    assert shell.depth == 1 and not shell.done


def test_opening_leaves_and_replacing_ends(log):
    shell = Shell(Told("a", log))
    assert step(shell, log, Open(Told("b", log))) == ["a-", "b+"]
    assert step(shell, log, Replace(Told("c", log))) == ["a.", "b-", "b!", "c+"]
    assert step(shell, log, Open(Told("d", log))) == ["a.", "c-", "d+"]
    assert step(shell, log, Home("gone")) == ["a.", "c.", "d-", "d!", "c!", "a+gone"]


@pytest.mark.parametrize("move", [Quit(), Back(), Back("x")])
def test_the_end_closes_everything_once_from_the_top_down(log, move):
    shell = Shell(Told("a", log))
    if isinstance(move, Quit):
        step(shell, log, Open(Told("b", log)))
    done = step(shell, log, move)
    assert done == (["a.", "b-", "b!", "a!"] if isinstance(move, Quit) else ["a-", "a!"])
    assert shell.done
    log.clear()
    shell.close()
    shell.step(2.0, 0.01)
    assert log == []


def test_home_from_the_first_comes_back_to_it_with_its_notice(log):
    shell = Shell(Told("a", log))
    assert step(shell, log, Home("hm")) == ["a-", "a+hm"]
    with pytest.raises(ValueError, match="an activity"):
        Shell()
