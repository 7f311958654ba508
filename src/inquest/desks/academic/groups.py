"""Which technical claims are the academic desk's, and how it groups them (spec 002, sections 2.1 to 2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from inquest.claims.report.company import name_masked
from inquest.desks.academic.benchmark_figures import benchmark_figures
from inquest.desks.academic.certificates import check_certificates
from inquest.desks.academic.criteria import METHODS
from inquest.desks.academic.science_targets_reading import targets_in
from inquest.desks.academic.terms import CERTIFIED, SCHEME_KINDS, phrase_table, reason, technologies_in
from inquest.domain.claim import ClaimType
from inquest.domain.reasons import Reason
from inquest.sources.standards import named_standards
from inquest.text.units import Dimension


class Group(StrEnum):
    """What about a claim is to be validated."""

    METHODOLOGY = "methodology"
    CERTIFICATION = "certification"
    TARGETS = "targets"
    BENCHMARK = "benchmark"
    RESEARCH = "research"


_FIRST_OF = {
    ClaimType.QUANTITATIVE: (Group.BENCHMARK, Group.RESEARCH),
    ClaimType.STRATEGIC: (Group.TARGETS,),
    ClaimType.ENVIRONMENTAL: (Group.CERTIFICATION,),
}
"""What a claim of a type is mostly about (spec 002, 2.1); the rest follows in the order of `_ORDER`."""
_ORDER = (Group.TARGETS, Group.CERTIFICATION, Group.METHODOLOGY, Group.RESEARCH, Group.BENCHMARK)
_NOT_OURS = frozenset((ClaimType.GEOGRAPHIC, ClaimType.LEGAL_GOVERNANCE, ClaimType.EVENT))
"""Of another desk, unless a standard, scheme or initiative is named."""
_METHOD_KINDS = ("accounting", "project", "product", "verification", "neutrality", "inventory")
_GROUP_OF = {
    **dict.fromkeys(_METHOD_KINDS, Group.METHODOLOGY),
    **dict.fromkeys(SCHEME_KINDS, Group.CERTIFICATION),
    "target": Group.TARGETS,
}
"""By the kind of a standard in the book."""
NAMED = frozenset(("academic.names", "academic.names_method"))
"""Reasons that a standard, scheme, initiative or method is named."""
_TOTALS = (Dimension.MASS, Dimension.ENERGY)


def academic_groups(text: str, type: ClaimType = ClaimType.STATEMENT, company: str = "") -> dict[Group, Reason]:
    """The groups of a claim, the most important first, each with why; none where it has no technical content, or is
    wholly another desk's. The words of the company's own name put it in none."""
    text = name_masked(text, company)
    found: dict[Group, Reason] = {}
    for each in named_standards(text):
        if each.standard.kind in _GROUP_OF:
            found.setdefault(_GROUP_OF[each.standard.kind], reason("names", words=each.text))
    for group, why in _by_wording(text) if type not in _NOT_OURS else ():
        found.setdefault(group, why)
    order = dict.fromkeys((*_FIRST_OF.get(type, ()), *_ORDER))
    return {group: found[group] for group in order if group in found}


def _by_wording(text: str) -> Iterator[tuple[Group, Reason]]:
    spoken = {name: words.search(text) for name, words in phrase_table("groups").items()}
    method = next((each for each in METHODS if each.words.search(text)), None)
    targets, checks = targets_in(text), check_certificates(text)
    if spoken["technical"] and (words := spoken["method"]):
        yield Group.METHODOLOGY, reason("says_how_counted", words=words.group())
    elif method:
        yield Group.METHODOLOGY, reason("names_method", name=method.name)
    # To become neutral is a target; it rests on credits only where they are spoken of.
    if checks and (spoken["bought"] or not targets):
        yield Group.CERTIFICATION, reason("rests_on", instrument=checks[0].kind.name)
    elif words := CERTIFIED.search(text):
        yield Group.CERTIFICATION, reason("names", words=words.group())
    if words := spoken["target"]:
        yield Group.TARGETS, reason("speaks_of_target", words=words.group())
    elif targets:
        yield Group.TARGETS, reason("states_target")
    technology = technologies_in(text)
    if technology and spoken["effect"]:
        yield Group.RESEARCH, reason("says_what_it_does", words=technology[0])
    if words := spoken["compared"]:
        yield Group.BENCHMARK, reason("invites_comparison", words=words.group())
    # What is aimed at is no result, and an amount of certificates or credits no performance.
    reported = not targets and not checks
    for each in benchmark_figures(text) if spoken["technical"] else ():
        if each.is_intensity or (reported and (each.is_change or each.dimension in _TOTALS)):
            yield Group.BENCHMARK, reason("gives_figure", figure=each.text)
