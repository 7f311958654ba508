"""Adding documents: what is added, skipped and reported."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import io
import json
import os
import socket
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from inquest.app.wiring.collections import Added, Collections, IngestProgress
from inquest.collection import bytes_in, ingest
from inquest.domain.errors import InputError
from inquest.kit.files import KINDS, DocumentKind
from tests.collection.conftest import NOW, MemoryArchive


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder of documents."""
    folder = tmp_path / "desk"
    folder.mkdir()
    return folder


def told(added: Added, folder: Path) -> list[str]:
    return [str(problem).replace(f"{folder}{os.sep}", "") for problem in added.problems]


async def test_every_kind_of_file_is_taken_in_packed_or_not(collections: Collections, desk: Path) -> None:
    (desk / "a.txt").write_text("river one")
    (desk / "b.md").write_text("river two")
    (desk / "c.html.gz").write_bytes(gzip.compress(b"<p>river three"))
    (desk / "d.csv").write_text("id,text\nD,river four\n")
    (desk / "e.jsonl.gz").write_bytes(gzip.compress(b'{"_id": 5, "text": "river five"}\n'))
    (desk / "f.warc").write_text('{"url": "https://w.example/6", "body": "river six"}\n')
    (desk / "NOTES").write_text("river seven")
    added = await collections.add("desk", [desk])
    assert (added.documents, added.files, added.unreadable, added.problems) == (7, 7, 0, ())
    found = {one.id: one.url for one in await collections.search("desk", "river")}
    assert found["D"] == (desk / "d.csv").as_uri() + "#row=1"
    assert found["5"] == (desk / "e.jsonl.gz").as_uri() + "#line=1"
    assert "https://w.example/6" in found.values() and (desk / "a.txt").as_uri() in found.values()


async def test_what_is_added_is_archived_with_hash_place_time_and_collection(
    collections: Collections, archive: MemoryArchive, desk: Path
) -> None:
    (desk / "a.txt").write_text("river")
    await collections.add("leaks", [desk / "a.txt"])
    [found] = await collections.search("leaks", "river")
    snapshot, body = await archive.snapshot(found.snapshot), await archive.body(found.snapshot)
    assert found.snapshot == "sha256:" + hashlib.sha256(body).hexdigest() and body == b"river"
    assert found.id == found.snapshot.removeprefix("sha256:")[:12]
    assert (snapshot.provenance, snapshot.retrieved_at, snapshot.size) == ("collection leaks", NOW, 5)
    assert snapshot.content_type == "text/plain"
    document = await archive.document(found.snapshot)
    assert document and document.text == "river"


async def test_a_saved_page_goes_by_the_address_it_gives_for_itself(
    collections: Collections, archive: MemoryArchive, desk: Path
) -> None:
    (desk / "saved.html").write_text("<link rel=canonical> river")
    await collections.add("leaks", [desk])
    [found] = await collections.search("leaks", "river")
    assert found.url == "https://paper.example/story"
    assert (await archive.snapshot(found.snapshot)).url.startswith("file://"), "where the bytes came from is kept"


async def test_what_is_there_already_is_skipped_by_its_bytes(collections: Collections, desk: Path) -> None:
    (desk / "a.txt").write_text("river")
    (desk / "copy.txt").write_text("river")
    first = await collections.add("leaks", [desk])
    assert (first.documents, first.skipped) == (1, 1)
    (desk / "new.txt").write_text("lake")
    again = await collections.add("leaks", [desk])
    assert (again.documents, again.skipped, again.updated) == (1, 2, 0)


async def test_a_file_that_changed_takes_the_place_of_what_it_was(collections: Collections, desk: Path) -> None:
    (desk / "a.txt").write_text("river old")
    (desk / "rows.jsonl").write_text('{"id": 1, "text": "river row old"}\n{"id": 2, "text": "river row"}\n')
    await collections.add("leaks", [desk])
    (desk / "a.txt").write_text("river new")
    (desk / "rows.jsonl").write_text('{"id": 1, "text": "river row new"}\n{"id": 2, "text": "river row"}\n')
    again = await collections.add("leaks", [desk])
    assert (again.documents, again.updated, again.skipped) == (2, 2, 1)
    found = {one.snippet for one in await collections.search("leaks", "river")}
    assert found == {"river new", "river row new", "river row"}


async def test_one_bad_file_does_not_stop_the_others_and_each_is_told(collections: Collections, desk: Path) -> None:
    (desk / "1.txt").write_text("river one")
    (desk / "2.pdf").write_text("broken")
    (desk / "3.html").write_text("poison")
    (desk / "4.txt").write_text("  ")
    (desk / "5.jsonl.gz").write_bytes(gzip.compress(b'{"text": "river five"}\n' * 50)[:-9])
    packed = bytearray(gzip.compress(b"river six"))
    packed[-6] ^= 0xFF
    (desk / "6.txt.gz").write_bytes(packed)
    (desk / "7.json").write_text('[{"text": "x"}]')
    (desk / "8.warc").write_text('{"url": "https://w.example/8", "body": "river eight"}\nDAMAGED\n')
    (desk / "9.mp4").write_bytes(b"\x89PNG\r\n")
    (desk / "z.txt").write_text("river last")
    added = await collections.add("leaks", [desk])
    lines = told(added, desk)
    assert lines[:3] == [
        "2.pdf: The document is encrypted. Save it without a password",
        "3.html: cannot be read (RecursionError: maximum recursion depth exceeded)",
        "4.txt: is empty",
    ]
    assert "5.jsonl.gz: is compressed and incomplete: copy it again" in lines
    assert "6.txt.gz: is compressed and damaged: copy it again" in lines
    assert "7.json: is a single JSON list: put each object on a separate line (JSONL)" in lines
    assert "8.warc: The web archive is damaged. Copy it again" in lines
    assert any(line.startswith("9.mp4: is of an unsupported type (.mp4)") for line in lines)
    assert (added.unreadable, added.left_out) == (7, 1)
    shown = {one.snippet for one in await collections.search("leaks", "river")}
    assert shown == {"river one", "river five", "river eight", "river last"}


async def test_a_file_of_no_kind_that_was_named_itself_is_a_problem(collections: Collections, desk: Path) -> None:
    (desk / "9.mp4").write_bytes(b"\x89PNG\r\n")
    added = await collections.add("leaks", [desk / "9.mp4"])
    assert (added.unreadable, added.left_out) == (1, 0)
    assert collections.names() == (), "a collection of nothing is not made"


async def test_hidden_files_are_passed_over_and_circles_end(collections: Collections, desk: Path) -> None:
    (desk / ".git").mkdir()
    (desk / ".git" / "a.txt").write_text("hidden river")
    (desk / ".hidden.txt").write_text("hidden river")
    (desk / "inner").mkdir()
    (desk / "inner" / "a.txt").write_text("river")
    (desk / "inner" / "circle").symlink_to(desk)
    (desk / "gone.txt").symlink_to(desk / "nowhere")
    added = await collections.add("leaks", [desk])
    assert (added.documents, added.files) == (1, 1)
    assert told(added, desk) == ["gone.txt: cannot be opened (No such file or directory)"]


async def test_what_is_neither_file_nor_folder_is_not_waited_for(collections: Collections, desk: Path) -> None:
    os.mkfifo(desk / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(desk / "s.txt"))
    (desk / "a.txt").write_text("river")
    added = await collections.add("leaks", [desk])
    assert (added.documents, added.left_out) == (1, 2)


async def test_an_unreadable_file_is_told(
    collections: Collections, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk / "a.txt").write_text("river")
    (desk / "b.txt").write_text("river")
    original = Path.open

    def guarded(self: Path, *args: object, **kwargs: object) -> object:
        if self.name == "a.txt":
            raise PermissionError(13, "Permission denied")
        return original(self, *args, **kwargs)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", guarded)
    added = await collections.add("leaks", [desk])
    assert told(added, desk) == ["a.txt: cannot be read (Permission denied)"] and added.documents == 1


async def test_a_file_that_unpacks_without_end_is_left(
    collections: Collections, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bytes_in, "_HARMLESS", 2**20)
    for name in ("bomb.txt.gz", "bomb.jsonl.gz", "bomb.csv.gz"):
        (desk / name).write_bytes(gzip.compress((b"" if "json" in name else b"text\n") + b"\0" * 2**22))
    (desk / "z.txt").write_text("river")
    added = await collections.add("leaks", [desk])
    assert (added.documents, added.unreadable) == (1, 3)
    assert all("too much for a document" in line for line in told(added, desk))


async def test_a_file_that_is_too_large_is_told(
    collections: Collections, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KINDS, ".txt", DocumentKind("text", "text/plain", most=2**20))
    (desk / "large.txt").write_bytes(b"x" * (2**20 + 1))
    added = await collections.add("leaks", [desk])
    assert told(added, desk) == ["large.txt: is larger than 1 MB, the limit for a text file"]


async def test_of_a_million_problems_a_thousand_are_kept_and_all_are_counted(
    collections: Collections, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "MOST_PROBLEMS_KEPT", 10)
    (desk / "rows.jsonl").write_text('{"text": "river"}\n' + "bad\n" * 200)
    added = await collections.add("leaks", [desk])
    assert (added.unreadable, len(added.problems)) == (200, 10)


async def test_progress_tells_files_documents_and_problems(collections: Collections, desk: Path) -> None:
    for number in range(150):
        (desk / f"{number:03d}.txt").write_text(f"river {number}")
    (desk / "bad.pdf").write_text("broken")
    steps: list[IngestProgress] = []
    await collections.add("leaks", [desk], progress=steps.append)
    counts = [step.so_far.documents for step in steps]
    assert counts == sorted(counts) and counts[-1] == steps[-1].committed == 150
    assert [problem.where for step in steps for problem in step.news] == [str(desk / "bad.pdf")]


async def test_stopped_midway_it_keeps_what_it_has_and_goes_on_from_there(collections: Collections, desk: Path) -> None:
    lines = [json.dumps({"id": number, "text": f"river {number}"}) for number in range(500)]
    (desk / "rows.jsonl").write_text("\n".join(lines))
    steps: list[IngestProgress] = []

    def stop(progress: IngestProgress) -> None:
        steps.append(progress)
        if progress.so_far.documents >= 100:
            task.cancel()

    task = asyncio.ensure_future(collections.add("leaks", [desk], progress=stop))
    with pytest.raises(asyncio.CancelledError):
        await task
    kept = collections.info("leaks").documents
    assert 100 <= kept < 500 and kept == steps[-1].committed
    again = await collections.add("leaks", [desk])
    assert (again.documents, again.skipped) == (500 - kept, kept)


async def test_a_path_that_does_not_exist_is_told_before_anything_is_done(collections: Collections, desk: Path) -> None:
    (desk / "a.txt").write_text("river")
    with pytest.raises(InputError, match=r"There is no file or folder .*nowhere"):
        await collections.add("leaks", [desk, desk / "nowhere"])
    assert collections.names() == ()


def zipped(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, body in files.items():
            archive.writestr(name.replace("__", "."), body)
    return packed.getvalue()


async def test_each_part_is_a_document_and_one_that_is_bad_stops_no_other(
    collections: Collections, archive: MemoryArchive, tmp_path: Path
) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "a@b.example", "The river"
    message.set_content("The river rose.")
    message.add_attachment("river in the report", filename="report.txt")
    message.add_attachment(b"broken", maintype="application", subtype="pdf", filename="bad.pdf")
    message.add_attachment(b"\0\1", maintype="video", subtype="mp4", filename="film.mp4")
    message.add_attachment(
        zipped(rows__csv=b"id,text\nD,river in a row\n", note__txt=b"river in a note"),
        maintype="application",
        subtype="zip",
        filename="more.zip",
    )
    desk = tmp_path / "desk"
    desk.mkdir()
    (desk / "mail.eml").write_bytes(message.as_bytes())
    (desk / "z.txt").write_text("river last")
    added = await collections.add("leaks", [desk])
    assert (added.documents, added.files, added.unreadable, added.left_out) == (5, 2, 1, 1)
    problems = sorted(str(each).removeprefix(f"{desk}/") for each in added.problems)
    assert problems[0] == "mail.eml > bad.pdf: The document is encrypted. Save it without a password"
    assert problems[1].startswith("mail.eml > film.mp4: is of an unsupported type (.mp4)")
    found = {one.url.rsplit("/desk/")[-1] for one in await collections.search("leaks", "river")}
    assert {"mail.eml", "mail.eml#part=1/report.txt", "mail.eml#part=4.2/note.txt", "z.txt"} <= found
    parents = {each.parent for each in archive.snapshots.values()}
    assert parents == {"", "mail.eml (The river)", "more.zip"}
    kept = [await archive.document(each.hash) for each in archive.snapshots.values()]
    assert {each.parent for each in kept if each} == parents, "so that a finding says what it is part of"


async def test_a_capture_keeps_the_time_it_was_made(
    collections: Collections, archive: MemoryArchive, desk: Path
) -> None:
    (desk / "f.warc").write_text('{"url": "https://w.example/6", "body": "river"}\n')
    await collections.add("leaks", [desk])
    [snapshot] = archive.snapshots.values()
    assert (snapshot.url, snapshot.retrieved_at.year) == ("https://w.example/6", 2024)


@pytest.mark.parametrize(
    ("given", "documents"), [("bytes 0-4/5", 1), ("bytes 0-4/90", 0), ("bytes 5-9/10", 0), (None, 1)]
)
async def test_a_part_of_a_page_is_left_out(
    collections: Collections, desk: Path, given: str | None, documents: int
) -> None:
    page = {"url": "https://w.example/6", "body": "river", "status": 206}
    page["headers"] = {"content-range": given} if given else {}
    (desk / "f.warc").write_text(json.dumps(page))
    added = await collections.add("leaks", [desk])
    assert (added.documents, added.left_out) == (documents, 1 - documents)
    assert documents or "a part of a page" in told(added, desk)[0]
