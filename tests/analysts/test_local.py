"""The local analyst: the whole contract by rules, with the same result every time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from inquest.analysts.local import LocalAnalyst
from inquest.domain.finding import Stance
from inquest.domain.plan import Brief, Mode, Plan
from inquest.domain.search import EngineKind
from inquest.kit.analyst import DatedPassage, Passage, WriteMaterial
from tests.case_parts import NOON, dated, document, source

BRIEF = Brief(text="By how much did the Harlow works in Brindle exceed its permit for cadmium in the River Sorrel?")
TOPIC = "The Harlow works in Brindle: cadmium in the River Sorrel"
TEXT = (
    "The Harlow works in Brindle discharged cadmium into the River Sorrel at three times the permitted level on "
    "14 March 2023, the agency said. The laboratory found 780 micrograms per litre. Harlow denies that it broke a law."
)
DOCUMENT = document(TEXT, title="Cadmium from the Harlow works", published=dated("2023-06-06"))


async def test_from_brief_to_summary() -> None:
    analyst = LocalAnalyst()
    drafted = await analyst.plan(BRIEF, (), (EngineKind.OWN,))
    plan = Plan(
        topic=drafted.topic, questions=drafted.questions, queries=drafted.queries, engines=("own",), mode=Mode.QUICK
    )
    revised = await analyst.plan(BRIEF, (), (EngineKind.OWN,), change="focus on 2023", before=plan)
    assert drafted.queries and all(query.since for query in revised.queries)

    a_source = source("S1", published=dated("2023-06-06"))
    reading = await analyst.read(BRIEF, plan.topic, DOCUMENT)
    assert reading.key_claims[0].quote in TEXT
    (first, *_) = await analyst.merge(plan.topic, [(a_source, reading)], 5)
    assert first.members == (("S1", 0),)
    assert first.queries

    passage = Passage(id="P1", source_id="S1", snapshot=DOCUMENT.snapshot, text=TEXT)
    (judgement,) = await analyst.assess(first.text, [passage])
    assert judgement.stance is Stance.SUPPORTS
    assert TEXT[judgement.start : judgement.end] == judgement.quote

    (leaning,) = await analyst.leanings(plan.topic, [(a_source, DOCUMENT)])
    assert leaning.source_id == "S1"
    summary = await analyst.write(
        WriteMaterial(plan=plan, as_of=NOON, sources=(a_source,), claims=(), findings=(), assessments=()), depth="brief"
    )
    assert summary.sections


async def test_events_rest_on_the_passages_they_were_given() -> None:
    passage = DatedPassage(
        id="D1",
        source_id="S1",
        snapshot="s",
        quote=TEXT,
        start=0,
        end=len(TEXT),
        date=NOON,
        precision=dated("2023-03-14").precision,
    )
    (event,) = await LocalAnalyst().events(TOPIC, [passage])
    assert event.passages == ("D1",)


@pytest.mark.parametrize(
    "call",
    [
        lambda a: a.plan(Brief(text=""), (), ()),
        lambda a: a.read(Brief(text=""), "", document("")),
        lambda a: a.merge("", (), None),
        lambda a: a.assess("", ()),
        lambda a: a.events("", ()),
        lambda a: a.leanings("", ()),
    ],
)
async def test_nothing_to_say_is_no_error(call: Callable[[LocalAnalyst], Awaitable[Any]]) -> None:
    assert await call(LocalAnalyst()) == await call(LocalAnalyst())
