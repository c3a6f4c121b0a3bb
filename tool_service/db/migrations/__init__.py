"""Alembic's folder: how a migration runs, and the one history of the schema in `versions/`."""
