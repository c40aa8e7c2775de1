"""Alembic's door: the connection is given by store.py."""

from alembic import context

from claimeven.server.schema import metadata


def run() -> None:
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


if __name__ != "claimeven.server.migrations.env":  # Alembic loads this file by its path, not by its name
    run()
