"""Changing a database's schema, by Alembic and the scripts in ``migrations``."""

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from server.storage.database import MIGRATIONS, OtherVersion


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Carry out the migrations up to a revision on an open connection.

    Raises:
        OtherVersion: the database is of a version that this build doesn't know.
    """
    config = alembic_config()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise OtherVersion(str(error)) from error


def alembic_config() -> Config:
    """Where Alembic finds the migrations."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config
