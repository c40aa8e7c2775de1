"""Games, seats, takes and moves."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("created", Big, nullable=False),
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("start", sa.Text, nullable=False),
        sa.Column("think", sa.Integer, nullable=False),
        sa.Column("clock_initial", Big),
        sa.Column("clock_increment", Big),
        sa.Column("owner", sa.Text),
        sa.Column("invite", sa.Text),
        sa.Column("seq", Big, nullable=False),
        sa.Column("take", sa.Integer, nullable=False),
        sa.Column("redo", sa.Text, nullable=False),
        sa.Column("left_first", Big),
        sa.Column("left_second", Big),
        sa.Column("offers", sa.Text, nullable=False),
        sa.Column("score", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("rematch", sa.Text),
        sa.CheckConstraint("(score IS NULL) = (reason IS NULL)", name="result_is_whole"),
        sa.CheckConstraint("seq >= 0 AND take >= 0", name="counts"),
        sqlite_strict=True,
    )
    op.create_index("games_created", "games", ["created"])
    op.create_table(
        "seats",
        _game(),
        sa.Column("side", sa.Integer, primary_key=True, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("agent", sa.Text),
        sa.Column("owner", sa.Text),
        sa.CheckConstraint("side IN (1, 2)", name="side"),
        sa.CheckConstraint(
            "(kind = 'human' AND owner IS NOT NULL AND agent IS NULL)"
            " OR (kind = 'agent' AND owner IS NULL AND agent IS NOT NULL)"
            " OR (kind = 'free' AND owner IS NULL AND agent IS NULL)",
            name="occupant",
        ),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "takes",
        _game(),
        sa.Column("take", sa.Integer, primary_key=True, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.CheckConstraint("take >= 1 AND ply >= 0", name="counts"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "moves",
        _game(),
        sa.Column("take", sa.Integer, primary_key=True, nullable=False),
        sa.Column("ply", sa.Integer, primary_key=True, nullable=False),
        sa.Column("column", sa.Integer, nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("seq", Big, nullable=False),
        sa.Column("ms", Big),
        sa.Column("left_ms", Big),
        sa.Column("at", Big, nullable=False),
        sa.CheckConstraint('"column" BETWEEN 1 AND 35', name="column_exists"),
        sa.CheckConstraint("ply BETWEEN 0 AND 127 AND take >= 0", name="counts"),
        sa.CheckConstraint("side IN (1, 2)", name="side"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _game() -> "sa.Column[str]":
    return sa.Column(
        "game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True, nullable=False
    )


def downgrade() -> None:
    for table in ("moves", "takes", "seats", "games"):
        op.drop_table(table)
