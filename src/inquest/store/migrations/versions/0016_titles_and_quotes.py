"""Add columns for searching titles and quotes, filled from the documents of earlier cases."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

from inquest.store.schema import storable
from inquest.store.tables import findings, sources

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    for table, column in ((sources, sources.c.title), (findings, findings.c.quote)):
        if column.name in {known["name"] for known in sa.inspect(op.get_bind()).get_columns(table.name)}:
            continue
        op.add_column(table.name, sa.Column(column.name, sa.Text(), nullable=False, server_default=""))
        rows = op.get_bind().execute(sa.select(table.c.case_id, table.c.id, table.c.document))
        for case_id, row_id, document in rows.all():
            value = storable(json.loads(document).get(column.name) or "")
            row = table.update().where(table.c.case_id == case_id, table.c.id == row_id)
            op.execute(row.values({column.name: value}))
