"""The collections as a service, the use cases, and their folder."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import pytest

from inquest.app.wiring.collections import Collections, search_filter
from inquest.collection.entry import SearchFilter
from inquest.domain.errors import Busy, InputError, NotFound, StorageError
from inquest.domain.search import Query
from inquest.engines.archives.collection import Collection
from inquest.kit.engine import EngineAccess
from inquest.kit.exchange import Reply, Request
from tests.collection.conftest import NOW, MemoryArchive

ROWS = [
    {
        "id": "a",
        "url": "https://one.example/a",
        "title": "Solvent in the river",
        "date": "2024-03-05",
        "text": "Yes.",
    },
    {"id": "b", "url": "https://two.example/b", "title": "B", "author": "R. Low", "language": "en", "text": "A river."},
]


@pytest.fixture
async def filled(collections: Collections, tmp_path: Path) -> Collections:
    """A collection 'leaks' of two rows."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(map(json.dumps, ROWS)))
    await collections.add("leaks", [rows])
    return collections


async def ask(collections: Collections, name: str = "leaks", path: str = "/search", **asked: object) -> Reply:
    return await collections.service(Request(url=f"collection://{name}{path}?{urlencode(asked)}"))


async def test_a_search_by_request_is_answered_with_results_best_first(filled: Collections) -> None:
    reply = await ask(filled, q="river solvent", limit=5)
    assert reply.status == 200 and reply.content_type == "application/json"
    first, second = reply.json()["results"]
    score, snapshot = first.pop("score"), first.pop("snapshot")
    assert first == {
        "id": "a",
        "url": "https://one.example/a",
        "title": "Solvent in the river",
        "snippet": "Yes.",
        "published": "2024-03-05",
        "precision": "day",
        "author": None,
        "language": None,
    }
    assert score > second["score"] > 0 and snapshot.startswith("sha256:")
    assert (second["author"], second["language"], second["published"]) == ("R. Low", "en", None)


async def test_the_engine_understands_the_service(filled: Collections) -> None:
    flow = Collection(EngineAccess(collections=("leaks",))).search(Query(text="solvent in the river", exact=True))
    request = next(flow)
    with pytest.raises(StopIteration) as ended:
        flow.send(await filled.service(request))
    [hit] = ended.value.value
    assert (hit.url, hit.title, hit.rank) == ("https://one.example/a", "Solvent in the river", 1)
    assert hit.published and hit.published.iso == "2024-03-05" and hit.snapshot


async def test_an_unknown_collection_is_404_and_a_malformed_request_400(filled: Collections) -> None:
    assert (await ask(filled, "nowhere", q="x")).status == 404
    for reply in (
        await ask(filled, path="/elsewhere", q="x"),
        await ask(filled, q="x", limit="many"),
        await ask(filled, q="x", since="yesterday"),
        await ask(filled, "..", q="x"),
    ):
        assert reply.status == 400 and reply.json()["error"]


async def test_a_query_without_text_is_named(filled: Collections) -> None:
    answers = filled.search_many("leaks", [{"id": 1, "text": "river"}, {"id": 2}])
    next(answers)
    with pytest.raises(InputError, match="Query 2 has no id or no text"):
        next(answers)


async def test_an_empty_search_or_limit_is_refused(filled: Collections) -> None:
    with pytest.raises(InputError, match="The search is empty"):
        await filled.search("leaks", " ")
    with pytest.raises(InputError, match="Invalid limit: expected 1 or more"):
        await filled.search("leaks", "river", SearchFilter(limit=0))
    with pytest.raises(NotFound, match="no collection nowhere"):
        filled.search_many("nowhere", [])


@pytest.mark.parametrize("name", ["", ".", "..", "../up", "a/b", "a\\b", ".hidden", "a.", "a b", "ü", "a" * 65, "a\n"])
async def test_a_name_that_could_leave_the_folder_is_refused(
    collections: Collections, name: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="is not a valid name for a collection"):
        await collections.add(name, [tmp_path])


async def test_collections_come_and_go(filled: Collections, tmp_path: Path) -> None:
    assert filled.names() == ("leaks",)
    assert filled.info("leaks").documents == 2
    await filled.remove("leaks")
    assert filled.names() == ()
    assert list((tmp_path / "home" / "collections").iterdir()) == []
    with pytest.raises(NotFound, match="no collection leaks"):
        filled.info("leaks")
    await filled.add("leaks", [tmp_path / "rows.jsonl"])
    assert filled.info("leaks").documents == 2, "a new one under an old name is not taken for the old one"


async def test_what_is_being_added_to_is_not_removed(filled: Collections) -> None:
    from inquest.collection.library import Library

    library: Library = filled._library
    with library.writer("leaks"), pytest.raises(Busy):
        await filled.remove("leaks")
    assert filled.names() == ("leaks",)


async def test_a_damaged_collection_can_still_be_removed(filled: Collections, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "collections" / "leaks"
    (folder / "index" / "meta.json").write_text("{")
    with pytest.raises(StorageError, match="cannot be read"):
        await filled.search("leaks", "river")
    (folder / "collection.json").write_text("")
    with pytest.raises(StorageError, match="is damaged"):
        filled.info("leaks")
    await filled.remove("leaks")
    assert filled.names() == ()


async def test_a_collection_of_a_newer_version_is_left_alone(filled: Collections, tmp_path: Path) -> None:
    (tmp_path / "home" / "collections" / "leaks" / "collection.json").write_text('{"format": 99}')
    with pytest.raises(StorageError, match="from a newer version of Inquest"):
        await filled.add("leaks", [tmp_path / "rows.jsonl"])


async def test_a_collection_may_carry_ratings_of_its_own(filled: Collections, tmp_path: Path) -> None:
    assert filled.ratings("leaks") is None
    ratings = tmp_path / "publishers.csv"
    ratings.write_text("domain,score,category,owner\none.example,80,press,One plc\ntwo.example,20,,\n")
    await filled.add("leaks", [], ratings=ratings)
    kept = filled.ratings("leaks")
    assert kept and kept.read_bytes() == ratings.read_bytes() and kept != ratings
    assert filled.info("leaks").rated_domains == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a,b\n1,2\n", "does not begin with the columns domain, score"),
        ("domain,score\na.example,120\n", "Line 2 of publishers.csv has no score from 0 to 100"),
        ("domain,score\n,50\n", "Line 2 of publishers.csv has no domain"),
    ],
)
async def test_ratings_of_another_form_are_refused_before_anything_is_done(
    collections: Collections, tmp_path: Path, content: str, sentence: str
) -> None:
    ratings = tmp_path / "publishers.csv"
    ratings.write_text(content)
    with pytest.raises(InputError, match=sentence):
        await collections.add("leaks", [tmp_path], ratings=ratings)
    assert collections.names() == ()


def test_a_date_means_all_of_its_period() -> None:
    wanted = search_filter(10, "2024-03", "2024-02")
    assert wanted.since == datetime(2024, 3, 1, tzinfo=UTC)
    assert wanted.until == datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC)
    with pytest.raises(InputError, match="Invalid date 'soon'"):
        search_filter(10, "soon", None)


async def test_a_row_becomes_evidence_when_it_is_found(filled: Collections, archive: MemoryArchive) -> None:
    assert archive.bodies == {}, "a million rows are not a million files"
    [result] = (await ask(filled, q="solvent")).json()["results"]
    snapshot, document = await archive.snapshot(result["snapshot"]), await archive.document(result["snapshot"])
    assert list(archive.bodies) == [result["snapshot"]]
    assert json.loads(await archive.body(snapshot.hash))["text"] == "Yes."
    assert (snapshot.url, snapshot.provenance, snapshot.retrieved_at) == (result["url"], "collection leaks", NOW)
    assert document and (document.text, document.title, document.url) == ("Yes.", result["title"], result["url"])
    await filled.search("leaks", "low")
    assert len(archive.bodies) == 1
    await filled.search("leaks", "a river")
    assert len(archive.bodies) == 2
