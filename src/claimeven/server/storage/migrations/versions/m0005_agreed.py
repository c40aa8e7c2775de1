"""Whether the other player agreed when somebody took a seat in the middle of a game."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("replaced", sa.Column("agreed", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("replaced", "agreed")
