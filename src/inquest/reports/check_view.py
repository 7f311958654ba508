"""Data that only reports of checks show, computed once for all formats; and checks by desks as lines with details and
references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from inquest.domain.by_key import firsts, grouped
from inquest.domain.check import CheckRecord, CheckRequest, InfoResponse
from inquest.domain.finding import Finding, Stance, Verdict
from inquest.domain.languages import figure
from inquest.domain.value import JsonObject
from inquest.reports import wording
from inquest.reports.parts import Line, Said, joined, line
from inquest.reports.view import Checked, ReportView
from inquest.reports.words import Words, say
from inquest.text.phrases import capitalised, ended, uncapitalised
from inquest.verdicts.judging_checks import KINDS, standing_checks

VERDICT_ORDER = (Verdict.CONTRADICTED, Verdict.DISPUTED, Verdict.PARTIALLY_TRUE, Verdict.UNVERIFIED, Verdict.VERIFIED)
"""Order of verdicts in the report: those that need attention come first."""
ERROR = "error"
"""Evidence type of a finding that records a failed request."""
_SUMMARY = "_investigation_summary"


def is_summary(finding: Finding) -> bool:
    """Return True for a desk's summary of a claim."""
    return finding.evidence_type.endswith(_SUMMARY)


def desk_name(name: str) -> str:
    """Return the display name of a desk, also from its agent name: 'news desk' for news_media."""
    kind = name.removesuffix("_media").replace("_", " ")
    return say("desk_of", name=_DESKS.get(kind, kind))


_DESKS = Words("desk_names")


@dataclass(frozen=True)
class CheckView:
    """A view of a case that checks claims, with the data particular to it."""

    view: ReportView

    @cached_property
    def request(self) -> CheckRequest:
        return self.view.case.brief.check or CheckRequest(company="")

    @cached_property
    def record(self) -> CheckRecord:
        """Return the record of the check; empty if the check ended early."""
        return self.view.case.check or CheckRecord()

    @cached_property
    def groups(self) -> tuple[tuple[Verdict, tuple[Checked, ...]], ...]:
        """Return the checked claims by verdict, those that need attention first; unused verdicts are left out."""
        found = (
            (verdict, tuple(c for c in self.view.claims if c.assessment.verdict is verdict))
            for verdict in VERDICT_ORDER
        )
        return tuple((verdict, claims) for verdict, claims in found if claims)

    def checks(self, claim_id: str) -> tuple[Finding, ...]:
        """Return the desks' checks of a claim in order, without summaries, errors and quotes of sources. Of a check
        made in several rounds the one that could be made is returned, without verbatim repetitions."""
        made = [
            finding
            for finding in self._of(claim_id)
            if not self.view.is_witness(finding) and not is_summary(finding) and finding.evidence_type != ERROR
        ]
        standing = {(finding.evidence_type, finding.summary) for finding in standing_checks(made)}
        kept = [f for f in made if f.evidence_type not in KINDS or (f.evidence_type, f.summary) in standing]
        return tuple(firsts(((f.agent, f.evidence_type, f.summary), f) for f in kept).values())

    def sources(self, claim_id: str, stance: Stance) -> tuple[str, ...]:
        """Return ids of the sources with a passage of this stance on the claim, as far as they are known."""
        found = (f for f in self._of(claim_id) if f.stance is stance and self.view.is_witness(f))
        return tuple(dict.fromkeys(f.source_id for f in found))

    def summaries(self, claim_id: str) -> tuple[Finding, ...]:
        """Return each desk's summaries of a claim by round, without verbatim repetitions. Earlier ones stay, because
        each round summarises only what it read."""
        found = firsts(((each.agent, each.summary), each) for each in self._of(claim_id) if is_summary(each))
        return tuple(sorted(found.values(), key=lambda finding: (finding.agent, finding.iteration)))

    @cached_property
    def errors(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Failed requests of desks that are not listed as outages: (desk, sentence) -> ids of the claims affected."""
        found: dict[tuple[str, str], dict[str, None]] = {}
        listed = {note.where for note in self.view.case.outages}
        for finding in self.view.case.findings:
            if finding.evidence_type == ERROR and finding.claim_id and finding.details.get("where") not in listed:
                found.setdefault((finding.agent, finding.summary), {})[finding.claim_id] = None
        return {said: tuple(claims) for said, claims in found.items()}

    @cached_property
    def missing_desks(self) -> dict[str, tuple[str, ...]]:
        """Return desks that are needed but not installed, with the ids of their claims."""
        found = grouped((desk, each.claim_id) for each in self.record.routing for desk in each.missing)
        return {desk: tuple(claims) for desk, claims in found.items()}

    @cached_property
    def responses(self) -> dict[str, InfoResponse]:
        return {response.request_id: response for response in self.record.responses}

    @cached_property
    def rounds_run(self) -> int:
        """Return the number of rounds run, including the first; 0 if no desk ran."""
        found = self.view.case.findings
        numbers = [f.iteration for f in found if f.claim_id] + [change.iteration for change in self.record.changes]
        return max(numbers, default=0)

    def _of(self, claim_id: str) -> Iterator[Finding]:
        return (finding for finding in self.view.case.findings if finding.claim_id == claim_id)


_TITLES = Words("check_titles")
_BEARING = {
    Stance.SUPPORTS: ("speaks_for", "verified"),
    Stance.CONTRADICTS: ("speaks_against", "contradicted"),
    Stance.NEUTRAL: ("decides_nothing", "unverified"),
    Stance.UNASSESSED: ("not_made", "unverified"),
}
_ROWS = {kind: Words(kind) for kind in _TITLES}
"""Details shown of each kind of check, in order, with their labels."""
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


def check_line(check: CheckView, finding: Finding, checked: Checked) -> Line:
    """Return a check in one line with details, reasons and references below, without its summary or quote if the
    verdict already shows them."""
    bearing, tone = _BEARING[finding.stance]
    details, on_a_page = finding.details, bool(finding.quote) and check.view.is_passage(finding)
    below: list[Line] = []
    quotes = {
        each.quote for side in (checked.supporting, checked.contradicting) for found in side for each in found.findings
    }
    if on_a_page and finding.quote not in quotes:
        source = check.view.sources[finding.source_id]
        witness = f" · {' · '.join(wording.witness(source))}"
        below.append(
            line(Said(finding.quote, (finding.id,), quoted=True), " — ", Said(source.id, source=source.id), witness)
        )
    risks = _evidence_of_risks(details)
    shown = tuple(_words(each, "text") for found in risks.values() for each in found)
    limits = [each for each in _strings(details.get("limitations")) if not (shown and each.startswith(shown))]
    reasons = [each for each in finding.reasons if each not in limits and not (shown and each.startswith(shown))]
    below += _ranges(check, details)
    names: Mapping[str, str] | None = _ROWS.get(finding.evidence_type)
    if names is None:  # a check by another party's desk
        names = {key: capitalised(key.replace("_", " ")) for key in details if key not in _SHOWN_APART}
    below += [line(f"{name}: {value}") for key, name in names.items() if (value := _value(key, details.get(key)))]
    below += [
        line(f"{capitalised(name)}:", below=tuple(_cited(check, each) for each in found))
        for name, found in risks.items()
        if found
    ]
    if silent := [name for name, found in risks.items() if not found]:
        lacks = checked.assessment.lacks
        below.append(
            line(say("nothing_on_and", names=silent, lacks=lacks) if lacks else say("nothing_on_these", names=silent))
        )
    below += _listed(say("check_limits"), limits)
    below += _listed(say("why"), list(dict.fromkeys(reasons)))
    below += _rests_on(check, details)
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


def _ranges(check: CheckView, details: JsonObject) -> Iterator[Line]:
    """Yield the ranges with their figures, and the figures that could not be compared, each with its source."""
    for key in _RANGES:
        between = details.get(key)
        if isinstance(between, Mapping):
            figures = tuple(_cited(check, each) for each in _mappings(between.get("citations")))
            yield line(f"{say(key)}: {_range(between, key)}", below=figures)
    for each in _mappings(details.get("refused")):
        yield line(f"{say('not_compared')}: ", *_cited(check, each).parts)


def _range(between: Mapping[str, object], kind: str) -> str:
    """Return '0.12 to 0.18 t CO2e per million USD (middle 0.14); reported 0.15'."""
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
        return f"{say('range_unknown')}{reported} {unit}".strip() if mine else say("range_unknown")
    return f"{span} {unit}".strip() + (f" ({say('middle', figure=middle)})" if middle else "") + reported


def _evidence_of_risks(details: JsonObject) -> dict[str, tuple[Mapping[str, object], ...]]:
    """Return the evidence of each risk of a certificate or an offset, by name."""
    risks = details.get("risks")
    if not isinstance(risks, Mapping):
        return {}
    return {
        name: _mappings(found.get("evidence")) if isinstance(found, Mapping) else () for name, found in risks.items()
    }


def _cited(check: CheckView, each: Mapping[str, object]) -> Line:
    """Return a figure or statement behind a check: as written, with year and owner."""
    source, url = _words(each, "source_id"), _words(each, "url")
    if source in check.view.sources:
        about = [_words(each, "text"), _words(each, "kind"), _words(each, "year"), _words(each, "reason")]
        return line(" · ".join(filter(None, about)), " · ", Said(source, source=source))
    who = ", ".join(filter(None, (_words(each, key) for key in ("publisher", "title", "year"))))
    return line(_words(each, "text"), *((" · ", Said(who or url, url=url)) if who or url else ()))


def _rests_on(check: CheckView, details: JsonObject) -> Iterator[Line]:
    """Yield the sources of a check, found by their ids or those of their findings."""
    view, parts = check.view, []
    for each in _strings(details.get("finding_sources")):
        finding = view.findings.get(each)
        source = finding.source_id if finding else each
        if source in view.sources:
            parts.append(Said(source, (each,) if finding else (), source=source))
    if parts:
        yield line(f"{say('check_rests')} ", *joined(parts))


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
