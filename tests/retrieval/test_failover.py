"""An engine that cannot answer is replaced by one of its kind that would not be queried anyway, and the case says
so."""

from __future__ import annotations

import pytest

from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.reasons import in_words, sentences
from inquest.domain.search import EngineKind
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.failover import Failed, departures, is_for_others, next_engines, replaced_by

NEWS, WEB, PAPERS, OWN = EngineKind.NEWS, EngineKind.WEB, EngineKind.SCHOLARLY, EngineKind.OWN
WEB_ONLY = [EngineChoice(name, (WEB,)) for name in ("wikipedia", "tavily", "duckduckgo")]
ENGINES = (
    EngineChoice("brave", (WEB, NEWS)),
    EngineChoice("crossref", (PAPERS,)),
    EngineChoice("locked", (WEB, NEWS), lacks="needs a key: set LOCKED_API_KEY"),
    EngineChoice("wide", (WEB,)),
    EngineChoice("tavily", (WEB, NEWS)),
    EngineChoice("mine", (OWN, WEB)),
)
LIMIT = EngineQuota("brave", "brave is at its limit of 2000 calls a month.", advice="It renews on the 1st.")


def test_the_widest_of_the_kind_is_next_and_never_one_that_is_asked_anyway() -> None:
    assert next_engines("wikipedia", ("wikipedia",), WEB_ONLY) == ("tavily", "duckduckgo")
    assert next_engines("wikipedia", ("wikipedia", "tavily"), WEB_ONLY) == ("duckduckgo",)
    assert next_engines("crossref", ("crossref",), ENGINES) == ()


def test_who_searches_most_of_what_it_searches_is_next_and_never_one_that_is_not_ready() -> None:
    assert next_engines("brave", ("brave",), ENGINES) == ("tavily", "wide")


def test_nobody_stands_in_for_the_users_own_documents_and_they_for_nobody() -> None:
    assert next_engines("mine", ("mine",), ENGINES) == ()
    assert "mine" not in next_engines("wide", ("wide",), ENGINES[-1:])


@pytest.mark.parametrize(
    ("error", "handed_on"),
    [
        (EngineQuota("brave", "No."), True),
        (EngineKeyRefused("brave", "No."), True),
        (EngineUnavailable("brave", "No."), True),
        (EngineFormat("brave", "No."), False),
    ],
)
def test_what_an_engine_answers_in_another_form_is_no_others_matter(error: EngineError, handed_on: bool) -> None:
    assert is_for_others(error) is handed_on
    assert bool(departures([Failed("brave", error, None, ())])) is handed_on


@pytest.mark.parametrize(
    ("after", "beside", "said"),
    [
        ("tavily", ("wide",), "brave is at its limit of 2000 calls a month; tavily was queried instead."),
        (None, ("wide", "tavily"), "a month; wide and tavily were sent the same queries."),
        (None, (), "a month; there was no other engine to query instead."),
    ],
)
def test_it_is_said_who_was_asked_instead_or_beside(after: str | None, beside: tuple[str, ...], said: str) -> None:
    failed = [Failed("brave", LIMIT, after, beside)]
    assert in_words(departures(failed, ("tavily", "wide"))["brave",]).endswith(said)
    assert replaced_by(failed)["brave"] == ((after,) if after else beside)


def test_engines_asked_instead_are_named_by_their_titles() -> None:
    titles = {"tavily": "Tavily", "wide": "The Wide Web"}
    failed = [Failed("brave", LIMIT, None, ("wide", "tavily"))]
    found = departures(failed, ("tavily", "wide"), lambda names: [titles[name] for name in names])
    assert in_words(found["brave",]).endswith("; The Wide Web and Tavily were sent the same queries.")


def test_engines_that_are_out_alike_are_one_line_and_nobody_who_is_out_stands_in() -> None:
    down = {name: EngineUnavailable(name, f"{name} is unavailable (503).") for name in ("brave", "tavily", "wide")}
    failed = [
        Failed("brave", down["brave"], "tavily", ()),
        Failed("brave", down["brave"], "wide", ()),
        Failed("tavily", down["tavily"], "wide", ()),
        Failed("wide", down["wide"], None, ("brave",)),
    ]
    (line,) = departures(failed).values()
    assert in_words(line) == (
        "brave is unavailable (503); tavily is unavailable (503); wide is unavailable (503); "
        "none of those queried instead answered."
    )
    with_one = departures(failed, ("wide",))
    assert set(with_one) == {("brave", "tavily"), ("wide",)}
    assert in_words(with_one["brave", "tavily"]).endswith("tavily is unavailable (503); wide was queried instead.")


def test_one_engine_that_is_out_again_and_again_is_told_once() -> None:
    failed = [Failed("brave", LIMIT, "tavily", ()) for _ in range(5)]
    assert [*sentences(departures(failed, ("tavily",)).values())] == [
        "brave is at its limit of 2000 calls a month; tavily was queried instead."
    ]
