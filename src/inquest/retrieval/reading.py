"""From hits to sources: fetch, archive, read, rate and summarise pages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from inquest.claims.meant import other_bearer
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import EngineError, Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.plan import Meant
from inquest.domain.reasons import Reason, ReasonData, coded, in_words, noted, worded
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Category, Ranking, Source
from inquest.kit.analyst import SourceReading
from inquest.retrieval.case_ports import CasePorts
from inquest.retrieval.failover import is_for_others
from inquest.sources.dating import DateWitness, publication_date
from inquest.sources.noise import Noise, noise_of_page
from inquest.sources.originals import origin_named_by
from inquest.sources.ranking import RankedHit
from inquest.sources.source_names import telling_title
from inquest.sources.source_worth import after_as_of, noise_notes, too_noisy, worth_of
from inquest.sources.works import merged_work
from inquest.text.dates import parse_date
from inquest.text.sentences import content_words, shorten
from inquest.text.urls import comparison_key, registrable_domain

_FURTHER_PAGES = 3
"""Maximum further pages of an article with several."""
PER_ANSWER = 3
"""Hits of one answer whose articles are searched for; each costs a search."""
_ENGINES = 2
"""Engines that are queried for one article, the second only if the first fails."""
_SCORES = ("relevance", "credibility", "freshness", "noise", "score")
_SAME_TITLE = 0.7
"""Minimum share of the title's words in the found title."""


@dataclass(frozen=True)
class Lead:
    """An address worth reading, with the hits that led to it."""

    url: str
    hits: tuple[Hit, ...] = ()
    queries: tuple[str, ...] = ()
    user_provided: bool = False
    ranked: RankedHit | None = None
    """Its rank; None if no choice was needed."""

    @property
    def key(self) -> str:
        return comparison_key(self.url)


@dataclass(frozen=True)
class PageRead:
    """A page that was read, or the outages that prevented it."""

    lead: Lead
    snapshot: Snapshot | None = None
    document: Document | None = None
    outages: tuple[OutageNote, ...] = ()
    origin: str | None = None
    """The original that an aggregator's page names and that could not be read."""
    noise: Noise | None = None
    """Noise of the document, if it was computed when the page was read: it takes milliseconds."""


@dataclass(frozen=True)
class ReadSource:
    """A source with its content; ids are assigned when all are read, in the order of the plan."""

    page: PageRead
    source: Source
    reading: SourceReading
    outages: tuple[OutageNote, ...] = ()


def leads_of(ranked: Sequence[RankedHit], *, seen: Collection[str] = (), queries: tuple[str, ...] = ()) -> list[Lead]:
    """Return the pages of ranked hits, in their order, each once.

    `seen`: comparison keys and snapshots of known pages; `queries`: those that the sources will list.
    """
    leads: dict[str, Lead] = {}
    for each in ranked:
        lead = Lead(each.hit.url, each.hits, queries, ranked=each)
        if lead.key not in seen and each.hit.snapshot not in seen:
            leads.setdefault(lead.key, lead)
    return list(leads.values())


async def search(
    engine: str, query: Query, services: CasePorts, stage: Stage
) -> tuple[list[Hit], OutageNote | None, EngineError | None]:
    """Return one engine's hits for one query, or the outage, and the engine's error if that is its cause."""
    try:
        return await services.searcher.search(engine, query), None, None
    except Outage as error:
        met = error if isinstance(error, EngineError) else None
        return [], await services.outage("engine", engine, error, stage), met


async def read_page(lead: Lead, services: CasePorts, stage: Stage) -> PageRead:
    """Fetch, archive and read a page. An outage is a result, not an exception."""
    # A page that the user named is read from its address, even if engines know it.
    hits = () if lead.user_provided else lead.hits
    # A copy of the page at another address may be among the hits, but is another page.
    own = tuple(hit for hit in hits if comparison_key(hit.url) == lead.key) or hits
    hit = next((hit for hit in own if hit.snapshot), own[0] if own else None)
    try:
        snapshot, document = await services.pages.read(lead.url, hit=hit)
    except Outage as error:
        return PageRead(lead, outages=(await services.outage("page", lead.url, error, stage),))
    return PageRead(lead, snapshot, document)


def further_leads(pages: Sequence[PageRead]) -> list[Lead]:
    """Return the further pages of articles with several, each as a lead of its own found like the first.

    Documents in the user's collection have none, because nothing is fetched for them.
    """
    found: dict[str, Lead] = {}
    for page in pages:
        if page.document is None or any(hit.snapshot for hit in page.lead.hits):
            continue
        for url in page.document.more_pages[:_FURTHER_PAGES]:
            lead = replace(page.lead, url=url)
            found.setdefault(lead.key, lead)
    for page in pages:
        found.pop(page.lead.key, None)
    return list(found.values())


def source_of(
    page: PageRead,
    reading: SourceReading,
    as_of: datetime | None,
    services: CasePorts,
    meant: Sequence[Meant] = (),
    beside: Sequence[str] = (),
) -> Source:
    """Build the source of a page, without its id.

    `as_of`: newer pages are not evidence; `meant`: nor are pages about namesakes of these, unless the user named
    them; `beside`: the titles of the pages read with it.
    """
    assert page.document is not None and page.snapshot is not None
    document, lead = page.document, page.lead
    work = merged_work(lead.hits)
    titles = [title for title in (document.title, *(hit.title for hit in lead.hits)) if title]
    rated = services.rater.document(document)
    if page.origin is not None:
        # An aggregator's page whose original could not be read has the original's owner, so that both do not count as
        # two witnesses, and keeps its own score.
        original = services.rater.publisher(page.origin)
        rated = rated.model_copy(update={"owner": original.owner or original.domain})
    rating, excluded, notes = worth_of(rated, work, titles, beside)
    published = document.published or next((hit.published for hit in lead.hits if hit.published), None)
    dates = document.dates
    if published is None and reading.page and reading.page.date:
        # No rule can date it, but a model found a date in its words.
        quote = reading.page.date.quote
        found = parse_date(quote, now=page.snapshot.retrieved_at, how="visible text")
        witnesses = [DateWitness(found, Reason(code="pages.where_model", data={"quote": quote}))] if found else []
        given = publication_date(witnesses, page.snapshot.retrieved_at)
        published, dates = given.published, (*dates, *given.evidence)
    other = "" if lead.user_provided else other_bearer(meant, document.title or "", document.text)
    namesake = Reason(code="pages.another_bearer", data={"name": other}) if other else None
    excluded = after_as_of(published, as_of) or excluded or namesake
    noise = page.noise if page.noise is not None else noise_of_page(document)
    notes = (*coded(document.notes, document.note_codes), *noise_notes(noise, document.notes), *notes)
    if page.origin:
        notes += (Reason(code="pages.shows_origin", data={"url": page.origin}),)
    if reading.page and reading.page.withdrawn:
        quote = shorten(reading.page.withdrawn.quote, 300)
        notes += (Reason(code="pages.says_withdrawn", data={"quote": quote}),)
    named = document.title or next((hit.title for hit in lead.hits if hit.title), "") or lead.url
    title = telling_title(named, document.url)
    ranking = None
    if ranked := lead.ranked:
        scores = {each: round(getattr(ranked, each), 3) for each in _SCORES}
        ranking = Ranking(**scores, by_reranker=ranked.by_reranker, **worded(ranked.reasons))
    return Source(
        id="",
        url=document.url,
        title=shorten(title, 300),
        domain=rating.domain,
        publisher=(registrable_domain(page.origin) if page.origin else document.publisher)
        or next((hit.publisher for hit in lead.hits if hit.publisher), None),
        author=document.author or next((hit.author for hit in lead.hits if hit.author), None),
        published=published,
        rating=rating,
        snapshot=document.snapshot,
        retrieved_at=page.snapshot.retrieved_at,
        language=document.language,
        summary=shorten(reading.summary, 500),
        key_claims=tuple(claim.text for claim in reading.key_claims[:3]),
        relevance=reading.relevance,
        user_provided=lead.user_provided,
        engines=tuple(dict.fromkeys(hit.engine for hit in lead.hits)),
        queries=lead.queries,
        excluded=in_words(excluded) if excluded else None,
        excluded_code=excluded,
        other_bearer=other,
        **noted(notes),
        work=work,
        dates=dates,
        ranking=ranking,
        provenance=page.snapshot.provenance,
        named_origin=page.origin,
        page=reading.page,
    )


def is_unresolved(hit: Hit) -> bool:
    """Test if the hit's address is an aggregator's and the article's own is unknown."""
    return bool(hit.details.get("unresolved"))


def engines_for_links(engines: Sequence[str], ports: CasePorts) -> tuple[str, ...]:
    """Return the engines of a plan that can find an article by its title."""
    kinds = {engine.name: engine.kinds for engine in ports.engines}
    web = [name for name in engines if EngineKind.WEB in kinds.get(name, ()) and name != "wikipedia"]
    return tuple(web[:_ENGINES])


async def resolved(
    hits: list[Hit], engines: Sequence[str], ports: CasePorts, stage: Stage
) -> tuple[list[Hit], list[OutageNote], list[Reason]]:
    """Resolve aggregators' links: return the hits with the articles' own addresses, the outages, and the added queries.

    `engines`: from `engines_for_links`. Google News returns links that can only be followed inside a browser, but also
    the title and the publisher's domain, with which another engine of the plan finds the article. A hit whose article
    is not found is left out, because its address does not show the article.
    """
    waiting = [hit for hit in hits if is_unresolved(hit)]
    found: dict[str, Hit] = {}
    outages: list[OutageNote] = []
    added: list[Reason] = []
    for hit in waiting[:PER_ANSWER] if engines else []:
        domain = str(hit.details.get("publisher_domain") or "")
        query = Query(text=hit.title, domains=(domain,) if domain else (), limit=5, purpose="find the article of a hit")
        for engine in engines:
            others, outage, error = await search(engine, query, ports, stage)
            shown = shorten(hit.title, 80)
            asked, other = ports.titles([engine, hit.engine])
            data: dict[str, ReasonData] = {"engine": asked, "title": shown, "other": other}
            added.append(Reason(code="routing.asked_for_article", data=data))
            outages += [outage] if outage else []
            if not is_for_others(error):
                break
        article = next((other for other in others if _is_same(hit, other, domain)), None)
        if article:
            found[hit.url] = article.model_copy(
                update={"rank": hit.rank, "published": hit.published or article.published, "engine": hit.engine}
            )
    for each in added:
        await ports.events.emit(EventType.DEPARTURE, in_words(each), stage=stage)
    return [found.get(hit.url, hit) for hit in hits if not is_unresolved(hit) or hit.url in found], outages, added


def _is_same(hit: Hit, other: Hit, domain: str) -> bool:
    if domain and registrable_domain(other.url) != registrable_domain(domain):
        return False
    wanted = set(content_words(hit.title))
    return bool(wanted) and len(wanted & set(content_words(other.title))) >= _SAME_TITLE * len(wanted)


async def filtered(page: PageRead, services: CasePorts, stage: Stage) -> PageRead:
    """Return the page, without its document if it is not worth reading; an event gives the reason.

    Pages that the user named are never left out.
    """
    if page.document is None:
        return page
    if not page.document.text.strip():
        await left_out(page.lead.url, "it has no readable text", services, stage)
        return replace(page, document=None)
    page = await _at_its_origin(page, services, stage)
    assert page.document is not None
    own = any(hit.snapshot for hit in page.lead.hits)
    noise = noise_of_page(page.document)
    page = replace(page, noise=noise)
    why = None if page.lead.user_provided else too_noisy(noise, own=own)
    if why:
        await left_out(page.lead.url, why, services, stage)
        return replace(page, document=None)
    return page


async def _at_its_origin(page: PageRead, services: CasePorts, stage: Stage) -> PageRead:
    """Read the original of an aggregator's page; if that fails, return the page with the name of its original.

    Documents in the user's collection are read as they are, without requests.
    """
    assert page.document is not None
    if services.rater.publisher(page.document.url).category != Category.AGGREGATOR:
        return page
    named = origin_named_by(page.document)
    if named is None:
        return page
    url, part = named
    if any(hit.snapshot for hit in page.lead.hits):
        return replace(page, origin=url)
    origin = await read_page(Lead(url), services, stage)
    if origin.document is None or not origin.document.text.strip():
        return replace(page, origin=url, outages=(*page.outages, *origin.outages))
    text = f"Read {url} instead of {page.lead.url}, which shows its content ({part})."
    await services.events.emit(EventType.DEPARTURE, text, stage=stage)
    return replace(page, snapshot=origin.snapshot, document=origin.document)


async def left_out(url: str, why: str, services: CasePorts, stage: Stage) -> None:
    """Emit the event for a page that was left out."""
    await services.events.emit(EventType.SOURCE_LEFT_OUT, f"Left out {url}: {why}", stage=stage, url=url, why=why)
