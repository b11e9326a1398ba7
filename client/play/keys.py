"""Which key does what at the table: a table of actions, and what a player has changed of it.

Everything else speaks of an action's own key: :class:`~client.play.input.Input` hears the
player's key as that one, and what is written on the screen names the player's in its place.  So
whoever adds an action adds a line to :data:`ACTIONS` and treats its own key.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from client.words import say


@dataclass(frozen=True)
class KeyAction:
    """An action with a key that can be changed: ``keys``: its own (the first) and others.

    Its name in words is ``act_NAME``.
    """

    name: str
    keys: tuple[str, ...]


ACTIONS: tuple[KeyAction, ...] = (
    KeyAction("strike", ("space",)),
    KeyAction("rise", ("v",)),
    KeyAction("push", ("x",)),
    KeyAction("turn_left", ("arrow_left",)),
    KeyAction("turn_right", ("arrow_right",)),
    KeyAction("power_up", ("arrow_up",)),
    KeyAction("power_down", ("arrow_down",)),
    KeyAction("tip_up", ("w",)),
    KeyAction("tip_left", ("a",)),
    KeyAction("tip_down", ("s",)),
    KeyAction("tip_right", ("d",)),
    KeyAction("raise", ("e",)),
    KeyAction("lower", ("q",)),
    KeyAction("reset_tip", ("r",)),
    KeyAction("move_cue", ("b",)),
    KeyAction("call", ("k",)),
    KeyAction("safety", ("j",)),
    KeyAction("spot", ("o",)),
    KeyAction("snooker", ("n",)),
    KeyAction("push_out", ("p",)),
    KeyAction("time_out", ("t",)),
    KeyAction("extend", ("home",)),
    KeyAction("call_foul", ("f",)),
    KeyAction("halt", ("h",)),
    KeyAction("officiate", ("f2",)),
    KeyAction("talk", ("f3",)),
    KeyAction("again", ("i",)),
    KeyAction("skip", ("end",)),
    KeyAction("numbers", ("u",)),
    KeyAction("repeat", ("g",)),
    KeyAction("undo", ("z",)),
    KeyAction("redo", ("y",)),
    KeyAction("view", ("c",)),
    KeyAction("zoom_in", ("+", "=", "page_up")),
    KeyAction("zoom_out", ("-", "page_down")),
    KeyAction("mute", ("m",)),
    KeyAction("quieter", (",",)),
    KeyAction("louder", (".",)),
    KeyAction("language", ("l",)),
    KeyAction("help", ("f1",)),
)
BY_NAME = {action.name: action for action in ACTIONS}
OWNER = {key: action for action in ACTIONS for key in action.keys}
"""Whose key it is, as long as nothing is changed."""
FIXED = frozenset(
    ("escape", "enter", "tab", "shift", "control", "alt", "meta", "lmeta", "rmeta", "lalt", "ralt")
)
"""Keys that mean the same everywhere, and those that are held beside another."""
UNHEARD = "unheard"
"""What a key is heard as that no longer does anything."""
_SHOWN = {
    "arrow_left": "←", "arrow_right": "→", "arrow_up": "↑", "arrow_down": "↓", "-": "−",
    "page_up": "PgUp", "page_down": "PgDn", "escape": "Esc", "enter": "Enter",
}  # fmt: skip
_OF_SHOWN = {shown: key for key, shown in _SHOWN.items()}
_NAMED = re.compile(r"\[(\w+)\]")


def may_be_chosen(key: str) -> bool:
    """Whether an action can be given this key: a digit chooses options, the mouse has its own."""
    return not (key in FIXED or key.isdigit() or key.startswith(("mouse", "wheel", "raw-")))


def shown(key: str, language: str) -> str:
    """A key as it is written on the screen."""
    if key == "space":
        return say(language, "space_key")
    return _SHOWN.get(key, key.replace("_", " ").capitalize() if len(key) > 1 else key.upper())


@dataclass(frozen=True)
class KeyMap:
    """The keys of a player.  ``changed``: pairs of an action's name and the key that he gave it."""

    changed: tuple[tuple[str, str], ...] = ()

    @classmethod
    def read(cls, found: Mapping[str, object] | Iterable[tuple[str, object]]) -> "KeyMap":
        """From what was stored; what makes no sense, or takes a key twice, is left out.

        A key that an action has come to have since (of a newer program) stays the player's.
        """
        chosen: dict[str, str] = {}
        for name, key in dict(found).items():
            sensible = isinstance(key, str) and 1 <= len(key) <= 20 and may_be_chosen(key)
            if name in BY_NAME and sensible and key not in chosen.values():
                chosen[name] = str(key)
        return cls(tuple(chosen.items()))

    def with_key(self, name: str, key: str) -> "KeyMap":
        """Another key for an action; its own again if it is that."""
        kept = tuple(pair for pair in self.changed if pair[0] != name)
        if key in BY_NAME[name].keys:
            return KeyMap(kept)
        return KeyMap((*kept, (name, key)))

    def key(self, name: str) -> str:
        """The key of an action; empty: another has taken the last of its own."""
        changed = dict(self.changed).get(name)
        own = (key for key in BY_NAME[name].keys if self.taken_by(key) == name)
        return changed or next(own, "")

    def taken_by(self, key: str) -> str | None:
        """The action that a key does; None if it does nothing."""
        heard = self._heard.get(key, key)
        return OWNER[heard].name if heard in OWNER else None

    @cached_property
    def _heard(self) -> dict[str, str]:
        """What each key that was touched is heard as: an action's own key, or nothing."""
        changed = dict(self.changed)
        silent = {key: UNHEARD for name in changed for key in BY_NAME[name].keys}
        return silent | {key: BY_NAME[name].keys[0] for name, key in self.changed}

    def heard(self, key: str) -> str:
        """The action's own key that a pressed key stands for."""
        return self._heard.get(key, key)

    def spoken(self, text: str, language: str) -> str:
        """A sentence with the names of actions in brackets as their keys."""
        if "[" not in text:
            return text
        return _NAMED.sub(lambda found: shown(self.key(found[1]), language), text)

    def relabel(self, label: str, language: str) -> str:
        """Labels of own keys, with spaces between, as the player has them."""
        if not self.changed:
            return label
        return " ".join(self._one(part, language) for part in label.split(" "))

    def _one(self, label: str, language: str) -> str:
        own = "space" if label == say(language, "space_key") else _OF_SHOWN.get(label)
        action = OWNER.get(own or label.lower())
        return shown(self.key(action.name), language) if action is not None else label


OWN_KEYS = KeyMap()
"""Nothing changed."""
