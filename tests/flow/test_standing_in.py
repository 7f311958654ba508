"""When an engine's limit is used up, its key refused or the service out of order, the next suitable one answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.simulated.server import simulated_web
from bench.simulated.worlds import BRIEF
from inquest.domain.case import Case
from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.search import EngineKind, Query
from inquest.flow.services import EngineChoice
from inquest.retrieval.standing_in import Unanswered, said_of, stand_ins
from tests.flow.test_simulated_inquiry import house, world

NEWS, WEB, PAPERS, OWN = EngineKind.NEWS, EngineKind.WEB, EngineKind.SCHOLARLY, EngineKind.OWN
ENGINES = (
    EngineChoice("brave", (WEB, NEWS)),
    EngineChoice("crossref", (PAPERS,)),
    EngineChoice("locked", (WEB, NEWS), lacks="needs a key: set LOCKED_API_KEY"),
    EngineChoice("duck", (WEB,)),
    EngineChoice("tavily", (WEB, NEWS)),
    EngineChoice("papers", (PAPERS,)),
    EngineChoice("mine", (OWN, WEB)),
)
LIMIT = EngineQuota("brave", "brave is at its limit of 2000 calls a month.", advice="It renews on the 1st.")


def left_by(engine: str, error: EngineError = LIMIT, number: int = 0) -> Unanswered:
    return Unanswered(number, Query(text="harbour fire", kinds=(NEWS,)), engine, error)


def test_the_next_one_of_the_same_kinds_that_was_not_asked_yet_stands_in() -> None:
    brave = left_by("brave")
    assert stand_ins([brave], {0: ["brave"]}, ENGINES) == [(brave, "tavily")]
    assert stand_ins([brave], {0: ["brave", "tavily"]}, ENGINES) == [(brave, "duck")]
    assert said_of([brave], [(brave, "tavily")], {0: ["brave", "tavily"]}, ENGINES) == {
        "brave": "brave is at its limit of 2000 calls a month; tavily was asked instead."
    }


def test_two_that_are_out_at_one_question_have_two_stand_ins() -> None:
    both = [left_by("brave"), left_by("duck")]
    more = (*ENGINES, EngineChoice("swan", (WEB,)))
    assert [name for _, name in stand_ins(both, {0: ["brave", "duck"]}, more)] == ["tavily", "swan"]


def test_where_all_of_its_kind_were_asked_anyway_it_says_so() -> None:
    brave = left_by("brave")
    asked = {0: ["brave", "duck", "tavily", "mine", "crossref"]}
    assert stand_ins([brave], asked, ENGINES) == []
    assert said_of([brave], [], asked, ENGINES)["brave"].endswith(
        "a month; duck and tavily were asked the same questions."
    )


def test_where_there_is_nobody_it_says_so() -> None:
    alone = left_by("crossref", EngineUnavailable("crossref", "crossref did not answer within 30 s."))
    engines = ENGINES[:2]
    assert stand_ins([alone], {0: ["crossref"]}, engines) == []
    assert said_of([alone], [], {0: ["crossref"]}, engines) == {
        "crossref": "crossref did not answer within 30 s; there was no other engine to ask instead."
    }


def test_the_users_own_documents_have_no_stand_in() -> None:
    assert stand_ins([left_by("duck")], {0: ["duck", "brave", "tavily"]}, ENGINES) == []
    own = left_by("mine", EngineUnavailable("mine", "mine is locked."))
    assert stand_ins([own], {0: ["mine"]}, (EngineChoice("mine", (OWN,)), *ENGINES[:2])) == []


@pytest.mark.parametrize(
    ("error", "handed_on"),
    [
        (EngineKeyRefused("brave", "No."), True),
        (EngineUnavailable("brave", "No."), True),
        (EngineFormat("brave", "No."), False),
    ],
)
def test_what_an_engine_answers_in_another_form_is_no_others_matter(error: EngineError, handed_on: bool) -> None:
    assert bool(stand_ins([left_by("brave", error)], {0: ["brave"]}, ENGINES)) is handed_on
    assert bool(said_of([left_by("brave", error)], [], {0: ["brave"]}, ENGINES)) is handed_on


async def _limited(home: Path) -> tuple[Case, bool]:
    limits = {"tavily": {"per_month": 1}}
    async with (
        simulated_web(world()) as web,
        house(web, home, engine=limits, searxng_url="https://searx.press.example") as inquest,
    ):
        case = await inquest.inquiry(BRIEF, mode="quick", engines=["tavily", "searxng"])
        return case, (await inquest.app.replay(case.id)).same


async def test_a_case_says_whose_limit_was_met_and_who_answered_and_its_replay_too(tmp_path: Path) -> None:
    case, same = await _limited(tmp_path / "home")
    assert case.sources
    assert case.departures == ("tavily is at its limit of 1 call a month; searxng was asked instead.",)
    assert {note.where for note in case.outages} == {"tavily"}
    assert same
