"""Alembic's door: the connection is given by database.py."""

from alembic import context

from claimeven.server.storage.club import metadata


def run() -> None:
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


if __name__ != "claimeven.server.storage.migrations.env":  # Alembic loads it by its path
    run()
