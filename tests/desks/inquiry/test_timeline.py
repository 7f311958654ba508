"""Dated sentences, and the events they report."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.inquiry.digest import MAX_EVENTS, dated_passages, events_of
from inquest.domain.document import Precision
from inquest.domain.drafts import DatedPassage
from inquest.domain.reasons import Reason, in_words
from tests.case_parts import dated, document, source

TOPIC = "The Harlow works in Brindle: discharge of cadmium into the River Sorrel"
ARTICLE = (
    "Inspectors took samples of the cadmium discharge at the Harlow works in Brindle in the night of 14 March. "
    "The county closed two wells near the Sorrel last Wednesday. "
    "Harlow must hand over its logs by 30 June. "
    "The letter of 2 May says that the discharge exceeded the permit. "
    "He signed it on 3 May."
)


def passages(
    text: str = ARTICLE, on: str | None = "2023-06-06", title: str = "Cadmium from the Harlow works"
) -> tuple[DatedPassage, ...]:
    made = document(text, title=title, published=dated(on) if on else None)
    return dated_passages(made, source("A", domain="a.example"), TOPIC)


def passage(id: str, source_id: str, quote: str, on: str, precision: Precision = Precision.DAY) -> DatedPassage:
    return DatedPassage(
        id=id,
        source_id=source_id,
        snapshot=f"sha256:{source_id}",
        quote=quote,
        start=0,
        end=len(quote),
        date=datetime.fromisoformat(on).replace(tzinfo=UTC),
        precision=precision,
        domain=f"{source_id.lower()}.example",
    )


def test_dates_are_counted_from_the_day_of_publication() -> None:
    found = {each.quote: each for each in passages()}
    night, wells = (next(each for quote, each in found.items() if word in quote) for word in ("samples", "wells"))
    assert night.date == datetime(2023, 3, 14, tzinfo=UTC)
    assert wells.date == datetime(2023, 5, 31, tzinfo=UTC)
    assert ARTICLE[night.start : night.end] == night.quote


def test_deadlines_papers_and_pronouns_date_no_event_nor_do_relative_dates_without_a_day_of_publication() -> None:
    quotes = " ".join(each.quote for each in passages())
    assert "30 June" not in quotes
    assert "2 May" not in quotes
    assert "3 May" not in quotes
    assert all("last Wednesday" not in each.quote for each in passages(on=None))
    made = document(ARTICLE, title="Cadmium from the Harlow works", published=dated("2023-06-06"))
    misdated = source("A", domain="a.example", story_codes=(Reason(code="origin.misdated"),))
    assert all("last Wednesday" not in each.quote for each in dated_passages(made, misdated, TOPIC))


def test_a_page_on_something_else_dates_nothing() -> None:
    bakery = "The bakery in Aldport was opened on 3 May 2023 by the mayor and sold 300 loaves."
    assert passages(bakery, title="Bread again") == ()


SAMPLES = "Inspectors took samples of cadmium at the Harlow works in the night of 14 March 2023."
AGAIN = "In the night of 14 March 2023 inspectors took samples at the works of Harlow and found cadmium."
OTHER_DAY = "Inspectors took samples of cadmium at the Harlow works in the night of 16 March 2023."
WELLS = "The county closed two wells in Brindle on 3 July 2023 because of cadmium."


def test_tellings_of_one_event_are_one_and_different_days_are_a_conflict() -> None:
    events = events_of(
        TOPIC,
        [
            passage("1", "A", SAMPLES, "2023-03-14"),
            passage("2", "B", AGAIN, "2023-03-14"),
            passage("3", "C", WELLS, "2023-07-03"),
        ],
    )
    assert [event.date.date().isoformat() for event in events] == ["2023-03-14", "2023-07-03"]
    assert set(events[0].passages) == {"1", "2"}
    assert events[0].conflict is None
    events = events_of(TOPIC, [passage("1", "A", SAMPLES, "2023-03-14"), passage("2", "B", OTHER_DAY, "2023-03-16")])
    assert len(events) == 1
    assert isinstance(events[0].conflict, Reason)
    assert in_words(events[0].conflict) == "a.example says 14 March 2023; b.example says 16 March 2023."
    month = SAMPLES.replace("the night of 14 March 2023", "March 2023")
    events = events_of(
        TOPIC, [passage("1", "A", SAMPLES, "2023-03-14"), passage("2", "B", month, "2023-03-01", Precision.MONTH)]
    )
    assert len(events) == 1
    assert events[0].precision is Precision.DAY
    assert events[0].conflict is None


def test_two_events_of_one_year_are_not_one() -> None:
    samples = "The inspectors took 212 samples of cadmium from the works of Harlow in Brindle in 2023."
    days = "Harlow discharged more cadmium than permitted into the river from the works in Brindle on 14 days in 2023."
    same = "In 2023 the inspectors took 212 samples of cadmium from the works of Harlow in Brindle, the Courier says."
    quotes = {"A": samples, "B": days, "C": same}
    first, other, again = (passage(id, id, quotes[id], "2023-01-01", Precision.YEAR) for id in quotes)
    assert events_of(TOPIC, [first, other]) == ()
    (event,) = events_of(TOPIC, [first, other, again])
    assert set(event.passages) == {"A", "C"}


def test_the_telling_is_what_is_dated_where_the_date_stands_in_the_attribution() -> None:
    quote = "The Harlow works discharged cadmium at three times the permit, the Courier reported on 6 June 2023."
    events = events_of(TOPIC, [passage("1", "A", quote, "2023-06-06")])
    assert events[0].text == quote


def test_events_are_oldest_first_and_no_more_than_twenty() -> None:
    many = [
        passage(
            str(n),
            f"S{n}",
            f"Harlow paid a fine of {n * n} thousand euros over cadmium on {n} May 2023.",
            f"2023-05-{n:02}",
        )
        for n in range(1, 29)
    ]
    events = events_of(TOPIC, list(reversed(many)))
    assert len(events) == MAX_EVENTS
    assert [event.date for event in events] == sorted(event.date for event in events)


@given(st.text(max_size=400))
def test_any_text_is_grounded(text: str) -> None:
    whole = f"{ARTICLE} {text}"
    for each in passages(whole):
        assert whole[each.start : each.end] == each.quote
