"""When a player's rating was last changed: the longer ago, the less is known."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("rated_at", sa.BigInteger().with_variant(sa.Integer, "sqlite")))
    op.execute("UPDATE players SET rated_at = (SELECT max(at) FROM ratings WHERE player = players.id)")


def downgrade() -> None:
    op.drop_column("players", "rated_at")
