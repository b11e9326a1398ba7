"""``python -m tests.server.fake_server PORT DATABASE TIME_SCALE``: a server with fake physics.

It begins to serve when it is told so by a line on its standard input.
"""

import sys

from server.command import run_server
from server.config import ServerConfig

if __name__ == "__main__":
    port, database, scale = sys.argv[1:]
    sys.stdin.readline()  # loaded, and waiting for its turn
    sys.exit(
        run_server(
            ServerConfig(
                port=int(port),
                database=database,
                time_scale=float(scale),
                physics="tests.server.still_physics:play",
                workers=1,
                new_people_burst=1000.0,
                stop_grace_real_s=4.0,
                log_level="warning",
            )
        )
    )
