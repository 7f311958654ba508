"""Searching and writing the index."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inquest.collection.entry import Entry, SearchFilter
from inquest.collection.index import Index, IndexWriter, open_index
from inquest.domain.document import Precision, Published
from inquest.domain.errors import Busy, StorageError


def entry(id: str, text: str, **more: object) -> Entry:
    given: dict[str, object] = {"key": "", "snapshot": f"sha256:{id}", "url": f"https://a.example/{id}", "title": ""}
    return Entry(id=id, text=text, **(given | more))  # type: ignore[arg-type]


def day(text: str, precision: Precision = Precision.DAY) -> Published:
    return Published(at=datetime.fromisoformat(text).replace(tzinfo=UTC), precision=precision, how="file")


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Six documents about a river."""
    folder = tmp_path_factory.mktemp("index")
    open_index(folder, create=True)
    with IndexWriter(folder, "river") as writer:
        writer.add(entry("named", "Nothing else is said here.", title="Solvent in the river"))
        writer.add(entry("spring", "The works exceeded their emission permit.", published=day("2024-03-05")))
        writer.add(entry("year", "Solvent was found.", published=day("2024-01-01", Precision.YEAR), kind="pdf"))
        writer.add(entry("undated", "Solvents were found in Zürich’s river, the inspectors’ report says.", kind="html"))
        writer.add(entry("autumn", "The river is clean now.", published=day("2024-10-01"), language="en", kind="html"))
        writer.add(entry("tokyo", "東京の川はきれいです。"))
        writer.commit()
    return Index(folder)


def ids(index: Index, text: str, **options: object) -> list[str]:
    return [found.id for found in index.search(text, SearchFilter(**options))]  # type: ignore[arg-type]


def test_endings_case_and_accents_do_not_count(river: Index) -> None:
    assert ids(river, "EMISSIONS exceeding") == ["spring"]
    assert ids(river, "zurich") == ["undated"]
    assert ids(river, "東京") == ["tokyo"]


def test_a_document_named_after_the_words_comes_first(river: Index) -> None:
    found = river.search("solvent river")
    assert found[0].id == "named"
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_a_result_says_all_that_is_known(river: Index) -> None:
    [found] = river.search("permit")
    assert found.model_dump() == {
        "id": "spring",
        "score": pytest.approx(found.score),
        "title": "",
        "snippet": "The works exceeded their emission permit.",
        "url": "https://a.example/spring",
        "published": day("2024-03-05").model_dump(),
        "author": None,
        "language": None,
        "kind": "",
        "snapshot": "sha256:spring",
    }


def test_an_exact_phrase_is_found_as_it_stands_only(river: Index) -> None:
    assert ids(river, "were found in", exact=True) == ["undated"]
    assert ids(river, "was found in", exact=True) == []
    assert ids(river, "the inspectors' report", exact=True) == ["undated"]
    assert ids(river, "solvent in the river", exact=True) == ["named"]
    assert ids(river, "solvents", exact=True) == ["undated"]


@pytest.mark.parametrize(
    ("since", "until", "kept"),
    [
        (None, None, {"year", "autumn", "spring", "undated", "named", "tokyo"}),
        ("2024-09-01", None, {"year", "autumn", "undated", "named", "tokyo"}),
        (None, "2024-06-01", {"year", "spring", "undated", "named", "tokyo"}),
        ("2024-03-05", "2024-03-05", {"year", "spring", "undated", "named", "tokyo"}),
        ("2025-01-01", None, {"undated", "named", "tokyo"}),
    ],
)
def test_a_range_keeps_what_may_lie_in_it_and_what_is_undated(
    river: Index, since: str | None, until: str | None, kept: set[str]
) -> None:
    def moment(text: str | None) -> datetime | None:
        return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None

    asked = "solvent river permit 東 nothing"
    assert set(ids(river, asked, since=moment(since), until=moment(until))) == kept


def test_what_a_collection_holds_is_counted(river: Index) -> None:
    info = river.info("river")
    assert (info.documents, info.dated) == (6, 3)
    assert info.kinds == {"html": 2, "pdf": 1} and info.languages == {"en": 1}
    assert info.first == datetime(2024, 1, 1, tzinfo=UTC) and info.last == datetime(2024, 10, 1, tzinfo=UTC)
    assert info.bytes_indexed > 0


@pytest.mark.parametrize(
    "text",
    ['title:(river AND "', "NOT", "a OR", "[1 TO", "river~2^5 +-*?\\", "", "   ", "\0", '"a"', "id:/x/", "a " * 999],
)  # fmt: skip
def test_no_question_is_an_error(river: Index, text: str) -> None:
    for exact in (False, True):
        river.search(text, SearchFilter(exact=exact))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    open_index(tmp_path, create=True)
    return tmp_path


def test_what_is_not_committed_is_not_there(folder: Path) -> None:
    with IndexWriter(folder, "x") as writer:
        writer.add(entry("1", "kept"))
        writer.commit()
        writer.add(entry("2", "dropped"))
    with IndexWriter(folder, "x") as writer:
        assert writer.has("sha256:1") and not writer.has("sha256:2")
    assert ids(Index(folder), "kept dropped") == ["1"]


def test_a_process_that_dies_leaves_a_usable_index_and_no_lock(folder: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path\n"
        "from inquest.collection.entry import Entry; from inquest.collection.index import IndexWriter\n"
        "def one(i): return Entry(id=i, key='', snapshot='sha256:' + i, url='u', title='', text='river')\n"
        "writer = IndexWriter(Path(sys.argv[1]), 'x')\n"
        "writer.add(one('1')); writer.commit(); writer.add(one('2')); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(folder)], check=False).returncode == 9
    with IndexWriter(folder, "x") as writer:
        assert writer.has("sha256:1") and not writer.has("sha256:2")
        writer.add(entry("2", "river"))
        writer.commit()
    assert sorted(ids(Index(folder), "river")) == ["1", "2"]


def test_there_is_one_writer_at_a_time(folder: Path) -> None:
    with (
        IndexWriter(folder, "leaks"),
        pytest.raises(Busy, match="Another process is adding to the collection leaks"),
        IndexWriter(folder, "leaks"),
    ):
        pass
    IndexWriter(folder, "leaks").close()


def test_a_reader_sees_what_was_committed_when_it_is_refreshed(folder: Path) -> None:
    index = Index(folder)
    with IndexWriter(folder, "x") as writer:
        writer.add(entry("1", "river"))
        writer.commit()
        assert ids(index, "river") == []
        index.refresh()
        assert ids(index, "river") == ["1"]


def test_a_later_version_takes_the_place_of_the_earlier(folder: Path) -> None:
    with IndexWriter(folder, "x") as writer:
        assert not writer.add(entry("7", "old words", key="file#7", snapshot="sha256:old"))
        writer.commit()
    with IndexWriter(folder, "x") as writer:
        assert writer.add(entry("7", "new words", key="file#7", snapshot="sha256:new"))
        assert not writer.has("sha256:old"), "its bytes may come again from another file"
        writer.commit()
        assert not writer.has("sha256:old")
    index = Index(folder)
    assert [(one.id, one.snapshot) for one in index.search("words")] == [("7", "sha256:new")]


def test_two_of_one_key_in_one_run_are_two_documents_with_ids_of_their_own(folder: Path) -> None:
    with IndexWriter(folder, "x") as writer:
        writer.add(entry("7", "words", key="file#7", snapshot="sha256:aaaaaaaaaaaa"))
        writer.add(entry("7", "words", key="file#7", snapshot="sha256:bbbbbbbbbbbb"))
        writer.commit()
        writer.add(entry("7", "words", key="file#7", snapshot="sha256:cccccccccccc"))
        writer.commit()
    assert sorted(ids(Index(folder), "words")) == ["7", "7-bbbbbbbb", "7-cccccccc"]


def test_a_damaged_index_is_a_sentence(folder: Path) -> None:
    (folder / "meta.json").write_text("{")
    with pytest.raises(StorageError, match="cannot be read"):
        Index(folder)


def test_a_disk_that_fails_is_a_sentence_and_what_was_committed_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing:
        def add_document(self, document: object) -> None:
            raise ValueError("An error occurred in a thread: 'An index writer was killed..'")

        def rollback(self) -> None: ...

        def wait_merging_threads(self) -> None: ...

    with IndexWriter(folder, "x") as writer:
        writer.add(entry("1", "river"))
        writer.commit()
    with IndexWriter(folder, "x") as writer:
        monkeypatch.setattr(writer, "_writer", Failing())
        with pytest.raises(StorageError, match=r"The collection x cannot be written \(the disk is full or fails\)"):
            writer.add(entry("2", "river"))
    assert ids(Index(folder), "river") == ["1"]
