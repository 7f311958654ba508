"""What is known around a topic: earlier events once each, quoted and dated, nothing of the event itself."""

from __future__ import annotations

from datetime import UTC, datetime

from inquest.desks.verification.topic_context import topic_context
from inquest.desks.verification.topic_reading import read_topic
from inquest.domain.document import Document
from inquest.domain.investigation import TopicContext
from inquest.domain.topic import Topic
from tests.desks.verification.test_topic_claims import source as a_source

TOPIC = Topic(
    title="Dockers at Garrow Harbour walk out over night shifts at Lenn Terminals",
    place="Garrow Harbour", event_date=datetime(2025, 5, 2, tzinfo=UTC),
)  # fmt: skip


def around(*texts: str) -> TopicContext:
    sources = {f"S{n}": a_source(f"S{n}", at=datetime(2025, 5, 3, tzinfo=UTC)) for n in range(1, len(texts) + 1)}
    documents = {
        id: Document(url=sources[id].url, snapshot=f"sha256:{id}", text=text)
        for id, text in zip(sources, texts, strict=True)
    }
    found = topic_context(TOPIC, read_topic(TOPIC), sources, documents)
    for event in found.events:
        for mention in event.mentions:
            assert documents[mention.source_id].text[mention.start : mention.end] == mention.quote
    return found


def test_two_events_of_one_month_stay_two() -> None:
    found = around(
        "In March 2019 Lenn Terminals bought two cranes from a yard in Aldport.",
        "Dockers at Lenn Terminals ended an eleven-day strike at Garrow Harbour on 11 March 2019.",
    )
    assert [event.date for event in found.events] == ["2019-03", "2019-03-11"]


def test_the_event_itself_and_what_came_after_are_no_earlier_events() -> None:
    found = around(
        "Dockers of Lenn Terminals walked out at Garrow Harbour on 2 May 2025. On 30 April 2025 the dockers of Lenn "
        "Terminals voted on it. Lenn Terminals plans a new quay at Garrow Harbour by 2027.",
    )
    assert found.events == ()


def test_a_sentence_that_tells_of_the_place_and_of_an_event_is_one_detail() -> None:
    found = around(
        "The council of Garrow Harbour agreed a budget on 28 November 2024 although unemployment in the town is high."
    )
    assert len(found.events) == 1
    assert (found.local.passages, found.details) == ((), 1)
