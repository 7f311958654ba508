"""Whose claim one is (a list of a user's may hold claims of several companies), and which desks can ask somebody."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from inquest.domain.claim import Claim
from inquest.domain.search import EngineKind
from inquest.flow.services import Services
from inquest.kit.desk import Desk, Subject
from inquest.sources.own_domains import own_domains


def subject_for(claim: Claim, subject: Subject) -> Subject:
    """The case's subject, or that of the claim where it is another company's."""
    if not claim.company or claim.company == subject.company:
        return subject
    return subject.model_copy(
        update={"company": claim.company, "own_domains": tuple(sorted(own_domains(claim.company)))}
    )


def by_subject(claims: Sequence[Claim], subject: Subject) -> list[tuple[Subject, list[Claim]]]:
    """The claims of each company, companies in the order of their first claim."""
    groups: dict[str, tuple[Subject, list[Claim]]] = {}
    for claim in claims:
        own = subject_for(claim, subject)
        groups.setdefault(own.company, (own, []))[1].append(claim)
    return list(groups.values())


ALWAYS = frozenset((EngineKind.OWN, EngineKind.FACT_CHECK))
"""Kinds of engine that every desk asks: the user's own documents, and who has checked a claim."""


def with_nobody_to_ask(desks: Iterable[Desk], engines: Collection[str], services: Services) -> tuple[str, ...]:
    """Names of the desks that ask none of these engines, by their kinds. Not those for which an engine was chosen that
    is not ready: that is an outage, and told as one."""
    kinds = {engine.name: set(engine.kinds) for engine in services.engines if engine.name in engines or engine.lacks}
    return tuple(
        desk.spec.name for desk in desks if not any({*desk.spec.kinds, *ALWAYS} & asked for asked in kinds.values())
    )
