"""Tournaments: who takes part, who meets whom, and what came of it."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _event() -> sa.Column[str]:
    return sa.Column(
        "event", sa.Text, sa.ForeignKey("events.id", ondelete="CASCADE"), primary_key=True, nullable=False
    )


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("created", Big, nullable=False),
        sa.Column("owner", sa.Text, sa.ForeignKey("players.id", ondelete="SET NULL")),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("rated", sa.Integer, nullable=False),
        sa.Column("clock_initial", Big, nullable=False),
        sa.Column("clock_increment", Big, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("minutes", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("due", Big),
        sa.CheckConstraint("state IN ('open', 'running', 'over')", name="state"),
        sqlite_strict=True,
    )
    op.create_index("events_state", "events", ["state", "created"])
    op.create_table(
        "entrants",
        _event(),
        sa.Column("number", sa.Integer, primary_key=True, nullable=False),
        sa.Column("player", sa.Text, sa.ForeignKey("players.id", ondelete="SET NULL")),
        sa.Column("agent", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.Column("away", sa.Integer, nullable=False),
        sa.UniqueConstraint("event", "player", name="entrants_once"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("entrants_player", "entrants", ["player"])
    op.create_table(
        "pairings",
        _event(),
        sa.Column("round", sa.Integer, primary_key=True, nullable=False),
        sa.Column("board", sa.Integer, primary_key=True, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("second", sa.Integer),
        sa.Column("game", sa.Text),
        sa.Column("score", sa.Text),
        sa.Column("played", sa.Integer, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("pairings_game", "pairings", ["game"])


def downgrade() -> None:
    for table in ("pairings", "entrants", "events"):
        op.drop_table(table)
