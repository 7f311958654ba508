"""A query goes to the engines most likely to answer it: press and web, and literature if it is technical; others only
if the query or the user names them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from inquest.domain.plan import Brief, Mode, Plan
from inquest.domain.search import EngineKind, Query
from inquest.flow.nodes.gather import fitting
from inquest.flow.services import Services
from inquest.flow.state import CaseState
from inquest.retrieval.engine_choice import EngineChoice

ENGINES = {
    "paper": EngineChoice("paper", (EngineKind.NEWS,)),
    "web": EngineChoice("web", (EngineKind.WEB,)),
    "works": EngineChoice("works", (EngineKind.SCHOLARLY,)),
    "posts": EngineChoice("posts", (EngineKind.SOCIAL,)),
    "filings": EngineChoice("filings", (EngineKind.MARKET,)),
    "captures": EngineChoice("captures", (EngineKind.ARCHIVE,)),
    "checks": EngineChoice("checks", (EngineKind.FACT_CHECK,)),
    "mine": EngineChoice("mine", (EngineKind.OWN,)),
}
NAMED = EngineChoice("posts", (EngineKind.SOCIAL,), asked_for=True)


def asked(query: Query, *names: str, named: EngineChoice | None = None) -> list[str]:
    engines = [named if named and each.name == named.name else each for each in ENGINES.values()]
    plan = Plan(
        topic="The harbour", questions=("?",), queries=(query,), engines=names or tuple(ENGINES),
        mode=Mode.QUICK, analyst="local",
    )  # fmt: skip
    state = CaseState(brief=Brief(text="The harbour"), plan=plan)
    return fitting(query, state, cast("Services", SimpleNamespace(engines=engines)))


def test_a_question_without_a_kind_goes_to_press_and_web_and_the_users_own_documents() -> None:
    assert asked(Query(text="Garrow Harbour dockers night shifts")) == ["paper", "web", "mine"]


def test_a_technical_question_goes_to_literature_too() -> None:
    query = Query(text="nasal spray colds", purpose="Does a nasal spray prevent disease?")
    assert asked(query) == ["paper", "web", "works", "mine"]


@pytest.mark.parametrize("kind", [EngineKind.SOCIAL, EngineKind.MARKET, EngineKind.ARCHIVE, EngineKind.FACT_CHECK])
def test_a_question_with_a_kind_goes_to_that_kind_alone(kind: EngineKind) -> None:
    found = asked(Query(text="Garrow Harbour", kinds=(kind,)))
    assert [name for name in found if name != "mine"] == [name for name, each in ENGINES.items() if kind in each.kinds]


def test_whom_the_user_named_is_asked_whatever_it_searches() -> None:
    assert "posts" in asked(Query(text="Garrow Harbour dockers"), named=NAMED)


def test_where_nobody_searches_press_or_web_everybody_who_is_asked_in_words_is() -> None:
    assert asked(Query(text="Garrow Harbour dockers"), "works", "filings", "captures") == ["works", "filings"]
