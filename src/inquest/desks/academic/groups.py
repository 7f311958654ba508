"""Which technical claims are the academic desk's, and how it groups them (spec 002, sections 2.1 to 2.3)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from inquest.claims.report.company import name_masked
from inquest.desks.academic.benchmark_figures import BenchmarkFigure, benchmark_figures
from inquest.desks.academic.benchmark_units import BasisKind
from inquest.desks.academic.certificates import check_certificates
from inquest.desks.academic.methodology_words import METHODS
from inquest.desks.academic.science_targets_reading import targets_in
from inquest.desks.academic.terms import technologies_in
from inquest.domain.claim import ClaimType
from inquest.domain.english import with_article
from inquest.sources.standards import named_standards
from inquest.text.lexicon import pattern
from inquest.text.units import Dimension

__all__ = ["Group", "Grouped", "academic_groups", "certifications_in", "is_intensity", "is_reduction"]


class Group(StrEnum):
    """What about a claim is to be validated."""

    METHODOLOGY = "methodology"
    CERTIFICATION = "certification"
    TARGETS = "targets"
    BENCHMARK = "benchmark"
    RESEARCH = "research"


class Grouped(NamedTuple):
    """The groups a claim belongs to, the most important first, with the words that put it there."""

    groups: tuple[Group, ...]
    reasons: tuple[str, ...]


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
_SCHEME_KINDS = frozenset(("certificate", "offset", "label", "energy"))
_METHOD = pattern(__name__, "method")
_CERTIFIED = pattern(__name__, "certified")
_BOUGHT = pattern(__name__, "bought")
_TARGET = pattern(__name__, "target")
_COMPARED = pattern(__name__, "compared")
_TECHNICAL = pattern(__name__, "technical")
_EFFECT = pattern(__name__, "effect")


def academic_groups(text: str, type: ClaimType = ClaimType.STATEMENT, company: str = "") -> Grouped:
    """The groups of a claim; none where it has no technical content, or is wholly another desk's. The words of the
    company's own name put it in none."""
    text = name_masked(text, company)
    found: dict[Group, str] = {}
    named = named_standards(text)
    only_named = type in _NOT_OURS
    for group, words in (
        (Group.METHODOLOGY, next((each.text for each in named if each.standard.kind in _METHOD_KINDS), "")),
        (Group.CERTIFICATION, next((each.text for each in named if each.standard.kind in _SCHEME_KINDS), "")),
        (Group.TARGETS, next((each.text for each in named if each.standard.kind == "target"), "")),
    ):
        if words:
            found[group] = f"it names ‘{words}’"
    if not only_named:
        for group, reason in _by_wording(text):
            found.setdefault(group, reason)
    order = dict.fromkeys((*_FIRST_OF.get(type, ()), *_ORDER))
    groups = tuple(group for group in order if group in found)
    return Grouped(groups, tuple(f"{group.value}: {found[group]}" for group in groups))


def certifications_in(text: str) -> tuple[str, ...]:
    """The certificates, labels and certifications that a text names, as written, each once."""
    named = [each.text for each in named_standards(text) if each.standard.kind in _SCHEME_KINDS]
    return tuple(dict.fromkeys([*named, *(match.group() for match in _CERTIFIED.finditer(text))]))


def is_intensity(figure: BenchmarkFigure) -> bool:
    """Whether a figure is per something, so that companies of any size may be compared by it."""
    return figure.basis.kind is not BasisKind.WHOLE and figure.dimension is not Dimension.MONEY


def is_reduction(figure: BenchmarkFigure) -> bool:
    """Whether a figure is a share by which something fell or rose."""
    return figure.dimension is Dimension.SHARE and figure.substance in ("reduction", "increase")


def _by_wording(text: str) -> list[tuple[Group, str]]:
    found: list[tuple[Group, str]] = []
    if (words := _METHOD.search(text)) and _TECHNICAL.search(text):
        found.append((Group.METHODOLOGY, f"it says how something is counted (‘{words.group()}’)"))
    elif method := next((each for each in METHODS if each.words.search(text)), None):
        found.append((Group.METHODOLOGY, f"it names a way of calculating ({method.name})"))
    targets = targets_in(text)
    # To become neutral is a target; it rests on credits only where they are spoken of.
    aimed_alone = bool(targets) and not _BOUGHT.search(text)
    if (checks := check_certificates(text)) and not aimed_alone:
        found.append((Group.CERTIFICATION, f"it rests on {with_article(checks[0].kind.value)}"))
    elif certified := _CERTIFIED.search(text):
        found.append((Group.CERTIFICATION, f"it names a certification (‘{certified.group()}’)"))
    if aimed := _TARGET.search(text):
        found.append((Group.TARGETS, f"it speaks of a climate target (‘{aimed.group()}’)"))
    elif targets:
        found.append((Group.TARGETS, "it states a climate target"))
    technology = technologies_in(text)
    if technology and _EFFECT.search(text):
        found.append((Group.RESEARCH, f"it says what a technology or practice does (‘{technology[0]}’)"))
    if reason := _comparable(text, aims=bool(targets)):
        found.append((Group.BENCHMARK, reason))
    return found


def _comparable(text: str, *, aims: bool) -> str:
    """Why its figures may be held against others; '' where there are none. What is aimed at is no result, and an amount
    of certificates or credits no performance."""
    if words := _COMPARED.search(text):
        return f"it invites comparison (‘{words.group()}’)"
    if not _TECHNICAL.search(text):
        return ""
    figures = benchmark_figures(text)
    if intensity := next((each for each in figures if is_intensity(each)), None):
        return f"it gives an intensity (‘{intensity.text}’)"
    if aims or check_certificates(text):
        return ""
    if fall := next((each for each in figures if is_reduction(each)), None):
        return f"it gives a change (‘{fall.text}’)"
    whole = next((each for each in figures if each.dimension in (Dimension.MASS, Dimension.ENERGY)), None)
    return f"it gives a figure of emissions or energy (‘{whole.text}’)" if whole else ""
