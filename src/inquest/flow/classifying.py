"""Have the model rate publishers that no rule covers; without its answer they keep the lowest tier."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

from inquest.domain.claim import Claim
from inquest.domain.errors import ModelError, Outage
from inquest.domain.event import Stage
from inquest.domain.finding import WITNESSES, Finding, Stance
from inquest.domain.report import OutageNote
from inquest.domain.source import DomainAge, Rating, Source
from inquest.flow.services import Services
from inquest.sources.domain_age import established, may_rise
from inquest.sources.owners import OFFICIAL
from inquest.sources.tiers import with_reasons
from inquest.text.urls import registrable_domain

FEWEST, MOST = 8, 16
"""The model is asked about one publisher per claim, within these limits; publishers that concern most claims first."""

_Answer = tuple[Rating | None, Outage | None]
"""The model's rating, and the outage of the model or of the registry."""


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
            failed.setdefault(("model", error.model), error)
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
    counts: dict[str, int] = {}
    unknown = _unknown(sources)
    for finding in findings:
        decided = finding.stance in (Stance.SUPPORTS, Stance.CONTRADICTS) and finding.evidence_type in WITNESSES
        if decided and finding.source_id in unknown:
            domain = registrable_domain(unknown[finding.source_id].url)
            counts[domain] = counts.get(domain, 0) + 1
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
    made: dict[str, int] = {}
    for claim in claims:
        for domain in dict.fromkeys(registrable_domain(unknown[id].url) for id in claim.source_ids if id in unknown):
            made[domain] = made.get(domain, 0) + 1
    return sorted(made, key=lambda domain: -made[domain])[: _limit(len(claims))]


def _limit(claims: int) -> int:
    return min(MOST, max(FEWEST, claims))


def _completed(rule: Rating, model: Rating) -> Rating:
    """Complete the model's rating by rule. The release of a public body is an official statement (N7)."""
    added = {"press_release": rule.press_release and model.category not in OFFICIAL, "owner": rule.owner}
    return with_reasons(model.model_copy(update=added), *rule.reason_codes)


async def _classify(source: Source, services: Services) -> _Answer:
    """Classify the publisher, and meanwhile ask its registry for the age of the domain. An outage of the registry is
    returned only if its answer might have raised the rating."""
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
