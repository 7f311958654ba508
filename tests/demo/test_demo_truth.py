"""The demo collection and the file that says what is true in it must agree, word for word."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from warcio import ArchiveIterator

from inquest import demo
from inquest.domain.assessment import Verdict
from inquest.domain.document import Document, Precision, Snapshot
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.report import Leaning
from inquest.readers import ROW_TYPE, pick

FOLDER = demo.folder()
TRUTH: dict[str, Any] = json.loads(Path(__file__).with_name("truth.json").read_text(encoding="utf-8"))
READ_AT = datetime(2026, 1, 1, tzinfo=UTC)
HTML = sorted((FOLDER / "pages").glob("*.html"))
VOCABULARY = "https://schema.org"  # the name of the vocabulary of JSON-LD, which no reader fetches


def sources() -> Iterator[tuple[str, str, bytes]]:
    """Every document as bytes: where it is kept or what its row says, its type, and the bytes."""
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


def plain(text: str) -> str:
    return " ".join(text.split())


def host(url: str) -> str:
    return urlsplit(url).hostname or ""


def urls_in(value: Any) -> Iterator[str]:
    """Every URL that stands alone as a value of the truth, at any depth; keys of objects too."""
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


def test_there_are_at_least_fifty_documents_and_each_has_its_own_address(documents: list[Document]) -> None:
    addresses = Counter(address(document) for document in documents)
    assert len(documents) >= 50
    assert [url for url, times in addresses.items() if times > 1] == []


def test_every_document_lives_under_the_reserved_domain(documents: list[Document]) -> None:
    assert [address(d) for d in documents if not host(address(d)).endswith(".example")] == []


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


def test_the_documents_span_two_years(documents: list[Document]) -> None:
    days = sorted(d.published.at for d in documents if d.published and d.published.at.year >= 2023)
    assert (days[-1] - days[0]).days > 700


@pytest.mark.parametrize("path", HTML, ids=lambda path: path.stem)
def test_a_page_needs_nothing_from_outside(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    linked = re.findall(r"""(?:href|src|srcset|action|data)\s*=\s*["']([^"'#][^"']*)["']""", page)
    assert [url for url in linked if not host(url).endswith(".example")] == []
    assert not re.search(r"<(?:img|iframe|object|embed|video|audio)\b|<script[^>]*\bsrc|@import|url\(", page)
    spoken = set(re.findall(r"https?://[^\s\"'<>)]+", page)) - {VOCABULARY}
    foreign = {url for url in spoken if not host(url).endswith(".example")}
    hostile = Path(path).stem.startswith("businesscircle")
    assert foreign == ({"http://169.254.169.254/latest/meta-data/"} if hostile else set())


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


def test_papers_come_in_groups_of_owners() -> None:
    with (FOLDER / "ratings.csv").open(encoding="utf-8", newline="") as rows:
        owners = Counter(row["owner"] for row in csv.DictReader(rows) if row["category"] in ("newspaper", "local"))
    assert owners["Quillon Media"] == 4
    assert owners["Sedgeway Local News"] == 3


def test_the_brief_is_a_few_sentences() -> None:
    brief = (FOLDER / "brief.txt").read_text(encoding="utf-8")
    assert 2 <= len(re.findall(r"[.?!](?:\s|$)", brief)) <= 6


# The truth about it


def test_every_address_of_the_truth_is_in_the_collection(by_url: dict[str, Document]) -> None:
    forbidden = set(TRUTH["hostile"]["forbidden"])
    assert [url for url in urls_in(TRUTH) if url not in by_url and url not in forbidden] == []


@pytest.mark.parametrize(("url", "quote"), quotes(), ids=lambda value: value[:60])
def test_a_quote_stands_in_its_document(by_url: dict[str, Document], url: str, quote: str) -> None:
    assert quote in by_url[url].text


def test_claims_use_the_words_of_the_domain() -> None:
    claims = TRUTH["claims"]
    assert len({claim["id"] for claim in claims}) == len(claims) >= 15
    for claim in claims:
        assert Verdict(claim["verdict"]) in {Verdict(verdict) for verdict in claim["acceptable"]}
        assert claim["contradiction_type"] is None or ContradictionType(claim["contradiction_type"])
        assert {Stance(evidence["stance"]) for evidence in claim["evidence"]}
    assert {claim["verdict"] for claim in claims} == {str(verdict) for verdict in Verdict}
    assert {claim["contradiction_type"] for claim in claims} - {None} == {str(kind) for kind in ContradictionType}


def test_a_verdict_rests_on_evidence_of_its_side() -> None:
    for claim in TRUTH["claims"]:
        sides = {evidence["stance"] for evidence in claim["evidence"]}
        if claim["verdict"] == "verified":
            assert "supports" in sides
        if claim["verdict"] == "contradicted":
            assert "contradicts" in sides
        if claim["verdict"] in ("partially_true", "disputed"):
            assert {"supports", "contradicts"} <= sides


def test_what_changes_a_verdict_is_younger_than_the_earlier_now(by_url: dict[str, Document]) -> None:
    claims = {claim["id"]: claim for claim in TRUTH["claims"]}
    for change in TRUTH["as_of_changes"]:
        decisive = by_url[change["decisive_later"]].published
        assert decisive is not None
        assert decisive.at.date() > date.fromisoformat(change["as_of"])
        assert change["verdict"] != claims[change["claim"]]["verdict"]
        assert change["decisive_later"] in {evidence["url"] for evidence in claims[change["claim"]]["evidence"]}


def test_a_story_goes_back_to_its_origin(by_url: dict[str, Document]) -> None:
    for story in TRUTH["stories"]:
        via = {copy["url"]: copy["via"] for copy in story["copies"]}
        assert story["origin"] not in via
        for url in via:
            seen = {url}
            while url != story["origin"]:
                url = via[url]
                assert url not in seen
                seen.add(url)
        assert not set(story["not_copies"]) & set(via)
        origin = by_url[story["origin"]].published
        false_date = story.get("misleading_date", {}).get("url")
        for url in via.keys() - {false_date}:
            copied = by_url[url].published
            assert origin is not None and copied is not None
            assert copied.at.date() >= origin.at.date()


def test_one_copy_claims_to_be_older_than_its_origin(by_url: dict[str, Document]) -> None:
    [story] = [story for story in TRUTH["stories"] if "misleading_date" in story]
    said = story["misleading_date"]
    copied, origin = by_url[said["url"]].published, by_url[story["origin"]].published
    assert copied is not None and origin is not None
    assert copied.at.date().isoformat() == said["claims"] < origin.at.date().isoformat() < said["not_before"]


def test_the_wrong_figure_has_one_origin(by_url: dict[str, Document]) -> None:
    [error] = [story["error"] for story in TRUTH["stories"] if "error" in story]
    for url in (error["origin"], *error["copied_by"]):
        assert error["figure"] in by_url[url].text
    for url in error["right_in"]:
        assert error["figure"] not in by_url[url].text


def test_near_duplicates_share_their_words_and_others_do_not(by_url: dict[str, Document]) -> None:
    def shingles(url: str) -> set[tuple[str, ...]]:
        words = re.findall(r"\w+", by_url[url].text.lower())
        return {tuple(words[at : at + 5]) for at in range(len(words) - 4)}

    def shared(a: str, b: str) -> float:
        return len(shingles(a) & shingles(b)) / min(len(shingles(a)), len(shingles(b)))

    for group in TRUTH["near_duplicates"]:
        assert all(shared(group[0], other) > 0.8 for other in group[1:])
    origin = TRUTH["stories"][0]["origin"]
    assert all(shared(origin, other) < 0.2 for other in TRUTH["stories"][0]["not_copies"])


def test_an_event_is_told_where_the_timeline_says(by_url: dict[str, Document]) -> None:
    events = TRUTH["timeline"]
    assert 8 <= len(events) <= 14
    assert [event["date"] for event in events] == sorted(event["date"] for event in events)
    for event in events:
        assert Precision(event["precision"]) is Precision.DAY
        told = [plain(f"{by_url[url].title} {by_url[url].text}").casefold() for url in event["urls"]]
        for text in told:
            assert any(word.casefold() in text for word in event["keywords"]), event
        conflict = event["conflict"]
        assert any(in_words(event["date"]) in text for text in told), event
        if conflict:
            assert in_words(conflict["date"]) in plain(by_url[conflict["url"]].text).casefold()


def in_words(day: str) -> str:
    parsed = date.fromisoformat(day)
    return f"{parsed.day} {parsed:%B %Y}".casefold()


def test_leanings_are_given_for_each_side() -> None:
    counted = Counter(Leaning(leaning) for leaning in TRUTH["leanings"].values())
    assert set(counted) == set(Leaning)
    assert min(counted.values()) >= 5


def test_one_page_tries_to_give_orders_seen_and_unseen(by_url: dict[str, Document]) -> None:
    hostile = TRUTH["hostile"]
    [page] = [path.read_text(encoding="utf-8") for path in HTML if f'href="{hostile["url"]}"' in path.read_text()]
    assert all(words in page for words in (*hostile["visible"], *hostile["hidden"], *hostile["forbidden"]))
    text = by_url[hostile["url"]].text
    assert all(words in text for words in hostile["visible"])
    assert [words for words in hostile["hidden"] if words in text] == []


def test_the_odd_pages_are_what_they_are_said_to_be(by_url: dict[str, Document]) -> None:
    odd = TRUTH["odd"]
    assert by_url[odd["german"]].language == "de"
    assert len(by_url[odd["error_page"]].text) < 50
    assert len(by_url[odd["paywall"]].text) < 500


def test_noise_has_no_part_in_the_truth() -> None:
    told = {url for key in ("claims", "stories", "timeline", "contradictions") for url in urls_in(TRUTH[key])}
    assert len(TRUTH["noise"]) >= 5
    assert not told & set(TRUTH["noise"])
