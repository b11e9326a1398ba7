"""Whose certificates count for a server that is reached by ``wss://``."""

import argparse
import ssl


def add_ca_argument(parser: argparse.ArgumentParser) -> None:
    """Declare ``--ca``, beside ``--server``."""
    parser.add_argument(
        "--ca", metavar="FILE", type=authority,
        help="certificate (PEM) to trust besides the system's, for a wss:// server with its own",
    )  # fmt: skip


def authority(file: str) -> ssl.SSLContext:
    """Trust in what the system trusts and in a file's certificates."""
    try:
        context = ssl.create_default_context()
        context.load_verify_locations(file)
    except ssl.SSLError as error:
        raise argparse.ArgumentTypeError(f"{file} holds no certificate in PEM") from error
    except OSError as error:
        raise argparse.ArgumentTypeError(f"can't read {file}: {error.strerror}") from error
    return context
