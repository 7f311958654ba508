"""View models of pages: lines of events, the market answer in parts, what a new case is likely to cost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from markupsafe import escape

from inquest import Inquest
from inquest.app.cases.progress import Pace
from inquest.app.pages.case_page import CasePage, progress_of
from inquest.app.pages.desk_page import Wanted, desk_page
from inquest.app.pages.event_lines import chat_entry, event_line
from inquest.app.pages.new_case import EngineOffer, likely_cases
from inquest.desks.market.answer import answer
from inquest.desks.market.summary import parts_of
from inquest.domain.case import CaseStatus, Round
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.market import SearchOutcome
from inquest.domain.person import Person, Role
from inquest.domain.plan import Decision
from inquest.web.render import environment
from tests.desks.market.market_parts import about_quarvane, page
from tests.faces_web.seeding import seed
from tests.reports.report_cases import bare, rich

_NEWS = (
    "Quarvane Semiconductor shares fell 7% on Thursday after the securities regulator opened an investigation into its "
    "accounts. The company said it would cooperate. Harrow Street downgraded Quarvane to Neutral from Overweight."
)
_MORE = (
    "The securities regulator has opened an investigation into the accounts of Quarvane Semiconductor, two people "
    "said. Shares of Quarvane fell 7% after the report of the investigation."
)


def event(kind: EventType, text: str, **data: object) -> Event:
    return Event.model_validate(
        {
            "id": 1,
            "case_id": "x",
            "at": datetime(2026, 1, 1, tzinfo=UTC),
            "type": kind,
            "text": text,
            "data": data,
            "marker": "PLAN_APPROVAL_REQUIRED" if kind is EventType.PLAN_READY else None,
        }
    )


def test_a_checked_claim_is_told_with_its_verdict_and_a_decision_without_codes() -> None:
    checked = event(
        EventType.FACT_CHECKED, 'VERIFIED: "It rained." - Two.', verdict="verified", claim_text="It rained."
    )
    assert (event_line(checked).verdict, event_line(checked).words) == ("verified", "It rained.")
    decided = event_line(
        event(EventType.PLAN_DECIDED, "Plan 2: revise by Ada", decision="revise", revision=2, by="Ada")
    )
    assert decided.decided is not None and decided.decided["decision"] == Decision.REVISE
    strange = event_line(event(EventType.FACT_CHECKED, "said", verdict="perhaps", claim_text="It rained."))
    assert strange.verdict == "" and strange.words == "said"
    found = chat_entry(event(EventType.SOURCE_FOUND, "A page", title="A page", stars=9, domain="a.example"), {})
    assert found is not None and found.source is not None and found.source.stars == 5
    assert chat_entry(event(EventType.QUERY_ANSWERED, "10 hits"), {}) is None


def test_the_plan_in_the_conversation_names_engines_by_title() -> None:
    case = rich().case
    assert case.plan is not None
    plan = case.plan.model_copy(update={"engines": ("some_engine", "other")})
    made = event(EventType.PLAN_READY, "The plan is ready.", plan=plan.model_dump(mode="json"))
    line = chat_entry(made, {"some_engine": "Some Engine"})
    assert line is not None and "Search engines:\n- Some Engine\n- other" in line.words


def test_the_progress_of_a_further_round_is_its_own() -> None:
    case = rich().case
    early, late = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
    asked = Round(number=2, by="Ada", at=late, words="Look again.", status="completed")
    url = "https://paper.example/a"
    events = [
        event(EventType.FACT_CHECKED, "said", claim_text="It rained.", verdict="verified"),
        event(EventType.SOURCE_EVALUATED, "weighed", source_url=url, tier=2, relevance="It says so.").model_copy(
            update={"at": late, "id": 2}
        ),
        event(EventType.SOURCE_EVALUATED, "weighed", source_url=url, tier=2).model_copy(update={"at": late, "id": 3}),
    ]
    assert events[0].at == early
    progress = progress_of(case.model_copy(update={"rounds": (asked,)}), events)
    assert progress.counts["checked"] == 0 and progress.counts["sources"] == 1
    assert progress.sources[0].tier == 2 and progress.sources[0].domain == "paper.example"
    assert progress_of(case, events).counts["checked"] == 1


def test_the_claim_that_is_checked_is_counted_and_its_end_foreseen() -> None:
    case = rich().case.model_copy(update={"status": CaseStatus.RUNNING, "rounds": ()})
    begun = datetime(2026, 1, 1, tzinfo=UTC)

    def at(second: int, kind: EventType, **data: object) -> Event:
        told = event(kind, "said", **data)
        return told.model_copy(update={"at": begun + timedelta(seconds=second), "stage": Stage.FACT_CHECK})

    claims = [at(0, EventType.CLAIM_EXTRACTED, claim_id=f"C{number}") for number in range(1, 6)]
    assert progress_of(case, claims).pace == Pace(claims=5)
    started = [at(0, EventType.PLAN_DECIDED), *claims]
    progress = progress_of(case, [*started, at(10, EventType.FACT_CHECKED, claim_id="C1")])
    assert (progress.pace.claim, progress.counts["claims"]) == (2, 5)
    assert progress.pace.left(begun) == (begun + timedelta(seconds=50), True)
    assert progress.pace.left(begun + timedelta(days=1)) is None


def test_a_contradicted_claim_stands_once_with_all_that_is_against_it() -> None:
    view = CasePage(rich().case)
    claims = [clash.checked.claim.id for clash in view.clashes]
    assert claims and len(claims) == len(set(claims))
    against = sum(len(each.contradicting) for each in view.view.claims)
    assert sum(len(clash.against) for clash in view.clashes) == against


def test_every_line_of_a_market_answer_is_on_the_page() -> None:
    pages = [page("S1", _NEWS, tier=1), page("S2", _MORE)]
    findings = [each for _, found in pages for each in found]
    made = answer(about_quarvane(), findings, [source for source, _ in pages], SearchOutcome())
    assert any(line.level > 1 for part in parts_of(made) for line in part.lines)
    case = rich().case.model_copy(update={"answer": made})
    template = environment().from_string(
        '{% import "parts.html" as p with context %}{% include "answer.html" %}', globals={"page": CasePage(case)}
    )
    html, place = template.render(), 0
    for line in (line for part in parts_of(made) for line in part.lines):
        place = html.index(str(escape(line.text)), place) + len(line.text)
    assert all(html.count(f"<{tag}") == html.count(f"</{tag}>") for tag in ("ul", "ol", "li", "p", "section"))
    assert "<ul><li" in html[html.index("<ol>") : html.index("</ol>")], "points below points"


def test_a_detailed_case_is_likely_to_cost_and_take_more_and_the_local_analyst_nothing() -> None:
    free = EngineOffer("a", "A", ("news",), "", 0.0)
    paid = EngineOffer("b", "B", ("web", "news"), "", 0.01)
    quick, detailed = likely_cases("inquiry", (free, paid), "openai:gpt-4o")
    assert quick.cost is not None and detailed.cost is not None
    assert 0 < quick.cost.likely < detailed.cost.likely < detailed.cost.most and quick.minutes < detailed.minutes
    (local,) = likely_cases("claims", (free,), "")
    assert local.cost is not None and local.cost.most == 0.0
    (unknown,) = likely_cases("market", (free,), "mine:model-of-my-own")
    assert unknown.cost is None


async def test_a_plan_that_waits_is_shown_however_many_newer_cases_there_are(inquest: Inquest) -> None:
    waits = {"status": CaseStatus.PLANNED, "approvals": (), "summary": None, "why": ""}
    old = await seed(inquest.app, rich().case.model_copy(update=waits))
    for number in range(31):
        made = bare().case.model_copy(update={"id": f"20300101-{number:08x}", "created_at": inquest.app.clock.now()})
        await (await inquest.app.store()).create(made)
    person = Person(name="Ada", role=Role.ADMIN, how="token")
    desk = await desk_page(inquest.app, person, Wanted())
    assert old.id not in [row.line.case_id for row in desk.rows]
    assert [row.line.case_id for row in desk.waiting] == [old.id]
