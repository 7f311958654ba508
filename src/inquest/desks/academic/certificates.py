"""Certificates of renewable electricity and carbon credits in a claim: which scheme, whether it is known, and published
findings against it (spec 002, section 6).

Schemes are looked up (`sources/data/standards/certificates.toml`, `offsets.toml`). Whether these certificates were
bought and cancelled is recorded in a registry, which is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from inquest.desks.academic.criteria import ASPECTS, MISUSED
from inquest.desks.academic.phrases import phrase_table
from inquest.desks.academic.reasons import reason
from inquest.desks.academic.references import criticism_reference, standard_reference, witness_references
from inquest.desks.academic.terms import certifications_in, sentence_with
from inquest.desks.academic.validation import BY_RULE, CheckReport, Ruling, TechnicalClaim, by_evidence, conclude
from inquest.desks.academic.witnesses import AcademicEvidence, bearing_of
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.value import JsonObject, JsonValue
from inquest.kit.desk import FindingDraft
from inquest.sources.standards import NamedStandard, named_standards
from inquest.sources.standards_book import Criticism, Standard, standards_book
from inquest.text.regex import regex
from inquest.text.sentences import shorten


class Instrument(StrEnum):
    """What the claim rests on."""

    ENERGY = "energy attribute certificate"
    CREDIT = "carbon credit"


class Legitimacy(StrEnum):
    """Of the scheme, not of the purchase (spec 002, 10.2)."""

    LEGITIMATE = "legitimate"
    QUESTIONABLE = "questionable"
    """A known scheme with published findings against it that bear on this kind of project, or a claim that breaks its
    rules."""
    NOT_RECOGNISED = "not_recognized"
    UNKNOWN = "unknown"
    """Certificates or credits are spoken of, and no scheme is named."""


@dataclass(frozen=True, slots=True)
class InstrumentCheck:
    """The result for one kind of instrument in a claim."""

    kind: Instrument
    schemes: tuple[NamedStandard, ...]
    """As named in the text; empty where only 'certificates' or 'credits' are spoken of."""
    project_types: tuple[str, ...]
    legitimacy: Legitimacy
    criteria: dict[str, bool]
    """What a certificate or credit has to be, and whether the claim says so."""
    criticisms: tuple[Criticism, ...]
    misused: tuple[Reason, ...]
    """Where the claim uses a scheme for what it is not."""
    why: Reason
    """Of its legitimacy."""

    @property
    def standards(self) -> tuple[Standard, ...]:
        """The schemes that are named, else the kind of instrument in general."""
        named = {each.standard.id: each.standard for each in self.schemes}
        return tuple(named.values()) or (standards_book()[_GENERAL[self.kind]],)

    @property
    def name(self) -> str:
        return ", ".join(dict.fromkeys(each.standard.name for each in self.schemes))


_RISKS = {
    **{name.replace("_", " "): ASPECTS[name].stated for name in ("additionality", "permanence", "leakage")},
    "double counting": ASPECTS["double_counting"].stated,
    "controversy": phrase_table("certificates")["controversy"],
}
_GENERAL = {Instrument.ENERGY: "eac", Instrument.CREDIT: "carbon-credit"}
_WORDS = phrase_table("certificates")
_SPOKEN_OF = {Instrument.ENERGY: _WORDS["energy_claim"], Instrument.CREDIT: _WORDS["credit_claim"]}
_IN_PASSAGES = {Instrument.ENERGY: _WORDS["energy_passage"], Instrument.CREDIT: _WORDS["credit_passage"]}
_SCHEME_LIKE = regex(r"\b(?:[A-Z][\w'’-]+\s+){1,5}(?:Standard|Registry|Certificate|Certification|Label)\b")
_PROJECTS = phrase_table("project_types")
_ASKED = {
    Instrument.ENERGY: ("additionality", "double_counting", "retirement", "vintage"),
    Instrument.CREDIT: ("additionality", "permanence", "leakage", "double_counting", "retirement", "verification"),
}
_OF_STORAGE = frozenset(("permanence", "leakage"))
_STORED = frozenset(("avoided deforestation", "forest management", "forestry", "removal"))
_RISK_OF = {"over-crediting": "controversy", "reply": "controversy"}
"""The risk that a criticism of the book is about, where it has another name there."""
_QUOTED = 240


def check_certificates(text: str, *, until: date | None = None) -> tuple[InstrumentCheck, ...]:
    """The instruments that a claim rests on: certificates first, then credits. Empty where it speaks of neither.

    `until`: the day of the check; criticism that was published in a later year does not count.
    """
    every = named_standards(text)
    named = tuple(each for each in every if each.standard.kind in ("certificate", "offset", "label"))
    unlisted = _unlisted(text, every)
    found: list[InstrumentCheck] = []
    for kind, general in _GENERAL.items():
        mine = tuple(each for each in named if general in (each.standard.id, each.standard.family))
        if mine or _SPOKEN_OF[kind].search(text):
            found.append(_check(text, kind, mine, unlisted, until))
    return tuple(found)


def _check(
    text: str, kind: Instrument, named: tuple[NamedStandard, ...], unlisted: str, until: date | None
) -> InstrumentCheck:
    general = standards_book()[_GENERAL[kind]]
    schemes = tuple(each for each in named if each.standard.id != general.id)
    projects = _projects(text) if kind is Instrument.CREDIT else ()
    # The same finding may be noted with a scheme and with its family.
    of_scheme = [each for standard in [*(each.standard for each in schemes), general] for each in standard.criticisms]
    known = [each for each in of_scheme if until is None or each.source.year <= until.year]
    criticisms = tuple({each.text: each for each in known if _concerns(each, projects)}.values())
    misused = tuple(reason(name) for name, words in MISUSED.items() if words.search(text))
    stored = not projects or bool(_STORED & set(projects))
    criteria = {
        name.replace("_", " "): ASPECTS[name].stated.search(text) is not None
        for name in _ASKED[kind]
        if stored or name not in _OF_STORAGE
    }
    doubted = any(_wanted(each) & set(projects) for each in criticisms)
    legitimacy, why = _legitimacy(kind, schemes, unlisted, misused=bool(misused), doubted=doubted)
    return InstrumentCheck(kind, schemes, projects, legitimacy, criteria, criticisms, misused, why)


def _projects(text: str) -> tuple[str, ...]:
    found = [name for name, words in _PROJECTS.items() if words.search(text)]
    special = {"avoided deforestation", "forest management"} & set(found)
    return tuple(name for name in found if name != "forestry" or not special)


def _wanted(criticism: Criticism) -> set[str]:
    """The kinds of project that a criticism is about; of any of the forest, forestry in general too."""
    wanted = set(criticism.project_types)
    return wanted | {"forestry"} if wanted & _STORED else wanted


def _concerns(criticism: Criticism, projects: tuple[str, ...]) -> bool:
    wanted = _wanted(criticism)
    return not wanted or "any" in wanted or not projects or bool(wanted & set(projects))


def _unlisted(text: str, named: tuple[NamedStandard, ...]) -> str:
    """A name that has the form of a scheme's or registry's and is in no table."""
    for match in _SCHEME_LIKE.finditer(text):
        if not any(match.start() < each.span.end and each.span.start < match.end() for each in named):
            return match.group()
    return ""


def _legitimacy(
    kind: Instrument, schemes: tuple[NamedStandard, ...], unlisted: str, *, misused: bool, doubted: bool
) -> tuple[Legitimacy, Reason]:
    if not schemes and unlisted:
        return Legitimacy.NOT_RECOGNISED, reason("scheme_not_listed", name=unlisted)
    if not schemes:
        return Legitimacy.UNKNOWN, reason("no_scheme", instrument=kind.value)
    names = list(dict.fromkeys(each.standard.name for each in schemes))
    if misused:
        return Legitimacy.QUESTIONABLE, reason("scheme_misused", names=names)
    if doubted and kind is Instrument.CREDIT:
        return Legitimacy.QUESTIONABLE, reason("scheme_doubted", names=names)
    return Legitimacy.LEGITIMATE, reason("scheme_known", names=names)


def certification_validations(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> tuple[FindingDraft, ...]:
    """One for each kind of instrument in the claim; one for a certification that is not in the book."""
    checks = check_certificates(claim.text, until=claim.day)
    if not checks:
        return (_of_unlisted(claim, witnesses),)
    return tuple(_validation(claim, check, witnesses) for check in checks)


def _validation(claim: TechnicalClaim, check: InstrumentCheck, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    counted = [each for each in witnesses if not each.left_out]
    risks = _risks(check, counted)
    bearing = bearing_of(counted)
    cited = [standard_reference(each, until=claim.day) for each in check.standards]
    silent = [name for name, stated in check.criteria.items() if not stated]
    held = [name for name, found in risks.items() if isinstance(found, dict) and found["evidence"]]
    if check.misused and check.schemes:
        rule = Ruling(Stance.CONTRADICTS, BY_RULE, reason("own_words_break_scheme"))
    else:
        rule = Ruling(Stance.NEUTRAL, 0.5 if check.schemes else 0.3, reason("scheme_is_no_purchase"))
    return conclude(
        "certification_validation",
        by_evidence(bearing, rule),
        bearing,
        CheckReport(
            summary=(
                check.why,
                *check.misused,
                reason("risks_found", risks=held) if held else reason("no_risks_found"),
                bearing.consensus or reason("no_sources"),
                reason("registry_not_asked", instrument=check.kind.value),
            ),
            reasons=(check.why, *check.misused),
            limitations=[reason("claim_silent", names=silent)] if silent else [],
        ),
        references=(*cited, *map(criticism_reference, check.criticisms), *witness_references(witnesses)),
        certification_type=check.name or in_words(reason("unnamed", instrument=check.kind.value)),
        legitimacy_assessment=check.legitimacy.value,
        standard_references=cited,
        instrument=check.kind.value,
        recognised=bool(check.schemes),
        registries=[registry for each in check.standards for registry in each.registries],
        project_types=[*check.project_types],
        risks=risks,
        criteria=[{"name": name, "stated_in_claim": stated} for name, stated in check.criteria.items()],
        purchase_checked=False,
    )


def _risks(check: InstrumentCheck, counted: Sequence[AcademicEvidence]) -> JsonObject:
    """For each risk: whether the claim speaks of it, and what the book and the passages say, each with its source."""
    found: JsonObject = {}
    for risk, words in _RISKS.items():
        evidence: list[JsonValue] = [
            {"text": each.text, "publisher": each.source.publisher, "year": each.source.year, "url": each.source.url}
            for each in check.criticisms
            if _RISK_OF.get(each.about, each.about) == risk
        ]
        evidence += [_quoted(each, quote) for each in counted if (quote := _on_risk(each, check.kind, words))]
        found[risk] = {"stated_in_claim": check.criteria.get(risk, False), "evidence": evidence}
    return found


def _on_risk(witness: AcademicEvidence, kind: Instrument, words: re.Pattern[str]) -> str:
    span = sentence_with(witness.text, words)
    sentence = span.of(witness.text) if span else ""
    return shorten(sentence, _QUOTED) if _IN_PASSAGES[kind].search(sentence) else ""


def _quoted(witness: AcademicEvidence, quote: str) -> JsonObject:
    source = witness.source
    return {"text": quote, "source_id": source.id, "url": source.url, "peer_reviewed": witness.peer_reviewed}


def _of_unlisted(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """A certification or pledge of which the book has no scheme: only judged passages can decide."""
    bearing = bearing_of(witnesses)
    names = [*certifications_in(claim.text)] or ["a certification"]
    return conclude(
        "certification_validation",
        by_evidence(bearing, Ruling(Stance.NEUTRAL, 0.3, reason("no_rules", names=names))),
        bearing,
        CheckReport(
            summary=(reason("no_rules", names=names), bearing.consensus or reason("no_sources")),
            limitations=(reason("not_in_book"),),
        ),
        references=witness_references(witnesses),
        certification_type=", ".join(names),
        purchase_checked=False,
    )
