"""``headstring replay``: a match that was played, shown on the table."""

import argparse

from client.options import add_invitation, add_name, add_screen, add_server, within


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``replay``."""
    parser.epilog = """\
examples:
  headstring replay final.headstring                    a file that `headstring replays` saved
  headstring replay K7Q2MX --server pool.example.org    a match of a server, by its id
  headstring replay final.headstring --shot 12          from the twelfth shot on
"""
    parser.add_argument("match", metavar="FILE|ID", help="a file; with --server the match's id")
    add_server(parser, "server that has the match")
    add_invitation(parser)
    parser.add_argument(
        "--shot", type=within(1, 1_000_000, "a shot's number", int), metavar="N",
        help="begin with this shot",
    )  # fmt: skip
    parser.add_argument(
        "--seconds", type=within(0, 3600, "seconds"), default=0.0, metavar="S",
        help="so many seconds into the shot",
    )  # fmt: skip
    add_name(parser)
    add_screen(parser)


def run(options: argparse.Namespace) -> int:
    """Show it; the exit status."""
    from client.play.program import show_replay

    return show_replay(options)
