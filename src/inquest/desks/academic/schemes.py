"""Checks of a claim's accounting method against its standards (spec 002, section 5), and of its certificates and carbon
credits against known schemes and published criticism (section 6).

Schemes are in `sources/data/standards` (`certificates.toml`, `offsets.toml`). Issued and retired credits are quoted
from OffsetsDB if its table is on this machine; no registry of certificates is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from inquest.desks.academic.terms import (
    ASPECTS,
    FACILITY,
    INSTRUMENTS,
    METHODS,
    MISUSED,
    Alignment,
    Instrument,
    Method,
    Point,
    certifications_in,
    judged,
    phrase_table,
    reason,
    sentence_with,
)
from inquest.desks.academic.validation import (
    BY_RULE,
    Ruling,
    TechnicalClaim,
    by_evidence,
    conclude,
    criticism_reference,
    standard_reference,
    witness_references,
)
from inquest.desks.academic.witnesses import AcademicEvidence, Bearing, bearing_of, quoted_rows, row_of, rows_in
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.value import JsonValue
from inquest.entailment.bases import scopes_named
from inquest.kit.desk import FindingDraft
from inquest.sources.economic_releases import countries_in
from inquest.sources.standards import Criticism, NamedStandard, Standard, named_standards, standards_book
from inquest.text.regex import regex
from inquest.text.sentences import shorten

_KNOWN_METHOD = 0.5
"""Confidence from the book alone, which recognises a method but cannot show that it was followed."""
METHOD_KINDS = ("accounting", "project", "product", "verification", "neutrality", "inventory", "disclosure")
"""Kinds of standard in the book on emissions accounting and disclosure."""


class MethodologyCheck(NamedTuple):
    """The result for the words of a statement of method; only evidence shows whether the method was followed."""

    named: tuple[NamedStandard, ...]
    against: tuple[Standard, ...]
    """The standards it was compared with: those that it names, or that govern its scopes."""
    methods: tuple[Method, ...]
    points: tuple[Point, ...]
    alignment: Alignment

    @property
    def reasons(self) -> list[Reason]:
        """Notes on the methods, and the result of each rule."""
        how = [] if self.named else [reason("by_scopes" if self.against else "no_standard")]
        points = [each.reason for each in self.points if each.standing != "open" or each.lacking]
        return [*how, *map(_known, self.methods), *points]

    @property
    def name(self) -> str:
        """The names of the methods and standards, or ''."""
        methods = ", ".join(each.name for each in self.methods)
        standards = ", ".join(dict.fromkeys(each.standard.name for each in self.named))
        return f"{methods} ({standards})" if methods and standards else methods or standards


def _known(method: Method) -> Reason:
    return reason("method_known", name=method.name, note=reason(method.note))


def check_methodology(text: str) -> MethodologyCheck:
    """Compare a statement with the standards it names; if it names only Scopes, with the GHG Protocol."""
    named = tuple(each for each in named_standards(text) if each.standard.kind in (*METHOD_KINDS, "target"))
    scopes = scopes_named(text)
    standards = [member for each in named for member in _members(each.standard, scopes)]
    if not named and scopes:
        standards = _members(standards_book()["ghg-protocol"], scopes)
    against = tuple({each.id: each for each in standards}.values())
    methods = tuple(method for method in METHODS if method.words.search(text))
    points = tuple(point for standard in against for point in _points(text, standard, scopes, named))
    return MethodologyCheck(named, against, methods, points, _alignment(points, methods))


def _members(standard: Standard, scopes: frozenset[str]) -> list[Standard]:
    """Return the standards of a family that govern the scopes, or a single standard itself."""
    book = standards_book()
    if standard.id == "ghg-protocol":
        corporate = ["ghg-protocol-corporate"] if not scopes or "1" in scopes or scopes == {"2"} else []
        return [book[name] for name in (*corporate, *(f"ghg-protocol-scope-{each}" for each in "23" if each in scopes))]
    return [book["iso-14064-1"]] if standard.id == "iso-14064" else [standard]


def _points(text: str, standard: Standard, scopes: frozenset[str], named: tuple[NamedStandard, ...]) -> list[Point]:
    written = {each.edition for each in named if each.standard.id == standard.id} - {""}
    return [
        judged(text, standard, rule)
        for rule in standard.rules
        if rule.asks in ASPECTS
        and not (rule.when and scopes and not scopes & set(rule.when))
        and not (rule.editions and written and not written & set(rule.editions))
    ]


def _alignment(points: tuple[Point, ...], methods: tuple[Method, ...]) -> Alignment:
    found = {point.standing for point in points}
    if "not met" in found:
        return "not_aligned"
    if not points or ("met" not in found and not methods):
        return "unknown"
    return "partially_aligned" if any(point.lacking for point in points) else "aligned"


def methodology_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Check the claim's method by its own words against its standards, and against judged works."""
    check = check_methodology(claim.text)
    speaking = [each for each in witnesses if each.scholarly or each.official]
    bearing = bearing_of(speaking)
    limiting, of_work = (phrase_table("terms")[name] for name in ("limits", "of_the_work"))
    found: dict[str, Reason] = {}
    for each in speaking:
        for method in check.methods if each.scholarly and not each.left_out else ():
            span = sentence_with(each.text, method.words)
            quote = span.of(each.text) if span is not None else ""
            if limiting.search(quote) and not of_work.search(quote):
                found.setdefault(each.source.id, reason("limit", quote=shorten(quote, _QUOTED), source=each.source.id))
    limits = list(found.values())
    cited = []
    for standard in check.against:  # with the rule that is broken, else one that is met
        mine = {each.standing: each.rule for each in reversed(check.points) if each.standard == standard}
        rule = mine.get("not met") or mine.get("met")
        cited.append(standard_reference(standard, rule=rule, until=claim.day))
    known = [_known(each) for each in check.methods if each.limit]
    missing = [each for each in check.points if each.lacking]
    broken = [each.reason for each in check.points if each.standing == "not met"]
    standards = [each.name for each in check.against]
    partial = check.alignment == "partially_aligned"
    summary = (
        reason(f"method_{check.alignment}", name=check.name or "as stated", standards=standards),
        *broken[:1],
        *([reason("requirements_missing", number=len(missing))] if missing and partial else []),
        bearing.consensus or reason("no_works"),
        *(reason("limits_named", quote=each.data["quote"]) for each in limits[:1]),
        *([reason("disagree")] if bearing.support and bearing.against else []),
    )
    return conclude(
        "methodology_validation",
        _ruling(check, bearing),
        bearing,
        summary=summary,
        reasons=check.reasons,
        limitations=(*known, *(each.reason for each in missing), *limits),
        references=(*cited, *witness_references(speaking)),
        methodology_name=check.name or None,
        standard_alignment=check.alignment,
        standard_references=cited,
    )


def _ruling(check: MethodologyCheck, bearing: Bearing) -> Ruling:
    breaks = check.alignment == "not_aligned" and bool(check.named)
    if bearing.support and not bearing.against and breaks:
        return Ruling(Stance.NEUTRAL, 0.5, reason("works_support_what_breaks"))
    rule = Ruling(Stance.NEUTRAL, 0.3, reason("undecided"))
    if breaks:
        rule = Ruling(Stance.CONTRADICTS, BY_RULE, reason("own_words_break_standard"))
    elif check.named and check.alignment == "aligned":
        rule = Ruling(Stance.SUPPORTS, BY_RULE, reason("recognised_method"))
    elif check.named and check.methods and check.alignment == "partially_aligned":
        rule = Ruling(Stance.SUPPORTS, _KNOWN_METHOD, reason("recognised_method"))
    return by_evidence(bearing, rule)


Legitimacy = Literal["legitimate", "questionable", "controversial", "not_recognized", "unknown"]
"""Legitimacy of a scheme, not of a purchase (spec 002, 6.2 and 10.2). Questionable: the claim breaks the rules of a
known scheme, or uses it outside its market; controversial: there are published findings against this kind of project;
unknown: the claim names no scheme."""


class InstrumentCheck(NamedTuple):
    """The result for one kind of instrument in a claim."""

    kind: Instrument
    schemes: tuple[Standard, ...]
    """Empty if the text speaks only of 'certificates' or 'credits'."""
    project_types: tuple[str, ...]
    criticisms: tuple[Criticism, ...]
    misused: tuple[Reason, ...]
    """Uses of a scheme for something that it does not certify."""
    legitimacy: Legitimacy
    why: Reason

    @property
    def standards(self) -> tuple[Standard, ...]:
        """The named schemes, else the general entry of the instrument."""
        return self.schemes or (standards_book()[self.kind.general],)


_RISKS = ("additionality", "permanence", "leakage", "double_counting", "retirement", "controversy")
_SCHEME_LIKE = regex(r"\b(?:[A-Z][\w'’-]+\s+){1,5}(?:Standard|Registry|Certificate|Certification|Label)\b")
_STORED = frozenset(("avoided deforestation", "forest management", "forestry", "removal"))
_RISK_OF = {"over-crediting": "controversy", "reply": "controversy"}
"""Risks that have another name in the book's criticisms."""
_USED_IN = regex(r"\b(?:in|at|for|across)\s+(?:the\s+|our\s+|its\s+)?$", re.I)
_NEAR = 25
"""Characters after a place within which a site is named: 'German glass plants'."""
_QUOTED = 240


def check_certificates(text: str, *, until: date | None = None) -> tuple[InstrumentCheck, ...]:
    """Return the instruments on which a claim is based, certificates before credits.

    `until`: the day of the check; criticism published in a later year does not count.
    """
    named = named_standards(text)
    certifying = [each.standard for each in named if each.standard.kind in ("certificate", "offset", "label")]
    # Names in the form of a scheme's or registry's that are not in the book.
    unlisted = [
        match.group()
        for match in _SCHEME_LIKE.finditer(text)
        if not any(match.start() < each.span.end and each.span.start < match.end() for each in named)
    ]
    found: list[InstrumentCheck] = []
    for kind in INSTRUMENTS:
        mine = {each.id: each for each in certifying if kind.general in (each.id, each.family)}
        if mine or kind.claim.search(text):
            schemes = _of_market(text, [each for each in mine.values() if each.id != kind.general])
            found.append(_check(text, kind, schemes, next(iter(unlisted), ""), until))
    return tuple(found)


def _used_in(text: str) -> dict[str, str]:
    """Return the codes of the countries in which a claim places its consumption, each with its words."""
    return {
        code: text[start:end]
        for start, end, code in countries_in(text)
        if _USED_IN.search(text[:start]) or FACILITY.search(text[end : end + _NEAR].partition(",")[0])
    }


def _of_market(text: str, schemes: list[Standard]) -> tuple[Standard, ...]:
    """Return the schemes; if another scheme has the same short name in the market of consumption, that one replaces
    it."""
    namesakes, used = {each.namesake: each for each in standards_book() if each.namesake}, _used_in(text).keys()
    meant = [(each, namesakes.get(each.id)) for each in schemes]
    return tuple(other if other and used and used <= {*other.markets} else each for each, other in meant)


def _elsewhere(text: str, schemes: tuple[Standard, ...]) -> list[str]:
    """Return the places of consumption outside the markets of all schemes. The name of a scheme without an acronym such
    as 'LGC' may be meant in general, unless the claim also names a place in its markets."""
    markets = {code for each in schemes for code in each.markets}
    named = {code for _, _, code in countries_in(text)}
    named |= {code.upper() for code, words in phrase_table("jurisdictions").items() if words.search(text)}
    has_acronym = all(any(map(str.isupper, each.spellings)) for each in schemes)
    if not all(each.markets for each in schemes) or not (has_acronym or markets & named):
        return []
    return [words for code, words in _used_in(text).items() if code not in markets]


def _check(
    text: str, kind: Instrument, schemes: tuple[Standard, ...], unlisted: str, until: date | None
) -> InstrumentCheck:
    types = phrase_table("project_types") if kind.general == "carbon-credit" else {}
    projects = tuple(name for name, words in types.items() if words.search(text))
    # The same criticism may be recorded for a scheme and for its family.
    known = {each.text: each for standard in (*schemes, standards_book()[kind.general]) for each in standard.criticisms}
    published = [each for each in known.values() if until is None or each.source.year <= until.year]
    wanted = [(each, _wanted(each)) for each in published]
    criticisms = tuple(e for e, of in wanted if not of or not projects or of & {"any", *projects})
    misused = tuple(reason(name) for name, words in MISUSED.items() if words.search(text))
    names = [each.name for each in schemes]
    elsewhere = _elsewhere(text, schemes) if schemes else []
    legitimacy: Legitimacy
    if not schemes and unlisted:
        legitimacy, why = "not_recognized", reason("scheme_not_listed", name=unlisted)
    elif not schemes:
        legitimacy, why = "unknown", reason("no_scheme", instrument=kind.name)
    elif misused:
        legitimacy, why = "questionable", reason("scheme_misused", names=names)
    elif elsewhere:
        legitimacy, why = "questionable", reason("scheme_elsewhere", names=names, places=elsewhere)
    elif any(_wanted(each) & set(projects) for each in criticisms):
        legitimacy, why = "controversial", reason("scheme_doubted", names=names)
    else:
        legitimacy, why = "legitimate", reason("scheme_known", names=names)
    return InstrumentCheck(kind, schemes, projects, criticisms, misused, legitimacy, why)


def _wanted(criticism: Criticism) -> set[str]:
    """Return the kinds of project of a criticism; any kind of forest project includes forestry in general."""
    wanted = set(criticism.project_types)
    return wanted | {"forestry"} if wanted & _STORED else wanted


def certification_validations(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> tuple[FindingDraft, ...]:
    """Return one finding for each kind of instrument in the claim, else one for a certification not in the book."""
    checks = check_certificates(claim.text, until=claim.day)
    if checks:
        return tuple(_validation(claim, each, witnesses) for each in checks)
    # Only judged passages can decide on a certification or pledge that is not in the book.
    bearing = bearing_of(witnesses)
    names = [*certifications_in(claim.text)] or ["a certification"]
    no_rules = reason("no_rules", names=names)
    unlisted = conclude(
        "certification_validation",
        by_evidence(bearing, Ruling(Stance.NEUTRAL, 0.3, no_rules)),
        bearing,
        summary=(no_rules, bearing.consensus or reason("no_sources")),
        limitations=(reason("not_in_book"),),
        references=witness_references(witnesses),
        certification_type=", ".join(names),
    )
    return (unlisted,)


def laws_on(claim: TechnicalClaim) -> tuple[Reason, ...]:
    """Return the rules of law on a claim of neutrality by credits that are in force on the day of the claim."""
    words = phrase_table("laws")
    return tuple(
        reason("law_in_force", law=law.name, place=rule.place, text=rule.text, since=str(edition.in_force_from))
        for law in standards_book()
        if law.kind == "law" and words["neutral"].search(claim.text)
        for edition in law.editions_on(claim.day_of_claim)
        for rule in law.rules_of(edition.version)
        if rule.id in words and words[rule.id].search(claim.text)
    )


def _validation(claim: TechnicalClaim, check: InstrumentCheck, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    counted = [each for each in witnesses if not each.left_out]
    credits_ = check.kind.general == "carbon-credit"
    stated = {
        risk: _statements(risk, check, counted) for risk in _RISKS if credits_ or risk not in ("permanence", "leakage")
    }
    evidence = {risk: _evidence(risk, check, found) for risk, found in stated.items()}
    risks = {risk.replace("_", " "): {"evidence": found} for risk, found in evidence.items()}
    raised = [risk.replace("_", " ") for risk, found in evidence.items() if found and risk != "retirement"]
    bearing = bearing_of(counted)
    cited = [standard_reference(each, until=claim.day) for each in check.standards]
    rule = Ruling(Stance.NEUTRAL, 0.5 if check.schemes else 0.3, reason("scheme_is_no_purchase"))
    if check.misused and check.schemes:
        rule = Ruling(Stance.CONTRADICTS, BY_RULE, reason("own_words_break_scheme"))
    names = ", ".join(each.name for each in check.schemes)
    laws = laws_on(claim) if credits_ else ()
    rows = rows_in(witnesses, "offsets") if credits_ else ()
    unregistered = claim.unregistered.get("offsets") if credits_ else None
    pages = [(each, quote) for each, quote in stated["retirement"] if each.official and row_of(each) is None]
    on_pages = [reason("register_row", register=each.source.domain, quote=quote) for each, quote in pages]
    entries = quoted_rows(rows, claim.text) or on_pages or ([unregistered] if unregistered else [])
    # Of no named scheme and without a source, general criticism and the registry say nothing about the claim.
    is_general = not (check.schemes or counted)
    unasked = () if is_general or credits_ else (reason("registry_not_asked", instrument=check.kind.name),)
    found = reason("risks_found", risks=raised) if raised else reason("no_risks_found")
    return conclude(
        "certification_validation",
        by_evidence(bearing, rule),
        bearing,
        summary=(
            check.why,
            *check.misused,
            *laws,
            *(() if is_general else (found,)),
            *filter(None, [bearing.consensus or (None if rows else reason("no_sources"))]),
            *(entries or unasked),
        ),
        reasons=(check.why, *check.misused, *laws),
        references=(*cited, *map(criticism_reference, check.criticisms), *witness_references(witnesses)),
        certification_type=names or in_words(reason("unnamed", instrument=check.kind.name)),
        legitimacy_assessment=check.legitimacy,
        standard_references=cited,
        registries=[registry for each in check.standards for registry in each.registries],
        project_types=[*check.project_types],
        risks=risks,
        rows=rows,
    )


def _statements(
    risk: str, check: InstrumentCheck, counted: Sequence[AcademicEvidence]
) -> list[tuple[AcademicEvidence, str]]:
    """Return the passages on a risk of the instrument, each with its first sentence on it."""
    found = []
    for each in counted:
        span = sentence_with(each.text, ASPECTS[risk].stated)
        quote = span.of(each.text).strip() if span is not None else ""
        # A registry's page names the credits once; its line on retirement need not.
        if check.kind.passage.search(each.text if quote and each.official and risk == "retirement" else quote):
            found.append((each, shorten(quote, _QUOTED)))
    return found


def _evidence(risk: str, check: InstrumentCheck, stated: Sequence[tuple[AcademicEvidence, str]]) -> list[JsonValue]:
    found: list[JsonValue] = [
        {"text": each.text, "publisher": each.source.publisher, "year": each.source.year, "url": each.source.url}
        for each in check.criticisms
        if _RISK_OF.get(each.about, each.about.replace(" ", "_")) == risk
    ]
    found += [{"text": text, "source_id": each.source.id, "url": each.source.url} for each, text in stated]
    return found
