"""Files that hold several documents: all contents, within limits, and a reason for everything left out."""

from __future__ import annotations

import io
import stat
import zipfile
from email.message import EmailMessage

import pytest

from inquest.kit.files import Part, PartProblem
from inquest.readers.containers import LIMITS, is_archive, parts_of


def zipped(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name.replace("__", "."), body)
    return packed.getvalue()


def said(body: bytes, name: str = "a.zip", **limits: int) -> list[tuple[str, str, str]]:
    """Number, place and result: the text, or the reason why there is none."""
    found = parts_of(body, name, limits=LIMITS._replace(**limits))
    return [(each.number, each.where, each.body.decode() if isinstance(each, Part) else each.why) for each in found]


def test_an_archive_in_an_archive_is_opened_as_deep_as_the_limit() -> None:
    body = zipped(deep__txt=b"deep")
    for level in "321":
        body = zipped(inner__zip=body, **{f"level{level}__txt": level.encode()})
    assert said(body) == [
        ("1.1.1", "inner.zip > inner.zip > inner.zip", "is nested more than 3 levels deep and is not opened"),
        ("1.1.2", "inner.zip > inner.zip > level3.txt", "3"),
        ("1.2", "inner.zip > level2.txt", "2"),
        ("2", "level1.txt", "1"),
    ]


def test_a_mailbox_gives_its_messages_as_they_were_sent() -> None:
    first = "Subject: Beds/1\n\nDivers mapped 41 beds.\n{}From March on they map reefs.\n"
    second = "Subject: Re\n\nFrom here on: 39.\n"
    box = f"From a@x.example Mon Feb  5 09:00:00 2024\n{first.format('>')}\nFrom - Tue Feb  6 08:30:00 2024\n{second}"
    assert said(box.encode(), "a.mbox") == [("1", "Beds-1.eml", first.format("")), ("2", "Re.eml", second)]
    assert is_archive(box.encode(), "a.mbox")


def test_a_bomb_is_named_unopened_and_the_others_go_on() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.txt", bytes(3_000_000))
        archive.writestr("ok.txt", b"fine")
    first, last = said(packed.getvalue(), part=2_000_000)
    assert "limit for one file" in first[2] and last == ("2", "ok.txt", "fine")
    first, last = said(packed.getvalue(), harmless=1_000_000)
    assert "far more than a document would" in first[2] and last == ("2", "ok.txt", "fine")
    assert "exceeds the limit" in said(packed.getvalue(), unpacked=1_000_000)[0][2]


def test_of_too_many_files_the_first_are_read() -> None:
    found = said(zipped(**{f"f{number}__txt": b"x" for number in range(9)}), parts=4)
    assert len(found) == 5 and found[-1] == ("", "", "contains over 4 files; the rest is left out")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../evil.txt", "evil.txt"),
        ("/etc/x.txt", "etc/x.txt"),
        ("..\\..\\evil.txt", "evil.txt"),
        ("a/b.txt", "a/b.txt"),
    ],
)
def test_a_name_that_climbs_out_is_only_a_name(name: str, shown: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), b"x")
    [part] = parts_of(packed.getvalue(), "a.zip")
    assert isinstance(part, Part) and part.name == shown
    assert part.address("file:///a.zip") == f"file:///a.zip#part=1/{shown}"


def test_encrypted_entries_and_links_are_left_out() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, b"/etc/passwd")
        archive.writestr("locked.txt", b"secret")
        archive.writestr("ok.txt", b"fine")
    body = bytearray(packed.getvalue())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = [index for index in range(len(body)) if body.startswith(mark, index)][1]
        body[at + place] |= 1
    link_said, locked, ok = said(bytes(body))
    assert "special file" in link_said[2] and "is encrypted" in locked[2] and ok[2] == "fine"


def test_damage_is_one_problem_and_never_an_exception() -> None:
    whole = zipped(a__txt=b"one " * 100, b__txt=b"two")
    assert [each[2] for each in said(whole[:60])] == ["is a damaged ZIP archive: copy it again"]
    broken = bytearray(whole)
    broken[40] ^= 0xFF
    assert [each[2] for each in said(bytes(broken))] == ["is damaged in its archive: copy it again", "two"]


def test_an_office_document_is_no_archive() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", b"<Types/>")
    [part] = parts_of(packed.getvalue(), "renamed.zip")
    assert isinstance(part, Part) and part.number == ""
    assert not is_archive(packed.getvalue(), "renamed.zip") and is_archive(zipped(a__txt=b"x"), "a.zip")


def test_attachments_with_names_in_every_form() -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "a@b.example", "Many"
    message.set_content("All of them.")
    for number in range(30):
        message.add_attachment(f"Text {number}", filename=f"Übersicht {number}.txt")
    body = message.as_bytes().replace(
        b"filename*=utf-8''%C3%9Cbersicht%200.txt", b'filename="=?utf-8?q?=C3=9Cbersicht_0=2Etxt?="'
    )
    first, *attached = parts_of(body, "many.eml")
    assert isinstance(first, Part) and first.body == body
    assert [each.name for each in attached if isinstance(each, Part)] == [f"Übersicht {n}.txt" for n in range(30)]
    assert {each.parent for each in attached if isinstance(each, Part)} == {"many.eml (Many)"}


def test_winmail_dat_is_one_sentence() -> None:
    [problem] = parts_of(b"\x78\x9f\x3e\x22" + bytes(40), "winmail.dat")
    assert isinstance(problem, PartProblem) and "sent again as plain text" in problem.why


def test_what_is_no_container_is_itself() -> None:
    assert list(parts_of(b"plain", "a.txt")) == [Part("", "a.txt", "", b"plain")]
    assert not any(isinstance(each, PartProblem) for each in parts_of(b"%PDF-1.4", "renamed.eml"))
