"""Publishers that no rule knows, put before the model: by rule, then by model, else the lowest tier (spec 000, 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from inquest.domain.errors import ModelError
from inquest.domain.event import Stage
from inquest.domain.finding import WITNESSES, Finding, Stance
from inquest.domain.report import OutageNote
from inquest.domain.source import Rating, Source
from inquest.flow.services import Services
from inquest.kit.analyst import Analyst
from inquest.sources.tiers import with_reasons
from inquest.text.urls import registrable_domain

MOST = 8
"""Publishers of a case that the model is asked about; those that speak on most claims first."""


async def classified(
    sources: Sequence[Source], findings: Sequence[Finding], services: Services
) -> tuple[tuple[Source, ...], tuple[OutageNote, ...]]:
    """The sources, those of publishers nobody knows rated by the model where it can tell; one question a domain.

    Only publishers on whose word a claim may turn are asked about. Without a model everything stays as it is.
    """
    if services.mind is services.local:
        return tuple(sources), ()
    heard: dict[str, int] = {}
    unknown = {source.id: source for source in sources if not source.rating.known and not source.excluded}
    for finding in findings:
        decided = finding.stance in (Stance.SUPPORTS, Stance.CONTRADICTS) and finding.evidence_type in WITNESSES
        if decided and finding.source_id in unknown:
            domain = registrable_domain(unknown[finding.source_id].url)
            heard[domain] = heard.get(domain, 0) + 1
    asked = sorted(heard, key=lambda domain: (-heard[domain], domain))[:MOST]
    first = {registrable_domain(source.url): source for source in reversed(list(unknown.values()))}
    answers = await services.side_by_side(
        [(f"classify {domain}", partial(_asked, first[domain], services.mind, services)) for domain in asked]
    )
    ratings: dict[str, Rating] = {}
    outages: list[OutageNote] = []
    for domain, answer in zip(asked, answers, strict=True):
        if isinstance(answer, Rating):
            ratings[domain] = answer
        elif isinstance(answer, OutageNote):
            outages.append(answer)
    rated = tuple(
        source.model_copy(update={"rating": _with(source.rating, ratings[domain])})
        if source.id in unknown and (domain := registrable_domain(source.url)) in ratings
        else source
        for source in sources
    )
    return rated, tuple(outages)


def _with(rule: Rating, model: Rating) -> Rating:
    """The model's rating; that it is a press release is the rules' word."""
    added = {"press_release": rule.press_release, "owner": rule.owner}
    return with_reasons(model.model_copy(update=added), *rule.reason_codes)


async def _asked(source: Source, mind: Analyst, services: Services) -> Rating | OutageNote | None:
    document = await services.archive.document(source.snapshot)
    if document is None:
        return None
    try:
        return await mind.classify(source.url, document)
    except ModelError as error:
        return await services.outage("model", error.model, error, Stage.JUDGE)
