"""Physics is compiled before the first test that may need it, so that none plays slowly."""

import pytest


def pytest_collection_finish(session: pytest.Session) -> None:
    """Only where tests of more than the rules are to run: it loads the compiler."""
    pure = ("shared_rules", "data", "league")
    if any(not set(item.path.parts) & set(pure) for item in session.items):
        from physics.simulation import warm_up

        warm_up()
