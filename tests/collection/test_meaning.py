"""Search by meaning: storing, making and resuming vectors, and combining them with words."""

from __future__ import annotations

import asyncio
import json
from array import array
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import pytest

from inquest.app.wiring.collections import Collections, Embedded, Encoding
from inquest.collection import vectors
from inquest.collection.entry import SearchFilter
from inquest.collection.vectors import VectorTable
from inquest.domain.errors import ModelUnavailable
from inquest.text.similarity import likeness, likeness_of_all

_TOPICS = (("doctor", "hospital", "medicine"), ("river", "water", "stream"), ("valve", "leak", "pipe"))


class TopicEncoder:
    """An encoder with one number per topic of the words, and a small one shared by all texts."""

    name, size = "topics", len(_TOPICS) + 1

    def __init__(self, name: str = "topics", *, broken: bool = False) -> None:
        self.name, self.broken, self.read = name, broken, 0

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        if self.broken:
            raise ModelUnavailable(self.name, "The encoder cannot be used.")
        self.read += len(texts)
        return [self._one(text.lower()) for text in texts]

    def _one(self, text: str) -> bytes:
        numbers = [float(sum(text.count(word) for word in topic)) for topic in _TOPICS] + [0.1]
        length = sqrt(sum(number * number for number in numbers))
        return array("f", [number / length for number in numbers]).tobytes()


ROWS = [
    {"id": "clinic", "text": "The doctor gave her a medicine."},
    {"id": "brook", "text": "A stream of water ran by the mill."},
    {"id": "sign", "text": "It happened at XK-4471."},
    {"id": "pipes", "text": "A leak, a leak at the valve: the pipe had a leak."},
]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)))
    return path


@pytest.fixture
def encoder() -> TopicEncoder:
    return TopicEncoder()


@pytest.fixture
async def filled(collections: Collections, rows: Path, encoder: TopicEncoder) -> Collections:
    """The collection 'leaks', searchable by words and meaning."""
    collections.encoding = Encoding(encoder, ("en",))
    await collections.add("leaks", [rows])
    await collections.embed("leaks")
    return collections


async def ids(collections: Collections, text: str, **options: bool) -> list[str]:
    return [found.id for found in await collections.search("leaks", text, SearchFilter(**options))]  # type: ignore[arg-type]


async def test_what_shares_no_word_is_found_by_meaning_and_only_then(filled: Collections) -> None:
    assert await ids(filled, "hospital") == ["clinic"]
    assert await ids(filled, "hospital", semantic=False) == []
    assert await ids(filled, "hospital", exact=True) == []


async def test_a_rare_name_of_letters_and_digits_wins_over_likeness(filled: Collections) -> None:
    assert (await ids(filled, "a leak of the valve and pipe at XK-4471"))[0] == "sign"


async def test_without_vectors_it_is_a_search_by_words(collections: Collections, rows: Path) -> None:
    collections.encoding = Encoding(TopicEncoder(broken=True))
    await collections.add("leaks", [rows])
    assert await ids(collections, "medicine") == ["clinic"]


async def test_it_goes_on_where_it_was_stopped(collections: Collections, encoder: TopicEncoder, tmp_path: Path) -> None:
    lines = [{"id": str(number), "text": f"river {number}"} for number in range(70)]
    (tmp_path / "many.jsonl").write_text("\n".join(map(json.dumps, lines)))
    collections.encoding = Encoding(encoder)
    await collections.add("leaks", [tmp_path / "many.jsonl"])
    told: list[Embedded] = []

    def stop(far: Embedded) -> None:
        told.append(far)
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await collections.embed("leaks", progress=stop)
    far = collections.embedded("leaks")
    assert (far.by_meaning, far.left) == (told[0].by_meaning, 70 - told[0].by_meaning) and 0 < far.left < 70
    assert (await collections.embed("leaks")).added == far.left
    assert encoder.read == 70, "nothing is encoded twice"


async def test_a_changed_document_has_its_vectors_changed(filled: Collections, rows: Path) -> None:
    rows.write_text(json.dumps(ROWS[0] | {"text": "A pipe."}) + "\n" + "\n".join(map(json.dumps, ROWS[1:])))
    await filled.add("leaks", [rows])
    assert filled.embedded("leaks").by_meaning == 3, "the old ones are gone at once"
    assert (await filled.embed("leaks")).added == 1
    assert await ids(filled, "hospital") == []


async def test_a_language_that_is_not_read_is_counted_and_found_by_words(
    collections: Collections, encoder: TopicEncoder, tmp_path: Path
) -> None:
    (tmp_path / "ja.jsonl").write_text(
        '{"id": "ja", "text": "東京の川はきれいです。"}\n{"id": "en", "text": "river"}\n'
    )
    collections.encoding = Encoding(encoder, ("en",))
    await collections.add("leaks", [tmp_path / "ja.jsonl"])
    done = await collections.embed("leaks")
    assert (done.by_meaning, done.unread, done.left) == (1, 1, 0)
    assert (await collections.embed("leaks")).added == 0 and encoder.read == 1
    assert await ids(collections, "東京") == ["ja"]


async def test_another_encoder_means_words_alone_until_it_is_done_anew(filled: Collections, tmp_path: Path) -> None:
    other = Collections(tmp_path / "home", archive=filled._archive, read=filled._read, unpack=filled._unpack,
                        clock=filled._clock, encoding=Encoding(TopicEncoder("other")))  # fmt: skip
    notes: list[str] = []
    assert await other.search("leaks", "hospital", note=notes.append) == []
    assert len(notes) == 1 and "leaks has the vectors of topics, but the encoder is now other" in notes[0]
    done = await other.embed("leaks")
    assert (done.replaced, done.added) == ("topics", 4)
    assert await ids(other, "hospital") == ["clinic"]


async def test_an_encoder_that_cannot_be_used_leaves_the_words_and_says_so_once(
    filled: Collections, encoder: TopicEncoder
) -> None:
    encoder.broken = True
    notes: list[str] = []
    queries = [{"id": 1, "text": "medicine"}, {"id": 2, "text": "mill"}]
    answers = list(filled.search_many("leaks", queries, note=notes.append))
    assert [answer["results"][0]["id"] for answer in answers] == ["clinic", "brook"]  # type: ignore[index,call-overload]
    assert notes == ["Searched by words only: The encoder cannot be used."]


def snapshot(number: int) -> str:
    return f"sha256:{number:064x}"


def test_a_torn_write_is_cut_off(tmp_path: Path) -> None:
    vector = array("f", [1, 0, 0, 0]).tobytes()
    known = vectors.append(tmp_path, vectors.begin(tmp_path, "e", 4), [[(snapshot(1), 0, vector)]])
    with (tmp_path / known.file).open("ab") as file:
        file.write(b"half a row")
    assert vectors.state(tmp_path) == known and len(vectors.rows(tmp_path, known)) == 1
    known = vectors.append(tmp_path, known, [[(snapshot(2), 7, vector)]])
    found = VectorTable(tmp_path, known).compared_with(vector).best(10, 0.0)
    assert {name: one.start for name, one in found.items()} == {snapshot(1): 0, snapshot(2): 7}


@pytest.mark.parametrize("said", ["", "{", "[]", '{"format": 9}'])
def test_a_damaged_count_means_beginning_anew(tmp_path: Path, said: str) -> None:
    vectors.begin(tmp_path, "e", 4)
    (tmp_path / "vectors.json").write_text(said)
    assert vectors.state(tmp_path) is None


def test_likeness_is_the_cosine() -> None:
    one, other = array("f", [1, 0]).tobytes(), array("f", [3, 4]).tobytes()
    assert (likeness(one, other), likeness(one, one), likeness(b"", b"")) == (0.6, 1.0, 0.0)
    with pytest.raises(ValueError, match="different encoders"):
        likeness(one, b"")
    third = array("f", [0.6, 0.8]).tobytes()
    assert likeness_of_all(one, [one, third]) == [likeness(one, one), likeness(one, third)]


def test_the_best_window_of_a_document_counts(tmp_path: Path) -> None:
    one, other = array("f", [1, 0]).tobytes(), array("f", [0, 1]).tobytes()
    rows = [[(snapshot(1), 0, one), (snapshot(1), 900, other)], [(snapshot(2), 0, one)]]
    known = vectors.append(tmp_path, vectors.begin(tmp_path, "e", 2), rows)
    [(name, best)] = VectorTable(tmp_path, known).compared_with(other).best(10, 0.5).items()
    assert (name, best.start, round(best.score, 2)) == (snapshot(1), 900, 1.0)
