"""Vet sources: ask registries for the age of unknown domains, archives for the first capture of pages that may be the
origin of a story or whose date is uncertain, and the model to rate publishers that no rule covers.

`vet` runs in parallel with the claims and their check, and `judge` adds the results to the sources. Only in detailed
mode and for a few sources, because each is a request to a public service.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from inquest.desks.verification.topic_claims import beside_the_topic
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import EngineError, ModelError, Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import WITNESSES, Finding
from inquest.domain.plan import Mode
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind
from inquest.domain.source import DomainAge, Rating, Source
from inquest.domain.topic import Topic
from inquest.domain.value import Published
from inquest.flow.services import Services, texts_of
from inquest.flow.state import CaseState, Delta, Vetted
from inquest.retrieval.reading import search
from inquest.sources.originals import earliest_capture, earliest_of
from inquest.sources.owners import OFFICIAL
from inquest.sources.source_worth import date_is_open, established, may_rise
from inquest.sources.tiers import with_reasons
from inquest.stories.stories import possible_origins
from inquest.stories.times import SETS_ITS_DATES
from inquest.text.urls import is_web_url, registrable_domain

AGES = 5
"""Domains per case that registries are asked about."""
CAPTURES = 5
"""Pages per case whose first capture is requested, possible origins first."""
_ARCHIVES = {"wayback": "the Wayback Machine", "memento": "a public archive"}


async def vet(state: CaseState, services: Services) -> Delta:
    """Ask registries and archives about the sources; return the answers by source id."""
    if state.brief.mode is not Mode.DETAILED:
        return {}
    counted = [source for source in state.sources if not source.excluded and is_web_url(source.url)]
    engine = capture_engine(services)
    by_id = {source.id: source for source in counted}
    # Possible origins, likeliest first, then the sources whose date is uncertain.
    first = _possible_origins(counted, await texts_of(counted, services), state.brief.topic) if engine else []
    undated = dict.fromkeys([*first, *(each.id for each in counted if date_is_open(each))]) if engine else ()
    open_dates = [by_id[id] for id in undated][:CAPTURES]
    domains = {registrable_domain(source.url): source.url for source in reversed(counted) if not source.rating.known}
    asked = list(reversed(domains.items()))[:AGES] if services.domain_ages else []
    if not asked and not open_dates:
        return {}
    found_ages, found_captures = await asyncio.gather(
        services.side_by_side([(f"age of {domain}", partial(_age, url, services)) for domain, url in asked]),
        services.side_by_side(
            [(f"first capture of {s.url}", partial(_capture, s, engine or "", services)) for s in open_dates]
        ),
    )
    ages = {domain: age for (domain, _), age in zip(asked, found_ages, strict=True) if isinstance(age, DomainAge)}
    captures = {s.url: at for s, at in zip(open_dates, found_captures, strict=True) if isinstance(at, Published)}
    archive = _ARCHIVES.get(engine or "", engine or "")
    vetted = {
        each.id: Vetted(age=ages.get(registrable_domain(each.url)), captured=captures.get(each.url), archive=archive)
        for each in counted
    }
    notes: dict[tuple[str, str], OutageNote] = {}  # one per service that could not be asked
    for met in (*found_ages, *found_captures):
        if isinstance(met, OutageNote):
            notes.setdefault((met.what, met.where), met)
        elif isinstance(met, Outage):
            where = met.who if isinstance(met, EngineError) else "the registry of domains"
            if ("registry", where) not in notes:
                notes["registry", where] = await services.outage("registry", where, met, Stage.SOURCES)
    return {
        "vetted": {name: each for name, each in vetted.items() if each.age or each.captured},
        "outages": tuple(notes.values()),
    }


def _possible_origins(sources: Sequence[Source], documents: dict[str, Document], topic: Topic | None) -> list[str]:
    """Return the possible origins of the stories, and on a topic the pages whose publishers can type any date, earliest
    first: nobody need have credited the first report."""
    found = list(possible_origins(sources, documents))
    if topic is None:
        return found
    beside = beside_the_topic(topic, {each.id: each for each in sources}, documents)
    typed = [each for each in sources if each.rating.category in SETS_ITS_DATES and each.id not in beside]
    return [*found, *(id for _, id in sorted((each.published.at, each.id) for each in typed if each.published))]


def capture_engine(services: Services) -> str | None:
    """Return the archive to ask for first captures; None: none is ready."""
    ready = services.asks(EngineKind.ARCHIVE)
    return "wayback" if "wayback" in ready else next(iter(ready), None)


async def _capture(source: Source, engine: str, services: Services) -> Published | OutageNote | None:
    hits, outage, _ = await search(engine, earliest_capture(source.url), services, Stage.SOURCES)
    first = earliest_of(hits)
    if first is not None and first.published is not None:
        await services.events.emit(
            EventType.QUERY_ANSWERED,
            f"{engine} first captured {source.url} on {first.published.iso[:10]}",
            stage=Stage.SOURCES,
            engine=engine,
            query=source.url,
            hits=len(hits),
        )
    return outage or (first.published if first else None)


FEWEST, MOST = 8, 16
"""The model is asked about one publisher per claim, within these limits; publishers that concern most claims first."""


async def classify_ahead(sources: Sequence[Source], claims: Sequence[Claim], services: Services) -> None:
    """Ask about the publishers behind the claims while the claims are being checked, so that `classified` finds the
    answers recorded. Errors are ignored here because `classified` will encounter them again."""
    if services.analyst is services.local:
        return
    first = _first_of_each(_unknown(sources))
    work = [_classify(first[domain], services) for domain in _making(sources, claims)]
    await asyncio.gather(*work, return_exceptions=True)


async def classified(
    sources: Sequence[Source], findings: Sequence[Finding], services: Services, *, claims: Sequence[Claim] = ()
) -> tuple[tuple[Source, ...], tuple[OutageNote, ...]]:
    """Return the sources, with unknown publishers rated by the model; one question per domain.

    Only publishers whose pages may decide a claim are asked about, first those that `classify_ahead` has asked about
    for the same `claims`. Without a model the sources are returned unchanged.
    """
    if services.analyst is services.local:
        return tuple(sources), ()
    unknown = _unknown(sources)
    domains, first = _deciding(sources, findings, claims), _first_of_each(unknown)
    answers = await services.side_by_side(
        [(f"classify {domain}", partial(_classify, first[domain], services)) for domain in domains]
    )
    ratings: dict[str, Rating] = {}
    failed: dict[tuple[str, str], Outage] = {}
    for domain, answer in zip(domains, answers, strict=True):
        rating, error = answer or (None, None)
        if rating is not None:
            ratings[domain] = rating
        if isinstance(error, ModelError):
            failed.setdefault(("model", error.who), error)
        elif error is not None:
            failed.setdefault(("registry", "the registry of domains"), error)
    notes = [await services.outage(*where, error, Stage.JUDGE) for where, error in failed.items()]
    rated = {
        id: source.model_copy(update={"rating": _completed(source.rating, rating)})
        for id, source in unknown.items()
        if (rating := ratings.get(registrable_domain(source.url)))
    }
    return tuple(rated.get(source.id, source) for source in sources), tuple(notes)


def _deciding(sources: Sequence[Source], findings: Sequence[Finding], claims: Sequence[Claim] = ()) -> list[str]:
    """Return the domains of the unknown publishers whose pages may decide a claim."""
    unknown = _unknown(sources)
    decided = (
        finding.source_id for finding in findings if finding.stance.decides and finding.evidence_type in WITNESSES
    )
    counts = Counter(registrable_domain(unknown[id].url) for id in decided if id in unknown)
    ahead = _making(sources, claims)
    limit = _limit(max(len(claims), len({finding.claim_id for finding in findings}))) - len(ahead)
    others = sorted(counts.keys() - set(ahead), key=lambda domain: (-counts[domain], domain))[:limit]
    return [*(domain for domain in ahead if domain in counts), *others]


def _unknown(sources: Sequence[Source]) -> dict[str, Source]:
    """Return the sources that count and whose publisher no rule knows, by id."""
    return {source.id: source for source in sources if not source.rating.known and not source.excluded}


def _first_of_each(unknown: Mapping[str, Source]) -> dict[str, Source]:
    """The first source of each domain."""
    return {registrable_domain(source.url): source for source in reversed(list(unknown.values()))}


def _making(sources: Sequence[Source], claims: Sequence[Claim]) -> list[str]:
    """Return the domains of the unknown publishers behind the claims, by the number and importance of their claims."""
    unknown = _unknown(sources)
    made: Counter[str] = Counter()
    for claim in claims:
        domains = (registrable_domain(unknown[id].url) for id in claim.source_ids if id in unknown)
        made.update(list(dict.fromkeys(domains)))
    return [domain for domain, _ in made.most_common(_limit(len(claims)))]


def _limit(claims: int) -> int:
    return min(MOST, max(FEWEST, claims))


def _completed(rule: Rating, model: Rating) -> Rating:
    """Complete the model's rating by rule. The release of a public body is an official statement (N7)."""
    added = {"press_release": rule.press_release and model.category not in OFFICIAL, "owner": rule.owner}
    return with_reasons(model.model_copy(update=added), *rule.reason_codes)


async def _classify(source: Source, services: Services) -> tuple[Rating | None, Outage | None]:
    """Classify a publisher, with the age of its domain; an outage counts if the age might have raised the rating."""
    document = await services.archive.document(source.snapshot)
    if document is None:
        return None, None
    try:
        rating, age = await asyncio.gather(services.analyst.classify(source.url, document), _age(source.url, services))
    except ModelError as error:
        return None, error
    if rating is None or age is None or not may_rise(rating):
        return rating, None
    if isinstance(age, Outage):
        return rating, age
    return established(rating, age, now=source.retrieved_at), None


async def _age(url: str, services: Services) -> DomainAge | Outage | None:
    if services.domain_ages is None:
        return None
    try:
        return await services.domain_ages.age(url)
    except Outage as error:
        return error
