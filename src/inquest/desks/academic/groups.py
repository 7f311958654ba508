"""Which technical claims are the academic desk's, and how it groups them (spec 002, sections 2.1 to 2.3)."""

from __future__ import annotations

from enum import StrEnum

from inquest.claims.report.company import name_masked
from inquest.desks.academic.benchmark_figures import benchmark_figures, is_intensity, is_reduction
from inquest.desks.academic.certificates import check_certificates
from inquest.desks.academic.criteria import METHODS
from inquest.desks.academic.phrases import phrase_table
from inquest.desks.academic.reasons import reason
from inquest.desks.academic.science_targets_reading import targets_in
from inquest.desks.academic.terms import CERTIFIED, SCHEME_KINDS, technologies_in
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
"""Of another desk, unless a standard, scheme or initiative is named in so many words."""
_METHOD_KINDS = frozenset(("accounting", "project", "product", "verification", "neutrality", "inventory"))
_KINDS = {Group.METHODOLOGY: _METHOD_KINDS, Group.CERTIFICATION: SCHEME_KINDS, Group.TARGETS: frozenset(("target",))}
NAMED = frozenset(("academic.names", "academic.names_method"))
"""Reasons that a standard, scheme, initiative or method is named in so many words."""
_WORDS = phrase_table("groups")
_TOTALS = (Dimension.MASS, Dimension.ENERGY)


def academic_groups(text: str, type: ClaimType = ClaimType.STATEMENT, company: str = "") -> dict[Group, Reason]:
    """The groups of a claim, the most important first, each with why; none where it has no technical content, or is
    wholly another desk's. The words of the company's own name put it in none."""
    text = name_masked(text, company)
    found: dict[Group, Reason] = {}
    for each in named_standards(text):
        group = next((group for group, kinds in _KINDS.items() if each.standard.kind in kinds), None)
        if group is not None:
            found.setdefault(group, reason("names", words=each.text))
    if type not in _NOT_OURS:
        for group, why in _by_wording(text):
            found.setdefault(group, why)
    order = dict.fromkeys((*_FIRST_OF.get(type, ()), *_ORDER))
    return {group: found[group] for group in order if group in found}


def _by_wording(text: str) -> list[tuple[Group, Reason]]:
    found: list[tuple[Group, Reason]] = []
    if (words := _WORDS["method"].search(text)) and _WORDS["technical"].search(text):
        found.append((Group.METHODOLOGY, reason("says_how_counted", words=words.group())))
    elif method := next((each for each in METHODS if each.words.search(text)), None):
        found.append((Group.METHODOLOGY, reason("names_method", name=method.name)))
    targets = targets_in(text)
    # To become neutral is a target; it rests on credits only where they are spoken of.
    aimed_alone = bool(targets) and not _WORDS["bought"].search(text)
    if (checks := check_certificates(text)) and not aimed_alone:
        found.append((Group.CERTIFICATION, reason("rests_on", instrument=checks[0].kind.value)))
    elif certified := CERTIFIED.search(text):
        found.append((Group.CERTIFICATION, reason("names", words=certified.group())))
    if aimed := _WORDS["target"].search(text):
        found.append((Group.TARGETS, reason("speaks_of_target", words=aimed.group())))
    elif targets:
        found.append((Group.TARGETS, reason("states_target")))
    technology = technologies_in(text)
    if technology and _WORDS["effect"].search(text):
        found.append((Group.RESEARCH, reason("says_what_it_does", words=technology[0])))
    comparable = _comparable(text, aims=bool(targets), certified=bool(checks))
    return [*found, (Group.BENCHMARK, comparable)] if comparable else found


def _comparable(text: str, *, aims: bool, certified: bool) -> Reason | None:
    """Why its figures may be held against others; None where there are none. What is aimed at is no result, and an
    amount of certificates or credits no performance."""
    if words := _WORDS["compared"].search(text):
        return reason("invites_comparison", words=words.group())
    figures = benchmark_figures(text) if _WORDS["technical"].search(text) else ()
    for name, applies in (
        ("gives_intensity", is_intensity),
        ("gives_change", lambda each: is_reduction(each) and not aims and not certified),
        ("gives_total", lambda each: each.dimension in _TOTALS and not aims and not certified),
    ):
        if figure := next((each for each in figures if applies(each)), None):
            return reason(name, figure=figure.text)
    return None
