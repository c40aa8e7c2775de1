"""The tables of a database, made or brought up to date. Alembic is loaded only where old tables are changed:
it takes longer than all else of a start that concerns the database."""

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from claimeven.server.storage.club import metadata
from claimeven.server.storage.schema import reigns

MIGRATIONS = Path(__file__).parent / "migrations"
LATEST = max(path.stem[1:5] for path in (MIGRATIONS / "versions").glob("m*.py"))
# As Alembic has it.
_table = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


class NewerError(Exception):
    """The tables are of a later version of the program."""


def bring_up_to_date(connection: Connection) -> None:
    """Commits, too. What an empty database gets at once is what all migrations together would make."""
    found = sa.inspect(connection).get_table_names()
    if not found:
        for tables in (metadata, _table.metadata):
            tables.create_all(connection, checkfirst=False)
        connection.execute(reigns.insert().values(id=1, epoch=0))
        connection.execute(_table.insert().values(version_num=LATEST))
    elif _table.name not in found or connection.execute(sa.select(_table)).scalars().all() != [LATEST]:
        migrate(connection)
    connection.commit()


def is_of_the_past(connection: Connection) -> bool:
    """Whether a start would change its tables."""
    found = sa.inspect(connection).get_table_names()
    if _table.name not in found:
        return "games" in found
    return any(version < LATEST for version in connection.execute(sa.select(_table)).scalars())


def migrate(connection: Connection, version: str = "head") -> None:
    """From any version of the past, step by step."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, version)
    except CommandError:
        raise NewerError from None
    connection.commit()
