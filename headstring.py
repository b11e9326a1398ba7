"""The command ``headstring``: a thin launcher, and the only module that may know every package.

It imports the chosen command's package only, so that ``--help`` answers at once.
"""

import argparse
import contextlib
import importlib
import os
import shutil
import sys
from collections.abc import Callable
from typing import NamedTuple


class Command(NamedTuple):
    """A sub-command: where its arguments are declared and who runs it, as ``module:function``."""

    help: str
    arguments: str
    run: str


COMMANDS = {
    "start": Command(
        "open the start screen; `headstring` alone does the same",
        "client.command:add_start_arguments",
        "client.command:run_start",
    ),
    "play": Command(
        "open the table: against the house bot, or on a server",
        "client.command:add_play_arguments",
        "client.command:run_play",
    ),
    "watch": Command(
        "watch a match on a server",
        "client.command:add_watch_arguments",
        "client.command:run_watch",
    ),
    "serve": Command(
        "run a match server for others to join",
        "server.command:add_arguments",
        "server.command:run",
    ),
    "find": Command(
        "list the servers on the local network",
        "client.find:add_arguments",
        "client.find:run",
    ),
    "bot": Command(
        "send a bot to a server, to play whoever comes",
        "client.command:add_bot_arguments",
        "client.command:run_bot",
    ),
    "lobby": Command(
        "find a game on a server from a terminal: challenges, quick match, chat",
        "client.lobby:add_arguments",
        "client.lobby:run",
    ),
    "account": Command(
        "make an account on a server, change its password, see its devices",
        "client.admin:add_account_arguments",
        "client.admin:run_account",
    ),
    "admin": Command(
        "run the people and tables of a server: accounts, roles, sanctions, awards",
        "client.admin:add_admin_arguments",
        "headstring:run_admin",
    ),
    "league": Command(
        "run a club's competitions: entries, draws, results, standings",
        "client.league:add_arguments",
        "client.league:run",
    ),
    "club": Command(
        "hold a club night of bots: board, bracket and an official's commands to look at",
        "client.club.command:add_arguments",
        "client.club.command:run",
    ),
    "demo": Command(
        "let two bots play a race over real sockets and save pictures of it; needs no display",
        "client.command:add_demo_arguments",
        "client.command:run_demo",
    ),
    "run": Command(
        "play where there is a display, demo where there is none",
        "headstring:add_run_arguments",
        "headstring:run_anywhere",
    ),
    "replays": Command(
        "list the matches of a server; save one as a file, or print its score sheet",
        "client.replays:add_arguments",
        "client.replays:run",
    ),
    "replay": Command(
        "show a match that was played: from a file, or from a server",
        "client.replay_command:add_arguments",
        "client.replay_command:run",
    ),
    "backup": Command(
        "write a server's database into a file, while the server runs",
        "server.backup_command:add_backup_arguments",
        "server.backup_command:run_backup",
    ),
    "restore": Command(
        "fill a server's database from a backup",
        "server.backup_command:add_restore_arguments",
        "server.backup_command:run_restore",
    ),
    "review": Command(
        "for referees: how often each player pots, by difficulty and time, from stored matches",
        "server.review_command:add_arguments",
        "server.review_command:run",
    ),
    "simulate": Command(
        "simulate shots given as JSON, one a line",
        "physics.case_command:add_arguments",
        "physics.case_command:run",
    ),
    "judge": Command(
        "rule on situations given as JSON, one a line",
        "headstring:add_judge_arguments",
        "headstring:run_judge",
    ),
    "bench": Command(
        "measure speed on this machine, or what breaks do",
        "headstring:add_bench_arguments",
        "headstring:run_bench",
    ),
    "warm-up": Command(
        "compile the numeric code now, so that the first shot doesn't wait for it",
        "headstring:add_run_arguments",
        "headstring:run_warm_up",
    ),
}

EPILOG = """\
start here:
  headstring                       the start screen: the house bot, servers, settings, rules
  headstring play                  a race of nine-ball against the house bot, on this machine
  headstring play --ruleset eight_ball   the same in eight-ball
  headstring play --ruleset straight_pool --points 50   straight pool 14.1 to 50
  headstring play --ruleset black_ball    black ball on a table of 6 by 3 feet
  headstring serve                 a server that friends on your network can join
  headstring find                  the servers of this network
  headstring play --server URL     sit down at a table of that server
  headstring COMMAND --help        what a command can do, with examples
"""


def main(argv: list[str] | None = None) -> int:
    """Run ``headstring`` with the given arguments; returns the exit status."""
    arguments = (sys.argv[1:] if argv is None else argv) or ["start"]
    name = next((word for word in arguments if not word.startswith("-")), None)
    parser = argparse.ArgumentParser(
        prog="headstring",
        description="Online pool: Bullet decides every stroke, the rulebook what it means.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for known, command in COMMANDS.items():
        sub = commands.add_parser(
            known, help=command.help, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        sub.description = command.help[0].upper() + command.help[1:] + "."
        if known == name:
            _load(command.arguments)(sub)
    options = parser.parse_args(arguments)
    try:
        with _output_of(options.command):
            return int(_load(COMMANDS[options.command].run)(options) or 0)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # the reader of our output has gone (a pipe into `head`): nothing is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _output_of(command: str) -> contextlib.AbstractContextManager[None]:
    """What a client prints was partly written by others: it must not steer the terminal."""
    if not COMMANDS[command].arguments.startswith("client."):
        return contextlib.nullcontext()
    return importlib.import_module("client.terminal").plain_output()


def _load(place: str) -> Callable:
    module, function = place.split(":")
    return getattr(importlib.import_module(module), function)


# --- judge: pure rules, read from a file ---------------------------------------------------------


def add_judge_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = """\
examples:
  headstring judge situations.jsonl           one ruling a line, in the same order
  headstring judge --check situations.jsonl   compare with each line's `expect`

exit status: 0; 1 when --check found a difference; 2 when a situation makes no sense
"""
    parser.add_argument(
        "scenarios", metavar="SCENARIOS.jsonl", help="one situation a line; - reads the input"
    )
    parser.add_argument(
        "--check", action="store_true", help="print each difference from the line's `expect`"
    )


def run_judge(options: argparse.Namespace) -> int:
    from physics.case_command import lines_of, print_results
    from shared_rules.judge import check_lines, judge_lines

    lines = lines_of(options.scenarios)
    if not options.check:
        return print_results(judge_lines(lines))
    status = 0
    for difference in check_lines(lines):
        print(difference, flush=True)
        status = 1
    return status


# --- admin: over the wire, or on the database of a server that does not run ----------------------


def run_admin(options: argparse.Namespace) -> int:
    from client import admin

    if options.server is not None:
        return admin.run_admin_over_the_wire(options)
    if options.database is None and options.config is None:
        print("headstring admin: give --server, --database or --config", file=sys.stderr)
        return 2
    if options.what == "pins":
        print("headstring admin: pins are given out by a server that runs", file=sys.stderr)
        return 2
    import asyncio
    from pathlib import Path

    from server.accounts import console
    from server.config.sources import ConfigUnusable, load_config

    try:
        file = Path(options.config).expanduser() if options.config else None
        config = load_config(file, os.environ, {"database": options.database})
        asked = console.answer(config, lambda: admin.admin_request(options), make=options.new)
        admin.print_answer(asyncio.run(asked), options)
    except (console.Failed, admin.ErrandFailed, ConfigUnusable) as error:
        print(f"headstring admin: {error}", file=sys.stderr)
        return 1
    return 0


# --- run, bench, warm-up ------------------------------------------------------------------------


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def has_display() -> bool:
    """Whether a window can be opened here."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run_anywhere(options: argparse.Namespace) -> int:
    name = "play" if has_display() else "demo"
    if name == "demo":
        print("There is no display here, so two bots play; pictures go to a folder.", flush=True)
    return main([name])


def add_bench_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = """\
what to measure:
  physics   how long shots take
  breaks    what breaks do: balls made, dry, scratches, beside published figures
  rules     how long judging a shot takes, and rebuilding a match from its log
  league    draws of 128, a season of 20,000 matches recounted
  server    what a server bears: strokes of many tables, many spectators, memory; some minutes
  client    frames a second in each tier, memory over many racks and tables, start to table
"""
    parser.add_argument(
        "what",
        choices=("physics", "breaks", "rules", "league", "server", "client"),
        help="what to measure",
    )
    parser.add_argument(
        "--memory-shots", type=int, default=3000, metavar="N",
        help="physics: shots after which a process's memory is read (default 3000)",
    )  # fmt: skip
    parser.add_argument(
        "--pooltool", metavar="PYTHON",
        help="physics, client: also play the four shots, or draw the table, in pooltool, with the "
        "Python of the environment that has it (benchmarks/README.md, in a checkout)",
    )  # fmt: skip
    parser.add_argument(
        "--part", action="append", metavar="PART",
        help="only this part; may be given again.  server: strokes, spectators, memory, storage, "
        "board; client: frames, memory, start",
    )  # fmt: skip

    for package in ("client", "server"):
        _load(f"{package}.bench.command:add_arguments")(parser.add_argument_group(package))


def run_bench(options: argparse.Namespace) -> int:
    if options.pooltool and shutil.which(options.pooltool) is None:
        print(f"headstring bench: there is no program {options.pooltool}", file=sys.stderr)
        return 2
    if options.what == "physics":
        from physics.bench import bench_physics

        print(bench_physics(memory_shots=max(options.memory_shots, 10)))
        return _compare_with_pooltool("shots", options.pooltool) if options.pooltool else 0
    if options.what in ("server", "client"):
        return _bench_parts(options)
    if options.what == "breaks":
        from physics.breaks import bench_breaks as bench
    elif options.what == "rules":
        from server.rules_bench import bench_rules as bench
    elif options.what == "league":
        from server.competitions.bench import bench_league as bench
    else:
        raise AssertionError(options.what)
    print(bench())
    return 0


def _bench_parts(options: argparse.Namespace) -> int:
    """The benches that are measured part by part."""
    bench = importlib.import_module(f"{options.what}.bench.command")
    parts = tuple(options.part or bench.PARTS)
    if unknown := [part for part in parts if part not in bench.PARTS]:
        print(
            f"headstring bench {options.what}: there is no part {unknown[0]!r}, "
            f"but {', '.join(bench.PARTS)}",
            file=sys.stderr,
        )
        return 2
    for line in bench.lines(options, parts):
        print(line, flush=True)
    compares = options.what == "client" and options.pooltool
    return _compare_with_pooltool("scene", options.pooltool) if compares else 0


def _compare_with_pooltool(what: str, python: str) -> int:
    try:
        if what == "scene":
            from benchmarks.pooltool_scene import main as compare
        else:
            from benchmarks.pooltool_compare import main as compare
    except ModuleNotFoundError:
        print(
            "headstring: --pooltool needs a checkout, with its folder benchmarks", file=sys.stderr
        )
        return 2
    print()
    return int(compare([python]))


def run_warm_up(options: argparse.Namespace) -> int:
    import time

    print("Loading the numeric code (it is compiled the first time) ...", flush=True)
    started = time.monotonic()
    from physics.simulation import warm_up

    warm_up()
    print(f"Ready in {time.monotonic() - started:.1f} s.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
