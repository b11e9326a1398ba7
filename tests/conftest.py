"""Physics is compiled before the first test that may need it, so that none plays slowly; and the
databases that tests run on.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.databases import Cluster, has_postgresql, standing_for


def pytest_collection_finish(session: pytest.Session) -> None:
    """Only where tests of more than the rules are to run: it loads the compiler."""
    pure = ("shared_rules", "data", "league")
    if any(not set(item.path.parts) & set(pure) for item in session.items):
        from physics.simulation import warm_up

        warm_up()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A running PostgreSQL."""
    if not has_postgresql():
        if os.environ.get("HEADSTRING_NEED_POSTGRESQL"):
            pytest.fail("PostgreSQL is not installed")
        pytest.skip("PostgreSQL is not installed")
    running = Cluster()
    yield running
    running.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def on_both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Runs a test on both databases (``databases.url_of(tmp_path)``); which one is the value."""
    if request.param == "sqlite":
        yield "sqlite"
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    with standing_for(tmp_path, cluster.new_database()):
        yield "postgresql"
