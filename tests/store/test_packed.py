"""Compressed texts: they are restored exactly, and rows of earlier versions are read unchanged."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, Text, insert, literal, select, type_coerce, update

from inquest.domain.errors import StorageError
from inquest.store import tables
from inquest.store.database import Database
from inquest.store.tables.packed import packed, unpacked

FINDING = json.dumps(
    {"id": "F1", "claim_id": "C1", "source_id": "S1", "agent": "news", "evidence_type": "news_source",
     "stance": "supports", "confidence": 0.9, "quote": "It closed in May.", "snapshot": "sha256:" + "a" * 64}
)  # fmt: skip
PACKED_FIRST = "z1:gw0yuBmid3KcDVEmEkFCwWAhlD4TZPoRJbkqoKZXBXiCVUAqiDGm9yzBffZ8yKSmJ+giqfxiyDFZvomVemBj4MlVAZZeEykESrUA"


@given(st.text(max_size=600) | st.text(max_size=60).map(lambda text: "z1:" + text))
def test_every_text_comes_back(text: str) -> None:
    short = packed(text)
    assert unpacked(text if short is None else short) == text


def test_what_a_case_keeps_is_a_third_as_long_even_where_it_is_short() -> None:
    short = packed(FINDING)
    assert short is not None and len(short) < len(FINDING) / 3 and short == packed(FINDING)
    assert packed("{}") is None


def test_what_was_packed_first_is_still_read() -> None:
    """A text as packed by the first version: no byte of the dictionary may ever change."""
    words = files("inquest.store.tables").joinpath("packed_1.txt").read_bytes()
    assert hashlib.sha256(words).hexdigest() == "b716d96ad33f12b4a8f292063fa69888d07b0881aff475354ceeb4abdca6eb01"
    assert unpacked(PACKED_FIRST) == FINDING


async def test_rows_of_an_earlier_version_are_read_as_they_are(database: Database) -> None:
    row = {"case_id": "alder", "at": datetime(2026, 1, 1, tzinfo=UTC), "type": "note", "text": "t"}
    column, as_kept = tables.events.c.data, type_coerce(tables.events.c.data, Text)

    def work(connection: Connection) -> list[tuple[str, str | bytes]]:
        connection.execute(insert(tables.events).values(**row, data=literal(FINDING, Text)))
        connection.execute(insert(tables.events).values(**row, data=FINDING))
        rows = connection.execute(select(column, as_kept).order_by(tables.events.c.id))
        return [(read, kept) for read, kept in rows]

    old, (new, kept) = await database.write(work)
    assert old == (FINDING, FINDING) and new == FINDING
    assert len(kept) < len(FINDING) / 2 and isinstance(kept, bytes) is database.is_sqlite


async def test_a_row_that_was_changed_by_hand_is_a_clear_error(database: Database) -> None:
    row = {"case_id": "alder", "at": datetime(2026, 1, 1, tzinfo=UTC), "type": "note", "text": "t", "data": FINDING}
    damaged = update(tables.events).values(data=literal("z1:AAAA", Text))

    def work(connection: Connection) -> None:
        connection.execute(insert(tables.events).values(**row))
        connection.execute(damaged)
        connection.execute(select(tables.events.c.data)).all()

    with pytest.raises(StorageError, match="cannot be read"):
        await database.write(work)
