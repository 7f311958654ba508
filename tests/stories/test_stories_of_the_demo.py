"""The demo collection's two stories, compared with the file with the truth about them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from inquest import demo
from inquest.domain.document import Document, Snapshot
from inquest.readers import ROW_TYPE, pick
from inquest.sources.ratings_table import load_ratings
from inquest.sources.tiers import rate
from inquest.stories.crediting import Article, article_of
from inquest.stories.likeness import COPY, copies
from inquest.stories.stories import Story, find_stories
from inquest.text.urls import registrable_domain
from tests.case_parts import source

TRUTH: dict[str, Any] = json.loads((Path(__file__).parent.parent / "demo" / "truth.json").read_text(encoding="utf-8"))


def _documents() -> list[Document]:
    folder = demo.folder()
    bodies = [(page.as_uri(), "text/html", page.read_bytes()) for page in sorted((folder / "pages").glob("*.html"))]
    lines = (folder / "wire.jsonl").read_text(encoding="utf-8").splitlines()
    bodies += [(json.loads(line)["url"], ROW_TYPE, line.encode()) for line in lines]
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        pick(kind, body, url).read(
            body,
            Snapshot(
                hash=f"sha256:{number:064d}",
                url=url,
                final_url=url,
                content_type=kind,
                retrieved_at=now,
                size=len(body),
            ),
        )
        for number, (url, kind, body) in enumerate(bodies)
    ]


@pytest.fixture(scope="module")
def tellings() -> list[Article]:
    table = load_ratings((demo.folder() / "ratings.csv").read_text(encoding="utf-8"), "ratings.csv")
    found = []
    for document in _documents():
        url = document.canonical_url or document.url
        told: dict[str, Any] = {"title": document.title, "rating": rate(url, extra=[table])}
        told |= {"snapshot": document.snapshot, "retrieved_at": "2026-01-01T00:00:00Z"}
        made = source(url, domain=registrable_domain(url), url=url, **told)
        found.append(article_of(made, document))
    return found


@pytest.fixture(scope="module")
def stories(tellings: list[Article]) -> list[Story]:
    return find_stories(tellings)


def test_each_story_has_its_members_and_its_origin_and_no_other_story_is_seen(stories: list[Story]) -> None:
    found = {story.origin: set(story.members) for story in stories}
    assert found == {
        story["origin"]: {story["origin"], *(copy["url"] for copy in story["copies"])} for story in TRUTH["stories"]
    }


def test_the_copy_that_claims_to_be_first_is_named(stories: list[Story]) -> None:
    misdated = {url for story in stories for url in story.misdated}
    assert misdated == {story["misleading_date"]["url"] for story in TRUTH["stories"] if "misleading_date" in story}


def test_near_duplicates_are_those_that_are_meant(tellings: list[Article]) -> None:
    pairs = {
        frozenset((tellings[pair.first].id, tellings[pair.second].id))
        for pair in copies([telling.text for telling in tellings])
        if pair.alike >= COPY
    }
    meant = {
        frozenset((one, other))
        for group in TRUTH["near_duplicates"]
        for number, one in enumerate(group)
        for other in group[number + 1 :]
    }
    assert pairs == meant
