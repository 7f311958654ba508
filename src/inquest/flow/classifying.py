"""Publishers that no rule knows, put before the model: by rule, then by model, else the lowest tier (spec 000, 4.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
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
"""Publishers of a case that the model is asked about, one a claim, and of few or many claims so many; those that speak
on most claims first."""

_Asked = tuple[Rating | None, Outage | None]
"""What a model takes a publisher for, and who could not be asked about it."""


async def classify_ahead(sources: Sequence[Source], claims: Sequence[Claim], services: Services) -> None:
    """Ask about the publishers that make the claims while these are being checked, so that `classified` finds the
    answers recorded. What goes wrong is met again there."""
    if services.analyst is services.local:
        return
    first = _first_of_each(_unknown(sources))
    asked = [_classify(first[domain], services) for domain in _making(sources, claims)]
    await asyncio.gather(*asked, return_exceptions=True)


async def classified(
    sources: Sequence[Source], findings: Sequence[Finding], services: Services, *, claims: Sequence[Claim] = ()
) -> tuple[tuple[Source, ...], tuple[OutageNote, ...]]:
    """The sources, those of publishers nobody knows rated by the model where it can tell; one question a domain.

    Only publishers whose pages may decide a claim are asked about, and of these first the ones about whom
    `classify_ahead` has asked for the same `claims`. Without a model everything stays as it is.
    """
    if services.analyst is services.local:
        return tuple(sources), ()
    asked, first = _deciding(sources, findings, claims), _first_of_each(_unknown(sources))
    answers = await services.side_by_side(
        [(f"classify {domain}", partial(_asked, first[domain], services)) for domain in asked]
    )
    had = {domain: answer for domain, answer in zip(asked, answers, strict=True) if answer is not None}
    ratings = {domain: rating for domain, (rating, _) in had.items() if rating is not None}
    unasked: dict[tuple[str, str], Outage] = {}
    for _, each in had.values():
        if isinstance(each, ModelError):
            unasked.setdefault(("model", each.model), each)
        elif each is not None:
            unasked.setdefault(("registry", "the registry of domains"), each)
    notes = [await services.outage(*where, each, Stage.JUDGE) for where, each in unasked.items()]
    return _rated(sources, ratings), tuple(notes)


def _deciding(sources: Sequence[Source], findings: Sequence[Finding], claims: Sequence[Claim] = ()) -> list[str]:
    """The domains of unknown publishers to ask about, whose pages may decide a claim."""
    counts: dict[str, int] = {}
    unknown = _unknown(sources)
    for finding in findings:
        decided = finding.stance in (Stance.SUPPORTS, Stance.CONTRADICTS) and finding.evidence_type in WITNESSES
        if decided and finding.source_id in unknown:
            domain = registrable_domain(unknown[finding.source_id].url)
            counts[domain] = counts.get(domain, 0) + 1
    ahead = _making(sources, claims)
    room = _room(max(len(claims), len({each.claim_id for each in findings}))) - len(ahead)
    left = sorted(counts.keys() - set(ahead), key=lambda domain: (-counts[domain], domain))[:room]
    return [*(domain for domain in ahead if domain in counts), *left]


def _rated(sources: Iterable[Source], ratings: Mapping[str, Rating]) -> tuple[Source, ...]:
    """The sources, those of unknown publishers with their ratings by domain."""
    return tuple(
        source.model_copy(update={"rating": _with(source.rating, rating)})
        if _counts_unknown(source) and (rating := ratings.get(registrable_domain(source.url)))
        else source
        for source in sources
    )


def _unknown(sources: Sequence[Source]) -> dict[str, Source]:
    """The sources that count and whose publisher no rule knows, by id."""
    return {source.id: source for source in sources if _counts_unknown(source)}


def _counts_unknown(source: Source) -> bool:
    return not source.rating.known and not source.excluded


def _first_of_each(unknown: Mapping[str, Source]) -> dict[str, Source]:
    """The first source of each domain."""
    return {registrable_domain(source.url): source for source in reversed(list(unknown.values()))}


def _making(sources: Sequence[Source], claims: Sequence[Claim]) -> list[str]:
    """The domains of unknown publishers that make the claims: those that make most of them first, and of these those
    that make the more important ones."""
    unknown = _unknown(sources)
    made: dict[str, int] = {}
    for claim in claims:
        for domain in dict.fromkeys(
            registrable_domain(unknown[each].url) for each in claim.source_ids if each in unknown
        ):
            made[domain] = made.get(domain, 0) + 1
    return sorted(made, key=lambda domain: -made[domain])[: _room(len(claims))]


def _room(claims: int) -> int:
    return min(MOST, max(FEWEST, claims))


def _with(rule: Rating, model: Rating) -> Rating:
    """The model's rating; that it is a press release is the rules' word, but a public body's release is its official
    word (N7)."""
    added = {"press_release": rule.press_release and model.category not in OFFICIAL, "owner": rule.owner}
    return with_reasons(model.model_copy(update=added), *rule.reason_codes)


async def _classify(source: Source, services: Services) -> _Asked:
    """What the model takes the publisher for; its registry is asked meanwhile since when it has had its domain. Beside
    the rating, why the registry could not be asked where its answer might have raised it. Raises ModelError."""
    document = await services.archive.document(source.snapshot)
    if document is None:
        return None, None
    rating, age = await asyncio.gather(services.analyst.classify(source.url, document), _age(source.url, services))
    if rating is None or age is None or not may_rise(rating):
        return rating, None
    if isinstance(age, Outage):
        return rating, age
    return established(rating, age, now=source.retrieved_at), None


async def _age(url: str, services: Services) -> DomainAge | Outage | None:
    """None: there is nobody to ask."""
    if services.domain_ages is None:
        return None
    try:
        return await services.domain_ages.age(url)
    except Outage as error:
        return error


async def _asked(source: Source, services: Services) -> _Asked:
    try:
        return await _classify(source, services)
    except ModelError as error:
        return None, error
