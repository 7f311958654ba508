"""The story of a topic, the time of its event, and sentences on reports that were searched for."""

from __future__ import annotations

from datetime import UTC, datetime

from inquest.desks.verification.origin_report import OriginCase, event_of, origin_trace, story_path
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.finding import Stance
from inquest.domain.investigation import SoughtReport
from inquest.domain.source import Source
from inquest.domain.topic import Topic
from inquest.sources.tiers import rating_of
from tests.case_parts import NOON, dated, document, finding, source, spoken

LARGE = [source(f"L{number}", story="T1", published=dated(f"2024-02-0{number}")) for number in (1, 2, 3)]
SMALL = [source(f"S{number}", story="T2", published=dated(f"2024-03-0{number}")) for number in (1, 2)]
TEXTS = {"L": "The council closed the bridge over the Sorrel.", "S": "The court fined the operator of the works."}


def _case(*sources: Source, texts: dict[str, str] | None = None, **known: object) -> OriginCase:
    def text_of(each: Source) -> str:
        return (texts or {}).get(each.id) or TEXTS[each.id[0]]

    documents: dict[str, Document] = {each.id: document(text_of(each), snapshot=each.snapshot) for each in sources}
    return OriginCase({each.id: each for each in sources}, documents, NOON, **known)  # type: ignore[arg-type]


def test_the_topics_story_is_that_of_those_who_say_that_it_is_so() -> None:
    found = origin_trace(_case(*LARGE, *SMALL, supporting=("S1", "S2")))
    assert {found.source_id, *found.candidates} <= {"S1", "S2", None}


def test_one_source_that_does_not_say_how_it_knows_and_one_from_long_before_are_no_origin() -> None:
    found = origin_trace(_case(*LARGE, source("S9", published=dated("2024-03-01")), supporting=("S9",)))
    assert found.source_id is None and not found.candidates
    old = source("S8", published=dated("2021-03-01"))
    found = origin_trace(_case(*SMALL, old, supporting=("S1", "S2", "S8")))
    assert "S8" not in (found.source_id, *found.candidates)


def test_the_event_is_on_the_day_that_the_topic_names_else_on_that_which_most_of_the_documents_name() -> None:
    topic = Topic(title="Ferry runs aground", discovery_date=datetime(2024, 3, 5, tzinfo=UTC))
    named = topic.model_copy(update={"text": "A ferry ran aground off Lenn on 3 March 2024."})
    assert event_of(named) == datetime(2024, 3, 3, tzinfo=UTC)
    told = [
        document(text, published=dated("2024-03-05")) for text in ("It ran aground on 4 March.", "On 4 March it sank.")
    ]
    assert event_of(topic, told) == datetime(2024, 3, 4, tzinfo=UTC)
    assert event_of(topic, told[:1]) is None
    assert event_of(topic, [told[0], told[0].model_copy(update={"url": "https://echo.example/b"})]) is None


def test_a_report_that_was_looked_for_is_named_with_what_came_of_it() -> None:
    credit = "The Velm Gazette first reported that the court fined the operator of the works in Lenn on 3 May 2024. "
    more = "Judge Ines Aldous of Oster heard 41 fishermen; Tove Marsh appeared for Garrow Textiles."
    sought = SoughtReport(name="Velm Gazette", why="the page is gone, and no archive has it")
    case = _case(*SMALL, texts={"S1": credit + more, "S2": credit + more}, supporting=("S1", "S2"), sought=(sought,))
    found = origin_trace(case)
    assert (found.source_id, found.name, found.readable, found.sought) == (None, "Velm Gazette", False, (sought,))
    assert any("no archive has it" in reason for reason in found.reasons)


def test_the_earliest_mention_is_of_a_page_that_reports_the_claim() -> None:
    denial = source("S7", published=dated("2024-02-20"))
    found = origin_trace(_case(*SMALL, denial, supporting=("S1", "S2"), denying=("S7",)))
    assert found.earliest_source_id == "S1"


def test_a_page_that_only_its_own_date_puts_before_the_origin_is_misdated() -> None:
    blog = source("B1", published=dated("2024-02-28"), rating=rating_of("b1.example", 40, [], category="blog"))
    found = origin_trace(_case(*SMALL, blog, supporting=("S1", "S2", "B1"), texts={"B1": TEXTS["S"]}))
    assert (found.source_id, found.misdated, found.earliest_source_id) == ("S1", ("B1",), "S1")


def test_the_path_of_the_story_has_reports_and_denials_by_their_believed_dates() -> None:
    made = [
        finding(f"F{id}", id, stance, claim_id="C0")
        for id, stance in (("S2", Stance.CONTRADICTS), ("S1", Stance.SUPPORTS), ("L1", Stance.SUPPORTS))
    ]
    sources = {each.id: each for each in (*SMALL, LARGE[0])}
    origin = origin_trace(_case(*SMALL, supporting=("S1",))).model_copy(update={"misdated": ("L1",)})
    path = story_path([Claim(id="C0", text="x")], made, sources, origin)
    assert [each.source_ids for each in path] == [("S1",), ("S2",)]
    assert path[1].text == "s2.example contradicts it."
    made[0] = made[0].model_copy(update={"details": spoken("party", "Lenn Ferries")})
    path = story_path([Claim(id="C0", text="x")], made, sources, origin)
    assert path[1].text == "s2.example reports that Lenn Ferries contradicts it."
