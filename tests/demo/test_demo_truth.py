"""The demo collection and the file with the truth about it must agree, word for word."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from warcio import ArchiveIterator

from inquest import demo
from inquest.domain.document import Document, Snapshot
from inquest.readers import ROW_TYPE, pick

FOLDER = demo.folder()
TRUTH: dict[str, Any] = json.loads(Path(__file__).with_name("truth.json").read_text(encoding="utf-8"))
READ_AT = datetime(2026, 1, 1, tzinfo=UTC)
HTML = sorted((FOLDER / "pages").glob("*.html"))
VOCABULARY = "https://schema.org"  # the name of the vocabulary of JSON-LD, which no reader fetches


def sources() -> Iterator[tuple[str, str, bytes]]:
    """Every document: its location or its row, its type, and its bytes."""
    for page in HTML:
        yield page.as_uri(), "text/html", page.read_bytes()
    for note in sorted((FOLDER / "notes").glob("*.md")):
        yield note.as_uri(), "text/markdown", note.read_bytes()
    for line in (FOLDER / "wire.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)["url"], ROW_TYPE, line.encode()
    with (FOLDER / "register.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            yield row["url"], ROW_TYPE, json.dumps(row, ensure_ascii=False).encode()
    for capture in ArchiveIterator(io.BytesIO((FOLDER / "captures.warc").read_bytes())):
        yield capture.rec_headers["WARC-Target-URI"], "application/pdf", capture.content_stream().read()


def read(url: str, content_type: str, body: bytes) -> Document:
    snapshot = Snapshot(
        hash="sha256:" + "0" * 64,
        url=url,
        final_url=url,
        content_type=content_type,
        retrieved_at=READ_AT,
        size=len(body),
    )
    return pick(content_type, body, url).read(body, snapshot)


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return [read(*source) for source in sources()]


def address(document: Document) -> str:
    return document.canonical_url or document.url


@pytest.fixture(scope="module")
def by_url(documents: list[Document]) -> dict[str, Document]:
    return {address(document): document for document in documents}


def host(url: str) -> str:
    return urlsplit(url).hostname or ""


def urls_in(value: Any) -> Iterator[str]:
    """Every URL that is a value of its own in the truth file, at any depth; also keys of objects."""
    if isinstance(value, str):
        if re.fullmatch(r"https?://\S+", value):
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from urls_in(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from urls_in(key)
            yield from urls_in(item)


def quotes() -> list[tuple[str, str]]:
    said = [(evidence["url"], evidence["quote"]) for claim in TRUTH["claims"] for evidence in claim["evidence"]]
    said += [(pair[side]["url"], pair[side]["quote"]) for pair in TRUTH["contradictions"] for side in "ab"]
    return said


# The collection


def test_each_of_fifty_documents_has_its_own_address_under_the_reserved_domain(documents: list[Document]) -> None:
    addresses = Counter(address(document) for document in documents)
    assert len(documents) >= 50
    assert [url for url, times in addresses.items() if times > 1 or not host(url).endswith(".example")] == []


def test_a_listed_place_holds_every_document() -> None:
    kept = {path.name for path in demo.documents()}
    assert kept == {"pages", "notes", "wire.jsonl", "register.csv", "captures.warc"}
    others = {path.name for path in FOLDER.iterdir() if not path.name.startswith("__")}
    beside = {"README.md", "brief.txt", "demo.toml", "ratings.csv", "report.pdf", "technical", "topic.json"}
    assert others - kept == beside


def test_what_has_a_date_has_it_from_a_witness_and_before_the_now_of_the_demo(documents: list[Document]) -> None:
    as_of = tomllib.loads((FOLDER / "demo.toml").read_text(encoding="utf-8"))["as_of"]
    assert as_of.tzinfo is UTC
    undated = {address(d) for d in documents if d.published is None}
    assert undated == set(TRUTH["odd"]["undated"])
    assert [address(d) for d in documents if d.published and d.published.latest > as_of] == []
    assert TRUTH["as_of"] == as_of.date().isoformat()


def test_a_page_needs_nothing_from_outside() -> None:
    for path in HTML:
        page = path.read_text(encoding="utf-8")
        assert not re.search(r"<(?:img|iframe|object|embed|video|audio)\b|<script[^>]*\bsrc|@import|url\(", page)
        spoken = set(re.findall(r"https?://[^\s\"'<>)]+", page)) - {VOCABULARY}
        foreign = {url for url in spoken if not host(url).endswith(".example")}
        hostile = path.stem.startswith("businesscircle")
        assert foreign == ({"http://169.254.169.254/latest/meta-data/"} if hostile else set()), path


def test_no_document_says_that_it_is_invented(documents: list[Document]) -> None:
    for document in documents:
        assert not re.search(r"\b(?:fictional|fictitious|made-up|demo|inquest)\b", document.text, re.IGNORECASE)


def test_all_publishers_but_two_are_rated() -> None:
    with (FOLDER / "ratings.csv").open(encoding="utf-8", newline="") as rows:
        rated = list(csv.DictReader(rows))
    assert list(rated[0]) == ["domain", "score", "category", "owner", "reason"]
    assert all(0 <= int(row["score"]) <= 100 and row["category"] and row["reason"] for row in rated)
    domains = Counter(row["domain"] for row in rated)
    assert max(domains.values()) == 1
    published = {host(read(*source).canonical_url or source[0]) for source in sources()}
    assert published - set(domains) == set(TRUTH["unrated"])
    assert set(domains) <= published


# The truth about it


def test_every_address_of_the_truth_is_in_the_collection(by_url: dict[str, Document]) -> None:
    forbidden = set(TRUTH["hostile"]["forbidden"])
    assert [url for url in urls_in(TRUTH) if url not in by_url and url not in forbidden] == []


def test_every_quote_is_in_its_document(by_url: dict[str, Document]) -> None:
    assert [(url, quote) for url, quote in quotes() if quote not in by_url[url].text] == []


def test_one_page_tries_to_give_orders_seen_and_unseen(by_url: dict[str, Document]) -> None:
    hostile = TRUTH["hostile"]
    [page] = [path.read_text(encoding="utf-8") for path in HTML if f'href="{hostile["url"]}"' in path.read_text()]
    assert all(words in page for words in (*hostile["visible"], *hostile["hidden"], *hostile["forbidden"]))
    text = by_url[hostile["url"]].text
    assert all(words in text for words in hostile["visible"])
    assert [words for words in hostile["hidden"] if words in text] == []
