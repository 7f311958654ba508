"""The origin of a story with its chain: each hop has the words that credit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.trees import grow
from inquest.domain.document import Precision, Published
from inquest.logic.matter import matter_of
from inquest.logic.origin import Telling, telling_of
from inquest.logic.origin_chain import origin_of

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


def test_two_that_name_each_other_are_cut_and_said() -> None:
    one = telling("Lenn Courier", "The Harbour Post reported it. " + _FACTS, 0, 1)
    two = telling("Harbour Post", "The Lenn Courier reported it. " + _FACTS, 3, 2)
    origin = origin_of([one, two])
    assert origin.source_id == "S1"
    assert any("name each other round" in reason for reason in origin.reasons)


def test_an_origin_that_cannot_be_read_is_known_by_name() -> None:
    one = telling("Harbour Post", "The Velm Gazette first reported it. " + _FACTS, 3, 1)
    two = telling("Coast Echo", "According to the Harbour Post, it is so. " + _FACTS, 5, 2)
    origin = origin_of([one, two])
    assert (origin.source_id, origin.outside) == (None, "velm gazette")
    assert not origin.chain[-1].readable
    assert one.text[origin.chain[-1].start : origin.chain[-1].end] == "The Velm Gazette first reported it."


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
