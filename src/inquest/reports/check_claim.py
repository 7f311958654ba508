"""What a check tells of one claim beside the verdict and both sides: the report's own words, the desks' checks against
standards and benchmarks, what would change the verdict, and how it came to be what it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.value import JsonObject
from inquest.logic.phrases import capitalised, ended, listed
from inquest.reports import wording
from inquest.reports.check_view import CheckView, desk_name
from inquest.reports.parts import Block, Line, Said, line
from inquest.reports.plain import one_line
from inquest.reports.view import VERDICT_WORDS, ReportView, Verified

__all__ = ["LONG_CLAIM", "blocks", "explained", "headline", "own_words", "said_of"]

LONG_CLAIM = 240
"""Characters of a claim that stand in a heading or a table; a longer one stands there by its beginning."""

_TITLES = {
    "methodology_validation": "Method against the standards",
    "certification_validation": "Certificates and offsets",
    "sbti_validation": "Target against the criteria for science-based targets",
    "benchmark_comparison": "Figure beside benchmarks",
    "research_support": "What research says",
}
_BEARING = {
    Stance.SUPPORTS: ("speaks for the claim", "verified"),
    Stance.CONTRADICTS: ("speaks against the claim", "contradicted"),
    Stance.NEUTRAL: ("decides nothing", "unverified"),
    Stance.UNASSESSED: ("could not be made", "unverified"),
}
_ROWS = {
    "methodology_name": "Method",
    "standard_alignment": "Alignment with the standard",
    "certification_type": "Certificate",
    "legitimacy_assessment": "Standing",
    "sbti_validation_status": "Validation by the initiative",
    "plausibility": "Plausibility",
    "research_consensus": "Research",
}
"""Details that are named otherwise than their key reads."""
_ELSEWHERE = frozenset(
    (
        "investigation_type", "benchmark_range", "academic_references", "standard_references", "finding_sources",
        "needs_review", "weighted_confidence", "angles",
    )
)  # fmt: skip
"""Details that have a line of their own, or are no matter of a reader's."""
_PLAUSIBLE = {
    "plausible": "plausible: within the range",
    "high": "high: above the range",
    "low": "low: below the range",
    "outlier": "an outlier: far off the range",
    "unknown": "unknown: nothing that it may be compared with",
}


def headline(text: str) -> str:
    """A claim as it stands in a heading or a table: whole, or its beginning."""
    words = one_line(text)
    return words if len(words) <= LONG_CLAIM else words[:LONG_CLAIM].rsplit(" ", 1)[0] + " …"


def own_words(check: CheckView, claim: Claim) -> tuple[Line, ...]:
    """The claim as it stands in the report, with page and date, and the paragraphs of disclosure standards that its
    wording points to."""
    report = check.view.report
    lines: list[Line] = []
    heading = headline(claim.text)
    quote = claim.quote or (claim.text if heading != one_line(claim.text) else "")
    if quote:
        said: list[Said | str] = ["In these words: "]
        if one_line(quote) != heading:
            said = [Said(quote, quoted=True), " — "]
        if claim.quote and report:
            page = f", page {claim.page}" if claim.page else ""
            said += [
                Said(report.id, source=report.id),
                f" {wording.titled(report)}{page}, {wording.date_words(report)}",
            ]
        else:
            said += ["as it was given"]
        lines.append(line(*said))
    elif report:
        lines.append(line("Given by the user; these words were not found in the report."))
    if claim.context:
        lines.append(line("Read together with ", *_joined(Said(each.quote, quoted=True) for each in claim.context)))
    pointing = (
        line(f"Points to {each.standard} paragraph {each.paragraph} ({each.subject}): ", Said(each.reason, quoted=True))
        for each in claim.disclosures
    )
    return (*lines, *pointing)


def _joined(parts: Iterable[Said]) -> Iterator[Said]:
    for number, part in enumerate(parts):
        if number:
            yield Said("; ")
        yield part


def said_of(view: ReportView, finding: Finding) -> tuple[str, ...]:
    """What is to be known of a quote beside its witness: how it contradicts; in a check also who found it, and in which
    round, and that it is a press release."""
    if not view.is_check:
        return tuple(filter(None, (wording.kind(finding),)))
    kind = f"{finding.contradiction_type.value} contradiction" if finding.contradiction_type else ""
    release = "press release" if view.sources[finding.source_id].rating.press_release else ""
    return tuple(filter(None, (release, kind, _found_by(finding))))


def explained(view: ReportView, finding: Finding) -> str:
    """What the desk says that a quote comes to; '' where it says nothing beyond the quote."""
    summary = one_line(finding.summary) if view.is_check and view.is_witness(finding) else ""
    return "" if summary in ("", one_line(finding.quote)) else ended(summary)


def _found_by(finding: Finding) -> str:
    return desk_name(finding.agent) + (f", round {finding.iteration}" if finding.iteration > 1 else "")


def blocks(check: CheckView, checked: Verified) -> tuple[Block, ...]:
    """What follows the two sides of a claim; none of them without lines."""
    claim_id = checked.claim.id
    found = (
        Block("Checks by the desks", tuple(_check(check, finding) for finding in check.checks(claim_id))),
        Block(
            "What the desks sum up",
            tuple(
                line(Said(capitalised(desk_name(f.agent)), strong=True), f": {f.summary}")
                for f in check.summaries(claim_id)
            ),
        ),
        Block("What would change the verdict", tuple(line(each) for each in checked.assessment.would_change)),
        Block("How the verdict came about", _history(check, claim_id)),
    )
    return tuple(block for block in found if block.lines)


def _check(check: CheckView, finding: Finding) -> Line:
    title = _TITLES.get(finding.evidence_type, capitalised(finding.evidence_type.replace("_", " ")))
    bearing, tone = _BEARING[finding.stance]
    sure = f", {finding.confidence:.0%} confidence" if finding.confidence else ""
    below, on_a_page = [], bool(finding.quote) and check.view.is_passage(finding)
    if on_a_page:
        source = check.view.sources[finding.source_id]
        witness = f" · {' · '.join(wording.witness(source))}"
        words = Said(finding.quote, (finding.id,), quoted=True)
        below.append(line(words, " — ", Said(source.id, source=source.id), witness))
    below += _details(check, finding.details)
    below += [line(f"Why: {reason}") for reason in finding.reasons]
    below += [_reference(each) for each in _references(finding)]
    summary = Said(ended(finding.summary), () if on_a_page else (finding.id,))
    mark = Said(bearing, tone=tone)
    found_by = f" ({_found_by(finding)}{sure}). "
    return line(Said(title, strong=True), " ", mark, found_by, summary, below=tuple(below))


def _details(check: CheckView, details: JsonObject) -> Iterator[Line]:
    between = details.get("benchmark_range")
    if isinstance(between, Mapping):
        yield line(f"Range: {_range(between)}")
    for key, value in details.items():
        if key not in _ELSEWHERE and (said := _value(key, value)):
            yield line(f"{_ROWS.get(key, capitalised(key.replace('_', ' ')))}: {said}")
    found = details.get("finding_sources")
    ids = (
        [each for each in found if isinstance(each, str)]
        if isinstance(found, Sequence) and not isinstance(found, str)
        else []
    )
    findings = [check.view.findings[each] for each in ids if each in check.view.findings]
    if findings:
        yield line("Rests on ", *_joined(Said(f.source_id, (f.id,), source=f.source_id) for f in findings))


def _range(between: Mapping[str, object]) -> str:
    """'0.12 to 0.18 t CO2e per million USD (middle 0.14); reported 0.15'."""
    low, high, unit = (_number(between.get(key)) for key in ("min", "max", "unit"))
    span = f"{low} to {high}" if low and high and low != high else low or high
    if low and not high:
        span = f"at least {low}"
    elif high and not low:
        span = f"at most {high}"
    middle, reported = _number(between.get("median")), _number(between.get("reported"))
    words = f"{span or 'not known'} {unit}".strip() + (f" (middle {middle})" if middle else "")
    return f"{words}; reported {reported}" if reported else words


def _number(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return ""
    return f"{value:,.6g}" if isinstance(value, int | float) else str(value)


def _value(key: str, value: object) -> str:
    """A detail in words; '' for what holds nothing, and for references, which have lines of their own."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == "":
        return ""
    if key == "plausibility":
        return _PLAUSIBLE.get(str(value), str(value))
    if isinstance(value, str):
        return value.replace("_", " ") if " " not in value else value
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, Mapping):
        pairs = ((str(name).replace("_", " "), _value(str(name), each)) for name, each in value.items())
        return "; ".join(f"{name}: {said}" for name, said in pairs if said)
    if isinstance(value, Sequence):
        return "; ".join(filter(None, (_value("", each) for each in value)))
    return str(value)


def _references(finding: Finding) -> tuple[Mapping[str, object], ...]:
    """Its references and those that its details name, each once."""
    listed_: list[object] = list(finding.references)
    for key in ("academic_references", "standard_references"):
        more = finding.details.get(key)
        listed_ += more if isinstance(more, list | tuple) else []
    found: dict[tuple[str, str, str], Mapping[str, object]] = {}
    for each in listed_:
        if isinstance(each, Mapping):
            url = _said(each, "url")
            found.setdefault(("" if url else _title(each), url, _said(each, "section")), each)
    return tuple(found.values())


def _reference(each: Mapping[str, object]) -> Line:
    kind = _said(each, "type").replace("_", " ")
    about = (_said(each, "authors"), _said(each, "publication_date"), _said(each, "section"), kind)
    rest = "".join(f" · {words}" for words in about if words)
    return line("Reference: ", Said(_title(each), url=_said(each, "url")), rest)


def _title(each: Mapping[str, object]) -> str:
    """What a reference is called: its document, within its standard where that is named beside it."""
    standard, title = _said(each, "standard_name"), _said(each, "title") or _said(each, "document_title")
    if standard and title and standard not in title:
        return f"{standard}, {title}"
    return title or standard or _said(each, "url") or "without a title"


def _said(each: Mapping[str, object], key: str) -> str:
    value = each.get(key)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def _history(check: CheckView, claim_id: str) -> tuple[Line, ...]:
    """Round by round; () where there was one round alone and nobody was sent out again."""
    changes = {change.iteration: change for change in check.changes(claim_id)}
    again: dict[int, list[Line]] = {}
    for each in check.sent_again(claim_id):
        desks = listed([desk_name(name) for name in each.desks]) or "the desks"
        sought = f" Sought: {each.required_evidence.rstrip('.')}." if each.required_evidence else ""
        asked = f" Asked: {'; '.join(each.refined_queries)}." if each.refined_queries else ""
        said = (
            f"Round {each.iteration}: sent out again, {desks}. {ended(capitalised(each.evidence_gap))}{sought}{asked}"
        )
        again.setdefault(each.iteration, []).append(line(said))
    if len(changes) < 2 and not again:
        return ()
    found: list[Line] = []
    for number in sorted({*changes, *again}):
        found += again.get(number, [])
        if change := changes.get(number):
            word = VERDICT_WORDS[change.verdict]
            mark = Said(word.lower(), tone=change.verdict.value)
            found.append(
                line(
                    f"Round {number}: ", mark, f", {change.confidence:.0%} confidence. ", ended(capitalised(change.why))
                )
            )
        elif number <= check.rounds_run:
            found.append(line(f"Round {number}: the verdict stayed as it was."))
        else:
            found.append(line(f"Round {number} was not run."))
    return tuple(found)
