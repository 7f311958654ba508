"""What a check tells of one claim beside the verdict and both sides: the report's own words, the desks' checks against
standards and benchmarks, what would change the verdict, and how it came to be what it is."""

from __future__ import annotations

from inquest.domain.assessment import PartVerdict, Verdict
from inquest.domain.check import GIVEN_CLAIMS, VerdictChange
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding
from inquest.reports import wording
from inquest.reports.check_findings import check_line, found_by, in_short, speaks
from inquest.reports.check_view import CheckView, desk_name
from inquest.reports.parts import Block, Line, Said, joined, line
from inquest.reports.plain import one_line
from inquest.reports.view import VERDICT_WORDS, Checked, ReportView
from inquest.text.phrases import capitalised, ended, listed

__all__ = ["LONG_CLAIM", "blocks", "explained", "headline", "in_short", "own_words", "said_of", "speaks"]

LONG_CLAIM = 240
"""Characters of a claim that stand in a heading or a table; a longer one stands there by its beginning."""


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
    elif report and not report.url.startswith(GIVEN_CLAIMS):
        lines.append(line("Given by the user; these words were not found in the report."))
    if claim.context:
        lines.append(line("Read together with ", *joined(Said(each.quote, quoted=True) for each in claim.context)))
    pointing = (
        line(f"Points to {each.standard} paragraph {each.paragraph} ({each.subject}): {each.reason}")
        for each in claim.disclosures
    )
    return (*lines, *pointing)


def said_of(view: ReportView, finding: Finding) -> tuple[str, ...]:
    """What is to be known of a quote beside its witness: how it contradicts; in a check also who found it, and in which
    round, and that it is a press release."""
    if not view.is_check:
        return tuple(filter(None, (wording.kind(finding),)))
    kind = f"{finding.contradiction_type.value} contradiction" if finding.contradiction_type else ""
    release = "press release" if view.sources[finding.source_id].rating.press_release else ""
    return tuple(filter(None, (release, kind, found_by(finding))))


def explained(view: ReportView, finding: Finding) -> str:
    """What the desk says that a quote comes to; '' where it says nothing beyond the quote."""
    summary = one_line(finding.summary) if view.is_check and view.is_witness(finding) else ""
    return "" if summary in ("", one_line(finding.quote)) else ended(summary)


def blocks(check: CheckView, checked: Checked) -> tuple[Block, ...]:
    """What follows the two sides of a claim; none of them without lines."""
    claim_id = checked.claim.id
    sums = tuple(line(f"{capitalised(found_by(f))}: {f.summary}") for f in check.summaries(claim_id))
    history = _history(check, claim_id)
    found = (
        Block("Its statements, one by one", tuple(_part(each, checked) for each in checked.assessment.parts)),
        Block("Checks by the desks", tuple(check_line(check, each, checked) for each in check.checks(claim_id))),
        Block("Read, and speaks for neither side", _neither(check, claim_id)),
        Block("What would change the verdict", tuple(line(each) for each in checked.assessment.would_change)),
        Block("What the desks sum up", sums, "notes", folded=True),
        Block("How the verdict came about", history, "notes", folded=True),
    )
    return tuple(block for block in found if block.lines)


def _part(part: PartVerdict, checked: Checked) -> Line:
    """One statement of the claim with its verdict and what that rests on."""
    sides = {"for it": part.supporting, "against it": part.contradicting}
    ids = [Said(side, finding_ids=found) for side, found in sides.items() if found]
    word = VERDICT_WORDS[part.verdict].lower()
    if part.verdict is Verdict.UNVERIFIED and not ids:
        lacks = checked.assessment.lacks
        word = f"nothing was found on it{f', and {lacks}' if lacks else ''}"
    mark = Said(word, tone=part.verdict.value)
    return line(Said(part.words, quoted=True), ": ", mark, *(["; "] if ids else []), *joined(ids))


def _neither(check: CheckView, claim_id: str) -> tuple[Line, ...]:
    """The sources that speak of the matter and decide nothing, each once, in one line."""
    found = dict.fromkeys(f.source_id for f in check.neutral(claim_id))
    named = (Said(f"{each} {check.view.sources[each].domain}".strip(), source=each) for each in found)
    return (line(*joined(named)),) if found else ()


def _sure(change: VerdictChange) -> str:
    return "" if change.verdict is Verdict.UNVERIFIED else f", {change.confidence:.0%} confidence"


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
            found.append(line(f"Round {number}: ", mark, f"{_sure(change)}. ", ended(capitalised(change.why))))
        elif number <= check.rounds_run:
            found.append(line(f"Round {number}: the verdict stayed as it was."))
        else:
            found.append(line(f"Round {number} was not run."))
    return tuple(found)
