"""``headstring``, ``play``, ``watch``, ``replay``: the window, with a screen or a table in it."""

import argparse
import dataclasses
import shlex
import signal
import sys
from pathlib import Path

from client.offline import Company
from client.options import default_name
from client.play.arrival import Plan
from client.play.party import Party
from client.play.settings import Preferences, Settings, load_settings, save_settings
from client.reasons import reason_text
from client.replay.sources import NotToBeHad, match_in, match_of
from client.scene.window import NoRenderer, WindowOptions, close_window, open_window
from client.screens.replay import ReplayViewer
from client.screens.shell import Shell
from client.screens.start import StartScreen
from client.screens.window import Frames, Window
from client.sound.mixer import open_mixer


def play(options: argparse.Namespace, plan: Plan, company: Company | None = None) -> int:
    """Open the window with a table, and stay until the player leaves; the exit status.

    ``company``: a private server and a house bot that get ready already.
    """
    window = _open(options)
    if window is None:
        if company is not None:
            company.stop()
        return 1
    account = getattr(options, "account", None) is not None
    party = Party(
        window.base, window.preferences, plan, options.server, getattr(options, "level", 0),
        account=account, trust=options.ca, inputs=window.inputs, mixer=window.mixer,
        company=company,
    )  # fmt: skip
    try:
        Frames(window, Shell(StartScreen(window, company=True), party)).run()
    finally:
        close_window()
    if party.problem:
        problem = reason_text(window.language, party.problem)
        print(f"headstring: {problem}", file=sys.stderr)
    return 1 if party.problem else 0


def start(options: argparse.Namespace) -> int:
    """Open the window with the start screen; the exit status."""
    window = _open(options, asks_no_name=False)
    if window is None:
        return 1
    try:
        Frames(window, Shell(StartScreen(window, company=True))).run()
    finally:
        close_window()
    return 0


def show_replay(options: argparse.Namespace) -> int:
    """Open the window with a stored match, and stay until the viewer leaves; the exit status."""
    try:
        if options.server is None:
            summary, timeline = match_in(Path(options.match))
        else:
            name = chosen_settings(options).name
            summary, timeline = match_of(
                options.server, name, options.match, options.invitation, options.ca
            )
        at = timeline.of_shot(options.shot, options.seconds) if options.shot is not None else 0.0
        if at is None:
            raise NotToBeHad(f"this match has no shot {options.shot}")
    except NotToBeHad as error:
        print(f"headstring replay: {error}", file=sys.stderr)
        return 1
    window = _open(options)
    if window is None:
        return 1
    try:
        source = shlex.quote(options.match)
        if options.server is not None:
            source += f" --server {options.server}"
        viewer = ReplayViewer(window, timeline, summary, at, source)
        Frames(window, Shell(StartScreen(window, company=True), viewer)).run()
    finally:
        close_window()
    return 0


def _open(options: argparse.Namespace, asks_no_name: bool = True) -> Window | None:
    """The window as settings and options have it; None, with the reason said, if there is none."""
    preferences = Preferences(chosen_settings(options, asks_no_name), keep=True)
    now = preferences.now
    try:
        base = open_window(
            WindowOptions(
                size=options.size or (now.width, now.height),
                fullscreen=options.fullscreen or now.fullscreen,
                samples=0 if now.quality == "low" else 4,
            )
        )
    except NoRenderer as error:
        print(f"headstring: {error}", file=sys.stderr)
        return None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return Window(base, preferences, mixer=open_mixer(base))


def chosen_settings(options: argparse.Namespace, asks_no_name: bool = True) -> Settings:
    """Stored settings with what the command line says, which is kept for the next time.

    ``asks_no_name``: who has no name yet gets that of the system.
    """
    settings = load_settings()
    changes = {}
    for key in ("language", "quality", "ui_scale", "name"):
        value = getattr(options, key, None)
        if value:
            changes[key] = value
    if not settings.name and "name" not in changes and asks_no_name:
        changes["name"] = default_name()
    settings = dataclasses.replace(settings, **changes)
    if changes:
        try:
            save_settings(settings)
        except OSError as error:
            print(f"the settings can't be kept: {error}", file=sys.stderr)
    return settings
