"""A person at the window, with a data folder of his own, and a server."""

import pytest

from tests.client.screens.user import User, beside


class Network:
    """What a search of the local network finds, in the place of a real one."""

    def __init__(self) -> None:
        self.found, self.problem = (), ""
        self.searches = 0

    def start(self) -> "Network":
        self.searches += 1
        return self

    def close(self) -> None:
        self.searches -= 1


@pytest.fixture(autouse=True)
def network(monkeypatch):
    made = Network()
    monkeypatch.setattr("client.screens.servers.LanSearch", lambda: made)
    return made


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path / "data"))
    for key in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    return tmp_path


@pytest.fixture
def user(folder):
    made = []

    def make(**changes):
        made.append(User(**{"name": "Ann", "quality": "low", **changes}))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def server(folder):
    with beside(folder / "served") as made:
        yield made
