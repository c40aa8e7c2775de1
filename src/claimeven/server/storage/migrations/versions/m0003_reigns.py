"""Whose the database is, as a number that only grows: a server that lost it must not write."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    reigns = op.create_table(
        "reigns",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("epoch", Big, nullable=False),
        sa.CheckConstraint("id = 1", name="one"),
        sqlite_strict=True,
    )
    op.bulk_insert(reigns, [{"id": 1, "epoch": 0}])


def downgrade() -> None:
    op.drop_table("reigns")
