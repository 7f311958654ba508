"""What people decided on the claims of a case: beside each verdict, and as a part of its own."""

from __future__ import annotations

from inquest.domain.assessment import Verdict
from inquest.domain.claim_decision import ClaimDecision, DecisionKind
from inquest.reports.parts import Cell, Line, Part, Said, Table, line, text
from inquest.reports.view import VERDICT_WORDS, ReportView
from inquest.text.phrases import day, ended


def standing(view: ReportView, claim_id: str) -> tuple[Line, ...]:
    """The decision that holds for the verdict on a claim, with its reason and the verdict of the run."""
    last = view.decided(claim_id)
    return (line(*_words(last)),) if last else ()


def signed(view: ReportView, claim_id: str) -> tuple[Line, ...]:
    """Who decided on the verdict, in a few words for a table."""
    last = view.decided(claim_id)
    if last is None:
        return ()
    return (line(f"{'Accepted' if last.kind is DecisionKind.ACCEPT else 'Decided'} by {last.by}"),)


def decided(view: ReportView) -> Part:
    """Every decision and comment, claim by claim, oldest first."""
    rows: list[tuple[Cell, ...]] = []
    for claim in view.case.claims:
        rows += [
            ((line(Said(claim.id, claim=claim.id)),), (line(*_words(each)),))
            for each in view.claim_decisions.get(claim.id, ())
        ]
    rows += [(text(each.claim or each.claim_id), (line(*_words(each)),)) for each in view.claim_decisions.get("", ())]
    tables = (Table("decided", ("Claim", "Decision or comment"), tuple(rows)),) if rows else ()
    return Part("people", "What people decided and said", tables=tables, title="Decisions")


def _words(each: ClaimDecision) -> tuple[Said | str, ...]:
    by = f"by {each.by} on {day(each.at)}"
    if each.kind is DecisionKind.COMMENT:
        return (f"Comment {by}: {ended(each.why)}",)
    if each.kind is DecisionKind.MORE:
        return (f"More was asked for {by}: {ended(each.why)}",)
    if each.kind is DecisionKind.ACCEPT:
        return (f"Accepted {by}, as found: ", _tone(each.found), f". {ended(each.why)}" if each.why else ".")
    reason = f". Reason: {ended(each.why)}" if each.why else "."
    return f"Overruled {by}: ", _tone(each.decided), reason, " The run found ", _tone(each.found), "."


def _tone(verdict: Verdict) -> Said:
    return Said(VERDICT_WORDS[verdict], tone=verdict.value)
