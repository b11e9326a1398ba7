"""Alembic migrations of the server's database; they run when a server starts."""
