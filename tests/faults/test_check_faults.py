"""A check of a company's claims while something fails: the messages to the user, the work that continues, and that an
outage is never counted against the company.

Each row of the error tables of the two desks' specifications, on the simulated web.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import Company, Row
from bench.simulated.running import limits_lifted
from bench.simulated.server import Faults, Heard, Reply, SimulatedWeb, simulated_web
from inquest import Inquest
from inquest.desks.academic.desk import AcademicDesk
from inquest.domain.case import Case, CaseStatus
from inquest.domain.check import Progress
from inquest.domain.errors import InputError
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Finding, Verdict
from inquest.engines.scholarly.crossref import Crossref
from inquest.engines.web.tavily import Tavily
from inquest.net.policy import CEILINGS, RequestPolicy

FIRM = Company("Velkran Cement AG", "Velkran Cement", "cement", "velkrancement.com", (
    Row("borne_out", "Velkran Cement replaced coal with waste wood in the kiln at Hollin in 2022.",
        "Hollin kiln coal waste wood", "the kiln at Hollin has burnt waste wood instead of coal since 2022"),
    Row("direct", "Velkran Cement has closed its quarry at Tarnholt for good.", "Tarnholt quarry closed",
        no="the quarry at Tarnholt is still open, and lorries leave it every morning"),
    Row("gossip", "Velkran Cement emits 610 kg of CO2 for each tonne of cement under the GHG Protocol.",
        "CO2 tonne cement GHG Protocol", no="900 kg of CO2 are emitted for each tonne of cement"),
))  # fmt: skip
TRUE, FALSE, TECHNICAL = "G1", "G2", "G3"
TRUTH = {TRUE: Verdict.VERIFIED, FALSE: Verdict.CONTRADICTED, TECHNICAL: Verdict.UNVERIFIED}
NO_MODEL: dict[str, Any] = {"keys": {"TAVILY_API_KEY": "tvly-simulated-0123"}, "model": ""}
Answers = Callable[[str, bytes], "Reply | str | None"]
"""The answer to a request in place of the truth; 'true': the truth, 'never': no answer at all."""


@dataclass(frozen=True)
class Seen:
    """A case, its events, and whether its replay is the same."""

    case: Case
    told: tuple[Event, ...]
    difference: str

    def errors(self, claim_id: str) -> list[Finding]:
        return [f for f in self.case.findings if f.evidence_type == "error" and f.claim_id == claim_id]

    def verdicts(self) -> dict[str, Verdict]:
        return {each.claim_id: each.verdict for each in self.case.assessments}

    def of_type(self, type: EventType) -> list[Event]:
        return [event for event in self.told if event.type is type]


@pytest.fixture(autouse=True)
def _in_no_time(monkeypatch: pytest.MonkeyPatch, no_pauses: None) -> Iterator[None]:
    """Retries follow at once, timeouts are short, and services have no limits of their own."""
    ceilings = {purpose: replace(each, first_byte=1.5, idle=1.5, total=6.0) for purpose, each in CEILINGS.items()}
    hasty = partial(RequestPolicy, first_wait=0, jitter=0, page_interval=0, ceilings=ceilings)
    monkeypatch.setattr("inquest.net.policy.RequestPolicy", hasty)
    with limits_lifted(Tavily, Crossref):
        yield


@asynccontextmanager
async def web_of(faults: Faults | None = None, answers: Answers | None = None) -> AsyncIterator[SimulatedWeb]:
    async with simulated_web(a_company_world((FIRM,)), faults=faults) as web:
        truly = web.reply

        async def reply(method: str, url: str, body: bytes) -> Heard:
            said = answers(url, body) if answers else "true"
            if said == "never":
                await asyncio.sleep(60)
            return await truly(method, url, body) if isinstance(said, str) else said

        web.reply = reply  # type: ignore[method-assign]
        yield web


async def seen(
    home: Path, faults: Faults | None = None, answers: Answers | None = None, *, house: dict[str, Any] | None = None,
    **options: Any,
) -> Seen:  # fmt: skip
    """The check of the firm's claims; `house`: settings, `options`: those of the check."""
    home.mkdir(exist_ok=True)
    ratings = home / "ratings.csv"
    told: list[Event] = []
    asked: dict[str, Any] = {"engines": ("tavily", "crossref"), "as_of": "2024-12-31", "rounds": 0}
    async with web_of(faults, answers) as web:
        ratings.write_text(web.world.ratings_csv())
        async with Inquest(home=home, ratings=ratings, **(web.settings | (house or {}))) as inquest:
            case = await inquest.check(
                company=FIRM.name,
                industry=FIRM.industry,
                claims=[row.claim for row in FIRM.rows],
                on_event=told.append,
                **(asked | options),
            )
            again = await inquest.replay(case.id)
    return Seen(case, tuple(told), again.difference)


async def test_no_search_at_all_is_an_error_on_every_claim_and_no_verdict_on_any(tmp_path: Path) -> None:
    """A rate limit that is reached; `test_every_service` has every error of a service."""

    def met_its_limit(url: str, body: bytes) -> Reply | str | None:
        return (429, "application/json", b"{}") if "tavily" in url or "crossref" in url else "true"

    met = await seen(tmp_path / "home", answers=met_its_limit, house=NO_MODEL)
    assert met.case.status is CaseStatus.PARTIAL and "2 engines" in met.case.why
    assert set(met.verdicts().values()) == {Verdict.UNVERIFIED}
    words = ("quota or rate", "not to be asked", "not queried for a while")
    for claim_id in TRUTH:
        errors = met.errors(claim_id)
        assert errors and all(any(each in error.summary for each in words) for error in errors)
        assert any(
            event.data["claim_id"] == claim_id and event.data["message"] for event in met.of_type(EventType.ERROR)
        )
        (assessment,) = [each for each in met.case.assessments if each.claim_id == claim_id]
        assert any("could not be queried" in reason for reason in assessment.reasons)
    assert {note.where for note in met.case.outages if note.what == "engine"} == {"tavily", "crossref"}
    assert met.of_type(EventType.OUTAGE) and met.case.summary is not None
    assert met.difference == ""


async def test_a_failing_engine_takes_no_verdict_along_that_others_carry(tmp_path: Path) -> None:
    met = await seen(tmp_path / "home", answers=lambda url, body: None if "crossref" in url else "true")
    assert met.case.status is CaseStatus.PARTIAL
    assert met.verdicts() == TRUTH
    assert not met.errors(TRUE), "the press was searched whole"
    assert met.errors(TECHNICAL)
    assert met.difference == ""


async def test_pages_that_fail_are_told_and_never_count_against_the_company(tmp_path: Path) -> None:
    def no_pages(url: str, body: bytes) -> Reply | str | None:
        return (500, "text/html", b"") if ".press.example/2024" in url else "true"

    met = await seen(tmp_path / "home", answers=no_pages)
    assert met.case.status is CaseStatus.PARTIAL and "pages" in met.case.why
    assert Verdict.CONTRADICTED not in met.verdicts().values()
    assert met.errors(FALSE) and met.difference == ""


async def test_the_judge_asks_again_and_what_answers_then_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first round the service is down; it is available again when the judge has the desk search again."""
    patient = partial(RequestPolicy, first_wait=0, jitter=0, page_interval=0, breaker_threshold=1000)
    monkeypatch.setattr("inquest.net.policy.RequestPolicy", patient)
    rounds: list[bool] = []

    def at_first(url: str, body: bytes) -> Reply | str | None:
        return (501, "application/json", b"{}") if not rounds and "tavily" in url else "true"

    home = tmp_path / "home"
    home.mkdir()
    (home / "r.csv").write_text(a_company_world((FIRM,)).ratings_csv())

    def listen(event: Event) -> None:
        if event.type is EventType.REINVESTIGATION_REQUESTED:
            rounds.append(True)

    async with web_of(answers=at_first) as web, Inquest(home=home, ratings=home / "r.csv", **web.settings) as inquest:
        case = await inquest.check(
            company=FIRM.name, claims=[FIRM.rows[0].claim, FIRM.rows[1].claim], engines=["tavily"],
            as_of="2024-12-31", rounds=1, on_event=listen, desks=["news"],
        )  # fmt: skip
        assert case.check is not None
        assert {change.verdict for change in case.check.changes if change.iteration == 1} == {Verdict.UNVERIFIED}
        assert case.status is CaseStatus.PARTIAL
        assert {each.claim_id: each.verdict for each in case.assessments} == {TRUE: TRUTH[TRUE], FALSE: TRUTH[FALSE]}
        assert (await inquest.replay(case.id)).difference == ""


async def test_a_model_that_fails_is_an_outage_and_the_rules_answer(tmp_path: Path) -> None:
    wrong_shape = '{"judgements": "contradicts", "queries": 7, "sections": null}'
    met = await seen(tmp_path / "home", Faults(model=lambda request: wrong_shape))
    assert met.case.status is CaseStatus.PARTIAL and "1 model" in met.case.why
    found = met.verdicts()
    assert found[TRUE] is not Verdict.CONTRADICTED and found[FALSE] is not Verdict.VERIFIED
    assert found[TECHNICAL] is not Verdict.CONTRADICTED
    assert any(event.data["message"] for event in met.of_type(EventType.ERROR))
    assert met.of_type(EventType.DEGRADED)
    assert [note for note in met.case.outages if note.what == "model"]
    assert met.difference == ""


async def test_without_the_model_s_queries_summary_and_ratings_the_rules_find_write_and_rate(tmp_path: Path) -> None:
    """Low-quality sources alone decide nothing, and are shown: three boards of tier 4 contradict the technical
    claim."""
    said = {
        "Task: write the searches": "Search for something.",
        "Task: write the summary": '{"sections": []}',
        "Task: say what kind of publisher": "A fine paper.",
    }

    def fails(request: dict[str, Any]) -> str | None:
        task = request["messages"][0]["content"]
        return next((reply for words, reply in said.items() if words in task), None)

    met = await seen(tmp_path / "home", Faults(model=fails))
    assert met.case.plan is not None and met.case.plan.queries
    assert met.case.status is CaseStatus.PARTIAL and met.verdicts() == TRUTH and met.case.summary is not None
    assert "beside public evidence" in met.case.summary.title
    assert {source.rating.tier for source in met.case.sources if "velkran" in source.domain} <= {3, 4}
    (told,) = [each for each in met.case.assessments if each.claim_id == TECHNICAL]
    assert told.contradicting, "what they say is shown"
    named = [reference for finding in met.case.findings for reference in finding.references]
    assert named and all(reference.get("url") for reference in named)
    assert met.difference == ""


async def test_no_results_are_nothing_found_and_no_failure(tmp_path: Path) -> None:
    nothing = (200, "application/json", b'{"query": "x", "results": []}')
    met = await seen(tmp_path / "home", answers=lambda url, body: nothing if "tavily" in url else "true", rounds=1)
    assert met.case.status is CaseStatus.COMPLETED, met.case.why
    assert set(met.verdicts().values()) == {Verdict.UNVERIFIED}
    assert not [finding for finding in met.case.findings if finding.evidence_type == "error"]
    assert met.case.check is not None and met.case.check.reinvestigations, "other words were tried"
    assert not [note for note in met.case.outages if note.what != "desk"]
    assert met.case.cost.model_calls <= 2, "a model is not asked to sum up nothing"
    benchmark = next(f for f in met.case.findings if f.evidence_type == "benchmark_comparison")
    assert benchmark.stance.value not in ("supports", "contradicts"), "no range was found to compare with"
    assert met.difference == ""


async def test_engines_without_their_keys_are_said_counted_once_and_are_not_nothing_found(tmp_path: Path) -> None:
    """A note names the first few of them, and the gaps of two desks overlap."""
    lacking = ("tavily", "brave", "serper", "exa", "newsapi")
    met = await seen(tmp_path / "home", house={"keys": {}, "model": ""}, engines=lacking)
    notes = [each for each in met.case.outages if each.what == "engine"]
    assert len(notes) > 1 and all(" other" in each.where for each in notes)
    assert {name for each in notes for name in each.names} == set(lacking)
    assert "Could not be queried or read: 5 engines." in met.case.why
    assert met.case.status is CaseStatus.PARTIAL and set(met.verdicts().values()) == {Verdict.UNVERIFIED}
    for claim_id in TRUTH:
        assert "set TAVILY_API_KEY" in met.errors(claim_id)[0].summary
    assert met.case.plan is not None and any("No engine is ready" in note for note in met.case.plan.notes)
    assert met.difference == ""


async def test_a_defect_in_one_desk_is_said_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`test_desk_guard` has every method and defect."""
    asked = []

    def broken(*_: object, **__: object) -> object:
        asked.append(True)
        raise ZeroDivisionError("no such sector")

    monkeypatch.setattr(AcademicDesk, "takes", broken)
    met = await seen(tmp_path / "home", rounds=1, desks=("news", "academic"))
    assert asked, "the method is never used"
    assert met.case.status is CaseStatus.PARTIAL, "half a check is not a whole one"
    assert met.verdicts() == TRUTH
    notes = [note for note in met.case.outages if note.what == "investigation"]
    assert {note.where for note in notes} == {"academic"} and len({note.why for note in notes}) == len(notes)
    assert all("no such sector" in note.why for note in notes)
    assert met.case.check is not None
    states = {each.desk: each for each in met.case.check.desks}
    assert states["news"].status is Progress.COMPLETED
    assert states["academic"].status is Progress.ERROR and "no such sector" in states["academic"].error
    assert met.difference == ""


async def test_an_engine_that_does_not_exist_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        await seen(tmp_path / "home", engines=("altavista",))
