"""Who sat at the table before somebody took their seat in the middle of a game."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "replaced",
        sa.Column(
            "game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True, nullable=False
        ),
        sa.Column("seq", Big, primary_key=True, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("agent", sa.Text),
        sa.CheckConstraint("side IN (1, 2)", name="side"),
        sa.CheckConstraint("seq >= 0 AND ply >= 1", name="counts"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("replaced")
