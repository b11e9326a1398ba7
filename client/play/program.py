"""``headstring play`` and ``watch``: the window with a table in it, and what comes after that."""

import argparse
import dataclasses
import signal
import sys

from client.command import default_name
from client.play.arrival import Plan
from client.play.party import Party
from client.play.settings import Preferences, Settings, load_settings, save_settings
from client.reasons import reason_text
from client.scene.window import NoRenderer, WindowOptions, close_window, open_window
from client.screens.shell import Shell
from client.screens.window import Frames, Window
from client.sound.mixer import open_mixer


def play(options: argparse.Namespace, plan: Plan) -> int:
    """Open the window and stay until the player leaves; the exit status."""
    preferences = Preferences(chosen_settings(options), keep=True)
    try:
        base = open_window(
            WindowOptions(
                size=options.size,
                fullscreen=options.fullscreen,
                samples=0 if preferences.now.quality == "low" else 4,
            )
        )
    except NoRenderer as error:
        print(f"headstring: {error}", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    window = Window(base, preferences, mixer=open_mixer(base))
    account = getattr(options, "account", None) is not None
    party = Party(
        base, preferences, plan, options.server, getattr(options, "level", 0),
        account=account, trust=options.ca, inputs=window.inputs, mixer=window.mixer,
    )  # fmt: skip
    try:
        Frames(window, Shell(party)).run()
    finally:
        close_window()
    if party.problem:
        problem = reason_text(preferences.now.language, party.problem)
        print(f"headstring: {problem}", file=sys.stderr)
    return 1 if party.problem else 0


def chosen_settings(options: argparse.Namespace) -> Settings:
    """Stored settings with what the command line says, which is kept for the next time."""
    settings = load_settings()
    changes = {}
    for key in ("language", "quality", "ui_scale", "name"):
        value = getattr(options, key, None)
        if value:
            changes[key] = value
    if not settings.name and "name" not in changes:
        changes["name"] = default_name()
    settings = dataclasses.replace(settings, **changes)
    if changes:
        try:
            save_settings(settings)
        except OSError as error:
            print(f"the settings can't be kept: {error}", file=sys.stderr)
    return settings
