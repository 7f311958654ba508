"""Every record of a web archive has one outcome, and damage costs only the records that it hit."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import random
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable

import brotli
import pytest
import zstandard

from inquest.archive.captures import captures
from inquest.domain.errors import PageUnreadable
from inquest.kit.files import Capture, NoCapture


def page(name: str, times: int = 6) -> bytes:
    words = "".join(f"<p>{name} paragraph {number} of {number * 7919 % 1009}.</p>" for number in range(times))
    return f"<!doctype html><title>{name}</title>{words}".encode()


def record(kind: str, url: str, block: bytes, **headers: str) -> bytes:
    about = {"WARC-Type": kind, "WARC-Target-URI": url, "WARC-Date": "2024-03-10T10:00:00Z"}
    about |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in about.items() if value)
    return f"WARC/1.0\r\n{lines}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def response(url: str, body: bytes, *http: str, status: str = "200 OK", **headers: str) -> bytes:
    lines = "".join(f"{line}\r\n" for line in ("Content-Type: text/html; charset=utf-8", *http))
    return record("response", url, f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body, **headers)


NAMES = ("alder", "birch", "cedar", "dogwood", "elm")
PAGES = {f"https://nests.example/{name}": page(name, 40) for name in NAMES}
RECORDS = [response(url, body) for url, body in PAGES.items()]


def members(records: list[bytes]) -> list[bytes]:
    return [gzip.compress(each) for each in records]


def outcomes(raw: bytes) -> tuple[list[Capture], list[NoCapture]]:
    found = list(captures(io.BytesIO(raw)))
    return [one for one in found if isinstance(one, Capture)], [one for one in found if isinstance(one, NoCapture)]


def spoilt(data: bytes, at: float = 0.5) -> bytes:
    start = int(len(data) * at)
    return data[:start] + bytes(byte ^ 0xA5 for byte in data[start : start + 8]) + data[start + 8 :]


CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": lambda body: zlib.compress(body)[2:-4],
    "br": brotli.compress,
    "zstd": zstandard.compress,
    "gzip, br": lambda body: brotli.compress(gzip.compress(body)),
    "br , zstd": lambda body: zstandard.compress(brotli.compress(body)),
}


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("chunked", [False, True])
def test_bodies_are_unpacked(coding: str, *, chunked: bool) -> None:
    body = CODINGS[coding](page("alder"))
    lines = [f"Content-Encoding: {coding}"]
    if chunked:
        body = b"".join(b"%x\r\n%s\r\n" % (len(body[i : i + 50]), body[i : i + 50]) for i in range(0, len(body), 50))
        body, lines = body + b"0\r\n\r\n", [*lines, "Transfer-Encoding: chunked"]
    [capture], faults = outcomes(response("https://nests.example/alder", body, *lines))
    assert (capture.body, faults) == (page("alder"), [])


def test_interim_responses_and_trailers_are_no_part_of_a_page() -> None:
    body = gzip.compress(page("alder"))
    lines = b"Content-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body)
    interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
    block = interim + b"HTTP/1.1 200 OK\r\n" + lines + body + b'\r\n0\r\nServer-Timing: app;dur=12\r\nETag: "b"\r\n\r\n'
    [capture], faults = outcomes(record("response", "https://nests.example/alder", block))
    assert (capture.status, capture.body, faults) == (200, page("alder"), [])


@pytest.mark.parametrize(
    ("http", "about", "is_cut"),
    [
        ((), {}, False),
        ((), {"WARC_Truncated": "time"}, True),
        ((f"Content-Length: {len(PAGES[next(iter(PAGES))])}",), {}, False),
        (("Content-Length: 90000",), {}, True),
        (("Content-Length: 90000", "Content-Encoding: gzip"), {}, False),
        (("Transfer-Encoding: chunked",), {}, False),
    ],
    ids=["whole", "by its crawler", "of its length", "short", "unpacked by its crawler", "joined by its crawler"],
)
def test_a_page_that_is_cut_off_is_marked(http: tuple[str, ...], about: dict[str, str], *, is_cut: bool) -> None:
    url, body = next(iter(PAGES.items()))
    (found,), _ = outcomes(response(url, body, *http, **about))
    assert found.is_cut is is_cut


@pytest.mark.parametrize(
    ("end", "is_cut"),
    [(b"0\r\n\r\n", False), (b"0;end\r\nDigest: none\r\n\r\n", False), (b"", True), (b"1f\r\n<p>The", True)],
    ids=["whole", "with a trailer", "between chunks", "in a chunk"],
)
def test_a_chunked_body_without_its_last_chunk_is_cut_off(end: bytes, *, is_cut: bool) -> None:
    body = b"9\r\n<p>Alder.\r\n" + end
    (found,), faults = outcomes(response("https://nests.example/alder", body, "Transfer-Encoding: chunked"))
    assert (found.body[:9], found.is_cut, faults) == (b"<p>Alder.", is_cut, [])


@pytest.mark.parametrize("coding", [*CODINGS, "compress", "dcb"])
def test_a_body_that_cannot_be_unpacked_is_named_with_its_coding_and_plain_text_is_read(coding: str) -> None:
    [undone], faults = outcomes(response("https://nests.example/a", page("alder"), f"Content-Encoding: {coding}"))
    assert (undone.body, faults) == (page("alder"), []), "the crawler undid the coding and kept the header"
    packed = CODINGS.get(coding, gzip.compress)(page("alder", 60))
    for bad in (packed[: len(packed) // 2], b"\x00\x01\x02" + packed[3:40]):
        none, [fault] = outcomes(response("https://nests.example/b", bad, f"Content-Encoding: {coding}"))
        assert none == [] and fault.outcome == "unreadable" and coding.split(",")[0].strip() in fault.why


def test_a_body_that_unpacks_to_far_more_than_a_page_is_refused() -> None:
    for coding, pack in (("br", brotli.compress), ("zstd", zstandard.compress), ("gzip", gzip.compress)):
        none, [fault] = outcomes(response("https://b.example/", pack(b"a" * 70_000_000), f"Content-Encoding: {coding}"))
        assert none == [] and "more than 64 MB" in fault.why and coding in fault.why


def dictionary_packed(records: list[bytes]) -> bytes:
    words = zstandard.train_dictionary(2000, [each[i : i + 200] for each in RECORDS for i in range(0, len(each), 200)])
    packer = zstandard.ZstdCompressor(dict_data=words)
    frame = zstandard.compress(words.as_bytes())
    return b"\x5d\x2a\x4d\x18" + len(frame).to_bytes(4, "little") + frame + b"".join(map(packer.compress, records))


WHOLES: dict[str, Callable[[list[bytes]], bytes]] = {
    "plain": b"".join,
    "gzip members": lambda records: b"".join(members(records)),
    "one gzip stream": lambda records: gzip.compress(b"".join(records)),
    "gzip blocks": lambda records: b"".join(
        gzip.compress(b"".join(records)[i : i + 700]) for i in range(0, len(b"".join(records)), 700)
    ),
    "zstd frames": lambda records: b"".join(map(zstandard.compress, records)),
    "zstd frames with a dictionary": dictionary_packed,
}


@pytest.mark.parametrize("whole", WHOLES)
def test_whole_files_are_unpacked_however_they_are_packed(whole: str) -> None:
    found, others = outcomes(WHOLES[whole](RECORDS))
    assert ({one.url: one.body for one in found}, others) == (PAGES, [])


@pytest.mark.parametrize("hit", [{0}, {1}, {4}, {1, 3}, {0, 1, 2}])
@pytest.mark.parametrize("at", [0.02, 0.3, 0.6, 0.97])
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor(write_checksum=True).compress])
def test_damage_costs_the_packed_records_that_it_hit(hit: set[int], at: float, pack: Callable[[bytes], bytes]) -> None:
    packed = [spoilt(pack(each), at) if number in hit else pack(each) for number, each in enumerate(RECORDS)]
    packed[0] = pack(RECORDS[0])[:4] + packed[0][4:]  # a file without even its magic number is of no kind
    found, faults = outcomes(b"".join(packed))
    assert [one.url for one in found] == [url for number, url in enumerate(PAGES) if number not in hit]
    assert all(one.body == PAGES[one.url] for one in found)
    assert faults and {fault.record for fault in faults} == {"damaged"} and len(faults) <= len(hit)
    assert all("byte" in fault.why and ("damaged" in fault.why or "breaks off" in fault.why) for fault in faults)


@pytest.mark.parametrize("count", [1, 512, 2 << 16])
def test_zeros_before_a_packed_record_are_named_and_those_at_the_end_are_harmless(count: int) -> None:
    first, *others = members(RECORDS)
    found, [fault] = outcomes(b"".join([first, bytes(count), *others]))
    assert [one.url for one in found] == list(PAGES) and "is damaged" in fault.why
    assert outcomes(b"".join([first, *others]) + bytes(count)) == (found, [])


def test_plain_archives_go_on_at_the_next_record() -> None:
    for number in range(5):
        for was, now in (
            (b"Content-Length: ", b"Content-Length: 9"),
            (b"WARC/1.0\r\n", b"\0\0\0\0/1.0\r\n"),
            (b"Length", b"Lxx"),
        ):
            spoilt_one = RECORDS[number].replace(was, now, 1)
            found, faults = outcomes(b"".join([*RECORDS[:number], spoilt_one, *RECORDS[number + 1 :]]))
            assert [one.url for one in found] == [url for other, url in enumerate(PAGES) if other != number]
            assert len(faults) == 1 and faults[0].outcome == "unreadable"


def test_a_cut_off_end_is_named() -> None:
    for raw in (b"".join(RECORDS)[:-300], b"".join(members(RECORDS))[:-30]):
        found, [fault] = outcomes(raw)
        assert len(found) == 4 and "breaks off" in fault.why


NOISE = random.Random(7).randbytes(60_000)
NOISY = {f"https://n.example/{number}": f"<p>{number}</p>{NOISE[number:].hex()}".encode() for number in range(30)}


def digest(block: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(block, usedforsecurity=False).digest()).decode()


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("proved", [True, False])
def test_what_comes_before_the_damage_of_one_stream_is_kept_where_it_is_proved_or_far_from_it(
    at: float, *, proved: bool
) -> None:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    digests = {url: digest(block + body) if proved else "" for url, body in NOISY.items()}
    whole = b"".join(response(url, body, WARC_Block_Digest=digests[url]) for url, body in NOISY.items())
    packed = bytearray(gzip.compress(whole))
    start = int(len(packed) * at)
    # Changed letters, which unpacking does not notice until the checksum at the end.
    packed[start : start + 3] = bytes(byte ^ 0x11 for byte in packed[start : start + 3])
    found, faults = outcomes(bytes(packed))
    assert all(one.body == NOISY[one.url] for one in found), "nothing that is garbled"
    assert len(faults) >= 1 and len(found) + len(faults) <= len(NOISY)
    assert not proved or len(found) >= int(30 * at) - 1
    assert {fault.url for fault in faults}.isdisjoint(one.url for one in found)


def test_what_comes_before_a_hole_in_one_stream_is_kept() -> None:
    packed = bytearray(gzip.compress(b"".join(response(url, body) for url, body in NOISY.items())))
    middle = len(packed) // 2
    packed[middle : middle + 64] = bytes(64)
    found, faults = outcomes(bytes(packed))
    assert [one.body for one in found] == [*NOISY.values()][: len(found)]
    assert len(found) >= 14 and faults


def test_of_a_stream_that_breaks_off_all_that_is_whole_is_kept() -> None:
    found, [fault] = outcomes(gzip.compress(b"".join(response(url, body) for url, body in NOISY.items()))[:-99_999])
    assert len(found) > 20 and "breaks off" in fault.why


def test_a_stream_that_is_too_long_to_hold_is_read_to_its_end() -> None:
    big = {f"https://n.example/{number}": NOISE.hex().encode() * 100 for number in range(4)}
    packed = gzip.compress(b"".join(response(url, body) for url, body in big.items()), 1)
    found, faults = outcomes(packed + gzip.compress(RECORDS[0]))
    assert [one.url for one in found] == [*big, next(iter(PAGES))] and faults == []
    assert all(one.body == big[one.url] for one in found[:-1])


def test_a_record_that_is_too_long_or_split_has_one_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inquest.archive.records.MAX_BLOCK", 9000)
    monkeypatch.setattr("inquest.archive.captures.MAX_BLOCK", 9000)
    split = record("response", "https://n.example/s", b"HTTP/1.1 200 OK\r\n\r\nOne", WARC_Segment_Number="1")
    rest = record("continuation", "https://n.example/s", b" two", WARC_Segment_Number="2")
    found, others = outcomes(response("https://n.example/l", page("l", 900)) + split + rest + RECORDS[0])
    assert [one.url for one in found] == [next(iter(PAGES))]
    assert [(one.record, one.outcome) for one in others] == [
        ("response", "unreadable"),
        ("response", "unreadable"),
        ("continuation", "left out"),
    ]
    assert "larger than" in others[0].why and "split" in others[1].why


def test_what_is_no_web_archive_is_refused() -> None:
    for raw in (b"", b"no archive\n" * 50, gzip.compress(b"no archive"), b"PK\x03\x04 no package"):
        with pytest.raises(PageUnreadable):
            outcomes(raw)


def test_every_record_has_an_outcome() -> None:
    raw = b"".join(
        [
            record("warcinfo", "", b"software: x\r\n"),
            record("request", "https://n.example/", b"GET / HTTP/1.1\r\n\r\n"),
            response("https://n.example/", page("n")),
            record("metadata", "https://n.example/", b"via: x\r\n"),
            record("conversion", "https://n.example/t", b"The text.", Content_Type="text/plain"),
            record("continuation", "https://n.example/", b"more"),
            record("screenshot-by-me", "https://n.example/", b"..."),
            record("resource", "https://n.example/p", b"\x89PNG", Content_Type="image/png"),
            record("resource", "metadata://tool.example/log.txt", b"Saved 2 pages.", Content_Type="text/plain"),
            record("resource", "urn:X-tool:log", b"Saved 2 pages.", Content_Type="text/plain"),
        ]
    )
    found, others = outcomes(raw)
    assert [(one.record, one.url, one.content_type.split(";")[0]) for one in found] == [
        ("response", "https://n.example/", "text/html"),
        ("conversion", "https://n.example/t", "text/plain"),
        ("resource", "https://n.example/p", "image/png"),
    ]
    assert Counter(one.outcome for one in others) == {"accompanies": 5, "left out": 2}


def test_the_text_of_a_page_is_read_only_where_the_archive_does_not_hold_the_page() -> None:
    here, gone = "https://n.example/here", "https://n.example/gone"
    raw = b"".join(
        [
            *(record("resource", f"urn:text:{url}", b"The text.", Content_Type="text/plain") for url in (here, gone)),
            record("resource", f"urn:textFinal:{gone}", b"The text, at last.", Content_Type="text/plain"),
            response(here, page("n")),
            record("resource", f"urn:view:{here}", b"\x89PNG", Content_Type="image/png"),
            record("resource", f"urn:pageinfo:{gone}", b"{}", Content_Type="application/json"),
        ]
    )
    found, others = outcomes(raw)
    assert [(one.url, one.body) for one in found] == [(here, page("n")), (gone, b"The text.")]
    assert [one.outcome for one in others] == ["accompanies"] * 4


def test_an_arc_file_is_read_and_goes_on_after_damage() -> None:
    def arc(url: str, body: bytes) -> bytes:
        block = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        return f"{url} 192.0.2.1 20040310100000 text/html {len(block)}\n".encode() + block + b"\n"

    about = b"1 0 Archive\nURL IP-address Archive-date Content-type Archive-length\n"
    head = b"filedesc://x.arc 0.0.0.0 20040310100000 text/plain %d\n" % len(about) + about + b"\n"
    records = [head, *(arc(url, body) for url, body in PAGES.items())]
    for raw in (b"".join(records), b"".join(members(records)), gzip.compress(b"".join(records))):
        found, [first] = outcomes(raw)
        assert {one.url: one.body for one in found} == PAGES and first.record == "warcinfo"
        assert {one.retrieved_at.year for one in found if one.retrieved_at} == {2004}
    packed = members(records)
    packed[2] = spoilt(packed[2])
    found, others = outcomes(b"".join(packed))
    assert len(found) == 4 and [one.outcome for one in others] == ["accompanies", "unreadable"]


def revisit(url: str, profile: str = "identical-payload-digest", **headers: str) -> bytes:
    given = {"WARC_Profile": f"http://netpreserve.org/warc/1.1/revisit/{profile}", "WARC_Date": "2024-05-01T08:00:00Z"}
    return record("revisit", url, b"HTTP/1.1 200 OK\r\n\r\n", **(given | headers))


ORIGINAL = response(
    "https://n.example/a", page("a"), WARC_Record_ID="<urn:uuid:1>", WARC_Payload_Digest="sha1:ABCDEFGH"
)
REFERENCES = (
    {"WARC_Refers_To": "<urn:uuid:1>"},
    {"WARC_Refers_To_Target_URI": "https://n.example/a", "WARC_Refers_To_Date": "2024-03-10T10:00:00.000Z"},
    {"WARC_Payload_Digest": "sha1:ABCDEFGH"},
)


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("first", [True, False])
def test_a_revisit_has_the_page_that_it_refers_to(reference: dict[str, str], *, first: bool) -> None:
    copy = revisit("https://n.example/copy", **reference)
    found, others = outcomes(copy + ORIGINAL if first else ORIGINAL + copy)
    assert [(one.url, one.body, one.repeats) for one in found] == [
        ("https://n.example/a", page("a"), False),
        ("https://n.example/copy", page("a"), True),
    ]
    assert found[1].retrieved_at and found[1].retrieved_at.month == 5 and others == []


def test_a_revisit_of_the_same_page_is_seen_again_and_one_without_its_page_is_named() -> None:
    same = revisit("https://n.example/a", "server-not-modified", WARC_Refers_To_Date="2024-03-10T10:00:00Z")
    lone = revisit("https://n.example/b", WARC_Refers_To_Target_URI="https://elsewhere.example/b")
    found, others = outcomes(ORIGINAL + same + lone + revisit("https://n.example/a", "server-not-modified"))
    assert len(found) == 1
    assert [(one.url, one.outcome) for one in others] == [
        ("https://n.example/a", "seen again"),
        ("https://n.example/a", "seen again"),
        ("https://n.example/b", "left out"),
    ]
    assert "revisit without its page" in others[2].why


def package(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_package_of_several_archives_is_read_and_pages_without_capture_are_named(compression: int) -> None:
    lines = [{"format": "json-pages-1.0"}, *({"url": url, "text": "..."} for url in [*PAGES, "https://gone.example/"])]
    reference = {"WARC_Refers_To_Target_URI": next(iter(PAGES)), "WARC_Refers_To_Date": "2024-03-10T10:00:00Z"}
    files = {
        "archive/../../one.warc.gz": b"".join(members(RECORDS[:2])),
        "archive/two.warc": RECORDS[2],
        "archive/three.warc.gz": b"".join([spoilt(gzip.compress(RECORDS[3])), gzip.compress(RECORDS[4])]),
        "archive/late.warc.gz": gzip.compress(revisit("https://n.example/copy", **reference)),
        "__MACOSX/archive/._two.warc": b"\0\5\x16\7",
        "indexes/index.cdxj.gz": gzip.compress(b"example,nests)/ 2024 {}\n"),
        "pages/extraPages.jsonl": "\n".join(map(json.dumps, lines)).encode(),
        "datapackage.json": b"{}",
    }
    found, others = outcomes(package(files, compression))
    assert [one.url.rsplit("/", 1)[-1] for one in found] == ["alder", "birch", "cedar", "elm", "copy"]
    assert [(one.record, one.outcome) for one in others] == [
        ("damaged", "unreadable"),
        ("page", "left out"),
        ("page", "left out"),
    ]
    assert "three.warc.gz" in others[0].why and others[2].url == "https://gone.example/"
    assert "only the text" in others[2].why


def test_packages_in_a_package_are_read_and_a_damaged_one_is_named() -> None:
    one = package({"archive/data.warc": RECORDS[0], "pages/pages.jsonl": b'{"url": "https://gone.example/"}'})
    two = package({"archive/data.warc": revisit("https://n.example/copy", WARC_Refers_To_Target_URI=next(iter(PAGES)))})
    whole = {"datapackage.json": b"{}", "one.wacz": one, "two.wacz": two, "three.wacz": two[:-40]}
    found, [unread, page] = outcomes(package(whole, zipfile.ZIP_STORED))
    assert [each.url.rsplit("/", 1)[-1] for each in found] == ["alder", "copy"]
    assert unread.why.startswith("three.wacz is damaged") and page.url == "https://gone.example/"


def test_bad_packages_are_refused_in_a_sentence() -> None:
    good = package({"archive/a.warc": b"".join(RECORDS)})
    encrypted = good.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")
    bomb = package({"archive/a.warc": RECORDS[0] + b"\n" * 80_000_000, "archive/b.warc": RECORDS[1]})
    for raw, word in ((good[:-40], "damaged"), (encrypted, "encrypted"), (package({"a.txt": b"x"}), "no web archive")):
        with pytest.raises(PageUnreadable, match=word):
            outcomes(raw)
    found, [fault] = outcomes(bomb)
    assert len(found) == 1 and "a.warc unpacks to more than" in fault.why
