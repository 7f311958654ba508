"""Certificates of renewable electricity and carbon credits in a claim: which scheme, whether it is known, what the
claim says of what such a thing has to be, and what research and reporting hold against it.

Whether a scheme is known is looked up (`data/standards/certificates.toml`, `offsets.toml`). Whether these certificates
were bought and cancelled stands in a registry, which nothing here has asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from inquest.domain.english import with_article
from inquest.sources.standards import NamedStandard, named_standards
from inquest.sources.standards_book import Criticism, Standard, standards_book
from inquest.text.lexicon import entries, pattern
from inquest.text.sentences import Span

__all__ = ["Instrument", "InstrumentCheck", "InstrumentCriterion", "Legitimacy", "check_certificates"]


class Instrument(StrEnum):
    """What the claim rests on."""

    ENERGY = "energy attribute certificate"
    CREDIT = "carbon credit"
    LABEL = "label"


class Legitimacy(StrEnum):
    """Of the scheme, not of the purchase (spec 002, 10.2)."""

    LEGITIMATE = "legitimate"
    QUESTIONABLE = "questionable"
    """A known scheme with published findings against it that bear on this kind of project, or a claim that goes against
    its rules."""
    NOT_RECOGNISED = "not_recognized"
    UNKNOWN = "unknown"
    """Certificates or credits are spoken of, and no scheme is named."""


class InstrumentCriterion(NamedTuple):
    """One thing that a certificate or credit has to be, and whether the claim says so."""

    name: str
    stated: bool
    span: Span | None
    reason: str


@dataclass(frozen=True, slots=True)
class InstrumentCheck:
    """What one kind of instrument in a claim comes to."""

    kind: Instrument
    schemes: tuple[NamedStandard, ...]
    """As named in the text; empty where only 'certificates' or 'credits' are spoken of."""
    project_types: tuple[str, ...]
    legitimacy: Legitimacy
    criteria: tuple[InstrumentCriterion, ...]
    criticisms: tuple[Criticism, ...]
    reasons: tuple[str, ...]


_PROJECTS = entries(__name__, "project_types")
_ENERGY_CLAIM = pattern(__name__, "energy_claim")
_CREDIT_CLAIM = re.compile(r"\boffset\w*\b|\bcarbon\s+credits?\b|\bcarbon[\s-]neutral\w*\b|\bcompensat\w+\b", re.I)
_CRITERIA = entries(__name__, "instrument_criteria")
_PATTERNS = {name: re.compile(words, re.I) for name, words in _CRITERIA.items()}
_ASKED = {
    Instrument.ENERGY: ("additionality", "double counting", "retirement", "vintage"),
    Instrument.CREDIT: ("additionality", "permanence", "leakage", "double counting", "retirement", "verification"),
}
_SCHEME_LIKE = pattern(__name__, "scheme_like")
_STORED = frozenset(("avoided deforestation", "forest management", "forestry", "removal"))
_MISUSED = (
    (
        re.compile(r"\b(?:carbon\s+)?(?:offsets?|credits)\b[^.;]{0,60}\bscope\s?2\b[^.;]{0,30}\brenewable\b", re.I),
        "Carbon credits do not make electricity renewable: that takes energy attribute certificates or contracts.",
    ),
    (
        re.compile(
            r"\b(?:RECs?|I-RECs?|GOs?|guarantees\s+of\s+origin"
            r"|certificates)\b[^.;]{0,60}\boffset\w*\b[^.;]{0,40}\b(?:scope\s?[13]|flights?|travel|fuel"
            r"|gas|direct)\b",
            re.I,
        ),
        "Energy attribute certificates count for bought electricity (Scope 2) and offset nothing else.",
    ),
    (
        re.compile(r"\bpending\s+issuance\s+units?\b", re.I),
        "Pending Issuance Units are a promise of carbon, and must not be set against emissions.",
    ),
)


def check_certificates(text: str, *, until: date | None = None) -> tuple[InstrumentCheck, ...]:
    """The instruments that a claim rests on: certificates first, then credits. Empty where it speaks of neither.

    `until`: the day of the check. What was published in a later year is held against nothing.
    """
    named = tuple(each for each in named_standards(text) if each.standard.kind in ("certificate", "offset", "label"))
    found: list[InstrumentCheck] = []
    for kind, general, claimed in (
        (Instrument.ENERGY, "eac", _ENERGY_CLAIM),
        (Instrument.CREDIT, "carbon-credit", _CREDIT_CLAIM),
    ):
        mine = tuple(each for each in named if general in (each.standard.id, each.standard.family))
        if mine or claimed.search(text):
            found.append(_check(text, kind, mine, standards_book()[general], until))
    return tuple(found)


def _check(
    text: str, kind: Instrument, named: tuple[NamedStandard, ...], general: Standard, until: date | None
) -> InstrumentCheck:
    schemes = tuple(each for each in named if each.standard.id != general.id)
    projects = tuple(name for name, words in _PROJECTS.items() if re.search(words, text, re.I))
    if kind is Instrument.ENERGY:
        projects = ()
    if "avoided deforestation" in projects or "forest management" in projects:
        projects = tuple(name for name in projects if name != "forestry")
    criteria = tuple(_criterion(name, text) for name in _ASKED[kind] if _matters(name, kind, projects))
    held = [each.standard for each in schemes] or [general]
    bearing = [(standard, criticism) for standard in held for criticism in standard.criticisms]
    bearing += [(general, criticism) for criticism in general.criticisms]
    # The same finding may be noted with a scheme and with its family.
    criticisms = tuple(
        {each.text: each for _, each in bearing if _bears(each, projects) and _known(each, until)}.values()
    )
    misused = tuple(reason for words, reason in _MISUSED if words.search(text))
    legitimacy, why = _legitimacy(kind, schemes, criticisms, projects, misused, _unlisted(text, named))
    reasons = (
        *why,
        *misused,
        *(criterion.reason for criterion in criteria),
        *(f"{each.text} ({each.source.publisher}, {each.source.year})" for each in criticisms),
        "Whether the certificates or credits were bought and cancelled stands in the registry, which was not asked.",
    )
    return InstrumentCheck(kind, schemes, projects, legitimacy, criteria, criticisms, reasons)


def _known(criticism: Criticism, until: date | None) -> bool:
    return until is None or criticism.source.year <= until.year


def _matters(name: str, kind: Instrument, projects: tuple[str, ...]) -> bool:
    """Permanence and leakage matter where carbon is stored or a use may move; without a project named, always."""
    if kind is Instrument.ENERGY or name not in ("permanence", "leakage") or not projects:
        return True
    return bool(_STORED & set(projects))


def _unlisted(text: str, named: tuple[NamedStandard, ...]) -> str:
    """A name that has the form of a scheme's or registry's and is in no table."""
    for match in _SCHEME_LIKE.finditer(text):
        if not any(match.start() < each.span.end and each.span.start < match.end() for each in named):
            return match.group()
    return ""


def _criterion(name: str, text: str) -> InstrumentCriterion:
    match = _PATTERNS[name].search(text)
    said = "is spoken of" if match else "is not spoken of"
    return InstrumentCriterion(
        name, match is not None, Span(*match.span()) if match else None, f"{name.capitalize()} {said}."
    )


def _bears(criticism: Criticism, projects: tuple[str, ...]) -> bool:
    wanted = set(criticism.project_types)
    if not wanted or "any" in wanted or not projects:
        return True
    if "forestry" in projects:
        return bool(wanted & _STORED)
    return bool(wanted & set(projects))


def _legitimacy(
    kind: Instrument,
    schemes: tuple[NamedStandard, ...],
    criticisms: tuple[Criticism, ...],
    projects: tuple[str, ...],
    misused: tuple[str, ...],
    unlisted: str,
) -> tuple[Legitimacy, tuple[str, ...]]:
    if not schemes and unlisted:
        return Legitimacy.NOT_RECOGNISED, (f"'{unlisted}' is not in the table of known schemes.",)
    if not schemes:
        return Legitimacy.UNKNOWN, (f"The claim speaks of {with_article(kind.value)} and names no scheme or registry.",)
    names = ", ".join(dict.fromkeys(each.standard.name for each in schemes))
    known = f"{names}: a known scheme with rules and a registry of its own."
    if misused:
        return Legitimacy.QUESTIONABLE, (known,)
    doubted = [each for each in criticisms if set(each.project_types) & set(projects)]
    forests = "forestry" in projects and any(set(each.project_types) & _STORED for each in criticisms)
    if kind is Instrument.CREDIT and (doubted or forests):
        return Legitimacy.QUESTIONABLE, (known, "There are published findings against projects of this kind.")
    return Legitimacy.LEGITIMATE, (known,)
