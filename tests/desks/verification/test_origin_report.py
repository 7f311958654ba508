"""Which story is a topic's, where several are told by its sources."""

from __future__ import annotations

from inquest.desks.verification.origin_report import origin_trace
from inquest.domain.document import Document
from inquest.domain.source import Source
from tests.case_parts import NOON, dated, document, source

LARGE = [source(f"L{number}", story="T1", published=dated(f"2024-02-0{number}")) for number in (1, 2, 3)]
SMALL = [source(f"S{number}", story="T2", published=dated(f"2024-03-0{number}")) for number in (1, 2)]


def _of(*sources: Source) -> tuple[dict[str, Source], dict[str, Document]]:
    texts = {"L": "The council closed the bridge over the Sorrel.", "S": "The court fined the operator of the works."}
    return (
        {each.id: each for each in sources},
        {each.id: document(texts[each.id[0]], snapshot=each.snapshot) for each in sources},
    )


def test_the_topics_story_is_that_of_those_who_bear_on_its_matter() -> None:
    sources, documents = _of(*LARGE, *SMALL)
    assert origin_trace(sources, documents, NOON).source_id in {"L1", "L2", "L3", None}
    found = origin_trace(sources, documents, NOON, bearing=("S1", "S2"))
    assert {found.source_id, *found.candidates} <= {"S1", "S2", None}


def test_where_those_who_bear_on_it_tell_no_common_story_no_other_is_taken_for_it() -> None:
    alone = source("S9", published=dated("2024-03-01"))
    sources, documents = _of(*LARGE, alone)
    found = origin_trace(sources, documents, NOON, bearing=("S9",))
    assert found.source_id is None and not found.candidates
