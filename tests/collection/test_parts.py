"""Messages and archives in a collection: each attachment and each file is a document of its own."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage
from pathlib import Path

from inquest.app.wiring.collections import Collections
from tests.collection.conftest import MemoryArchive


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
    assert problems[1].startswith("mail.eml > film.mp4: is of a kind that is not read (.mp4)")
    found = {one.url.rsplit("/desk/")[-1] for one in await collections.search("leaks", "river")}
    assert {"mail.eml", "mail.eml#part=1/report.txt", "mail.eml#part=4.2/note.txt", "z.txt"} <= found
    parents = {each.parent for each in archive.snapshots.values()}
    assert parents == {"", "mail.eml (The river)", "more.zip"}
    kept = [await archive.document(each.hash) for each in archive.snapshots.values()]
    assert {each.parent for each in kept if each} == parents, "so that a finding says what it is part of"


async def test_the_same_message_again_is_there_already(collections: Collections, tmp_path: Path) -> None:
    (tmp_path / "two.zip").write_bytes(zipped(a__txt=b"river one", b__txt=b"river two"))
    first = await collections.add("leaks", [tmp_path / "two.zip"])
    again = await collections.add("leaks", [tmp_path / "two.zip"])
    assert (first.documents, again.documents, again.skipped) == (2, 0, 2)
