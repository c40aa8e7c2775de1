"""The pie rule: whether a game has it, and whether the first disc was taken."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("pie", sa.Text, nullable=False, server_default="no"))


def downgrade() -> None:
    op.drop_column("games", "pie")
