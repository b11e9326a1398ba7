"""The player's own keys (client.play.keys) put into what the HUD shows."""

from dataclasses import replace

from client.hud.model import HudModel
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
        corner=tuple(replace(b, key=keys.relabel(b.key, language)) for b in model.corner),
        help=tuple((keys.relabel(key, language), meaning) for key, meaning in model.help),
    )
