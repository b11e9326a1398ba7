"""The player's own keys (client.play.keys) put into what the HUD shows."""

from dataclasses import replace

from client.hud.model import Button, HudModel
from client.play.keys import KeyMap


def with_keys(model: HudModel, keys: KeyMap, language: str) -> HudModel:
    """The keys as the player has them, on buttons and in sentences."""
    model = replace(
        model,
        prompt=keys.spoken(model.prompt, language),
        hint=keys.spoken(model.hint, language),
    )
    if not keys.changed:
        return model
    return replace(
        model,
        buttons=tuple(replace(b, key=keys.relabel(b.key, language)) for b in model.buttons),
        again=_again(model, keys, language),
        corner=tuple(replace(b, key=keys.relabel(b.key, language)) for b in model.corner),
        help=tuple((keys.relabel(key, language), meaning) for key, meaning in model.help),
    )


def _again(model: HudModel, keys: KeyMap, language: str) -> Button | None:
    if model.again is None:
        return None
    return replace(model.again, key=keys.relabel(model.again.key, language))
