"""The state left by a session that is interrupted while storing a checkpoint."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import aiosqlite
import pytest

from inquest.app.cases.checkpoints import undo_half_write


async def test_a_checkpoint_that_was_cut_off_locks_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "inquest.db"
    connection = await aiosqlite.connect(path)
    saver = SimpleNamespace(conn=connection, lock=asyncio.Lock())
    await connection.execute("CREATE TABLE writes (value TEXT)")
    await connection.commit()
    cut_off = await connection.execute("INSERT INTO writes VALUES ('half')")  # and then no commit
    other = sqlite3.connect(path, timeout=0, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")

    await undo_half_write(saver)
    other.execute("BEGIN IMMEDIATE")
    assert other.execute("SELECT count(*) FROM writes").fetchone() == (0,)
    other.execute("ROLLBACK")
    other.close()

    await cut_off.close()
    await connection.close()
    await undo_half_write(saver)  # there is nothing left to undo
