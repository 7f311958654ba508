"""All tables as they are in the first release; a later release adds its migrations beside this one."""

from __future__ import annotations

from alembic import op

from inquest.store.tables import metadata

revision = "0016"
down_revision = None


def upgrade() -> None:
    metadata.create_all(op.get_bind(), checkfirst=False)
