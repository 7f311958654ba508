"""Add an index of events by people, for lists by assigned and mentioned users."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from inquest.store.tables import BY_PEOPLE

revision = "0017"
down_revision = "0016"
_NAME = "ix_events_by_people"


def upgrade() -> None:
    if _NAME not in {known["name"] for known in sa.inspect(op.get_bind()).get_indexes("events")}:
        op.create_index(_NAME, "events", ["case_id", "id"], sqlite_where=BY_PEOPLE, postgresql_where=BY_PEOPLE)
