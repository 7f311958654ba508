"""A claim as an entry of the report: its verdict and why, both sides in quotes, and what desks found beside them."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.assessment import Verdict
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.report import EarlierCheck
from inquest.domain.source import Source
from inquest.reports import check_claim, people, wording
from inquest.reports.check_view import CheckView
from inquest.reports.parts import Block, Cell, Entry, Line, Part, Said, Table, joined, line, text
from inquest.reports.plain import one_line
from inquest.reports.view import COULD_NOT_CHECK, Checked, Evidence, ReportView
from inquest.text.sentences import shorten

NEAREST = "Nearest to it in what was read, for a person to judge"
_SIDES = (Stance.SUPPORTS, Stance.CONTRADICTS)
_NEAR = 320
"""Characters of such a sentence."""
AT_ONCE = 4
"""Witnesses shown on one side of a claim before the rest folds away."""


def short(view: ReportView, claim: Claim) -> str:
    """The claim as it stands in a table or a heading."""
    return check_claim.headline(claim.text) if view.is_check else claim.text


def has_entry(view: ReportView, checked: Checked) -> bool:
    """Whether there is more to show of it than its line in a table: a quote, a check that speaks for or against it, or
    what others who checked it came to."""
    checks = view.is_check and any(check_claim.speaks(each) for each in CheckView(view).checks(checked.claim.id))
    return bool(not checked.silent or checks or checked.reviews or checked.assessment.parts)


def verdicts(view: ReportView) -> Part:
    """The answer first: one line for each claim that was decided; then one for each that stayed open, with why."""
    decided = [c for c in view.claims if has_entry(view, c)]
    still_open = [c for c in view.claims if not has_entry(view, c)]
    tables = []
    if decided:
        head = ("", "Claim", "Verdict", "Confidence", "Independent sources", "For", "Against")
        tables.append(Table("verdicts", head, tuple(_decided(view, c) for c in decided)))
    rows = [_open(view, c) for c in still_open]
    rows += [_row(view, each, COULD_NOT_CHECK, view.why_unchecked(each.id)) for each in view.unchecked]
    if rows:
        tables.append(Table("open", ("", "Claim", "Verdict", "Why"), tuple(rows)))
    return Part("verdicts", "Verdicts", tables=tuple(tables))


def _decided(view: ReportView, checked: Checked) -> tuple[Cell, ...]:
    a = checked.assessment
    single: tuple[Said | str, ...] = (" ", Said("(single source)")) if a.single_source else ()
    sides = (Said("", view.shown_ids(side)) for side in (a.supporting, a.contradicting))
    return (
        (line(Said(checked.claim.id, claim=checked.claim.id)),),
        text(short(view, checked.claim)),
        (line(Said(checked.word, tone=a.verdict.value), *single), *people.standing(view, checked.claim.id)),
        text(wording.confidence(checked)),
        text(str(a.independent_sources)),
        *((Line((side,)),) if view.refs(side.finding_ids) else text("–") for side in sides),
    )


def _open(view: ReportView, checked: Checked) -> tuple[Cell, ...]:
    checks = CheckView(view).checks(checked.claim.id) if view.is_check else ()
    near = _nearest(view, checked.claim)
    heading = (line(f"{NEAREST}:"),) if near else ()
    more = (*map(check_claim.in_short, checks), *people.standing(view, checked.claim.id), *heading, *near)
    return _row(view, checked.claim, checked.word, checked.assessment.reasons, more)


def _row(
    view: ReportView, claim: Claim, word: str, reasons: Sequence[str], more: tuple[Line, ...] = ()
) -> tuple[Cell, ...]:
    page = f" (page {claim.page})" if claim.page else ""
    return (
        (line(Said(claim.id, anchor=view.anchors[claim.id])),),
        text(f"{one_line(claim.text)}{page}"),
        (line(Said(word, tone=Verdict.UNVERIFIED.value)),),
        (*(line(reason) for reason in reasons), *more),
    )


def evidence(view: ReportView) -> Part:
    """Each claim with its reasons and what speaks for and against it."""
    entries = tuple(claim_entry(view, checked) for checked in view.claims if has_entry(view, checked))
    return Part("evidence", "Evidence", entries=entries, blocks=others(view).blocks)


def others(view: ReportView) -> Part:
    """What others have checked of the matter, where no checked claim of the case says the same."""
    heading = "Checked by others in the same matter"
    lines = tuple(map(_review, view.reviews_beside))
    return Part("beside", "Checked by others", blocks=(Block(heading, lines, "notes"),) if lines else ())


def reviews(checked: Checked) -> Block:
    """What others who checked the same claim came to: it points somewhere, and decides nothing here."""
    return Block("Already checked by others, which decides nothing here", tuple(map(_review, checked.reviews)), "notes")


def _review(check: EarlierCheck) -> Line:
    return line(Said(wording.review_words(check), url=check.review.url))


def claim_entry(view: ReportView, checked: Checked) -> Entry:
    """The whole of what is shown of a claim."""
    claim, a = checked.claim, checked.assessment
    own = check_claim.own_words(CheckView(view), claim) if view.is_check else ()
    standing = wording.standing(checked)
    verdict = line(Said(checked.word, tone=a.verdict.value), f" ({standing})." if standing else ".")
    blocks = (
        Block("", own, "own"),
        Block("", (verdict, *people.standing(view, claim.id)), "standing"),
        Block("", tuple(line(reason) for reason in checked.reasons), "prose"),
        reviews(checked),
        _side(view, "For", checked.supporting),
        _side(view, "Against", checked.contradicting),
        Block(NEAREST, _nearest(view, claim), "notes"),
        *check_claim.blocks(CheckView(view), checked),
    )
    kicker: list[Said] = [Said(claim.id), Said(wording.claim_type(claim))]
    if claim.source_ids and not view.is_check:
        kicker.append(Said("said by " + ", ".join(claim.source_ids)))
    kicker += [Said(f"page {claim.page}")] if claim.page else []
    return Entry(
        line(short(view, claim)),
        tuple(block for block in blocks if block.lines),
        anchor=view.anchors[claim.id],
        kicker=Line(tuple(joined(kicker, " · "))),
        kind="claim",
    )


def _nearest(view: ReportView, claim: Claim) -> tuple[Line, ...]:
    """The sentences nearest to an unverified claim in what was read, each with who says it; not those that findings on
    it quote, which stand beside them."""
    quoted = [each for each in view.case.findings if each.claim_id == claim.id and each.stance in _SIDES]
    return tuple(
        line(
            Said(shorten(each.quote, _NEAR), quoted=True, language=source.language or ""),
            " — ",
            Said(source.id, source=source.id),
            f" {', '.join(wording.witness(source))}{f', {each.where}' if each.where else ''}",
        )
        for each in view.case.nearest_to(claim.id)
        if (source := view.sources.get(each.source_id)) is not None and not any(map(each.overlaps, quoted))
    )


def _side(view: ReportView, heading: str, side: Sequence[Evidence]) -> Block:
    return Block(heading, tuple(each for found in side for each in _quotes(view, found)), heading.lower(), AT_ONCE)


def _quotes(view: ReportView, found: Evidence) -> tuple[Line, ...]:
    """The quotes of one witness; its copies stand under the last."""
    copies = _copies(view, found)
    last = len(found.findings) - 1
    return tuple(
        line(
            Said(each.quote, (each.id,), quoted=True, language=found.source.language or ""),
            below=(*_explained(view, each), *(copies if n == last else ())),
            by=(*witness(found.source), *(Said(f" · {words}") for words in check_claim.said_of(view, each))),
        )
        for n, each in enumerate(found.findings)
    )


def _explained(view: ReportView, finding: Finding) -> tuple[Line, ...]:
    words = check_claim.explained(view, finding)
    return (line(words),) if words else ()


def _copies(view: ReportView, found: Evidence) -> tuple[Line, ...]:
    heading = wording.copies_heading(found)
    if not heading:
        return ()
    by_source: dict[str, list[str]] = {}
    for finding in found.copies:
        by_source.setdefault(finding.source_id, []).append(finding.id)
    parts = [
        each
        for source_id, ids in by_source.items()
        for each in (
            Said(", "),
            Said(source_id, source=source_id),
            Said(f" {view.sources[source_id].domain}", tuple(ids)),
        )
    ]
    return (line(heading, ": " if parts else ".", *parts[1:]),)


def witness(source: Source) -> tuple[Said, ...]:
    """Who says it: 'S1 Notice of violation · inspectorate.example · 2 May 2023 · tier 1'."""
    return Said(source.id, source=source.id), Said(f" {' · '.join((wording.titled(source), *wording.witness(source)))}")
