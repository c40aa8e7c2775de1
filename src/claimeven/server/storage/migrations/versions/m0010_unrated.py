"""Why a game that was to be rated is not."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("terms", sa.Column("unrated", sa.Text))
    # So far there was one reason.
    op.execute("UPDATE terms SET unrated = 'address' WHERE rated = 0 AND event IS NULL")


def downgrade() -> None:
    op.drop_column("terms", "unrated")
