"""Evidence in a folder: exact, checked, written once, whole or not at all."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inquest.archive.files import FileArchive
from inquest.domain.document import Document
from inquest.domain.errors import NotFound, StorageError

PAGE = b"<html>" + b"<p>The bridge is shut for the winter.</p>" * 40
NONE = "sha256:" + "0" * 64


@pytest.fixture
def archive(tmp_path: Path) -> FileArchive:
    return FileArchive(tmp_path / "archive")


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


async def test_bytes_come_back_exactly_and_are_kept_packed(archive: FileArchive, snapshot_of: Any) -> None:
    snapshot = snapshot_of(PAGE)
    await archive.put(PAGE, snapshot)
    assert await archive.body(snapshot.hash) == PAGE
    assert await archive.snapshot(snapshot.hash) == snapshot
    kept = next(path for path in files_in(archive.folder) if "objects" in path.parts)
    assert kept.stat().st_size < len(PAGE) / 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_any_bytes_come_back(archive: FileArchive, snapshot_of: Any, body: bytes) -> None:
    async def round_trip() -> bytes:
        await archive.put(body, snapshot_of(body))
        return await archive.body(snapshot_of(body).hash)

    assert asyncio.run(round_trip()) == body


async def test_every_retrieval_is_kept_once_and_the_first_is_the_snapshots(
    archive: FileArchive, snapshot_of: Any
) -> None:
    first = snapshot_of(PAGE)
    again = snapshot_of(PAGE, "https://copy.example/bridge", retrieved_at=datetime(2025, 4, 1, tzinfo=UTC))
    for snapshot in (first, again, first):
        await archive.put(PAGE, snapshot)
    assert await archive.snapshot(first.hash) == first
    assert await archive.retrievals(first.hash) == (first, again)


async def test_what_is_not_there_is_not_found(archive: FileArchive) -> None:
    for name in (NONE, "sha256:../../etc/passwd", "", "md5:00"):
        with pytest.raises(NotFound):
            await archive.body(name)
        with pytest.raises(NotFound):
            await archive.snapshot(name)
    assert await archive.document(NONE) is None


async def test_the_first_text_of_a_snapshot_stands(archive: FileArchive, snapshot_of: Any) -> None:
    snapshot = snapshot_of(PAGE)
    first = Document(snapshot=snapshot.hash, url=snapshot.url, title="T", text="The bridge is shut.", notes=("n",))
    second = first.model_copy(update={"text": "Another reading."})
    assert await archive.put_document(first) == first
    assert await archive.put_document(second) == first
    assert await archive.document(snapshot.hash) == first


async def test_many_tasks_keeping_the_same_thing_keep_it_once(archive: FileArchive, snapshot_of: Any) -> None:
    snapshot = snapshot_of(PAGE)
    texts = [Document(snapshot=snapshot.hash, url=snapshot.url, text=f"reading {number}") for number in range(8)]
    async with asyncio.TaskGroup() as group:
        for _ in range(8):
            group.create_task(archive.put(PAGE, snapshot))
        kept = [group.create_task(archive.put_document(text)) for text in texts]
    assert len({task.result().text for task in kept}) == 1
    assert await archive.retrievals(snapshot.hash) == (snapshot,)
    assert [path.name for path in files_in(archive.folder) if path.name.startswith(".part")] == []


def test_processes_may_share_a_folder(archive: FileArchive, snapshot_of: Any, tmp_path: Path) -> None:
    code = (
        "import asyncio, json, sys\n"
        "from pathlib import Path\n"
        "from inquest.archive.files import FileArchive\n"
        "from inquest.domain.document import Document, Snapshot\n"
        "folder, made, who = sys.argv[1:]\n"
        "snapshot = Snapshot.model_validate_json(made)\n"
        "archive = FileArchive(Path(folder))\n"
        "async def main():\n"
        "    for n in range(25):\n"
        "        await archive.put(b'shared', snapshot.model_copy(update={'url': f'https://{who}.example/{n}'}))\n"
        "    kept = await archive.put_document(Document(snapshot=snapshot.hash, url='u', text=who))\n"
        "    print(kept.text)\n"
        "asyncio.run(main())\n"
    )
    made = snapshot_of(b"shared").model_dump_json()
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(archive.folder), made, who], stdout=subprocess.PIPE, text=True
        )
        for who in ("one", "two")
    ]
    said = {process.communicate(timeout=60)[0].strip() for process in running}
    assert len(said) == 1 and said <= {"one", "two"}
    retrievals = asyncio.run(archive.retrievals(snapshot_of(b"shared").hash))
    assert len(retrievals) == len({one.url for one in retrievals}) == 50


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "other"])
async def test_damaged_bytes_are_never_given_out(archive: FileArchive, snapshot_of: Any, damage: str) -> None:
    for body in (PAGE, b"%PDF-1.4 not packed again", b"sound"):
        await archive.put(body, snapshot_of(body))
    for body in (PAGE, b"%PDF-1.4 not packed again"):
        name = snapshot_of(body).hash
        path = next(path for path in files_in(archive.folder / "objects") if path.stem.startswith(name[9:]))
        raw = path.read_bytes()
        changed = {
            "flip": raw[:-9] + bytes([raw[-9] ^ 1]) + raw[-8:],
            "cut": raw[:-5],
            "empty": b"",
            "other": b"something else entirely",
        }
        path.write_bytes(changed[damage])
        with pytest.raises(StorageError, match="are damaged"):
            await archive.body(name)


async def test_bytes_that_are_not_those_of_the_hash_are_refused(archive: FileArchive, snapshot_of: Any) -> None:
    with pytest.raises(StorageError, match="do not match"):
        await archive.put(b"other bytes", snapshot_of(PAGE))
    assert files_in(archive.folder) == []


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "it is read-only"), (errno.EIO, "cannot be used")],
)
async def test_a_disk_that_refuses_leaves_nothing_half_written(
    archive: FileArchive, snapshot_of: Any, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    kept, new = snapshot_of(b"kept"), snapshot_of(PAGE)
    await archive.put(b"kept", kept)
    before = {path: path.read_bytes() for path in files_in(archive.folder)}

    def refuse(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", refuse)
        with pytest.raises(StorageError, match=said) as caught:
            await archive.put(PAGE, new)
        with pytest.raises(StorageError, match=said):
            await archive.put(b"kept", kept.model_copy(update={"url": "https://other.example/"}))
        with pytest.raises(StorageError, match=said):
            await archive.put_document(Document(snapshot=kept.hash, url="u", text="t"))
    assert str(caught.value).count("\n") == 0
    assert {path: path.read_bytes() for path in files_in(archive.folder)} == before
    assert await archive.document(kept.hash) is None
    await archive.put(PAGE, new)
    assert await archive.body(new.hash) == PAGE


async def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path, snapshot_of: Any) -> None:
    (tmp_path / "file").write_text("not a folder")
    archive = FileArchive(tmp_path / "file" / "archive")
    with pytest.raises(StorageError, match="cannot be used"):
        await archive.put(PAGE, snapshot_of(PAGE))


async def test_a_line_cut_off_by_a_crash_costs_only_itself(archive: FileArchive, snapshot_of: Any) -> None:
    first = snapshot_of(PAGE)
    await archive.put(PAGE, first)
    path = next(path for path in files_in(archive.folder) if "retrievals" in path.parts)
    with path.open("ab") as file:
        file.write(b'{"hash": "sha256:12')
    later = first.model_copy(update={"url": "https://later.example/"})
    await archive.put(PAGE, later)
    assert await archive.retrievals(first.hash) == (first, later)


async def test_a_text_of_a_newer_version_is_told_and_not_lost(archive: FileArchive, snapshot_of: Any) -> None:
    document = Document(snapshot=snapshot_of(PAGE).hash, url="u", text="t")
    await archive.put_document(document)
    path = next(path for path in files_in(archive.folder) if "documents" in path.parts)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"field_of_tomorrow": 1}))
    with pytest.raises(StorageError, match="cannot be read"):
        await archive.document(document.snapshot)
