"""The origin of a story with its chain: each hop has the words that credit."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.trees import grow
from inquest.domain.document import Precision, Published
from inquest.stories.credits import Telling, telling_of
from inquest.stories.matter import matter_of
from inquest.stories.origin_chain import origin_of
from inquest.stories.unread_origins import outside_credits, publisher_of

_MAY = datetime(2024, 5, 6, 8, tzinfo=UTC)
_FACTS = (
    "The mill at Garrow Bridge let 41 loads of dye into the river Lenn, a log of its pumps shows. Tove Marsh led a "
    "shift there until 2019. Engineer Amos Field will inspect the works with 3 of his staff. Lennford saw red water."
)


def telling(name: str, text: str, hours: float, number: int) -> Telling:
    at = Published(at=_MAY + timedelta(hours=hours), precision=Precision.TIME)
    domain = name.lower().replace(" ", "-") + ".example"
    last = name.lower().split(" ", 1)[1]
    return Telling(
        f"S{number}", f"https://{domain}/a", domain, "Dye in the Lenn", text, at, "", (name.lower(), last),
        frozenset(), 60, "newspaper", False, matter_of("Dye in the Lenn", text),
    )  # fmt: skip


def test_the_chain_is_followed_to_its_end_and_each_hop_is_quoted() -> None:
    first = telling("Lenn Courier", _FACTS, 0, 1)
    second = telling("Harbour Post", "The Lenn Courier first reported it. " + _FACTS, 3, 2)
    third = telling("Coast Echo", "According to the Harbour Post, it is so. " + _FACTS, 5, 3)
    origin = origin_of([third, second, first])
    assert origin.source_id == "S1"
    assert [(hop.teller, hop.credited) for hop in origin.chain] == [("S3", "S2"), ("S2", "S1")]
    for hop, teller in zip(origin.chain, (third, second), strict=True):
        assert teller.text[hop.start : hop.end] == hop.quote
    assert origin.chain[0].quote == "According to the Harbour Post, it is so."


def test_the_last_word_of_another_paper_s_name_credits_nobody() -> None:
    courier = telling("Lenn Courier", _FACTS, 0, 1)
    other = telling("Harbour Courier", _FACTS, 2, 2)
    copy = telling("Coast Echo", "The Harbour Courier reported it. " + _FACTS, 4, 3)
    assert [hop.credited for hop in origin_of([courier, other, copy]).chain if hop.teller == "S3"] in ([], ["S2"])
    assert origin_of([courier, copy]).chain == ()


def test_the_place_in_another_paper_s_name_credits_nobody() -> None:
    gazette = telling("Lennford Gazette", _FACTS, 0, 1)
    post = dataclasses.replace(telling("Lennford Post", _FACTS, 2, 2), names=("lennford post", "post", "lennford"))
    copy = telling("Coast Echo", "The Lennford Gazette reported it. " + _FACTS, 4, 3)
    assert [hop.credited for hop in origin_of([gazette, post, copy]).chain] == ["S1"]


def test_two_that_name_each_other_are_cut_and_said() -> None:
    one = telling("Lenn Courier", "The Harbour Post reported it. " + _FACTS, 0, 1)
    two = telling("Harbour Post", "The Lenn Courier reported it. " + _FACTS, 3, 2)
    origin = origin_of([one, two])
    assert origin.source_id == "S1"
    assert any("name each other round" in reason for reason in origin.reasons)


def test_of_two_that_name_each_other_the_one_that_was_seen_first_is_the_origin() -> None:
    one = dataclasses.replace(telling("Lenn Courier", "The Harbour Post reported it. " + _FACTS, 0, 1), published=None)
    two = dataclasses.replace(telling("Harbour Post", "The Lenn Courier reported it. " + _FACTS, 3, 2), published=None)
    for first, second in ((one, two), (two, one)):
        seen = dataclasses.replace(first, seen=_MAY + timedelta(hours=1))
        origin = origin_of([seen, dataclasses.replace(second, published=telling("X Y", "", 9, 9).published)])
        assert origin.source_id == first.id
        assert f"{first.id} and others name each other round" in " ".join(origin.reasons)


def test_a_capture_tells_which_of_two_equal_texts_was_the_first() -> None:
    one, two = telling("Lenn Courier", _FACTS, 6, 1), telling("Harbour Post", _FACTS, 0, 2)
    assert origin_of([one, two]).source_id == "S2"
    backdated = dataclasses.replace(two, published=None)
    assert origin_of([dataclasses.replace(one, seen=_MAY + timedelta(hours=7)), backdated]).source_id == "S1"
    seen = dataclasses.replace(backdated, seen=_MAY + timedelta(hours=2))
    assert origin_of([one, seen]).source_id == "S2"


def test_who_links_to_or_signs_with_a_report_that_others_name_has_it_from_there() -> None:
    named = telling("Harbour Post", "The Velm Gazette first reported it. " + _FACTS, 3, 1)
    linking = dataclasses.replace(
        telling("Coast Echo", _FACTS, 5, 2), links=frozenset(("velm-gazette.example/news/1",))
    )
    signing = dataclasses.replace(telling("Sand Herald", _FACTS, 4, 3), author="Velm Gazette")
    credits = outside_credits([named, linking, signing])
    assert {teller: (publisher_of(credit), credit.how) for teller, credit in credits.items()} == {
        "S1": ("velm gazette", "words"), "S2": ("velm gazette", "link"), "S3": ("velm gazette", "by-line"),
    }  # fmt: skip
    assert outside_credits([linking, signing]) == {}
    origin = origin_of([named, linking, signing])
    assert (origin.source_id, origin.outside) == (None, "velm gazette")
    assert "3 of the others say that they have it from Velm Gazette, whose report is not readable." in origin.reasons


def test_a_telling_that_nobody_found_is_no_origin_where_the_story_is_older() -> None:
    first = telling("Lenn Courier", _FACTS, 0, 1)
    two = telling("Harbour Post", "The Lenn Courier first reported it. " + _FACTS, 3, 2)
    three = telling("Coast Echo", "According to the Lenn Courier, it is so. " + _FACTS, 4, 3)
    four = telling("Sand Herald", "The Velm Gazette wrote it. " + _FACTS[:300], 30, 4)
    assert origin_of([four, three, two, first]).source_id == "S1"


def test_an_origin_that_cannot_be_read_is_known_by_name() -> None:
    one = telling("Harbour Post", "The Velm Gazette first reported it. " + _FACTS, 3, 1)
    two = telling("Coast Echo", "According to the Harbour Post, it is so. " + _FACTS, 5, 2)
    origin = origin_of([one, two])
    assert (origin.source_id, origin.outside) == (None, "velm gazette")
    assert not origin.chain[-1].readable
    assert one.text[origin.chain[-1].start : origin.chain[-1].end] == "The Velm Gazette first reported it."


def test_where_nothing_certain_sets_one_apart_it_cannot_be_told_and_the_possible_are_named() -> None:
    one, two = (
        dataclasses.replace(telling(name, _FACTS, 0, number), published=None)
        for number, name in enumerate(("Lenn Courier", "Harbour Post"), 1)
    )
    copy = telling("Coast Echo", "The Lenn Courier reported it. " + _FACTS, 4, 3)
    origin = origin_of([one, two])
    assert (origin.source_id, origin.confidence, set(origin.candidates)) == (None, 0.0, {"S1", "S2"})
    assert "It cannot be told which of S1 and S2 was the first" in origin.reasons[-1]
    named = origin_of([one, two, copy])
    assert (named.source_id, named.candidates) == ("S1", ())


def test_of_two_who_name_each_other_what_goes_back_to_the_copy_goes_back_to_the_earlier_one() -> None:
    first = telling("Lenn Courier", "The Harbour Post reported it. " + _FACTS, 0, 1)
    second = telling("Harbour Post", "The Lenn Courier reported it. " + _FACTS, 3, 2)
    rest = [
        telling(name, "The Harbour Post reported it. " + _FACTS, 5 + number, number)
        for number, name in enumerate(("Coast Echo", "Fen Herald", "Dale Argus", "Vik Tribune"), 3)
    ]
    assert origin_of([second, *rest, first]).source_id == "S1"


def test_no_telling_has_no_origin() -> None:
    with pytest.raises(ValueError, match="no tellings"):
        origin_of([])


@settings(deadline=None)
@given(st.integers(0, 400))
def test_each_hop_of_a_generated_tree_stands_in_its_teller_s_text_or_is_a_by_line_or_link(seed: int) -> None:
    tree = grow(8, 4_000_000 + seed)
    told = {s.id: telling_of(s, tree.documents[s.id]) for s in tree.sources if s.id in tree.members}
    origin = origin_of(list(told.values()))
    assert 0 <= origin.confidence <= 1
    assert all(hop.teller != origin.source_id for hop in origin.chain)
    for hop in origin.chain:
        if hop.how == "words":
            assert told[hop.teller].text[hop.start : hop.end] == hop.quote
