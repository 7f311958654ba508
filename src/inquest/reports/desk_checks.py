"""Checks by desks as lines with details and references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from inquest.domain.finding import Finding, Stance
from inquest.domain.languages import figure
from inquest.domain.value import JsonObject, firsts
from inquest.reports import wording
from inquest.reports.parts import Line, Said, joined, line
from inquest.reports.view import Checked, ReportView
from inquest.reports.words import Words, say
from inquest.text.phrases import capitalised, ended, uncapitalised


def desk_name(name: str) -> str:
    """Return the display name of a desk, also from its agent name: 'news desk' for news_media."""
    kind = name.removesuffix("_media").replace("_", " ")
    return say("desk_of", name=_DESKS.get(kind, kind))


_DESKS = Words("desk_names")
_TITLES = Words("check_titles")
_BEARING = {
    Stance.SUPPORTS: ("speaks_for", "verified"),
    Stance.CONTRADICTS: ("speaks_against", "contradicted"),
    Stance.NEUTRAL: ("decides_nothing", "unverified"),
    Stance.UNASSESSED: ("not_made", "unverified"),
}
_ROWS = {kind: Words(kind) for kind in _TITLES}  # details shown of each kind of check, in order, with their labels
_PLAUSIBLE, _VALUES = Words("plausibility"), Words("detail_values")
_SHOWN_APART = frozenset(
    "investigation_type benchmark_range research_range academic_references standard_references finding_sources "
    "limitations risks supports_claim rests_on needs_review weighted_confidence".split()
)
_RANGES = ("benchmark_range", "research_range")


def found_by(finding: Finding) -> str:
    """Return 'news desk', 'academic desk, round 2'."""
    return desk_name(finding.agent) + (say("in_round", number=finding.iteration) if finding.iteration > 1 else "")


def in_short(finding: Finding) -> Line:
    """Return an undecided check in one line."""
    return line(f"{_title_of(finding)}: {ended(finding.summary)}")


def _title_of(finding: Finding) -> str:
    return _TITLES.get(finding.evidence_type, capitalised(finding.evidence_type.replace("_", " ")))


def check_line(view: ReportView, finding: Finding, checked: Checked) -> Line:
    """Return a check in one line with details, reasons and references below, without its summary or quote if the
    verdict already shows them."""
    bearing, tone = _BEARING[finding.stance]
    details, on_a_page = finding.details, bool(finding.quote) and view.is_passage(finding)
    below: list[Line] = []
    quotes = {
        each.quote for side in (checked.supporting, checked.contradicting) for found in side for each in found.findings
    }
    if on_a_page and finding.quote not in quotes:
        source = view.sources[finding.source_id]
        witness = f" · {' · '.join(wording.witness(source))}"
        below.append(
            line(Said(finding.quote, (finding.id,), quoted=True), " — ", Said(source.id, source=source.id), witness)
        )
    risks = _evidence_of_risks(details)
    shown = tuple(_words(each, "text") for found in risks.values() for each in found)
    limits = [each for each in _strings(details.get("limitations")) if not (shown and each.startswith(shown))]
    reasons = [each for each in finding.reasons if each not in limits and not (shown and each.startswith(shown))]
    below += _ranges(view, details)
    names: Mapping[str, str] | None = _ROWS.get(finding.evidence_type)
    if names is None:  # a check by another party's desk
        names = {key: capitalised(key.replace("_", " ")) for key in details if key not in _SHOWN_APART}
    names = {**names, "attribution": say("attribution")}
    below += [line(f"{name}: {value}") for key, name in names.items() if (value := _value(key, details.get(key)))]
    below += [
        line(f"{capitalised(name)}:", below=tuple(_cited(view, each) for each in found))
        for name, found in risks.items()
        if found
    ]
    if silent := [name for name, found in risks.items() if not found]:
        lacks = checked.assessment.lacks
        below.append(
            line(say("nothing_on_and", names=silent, lacks=lacks) if lacks else say("nothing_on_these", names=silent))
        )
    below += _listed(say("limits"), limits)
    below += _listed(say("why"), list(dict.fromkeys(reasons)))
    below += _rests_on(view, details)
    below += _references(finding)
    known = finding.summary and any(finding.summary in reason for reason in checked.assessment.reasons)
    summary = Said("" if known else f" {ended(finding.summary)}", () if on_a_page else (finding.id,))
    sure = f", {say('confidence', share=finding.confidence)}" if finding.confidence else ""
    made = f" ({found_by(finding)}{sure})."
    return line(
        Said(_title_of(finding), strong=True), " ", Said(say(bearing), tone=tone), made, summary, below=tuple(below)
    )


def _listed(name: str, lines: Sequence[str]) -> Iterator[Line]:
    if len(lines) == 1:
        yield line(f"{name}: {lines[0]}")
    elif lines:
        yield line(f"{name}:", below=tuple(line(each) for each in lines))


def _strings(value: object) -> list[str]:
    return [str(each) for each in value if each] if isinstance(value, list | tuple) else []


def _value(key: str, value: object) -> str:
    """Return a detail in words; '' for an empty one."""
    words = "" if value is None else str(value)
    match value:
        case bool():
            words = say("yes" if value else "not_so")
        case str() if " " not in value:
            words = (_PLAUSIBLE if key == "plausibility" else _VALUES).get(value, value.replace("_", " "))
        case int() | float() if key != "year":
            words = figure(value, ",.6g")
        case Mapping():
            pairs = ((str(name).replace("_", " "), _value(str(name), each)) for name, each in value.items())
            words = "; ".join(f"{name}: {each}" for name, each in pairs if each)
        case list() | tuple():
            words = "; ".join(filter(None, (_value("", each) for each in value)))
    return words


def _ranges(view: ReportView, details: JsonObject) -> Iterator[Line]:
    """Yield the ranges with their figures."""
    for key in _RANGES:
        between = details.get(key)
        if isinstance(between, Mapping) and (known := _range(between, key)):
            figures = tuple(_cited(view, each) for each in _mappings(between.get("citations")))
            yield line(f"{say(key)}: {known}", below=figures)


def _range(between: Mapping[str, object], kind: str) -> str:
    """Return '0.12 to 0.18 t CO2e per million USD (middle 0.14); reported 0.15'; '' without a benchmark."""
    own = "reported" if kind == "benchmark_range" else "claimed"
    low, high, middle, mine = (_value("", between.get(key)) for key in ("min", "max", "median", own))
    unit, reported = _words(between, "unit"), f"; {say(f'range_{own}', figure=mine)}" if mine else ""
    if low and high:
        span = low if low == high else say("span_to", low=low, high=high)
    elif low or high:
        span = say("at_least", low=low) if low else say("at_most", high=high)
    elif middle:
        return say("around", figure=f"{middle} {unit}".strip()) + reported
    else:
        return ""
    return f"{span} {unit}".strip() + (f" ({say('middle', figure=middle)})" if middle else "") + reported


def _evidence_of_risks(details: JsonObject) -> dict[str, tuple[Mapping[str, object], ...]]:
    """Return the evidence of each risk of a certificate or an offset, by name."""
    risks = details.get("risks")
    if not isinstance(risks, Mapping):
        return {}
    return {
        name: _mappings(found.get("evidence")) if isinstance(found, Mapping) else () for name, found in risks.items()
    }


def _cited(view: ReportView, each: Mapping[str, object]) -> Line:
    """Return a figure or statement behind a check: as written, with year and owner."""
    source, url = _words(each, "source_id"), _words(each, "url")
    if source in view.sources:
        about = [_words(each, "text"), _words(each, "kind"), _words(each, "year")]
        return line(" · ".join(filter(None, about)), " · ", Said(source, source=source))
    who = ", ".join(filter(None, (_words(each, key) for key in ("publisher", "title", "year"))))
    return line(_words(each, "text"), *((" · ", Said(who or url, url=url)) if who or url else ()))


def _rests_on(view: ReportView, details: JsonObject) -> Iterator[Line]:
    """Yield the sources of a check, found by their ids or those of their findings."""
    parts: list[Said] = []
    for each in _strings(details.get("finding_sources")):
        finding = view.findings.get(each)
        source = finding.source_id if finding else each
        if source in view.sources:
            parts.append(Said(source, (each,) if finding else (), source=source))
    if parts:
        yield line(f"{say('rests_on')} ", *joined(parts))


def _references(finding: Finding) -> Iterator[Line]:
    """Yield one line with the references of a finding and of its details, without repetition."""
    named: list[Mapping[str, object]] = [*finding.references]
    for key in ("academic_references", "standard_references"):
        named += _mappings(finding.details.get(key))
    found = firsts(((_words(each, "url") or _title(each), _words(each, "section")), each) for each in named)
    parts = [part for each in found.values() for part in (Said("; "), *_reference(each))]
    if parts:
        yield line(say("references", number=len(found)) + " ", *parts[1:])


def _reference(each: Mapping[str, object]) -> tuple[Said, ...]:
    """Return the title of a reference and its caveats."""
    edition = _words(each, "edition")
    about = (
        _words(each, "authors"),
        _words(each, "publication_date")[:4],
        say("edition", edition=edition) if edition else "",
        _words(each, "section"),
        say("retracted") if each.get("retracted") is True else "",
        uncapitalised(_words(each, "not_counted").rstrip(".")),
    )
    rest = ", ".join(filter(None, about))
    return Said(_title(each), url=_words(each, "url")), Said(f" ({rest})" if rest else "")


def _title(each: Mapping[str, object]) -> str:
    """Return the title of a reference, including its standard if it names one."""
    standard, title = _words(each, "standard_name"), _words(each, "title") or _words(each, "document_title")
    if standard and title and standard not in title:
        return f"{standard}: {title}"
    return title or standard or _words(each, "url") or say("no_title")


def _words(each: Mapping[str, object], key: str) -> str:
    value = each.get(key)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def _mappings(value: object) -> tuple[Mapping[str, object], ...]:
    return tuple(each for each in value if isinstance(each, Mapping)) if isinstance(value, list | tuple) else ()
