"""Whose claim one is: a list of a user's may hold claims of several companies."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.claim import Claim
from inquest.kit.desk import Subject
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
