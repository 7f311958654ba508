"""A desk's check of a claim against standards, benchmarks or research, as lines: what it was held against, what came of
it, on what it rests, and where a reader can look that up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from inquest.domain.finding import Finding, Stance
from inquest.domain.value import JsonObject
from inquest.reports import wording
from inquest.reports.check_view import CheckView, desk_name
from inquest.reports.parts import Line, Said, joined, line
from inquest.reports.view import Checked
from inquest.text.lexicon import entries
from inquest.text.phrases import capitalised, ended, listed, uncapitalised

_TITLES = entries(__name__, "check_titles")
_BEARING = {
    Stance.SUPPORTS: ("speaks for the claim", "verified"),
    Stance.CONTRADICTS: ("speaks against the claim", "contradicted"),
    Stance.NEUTRAL: ("decides nothing", "unverified"),
    Stance.UNASSESSED: ("could not be made", "unverified"),
}
_ROWS = {kind: entries(__name__, kind) for kind in _TITLES}
"""The details of each kind of check that a reader is shown, in this order, with their names."""
_PLAUSIBLE = entries(__name__, "plausibility")
_RANGES = (("benchmark_range", "Range", "reported"), ("research_range", "Range that research found", "claimed"))
_NOT_ROWS = frozenset(
    (
        "investigation_type", "benchmark_range", "research_range", "academic_references", "standard_references",
        "finding_sources", "limitations", "risks", "supports_claim", "rests_on", "needs_review", "weighted_confidence",
    )
)  # fmt: skip
"""Of a kind of check that is not known here: details that have a line of their own, or are no matter of a reader's."""


def found_by(finding: Finding) -> str:
    """'news desk', 'academic desk, round 2'."""
    return desk_name(finding.agent) + (f", round {finding.iteration}" if finding.iteration > 1 else "")


def speaks(finding: Finding) -> bool:
    """Whether the check speaks for or against the claim."""
    return finding.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)


def in_short(finding: Finding) -> Line:
    """A check that decides nothing, in one line."""
    return line(f"{_title_of(finding)}: {ended(finding.summary)}")


def _title_of(finding: Finding) -> str:
    return _TITLES.get(finding.evidence_type, capitalised(finding.evidence_type.replace("_", " ")))


def check_line(check: CheckView, finding: Finding, checked: Checked) -> Line:
    """The check in one line, with its details, reasons and references under it; without what stands with the verdict
    already: its summary among the reasons, its quote on one of the sides."""
    bearing, tone = _BEARING[finding.stance]
    sure = f", {finding.confidence:.0%} confidence" if finding.confidence else ""
    below, on_a_page = [], bool(finding.quote) and check.view.is_passage(finding)
    sides = (found for side in (checked.supporting, checked.contradicting) for found in side)
    if on_a_page and all(finding.quote != each.quote for found in sides for each in found.findings):
        source = check.view.sources[finding.source_id]
        witness = f" · {' · '.join(wording.witness(source))}"
        words = Said(finding.quote, (finding.id,), quoted=True)
        below.append(line(words, " — ", Said(source.id, source=source.id), witness))
    told = tuple(_said(each, "text") for each in _risk_evidence(finding.details))
    limits = [each for each in _lines(finding.details.get("limitations")) if not told or not each.startswith(told)]
    reasons = [each for each in finding.reasons if each not in limits and (not told or not each.startswith(told))]
    below += _ranges(check, finding.details)
    below += _rows(finding)
    below += _risks(check, finding.details, checked.assessment.lacks)
    below += _listed("Limits", limits)
    below += _listed("Why", list(dict.fromkeys(reasons)))
    below += _resting(check, finding.details)
    below += _references(finding)
    known = finding.summary and any(finding.summary in reason for reason in checked.assessment.reasons)
    summary = Said("" if known else f" {ended(finding.summary)}", () if on_a_page else (finding.id,))
    made = f" ({found_by(finding)}{sure})."
    return line(Said(_title_of(finding), strong=True), " ", Said(bearing, tone=tone), made, summary, below=tuple(below))


def _listed(name: str, lines: Sequence[str]) -> Iterator[Line]:
    if len(lines) == 1:
        yield line(f"{name}: {lines[0]}")
    elif lines:
        yield line(f"{name}:", below=tuple(line(each) for each in lines))


def _lines(value: object) -> list[str]:
    return [str(each) for each in value if each] if isinstance(value, list | tuple) else []


def _rows(finding: Finding) -> Iterator[Line]:
    details, names = finding.details, _ROWS.get(finding.evidence_type)
    if names is None:
        names = {key: capitalised(key.replace("_", " ")) for key in details if key not in _NOT_ROWS}
    for key, name in names.items():
        if said := _value(key, details.get(key)):
            yield line(f"{name}: {said}")


def _value(key: str, value: object) -> str:
    """A detail in words; '' for what holds nothing."""
    match value:
        case bool():
            said = "yes" if value else "no"
        case None | "":
            said = ""
        case str() if key == "plausibility":
            said = _PLAUSIBLE.get(value, value)
        case str():
            said = value if " " in value else value.replace("_", " ")
        case int() | float():
            said = str(value) if key == "year" else _number(value)
        case Mapping():
            pairs = ((str(name).replace("_", " "), _value(str(name), each)) for name, each in value.items())
            said = "; ".join(f"{name}: {each}" for name, each in pairs if each)
        case Sequence():
            said = "; ".join(filter(None, (_value("", each) for each in value)))
        case _:
            said = str(value)
    return said


def _number(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return ""
    return f"{value:,.6g}" if isinstance(value, int | float) else str(value)


def _ranges(check: CheckView, details: JsonObject) -> Iterator[Line]:
    """The ranges with the figures they are made of, and what may not be compared, each with its source."""
    for key, name, mine in _RANGES:
        between = details.get(key)
        if isinstance(between, Mapping):
            made_of = (_figure(check, each) for each in _mappings(between.get("citations")))
            yield line(f"{name}: {_range(between, mine)}", below=tuple(made_of))
    for each in _mappings(details.get("refused")):
        yield line("Not compared: ", *_figure(check, each).parts)


def _range(between: Mapping[str, object], mine: str) -> str:
    """'0.12 to 0.18 t CO2e per million USD (middle 0.14); reported 0.15'."""
    low, high, unit = (_number(between.get(key)) for key in ("min", "max", "unit"))
    span = low if low == high else f"{low} to {high}"
    if not low or not high:
        span = f"at least {low}" if low else f"at most {high}" if high else "not known"
    middle, own = _number(between.get("median")), _number(between.get(mine))
    if span == "not known" and not middle:
        return f"not known; {mine} {own} {unit}".strip() if own else span
    if span == "not known":
        span, middle = f"around {middle}", ""
    words = f"{span} {unit}".strip() + (f" (middle {middle})" if middle else "")
    return f"{words}; {mine} {own}" if own else words


def _figure(check: CheckView, each: Mapping[str, object]) -> Line:
    """One figure of comparison: as written, of which year, whose."""
    about = [_said(each, key) for key in ("kind", "year", "reason")]
    words = f"{_said(each, 'text')}{''.join(f' · {told}' for told in about if told)}"
    source = _said(each, "source_id")
    return line(words, *((" · ", Said(source, source=source)) if source in check.view.sources else ()))


def _risks(check: CheckView, details: JsonObject, lacks: str) -> Iterator[Line]:
    """What is known of each risk of a certificate or an offset, with whoever says so."""
    risks = details.get("risks")
    if not isinstance(risks, Mapping):
        return
    silent = []
    for name, told in risks.items():
        evidence = _mappings(told.get("evidence")) if isinstance(told, Mapping) else ()
        if evidence:
            yield line(f"{capitalised(str(name))}:", below=tuple(_evidence(check, each) for each in evidence))
        else:
            silent.append(str(name))
    if silent:
        yield line(f"Nothing found on {listed(silent)}{f', and {lacks}' if lacks else ''}")


def _risk_evidence(details: JsonObject) -> Iterator[Mapping[str, object]]:
    risks = details.get("risks")
    for told in risks.values() if isinstance(risks, Mapping) else ():
        yield from _mappings(told.get("evidence")) if isinstance(told, Mapping) else ()


def _evidence(check: CheckView, each: Mapping[str, object]) -> Line:
    source = _said(each, "source_id")
    if source in check.view.sources:
        return line(_said(each, "text"), " · ", Said(source, source=source))
    who = ", ".join(filter(None, (_said(each, "publisher"), _said(each, "title"), _said(each, "year"))))
    url = _said(each, "url")
    return line(_said(each, "text"), *((" · ", Said(who or url, url=url)) if who or url else ()))


def _resting(check: CheckView, details: JsonObject) -> Iterator[Line]:
    """The sources whose words it rests on; they are named by their ids, or by those of findings on them."""
    view, parts = check.view, []
    for each in _lines(details.get("finding_sources")):
        finding = view.findings.get(each)
        source = finding.source_id if finding else each
        if source in view.sources:
            parts.append(Said(source, (each,) if finding else (), source=source))
    if parts:
        yield line("Rests on ", *joined(parts))


def _references(finding: Finding) -> Iterator[Line]:
    """Its references and those that its details name, each once, in one line."""
    named: list[Mapping[str, object]] = [*finding.references]
    for key in ("academic_references", "standard_references"):
        named += _mappings(finding.details.get(key))
    found: dict[tuple[str, str, str], Mapping[str, object]] = {}
    for each in named:
        url = _said(each, "url")
        found.setdefault(("" if url else _title(each), url, _said(each, "section")), each)
    parts = [part for each in found.values() for part in (Said("; "), *_reference(each))]
    if parts:
        yield line("Reference: " if len(found) == 1 else "References: ", *parts[1:])


def _reference(each: Mapping[str, object]) -> tuple[Said, ...]:
    """Its title, and what a reader must know of it."""
    edition = _said(each, "edition")
    about = (
        _said(each, "authors"),
        _said(each, "publication_date")[:4],
        f"edition {edition}" if edition else "",
        _said(each, "section"),
        "retracted" if each.get("retracted") is True else "",
        uncapitalised(_said(each, "not_counted").rstrip(".")),
    )
    rest = ", ".join(filter(None, about))
    return Said(_title(each), url=_said(each, "url")), Said(f" ({rest})" if rest else "")


def _title(each: Mapping[str, object]) -> str:
    """What a reference is called: its document, within its standard where that is named beside it."""
    standard, title = _said(each, "standard_name"), _said(each, "title") or _said(each, "document_title")
    if standard and title and standard not in title:
        return f"{standard}: {title}"
    return title or standard or _said(each, "url") or "without a title"


def _said(each: Mapping[str, object], key: str) -> str:
    value = each.get(key)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def _mappings(value: object) -> tuple[Mapping[str, object], ...]:
    return tuple(each for each in value if isinstance(each, Mapping)) if isinstance(value, list | tuple) else ()
