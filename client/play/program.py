"""``headstring play`` and ``watch``: window, link and table put together, and taken down again."""

import argparse
import dataclasses
import sys

from client.command import BOT_NAME, default_name
from client.data_folder import Tokens
from client.net.session import Session
from client.net.thread import NetThread
from client.offline import HouseBot, NotStarted, PrivateServer
from client.play.app import TableApp
from client.play.arrival import Arrival, Plan
from client.play.settings import Settings, load_settings, save_settings
from client.scene.window import NoRenderer, WindowOptions, close_window, open_window

OFFLINE = "offline"
"""Under this name the tokens of private servers are kept, whose port changes."""


def play(options: argparse.Namespace, plan: Plan) -> int:
    """Open the window and stay until the player leaves; the exit status."""
    settings = _settings(options)
    try:
        base = open_window(
            WindowOptions(
                size=options.size,
                fullscreen=options.fullscreen,
                samples=0 if settings.quality == "low" else 4,
            )
        )
    except NoRenderer as error:
        print(f"headstring: {error}", file=sys.stderr)
        return 1
    server = PrivateServer() if options.server is None else None
    bot = HouseBot()
    try:
        if server is not None:
            print("starting a private server; the first time takes a while …", flush=True)
            url = server.start()
            plan = dataclasses.replace(
                plan, opens=True, open_options={**plan.open_options, "private": True}
            )
        else:
            url = options.server
        return _at_the_table(base, url, plan, settings, options, server, bot)
    except NotStarted as error:
        print(f"headstring: {error}", file=sys.stderr)
        return 1
    finally:
        bot.stop()
        if server is not None:
            server.stop()
        close_window()


def _at_the_table(base, url, plan, settings: Settings, options, server, bot: HouseBot) -> int:
    key = OFFLINE if server is not None else url
    tokens = Tokens()
    session = Session(settings.name, tokens.get(key, settings.name))

    def seated(table: str, invitation: str | None) -> None:
        if server is not None:
            bot.start(url, table, invitation, options.level, BOT_NAME)

    net = NetThread(url, session)
    arrival = Arrival(session, plan, seated)
    kept: list[str] = []

    def pump(now: float) -> None:
        net.pump(now)
        if session.token is not None and session.token not in kept:
            kept.append(session.token)
            tokens.keep(key, settings.name, session.token)

    app = TableApp(base, session, pump, settings, keep=True, arrive=arrival.step)
    net.start()
    try:
        app.run()
    finally:
        net.close()
        app.destroy()
    reason = arrival.problem or (session.reason if session.phase == "over" else "")
    if reason:
        print(f"headstring: {reason}", file=sys.stderr)
    return 1 if reason else 0


def _settings(options: argparse.Namespace) -> Settings:
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
