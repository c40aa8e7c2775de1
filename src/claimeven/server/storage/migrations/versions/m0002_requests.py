"""Requests that were granted: one that is sent again after a crash must not act again."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "requests",
        sa.Column(
            "game",
            sa.Text,
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
            nullable=False,
        ),
        sa.Column("who", sa.Text, primary_key=True, nullable=False),
        sa.Column("number", Big, primary_key=True, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("seq", Big, nullable=False),
        sa.UniqueConstraint("game", "who", "id", name="once"),
        sa.CheckConstraint("number >= 0 AND seq >= 0", name="counts"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("requests")
