"""Data on a source, from the engines' hits to the report: retractions, satire, noise, origins, ages, captures, checks
by others, and independence."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from inquest.analysts.local import LocalAnalyst
from inquest.desks.verification.origin_report import OriginCase, origin_trace
from inquest.domain.case import Case, CaseStatus
from inquest.domain.claim import Claim, Excerpt
from inquest.domain.document import DateEvidence, Document, Precision, Published, Snapshot
from inquest.domain.errors import EngineUnavailable, PageUnavailable
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Verdict
from inquest.domain.plan import Brief, Mode, Plan
from inquest.domain.reasons import Reason, noted
from inquest.domain.report import Summary
from inquest.domain.search import ClaimReview, EngineKind, Hit, Notice, Query, Work
from inquest.domain.source import DomainAge, PageReading, Rating, Source
from inquest.domain.topic import Topic
from inquest.flow.nodes.check import check
from inquest.flow.nodes.gather import gather
from inquest.flow.nodes.judge import judge
from inquest.flow.nodes.vet import vet
from inquest.flow.services import Services
from inquest.flow.state import CaseState, added, case_of
from inquest.kit.analyst import SourceReading
from inquest.reports.case_json import case_json
from inquest.reports.html import html
from inquest.reports.markdown import markdown
from inquest.reports.view import ReportView
from inquest.retrieval.budget import CaseBudget
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.fanout import CutList
from inquest.retrieval.reading import Lead, PageRead, source_of
from inquest.sources.dating import DATES_DISAGREE
from inquest.sources.tiers import rate, rate_document
from tests.case_parts import dated

NOW = datetime(2024, 6, 1, 12, tzinfo=UTC)
TOPIC = "Harrow Lake pesticide study"
STORY = (
    "The Harrow Lake pesticide study was published on Tuesday by the county laboratory. The study found that 40 "
    "percent of the wells near Harrow Lake hold pesticide above the limit. The county laboratory took samples from "
    "120 wells between March and May and compared them with the national limit for drinking water. {} The full data "
    "will be handed to the water board before the summer, and the samples are kept for ten years for others to test."
)
CLAIM = "40 percent of the wells near Harrow Lake hold pesticide above the limit."
DOI = "10.5555/harrow.1"


@dataclass
class Outside:
    """Everything outside a case, from short lists: engines, pages, registries; it records the requests."""

    hits: dict[str, list[Hit]] = field(default_factory=dict)
    pages: dict[str, Document] = field(default_factory=dict)
    ages: dict[str, DomainAge] = field(default_factory=dict)
    asked: list[tuple[str, Query]] = field(default_factory=list)
    told: list[tuple[EventType, str]] = field(default_factory=list)
    read_pages: list[str] = field(default_factory=list)
    registry_is_out: bool = False
    provenance: str = "fetched"

    def page(self, url: str, text: str, engine: str = "news", **more: Any) -> None:
        """A page, and the hit of an engine on it."""
        hit = {name: more.pop(name) for name in ("work", "review", "snippet") if name in more}
        self.pages[url] = document(url, text, **more)
        rank = len(self.hits.setdefault(engine, [])) + 1
        title = self.pages[url].title
        self.hits[engine].append(Hit(url=url, title=title, engine=engine, rank=rank, **hit))

    async def search(self, engine: str, query: Query) -> list[Hit]:
        self.asked.append((engine, query))
        if query.kinds == (EngineKind.ARCHIVE,):
            return [hit for hit in self.hits.get(engine, []) if hit.url.endswith(query.text)]
        return self.hits.get(engine, [])

    async def read(self, url: str, *, hit: Hit | None = None) -> tuple[Snapshot, Document]:
        self.read_pages.append(url)
        if url not in self.pages:
            raise PageUnavailable(url, f"{url} is not there (404).")
        found = self.pages[url]
        return Snapshot(
            hash=found.snapshot, url=url, final_url=url, retrieved_at=NOW, size=1, provenance=self.provenance
        ), found

    async def document(self, snapshot: str) -> Document | None:
        return next((page for page in self.pages.values() if page.snapshot == snapshot), None)

    async def age(self, url: str) -> DomainAge:
        if self.registry_is_out:
            raise EngineUnavailable("rdap.org", "The registry could not be asked (503).")
        domain = url.split("/")[2]
        return self.ages.get(domain, DomainAge(domain=domain, why_unknown="not told"))

    def publisher(self, url: str) -> Rating:
        return rate(url)

    async def emit(self, type: EventType, text: str, **more: Any) -> Event:
        self.told.append((type, text))
        return Event(id=len(self.told), case_id="c", at=NOW, type=type, text=text)

    def now(self) -> datetime:
        return NOW


class Papers:
    """The rater: the package's own table."""

    def publisher(self, url: str) -> Rating:
        return rate(url)

    def document(self, document: Document) -> Rating:
        return rate_document(document.url, title=document.title, text=document.text, author=document.author)


def document(url: str, text: str, **more: Any) -> Document:
    name = "sha256:" + hashlib.sha256((url + text).encode()).hexdigest()
    published = more.pop("published", Published(at=datetime(2024, 5, 20, tzinfo=UTC), how="metadata"))
    title = more.pop("title", "Harrow Lake pesticide study: wells above the limit")
    return Document(snapshot=name, url=url, title=title, text=text, published=published, **more)


ENGINES = (
    EngineChoice("news", (EngineKind.NEWS,)),
    EngineChoice("papers", (EngineKind.SCHOLARLY,)),
    EngineChoice("checkers", (EngineKind.FACT_CHECK,)),
    EngineChoice("wayback", (EngineKind.ARCHIVE,)),
)


def services_of(outside: Outside, **more: Any) -> Services:
    budget, analyst = CaseBudget(), LocalAnalyst()
    given: dict[str, Any] = {
        "searcher": outside, "pages": outside, "archive": outside, "events": outside, "clock": outside,
        "budget": budget, "analyst": analyst, "local": analyst, "rater": Papers(), "engines": ENGINES,
        "cut": CutList(budget), "domain_ages": outside,
    }  # fmt: skip
    return Services(**(given | more))


def begun(urls: tuple[str, ...] = (), mode: Mode = Mode.DETAILED) -> CaseState:
    brief = Brief(text=f"What did the {TOPIC} find?", urls=urls, mode=mode)
    queries = (Query(text=TOPIC, kinds=(EngineKind.NEWS, EngineKind.SCHOLARLY)),)
    plan = Plan(topic=TOPIC, questions=(), queries=queries, engines=("news", "papers", "checkers"), mode=mode)
    return CaseState(brief=brief, plan=plan)


async def run(outside: Outside, state: CaseState | None = None, **more: Any) -> CaseState:
    """From the plan to the verdict on one claim."""
    services, state = services_of(outside, **more), state or begun()
    state = added(state, await gather(state, services))
    state = state.model_copy(update={"claims": (Claim(id="C1", text=CLAIM, queries=(CLAIM,)),)})
    vetted = await vet(state, services)
    state = added(added(state, await check(state, services)), vetted)
    return added(state, await judge(state, services))


def reported(state: CaseState) -> tuple[str, str, dict[str, Any]]:
    """The report as Markdown and HTML, and the case as JSON."""
    case = Case(id="c", status=CaseStatus.RUNNING, brief=state.brief, as_of=NOW, created_at=NOW)
    state = state.model_copy(update={"summary": Summary(title=TOPIC, sections=())})
    case = case_of(case, state, status=CaseStatus.COMPLETED)
    view = ReportView(case, {})
    return markdown(view), html(view), case_json(case)


def at(state: CaseState, url: str) -> Source:
    return next(source for source in state.sources if source.url == url)


def an_outside(url: str = "https://www.reuters.com/world/harrow-lake") -> Outside:
    outside = Outside()
    outside.page(url, STORY.format("The water board said that it would publish a plan of its own in September."))
    return outside


def review(claim: str, **more: Any) -> ClaimReview:
    given: dict[str, Any] = {
        "claim": claim, "rating": "Mostly false", "verdict": "contradicted", "reviewer": "Wells Checked",
        "url": "https://wellschecked.example/harrow", "at": Published(at=datetime(2024, 3, 3, tzinfo=UTC)),
    }  # fmt: skip
    return ClaimReview(**(given | more))


async def test_a_claim_that_others_checked_is_shown_with_who_and_what_and_decides_nothing() -> None:
    outside = an_outside()
    plain = await run(outside)
    on_it = review("40% of wells near Harrow Lake hold pesticide above the limit")
    off_it = review("The mayor of Otterby owns a yacht.", url="https://wellschecked.example/yacht")
    outside.hits["checkers"] = [
        Hit(url=each.url, title=each.claim, engine="checkers", rank=n, review=each)
        for n, each in enumerate((on_it, off_it), 1)
    ]
    state = await run(outside)
    assert [(check.claim_id, check.review.reviewer) for check in state.reviews] == [("C1", "Wells Checked")]
    assert {query.text for engine, query in outside.asked if engine == "checkers"} == {CLAIM}
    came_to = [(a.verdict, a.confidence, a.supporting, a.contradicting) for a in state.assessments]
    assert came_to == [(a.verdict, a.confidence, a.supporting, a.contradicting) for a in plain.assessments]
    assert [(bool(a.supporting), a.contradicting) for a in state.assessments] == [(True, ())]
    assert state.assessments[0].verdict is not Verdict.CONTRADICTED
    as_markdown, as_html, as_json = reported(state)
    said = "Wells Checked, 3 March 2024: “Mostly false” (on: “40% of wells near Harrow Lake hold pesticide above"
    assert said in as_markdown and said in as_html
    assert as_json["reviews"][0] == as_json["reviews"][0] | {
        "claim_id": "C1", "rating": "Mostly false", "verdict": "contradicted", "at": "2024-03-03",
        "found_by": "checkers",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("notices", "why"),
    [
        ((), "retracted"),
        (
            (Notice(kind="retraction", doi="10.5555/r.2", at=Published(at=datetime(2024, 4, 2, tzinfo=UTC))),),
            "retracted on 2 April 2024, notice 10.5555/r.2",
        ),
    ],
)
async def test_a_retracted_paper_is_tier_4_and_supports_nothing(notices: tuple[Notice, ...], why: str) -> None:
    url = "https://www.nature.com/articles/harrow1"
    outside = Outside()
    work = Work(type="journal-article", doi=DOI, peer_reviewed=True, retracted=True, notices=notices)
    outside.page(url, STORY.format(""), "papers", work=work)
    outside.page("https://www.reuters.com/a", STORY.format("Officials declined to comment on the matter.").upper())
    state = await run(outside)
    source = at(state, url)
    assert source.excluded == why and source.rating.tier == 4 and f"the work was {why}" in source.rating.reasons
    assert not [finding for finding in state.findings if finding.source_id == source.id]
    as_markdown, as_html, as_json = reported(state)
    assert why in as_markdown and why in as_html
    assert next(each for each in as_json["sources"] if each["url"] == url)["work"]["retracted"] is True


async def test_satire_is_read_and_never_evidence() -> None:
    url, outside = "https://www.theonion.com/harrow", an_outside()
    outside.page(url, STORY.format("Fish were unavailable for comment."))
    state = await run(outside)
    assert at(state, url).excluded == "it is satire"
    assert not [finding for finding in state.findings if finding.source_id == at(state, url).id]
    assert "it is satire" in reported(state)[0]


async def test_noise_is_left_out_with_its_reason_but_never_what_the_user_named() -> None:
    url, outside = "https://www.theguardian.com/harrow", an_outside()
    outside.page(url, "Page not found. The page you asked for does not exist.")
    state = await run(outside)
    assert url not in [source.url for source in state.sources]
    assert any(type is EventType.SOURCE_LEFT_OUT and url in text for type, text in outside.told)
    named = await run(outside, begun((url,)))
    assert at(named, url).user_provided and any("care" in note for note in at(named, url).notes)


async def test_an_aggregators_page_is_read_at_its_origin_or_stands_for_it() -> None:
    url, origin = "https://finance.yahoo.com/news/harrow-1", "https://www.reuters.com/world/harrow-lake"
    outside = Outside()
    outside.page(url, STORY.format("Shares of the makers fell."), canonical_url=origin)
    state = await run(outside)
    source = at(state, url)
    assert source.publisher == "reuters.com" and source.rating.owner == "Thomson Reuters"
    assert any(origin in note for note in source.notes) and [note.where for note in state.outages] == [origin]
    outside.pages[origin] = document(origin, STORY.format("The origin says more."))
    assert [each.url for each in (await run(outside)).sources] == [origin]


async def test_young_domains_and_first_captures_are_asked_for_beside_the_checking_and_shown() -> None:
    url = "https://harrow-truth-24.com/wells"
    outside = Outside()
    contested = (
        DateEvidence(where="JSON-LD datePublished", iso="2024-05-20", how="metadata"),
        DateEvidence(where="the address", iso="2023-01-02", how="url"),
    )
    dates = {"date": "2024-05-20", "then": "2023-01-02"}
    note = Reason.of(DATES_DISAGREE, one="JSON-LD datePublished", other="the address", **dates)
    outside.page(url, STORY.format(""), dates=contested, **noted([note]))
    captured = datetime(2023, 1, 5, tzinfo=UTC)
    outside.hits["wayback"] = [
        Hit(url=f"https://web.archive.org/web/20230105000000/{url}", engine="wayback", rank=1,
            published=Published(at=captured, how="archive")),
    ]  # fmt: skip
    registered = Published(at=datetime(2022, 12, 20, tzinfo=UTC))
    outside.ages["harrow-truth-24.com"] = DomainAge(domain="harrow-truth-24.com", registered=registered)
    state = await run(outside)
    source = at(state, url)
    assert source.published is not None and source.published.iso == "2023-01-02"
    assert "First captured by the Wayback Machine on 5 January 2023." in source.notes
    assert any("registered on 2022-12-20, 13 days before 2023-01-02" in note for note in source.notes)
    as_markdown, as_html, as_json = reported(state)
    for form in (as_markdown, as_html):
        assert "13 days before 2023-01-02" in form and "Dates not used: JSON-LD datePublished 2024-05-20" in form
    assert as_json["sources"][0]["domain_registered"] == "2022-12-20"
    asked = [query for engine, query in outside.asked if engine == "wayback"]
    assert [query.text for query in asked] == [url]  # and no archive is searched for words

    quick = await run(outside, begun(mode=Mode.QUICK))
    assert at(quick, url).age is None


async def test_on_a_topic_archives_are_asked_for_the_pages_whose_publishers_can_type_any_date() -> None:
    outside, (late, early) = Outside(), ("https://wells.blogspot.com/b", "https://harrow.blogspot.com/a")
    read = "I have read the Harrow Lake pesticide study, in which 40 percent of the wells are above the limit."
    outside.page(early, f"{read} Whoever has a well should have it looked at.", published=dated("2024-05-11"))
    found = "The pesticide study of the wells at Harrow Lake is out: two in five hold more than the law allows."
    outside.page(late, f"{found} We meet in the hall on Friday to talk it over.", published=dated("2024-05-12"))
    state, services = begun(), services_of(outside)
    for topic, asked in (
        (None, []),
        (Topic(title="Harrow Lake pesticide study: wells above the limit"), [early, late]),
    ):
        state = state.model_copy(update={"brief": state.brief.model_copy(update={"topic": topic})})
        await vet(added(state, await gather(state, services)), services)
        assert [query.text for engine, query in outside.asked if engine == "wayback"] == asked


async def test_the_first_capture_of_an_undated_page_tells_which_of_two_equal_reports_was_the_origin() -> None:
    first, second = "https://www.mirror.co.uk/h", "https://www.manchestereveningnews.co.uk/h"
    for captured, origin in ((datetime(2024, 5, 18, tzinfo=UTC), first), (datetime(2024, 5, 25, tzinfo=UTC), second)):
        outside = Outside()
        outside.page(first, STORY.format(""), published=None)
        outside.page(second, STORY.format(""))
        outside.hits["wayback"] = [
            Hit(url=f"https://web.archive.org/web/2024/{first}", engine="wayback", rank=1,
                published=Published(at=captured, precision=Precision.TIME, how="archive")),
        ]  # fmt: skip
        state = await run(outside)
        texts = {source.id: outside.pages[source.url] for source in state.sources}
        found = origin_trace(OriginCase({source.id: source for source in state.sources}, texts, NOW))
        assert found.source_id == at(state, origin).id
        assert {source.origin_of_story for source in state.sources} == {found.source_id}


async def test_the_possible_origins_of_a_story_are_asked_for_though_they_are_dated_and_before_other_pages() -> None:
    first, second = "https://www.mirror.co.uk/h", "https://www.manchestereveningnews.co.uk/h"
    outside = Outside()
    outside.page(first, STORY.format(""))
    outside.page(second, STORY.format(""))
    outside.hits["wayback"] = []
    await run(outside)
    assert {query.text for engine, query in outside.asked if engine == "wayback"} == {first, second}


async def test_a_registry_that_is_out_is_listed_once() -> None:
    outside = Outside(registry_is_out=True)
    for name in ("one", "two"):
        outside.page(f"https://harrow-{name}-24.com/w", STORY.format(f"It was {name} of the tests of this year."))
    state = await run(outside)
    assert [(note.what, note.where) for note in state.outages] == [("registry", "rdap.org")]
    assert all(source.age is None for source in state.sources)


async def test_copies_count_once_and_stand_under_their_origin() -> None:
    outside = an_outside()
    told = "The water board said that it would publish a plan of its own in September."
    for host in ("www.mirror.co.uk", "www.manchestereveningnews.co.uk"):
        outside.page(f"https://{host}/h", STORY.format(told) + " Source: Reuters.")
    state = await run(outside)
    assert len(state.sources) == 3 and [a.independent_sources for a in state.assessments] == [1]
    as_markdown, as_html, as_json = reported(state)
    assert "Three sources, which count as one." in as_markdown and as_json["independent_sources"] == 1
    assert as_markdown.count("\n  - **S") == 2 and as_html.count("class=copy") == 2


@pytest.mark.parametrize(
    ("words", "date"),
    [("Tuesday, 14 May 2024", "2024-05-14"), ("May 2024", "2024-05"), ("in the spring", None), ("14 May 2031", None)],
)
async def test_a_page_that_no_rule_dates_has_the_date_that_a_model_read_in_its_words(
    words: str, date: str | None
) -> None:
    outside = an_outside()
    (url,) = outside.pages
    outside.pages[url] = undated = outside.pages[url].model_copy(update={"published": None})
    snapshot, _ = await outside.read(url)
    said = PageReading(date=Excerpt(quote=words, start=0, end=len(words)))
    reading = SourceReading(summary="", key_claims=(), page=said)
    source = source_of(PageRead(Lead(url), snapshot, undated), reading, NOW, services_of(outside))
    assert (source.published.iso if source.published else None) == date
    assert [one.where for one in source.dates if one.used] == (
        [f"its words “{words}”, as a model read them"] if date else []
    )
