"""WARC and WACZ: other programs can read and check our files, and we can read theirs."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from inquest.archive.captures import captures
from inquest.archive.export import write_wacz, write_warc
from inquest.domain.document import Snapshot
from inquest.domain.errors import PageUnreadable, StorageError
from inquest.kit.files import Capture, NoCapture

MADE = datetime(2025, 3, 6, 8, tzinfo=UTC)
PAGE = "<html><p>Die Brücke ist gesperrt.</p></html>".encode()
REPORT = b"%PDF-1.4 ..."


@pytest.fixture
def kept(snapshot_of: Any) -> list[tuple[bytes, Snapshot]]:
    headers = (
        ("content-type", "text/html; charset=utf-8"),
        ("content-encoding", "gzip"),
        ("content-length", "31"),
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
    )
    return [
        (PAGE, snapshot_of(PAGE, "https://echo.example/A?q=1", status=203, headers=headers)),
        (REPORT, snapshot_of(REPORT, "file:///home/reports/r%201.pdf", content_type="application/pdf")),
        (b"", snapshot_of(b"", "https://echo.example/empty", status=599)),
    ]


@pytest.fixture
def packed(kept: list[tuple[bytes, Snapshot]]) -> bytes:
    stream = io.BytesIO()
    write_warc(stream, kept, software="inquest/test", made_at=MADE, title="Case 7")
    return stream.getvalue()


def all_captures(raw: bytes) -> tuple[list[Capture], str]:
    """The readable contents, and the reported faults."""
    try:
        found = list(captures(io.BytesIO(raw)))
    except PageUnreadable as error:
        return [], str(error)
    faults = [one.why for one in found if isinstance(one, NoCapture) and one.outcome == "unreadable"]
    return [one for one in found if isinstance(one, Capture)], " ".join(faults)


def test_records_carry_digests_that_hold_dates_and_statuses(packed: bytes) -> None:
    records = []
    for record in ArchiveIterator(io.BytesIO(packed), check_digests="raise"):
        record.raw_stream.read()
        records.append((record.rec_type, record.rec_headers, record.http_headers))
    assert [kind for kind, _, _ in records] == ["warcinfo", "response", "resource", "response"]
    about, http = records[1][1], records[1][2]
    assert about.protocol == "WARC/1.1"
    assert about.get_header("WARC-Payload-Digest") == "sha256:" + hashlib.sha256(PAGE).hexdigest()
    assert about.get_header("WARC-Date") == "2025-03-05T10:20:30.123456Z"
    assert http.statusline == "203 Non-Authoritative Information"
    assert http.get_header("content-length") == str(len(PAGE))
    assert http.get_header("content-encoding") is None
    assert http.get_header("x-archive-orig-content-encoding") == "gzip"
    assert [value for name, value in http.headers if name == "set-cookie"] == ["a=1", "b=2"]


def test_what_was_written_comes_back(kept: list[tuple[bytes, Snapshot]], packed: bytes) -> None:
    for raw in (packed, gzip.decompress(packed)):
        for back, (original, was) in zip(all_captures(raw)[0], kept, strict=True):
            assert back.body == original
            assert (back.url, back.status, back.content_type) == (was.final_url, was.status, was.content_type)
            assert back.retrieved_at == was.retrieved_at


def test_the_same_snapshots_give_the_same_bytes(kept: list[tuple[bytes, Snapshot]], packed: bytes) -> None:
    stream = io.BytesIO()
    write_warc(stream, kept, software="inquest/test", made_at=MADE, title="Case 7")
    assert stream.getvalue() == packed


def foreign(body: bytes, *headers: tuple[str, str]) -> bytes:
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=True)
    http = StatusAndHeaders("200 OK", [("Content-Type", "text/html"), *headers], protocol="HTTP/1.1")
    for kind in ("request", "response", "metadata"):
        given: dict[str, Any] = {"http_headers": http} if kind == "response" else {}
        payload = body if kind == "response" else b"software: x\r\n"
        if kind != "request":
            record = writer.create_warc_record(
                "https://other.example/", kind, payload=io.BytesIO(payload), length=len(payload), **given
            )
            writer.write_record(record)
    return stream.getvalue()


def test_captures_of_others_are_decoded(snapshot_of: Any) -> None:
    packed_body = gzip.compress(PAGE)
    chunked = f"{len(packed_body):x}\r\n".encode() + packed_body + b"\r\n0\r\n\r\n"
    for raw in (
        foreign(PAGE),
        foreign(packed_body, ("Content-Encoding", "gzip")),
        foreign(chunked, ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")),
    ):
        found, said = all_captures(raw)
        assert [capture.body for capture in found] == [PAGE]
        assert said == ""
        assert found[0].content_type == "text/html"
        assert not {"content-encoding", "transfer-encoding"} & {name for name, _ in found[0].headers}


def test_a_file_cut_off_anywhere_gives_what_is_whole_and_says_so(packed: bytes) -> None:
    for raw in (packed, gzip.decompress(packed)):
        counts = []
        for end in range(0, len(raw) - 1, 7):
            found, said = all_captures(raw[:end])
            counts.append(len(found))
            assert all(capture.body in (PAGE, REPORT, b"") for capture in found)
            # Between two records, or two parts of one, nothing shows that more was to come.
            assert said or raw[:end].endswith(b"\r\n\r\n") or raw[:end] in _whole_prefixes(packed)
        assert counts == sorted(counts)
        assert counts[0] == 0 and counts[-1] >= 2


def _whole_prefixes(packed: bytes) -> set[bytes]:
    """The file after each of its records."""
    iterator = ArchiveIterator(io.BytesIO(packed))
    ends = set()
    for record in iterator:
        record.raw_stream.read()
        iterator.read_to_end()
        ends.add(packed[: iterator.get_record_offset() + iterator.get_record_length()])
    return ends


@given(
    st.one_of(st.binary(max_size=200), st.binary(max_size=60).map(lambda junk: b"WARC/1.0\r\n" + junk + b"\r\n\r\n"))
)
def test_junk_is_no_web_archive(raw: bytes) -> None:
    assert all(isinstance(capture, Capture) for capture in all_captures(raw)[0])


def test_nothing_is_written_to_the_terminal(packed: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    plain = gzip.decompress(packed)
    all_captures(plain.replace(b"Content-Length: 12\r\n", b"Content-Length: 5\r\n"))
    assert capsys.readouterr() == ("", "")


def test_a_package_can_be_checked_and_replayed(kept: list[tuple[bytes, Snapshot]], tmp_path: Path) -> None:
    path = tmp_path / "out" / "case.wacz"
    titles = {kept[0][1].hash: "Brücke gesperrt"}
    write_wacz(path, kept, title="Case 7", software="inquest/test", made_at=MADE, titles=titles)
    with zipfile.ZipFile(path) as wacz:
        assert {entry.compress_type for entry in wacz.infolist()} == {zipfile.ZIP_STORED}
        package = wacz.read("datapackage.json")
        described = json.loads(package)
        digest = json.loads(wacz.read("datapackage-digest.json"))
        index = wacz.read("indexes/index.cdxj").decode().splitlines()
        pages = [json.loads(line) for line in wacz.read("pages/pages.jsonl").decode().splitlines()]
        warc = wacz.read("archive/data.warc.gz")
        for resource in described["resources"]:
            content = wacz.read(resource["path"])
            assert resource["hash"] == "sha256:" + hashlib.sha256(content).hexdigest()
            assert resource["bytes"] == len(content)
        listed = {resource["path"] for resource in described["resources"]}
        assert listed == set(wacz.namelist()) - {"datapackage.json", "datapackage-digest.json"}
    assert digest == {"path": "datapackage.json", "hash": "sha256:" + hashlib.sha256(package).hexdigest()}
    assert (described["profile"], described["wacz_version"]) == ("data-package", "1.1.1")
    assert pages[0]["format"] == "json-pages-1.0"
    assert [(page["url"], page.get("title")) for page in pages[1:]] == [
        ("https://echo.example/A?q=1", "Brücke gesperrt"),
        ("https://echo.example/empty", None),
    ]
    assert index == sorted(index) and len(index) == 3
    for line in index:
        _, _, fields = line.split(" ", 2)
        found = json.loads(fields)
        record = warc[int(found["offset"]) :][: int(found["length"])]
        assert found["recordDigest"] == "sha256:" + hashlib.sha256(record).hexdigest()
        [one] = all_captures(record)[0]
        assert "sha256:" + hashlib.sha256(one.body).hexdigest() == found["digest"]
        assert one.url == found["url"]
    assert index[0].startswith("example,echo)/a?q=1 20250305102030 {")


def test_the_same_package_has_the_same_bytes(kept: list[tuple[bytes, Snapshot]], tmp_path: Path) -> None:
    for name in ("one.wacz", "two.wacz"):
        write_wacz(tmp_path / name, kept, title="Case 7", software="s", made_at=MADE)
    assert (tmp_path / "one.wacz").read_bytes() == (tmp_path / "two.wacz").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.wacz", "two.wacz"]


def test_a_package_that_cannot_be_written_leaves_nothing(
    kept: list[tuple[bytes, Snapshot]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "case.wacz").write_bytes(b"the one before")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "open", full)
    with pytest.raises(StorageError, match="the disk is full"):
        write_wacz(tmp_path / "case.wacz", kept, title="Case 7", software="s", made_at=MADE)
    assert [path.name for path in tmp_path.iterdir()] == ["case.wacz"]
    assert (tmp_path / "case.wacz").read_bytes() == b"the one before"
