"""Parts of the report that only a check of claims has: its scope, risk by topic, exchanges between desks, routing, gaps
and limits."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.news.greenwashing import TOPICS, topic_words
from inquest.domain.check import InfoRequest, RiskLevel, TopicRisk
from inquest.domain.finding import Stance
from inquest.domain.languages import figure
from inquest.domain.reasons import in_words
from inquest.domain.value import grouped
from inquest.reports import wording
from inquest.reports.claim_entries import headline
from inquest.reports.desk_checks import desk_name
from inquest.reports.parts import (
    Block,
    Cell,
    Line,
    Part,
    Said,
    Table,
    joined,
    line,
    named_rows,
    text,
    to_claims,
    to_sources,
)
from inquest.reports.view import ReportView
from inquest.reports.words import Words, say
from inquest.text.phrases import capitalised, day, ended, listed, page_ranges

_LEVEL = {
    RiskLevel.LOW: "verified",
    RiskLevel.MODERATE: "partially_true",
    RiskLevel.HIGH: "contradicted",
    RiskLevel.UNKNOWN: "unverified",
}
_LEVELS = Words("risk_levels")
_STATUS = Words("request_status")


def scope(view: ReportView) -> Part:
    """Return the scope: the report, the number of its claims, the desks and the date."""
    request, record, case = view.request, view.record, view.case
    pages = sorted({claim.page for claim in case.claims if claim.page})
    desks = [each.desk for each in record.desks] or list(request.desks)
    rows: list[tuple[str, Cell]] = [
        (say("row_company"), text(f"{request.company} ({request.industry})" if request.industry else request.company)),
        (say("row_report"), (_report_line(view),) if request.report else ()),
        (say("row_pages"), text(say("stand_on", pages=page_ranges(pages)) if pages else "")),
        (say("claims"), text(_claims(view))),
        (say("row_as_of"), text(day(case.as_of))),
        (say("row_desks"), text(listed([desk_name(name) for name in dict.fromkeys(desks)]))),
        (say("row_rounds"), text(_rounds(view))),
        (say("row_noted"), tuple(line(note) for note in record.notes)),
        (say("row_taken_out"), tuple(line(f"{c.id} {headline(c.text)}") for c in record.dropped)),
    ]
    return Part("scope", say("scope"), tables=(named_rows(*rows),))


def _report_line(view: ReportView) -> Line:
    report = view.report
    if report is None:
        return line(say("not_read", name=wording.address(view.request.report)))
    return line(
        Said(report.id, source=report.id), " ", Said(wording.titled(report), url=report.url),
        say("no_evidence_for_itself", day=wording.date_words(report)),
    )  # fmt: skip


def _claims(view: ReportView) -> str:
    record, case = view.record, view.case
    given, done = len(view.request.claims), len(view.claims)
    found = record.found_claims
    parts = []
    if view.request.report:
        parts.append(say("claims_found", number=found))
    if given:
        parts.append(say("claims_given", number=given))
    if case.claims:
        parts.append(say("claims_checked", number=done) if done else say("claims_unchecked"))
    if record.dropped:
        parts.append(say("claims_taken_out", number=len(record.dropped)))
    rest = found + given - len(case.claims) - len(record.dropped)
    if rest > 0 and view.request.report:
        parts.append(say("claims_left_out", number=rest, most=view.request.max_claims))
    if open_ := len(view.unchecked):
        parts.append(say("claims_open", number=open_))
    return capitalised("; ".join(parts)) + "."


def _rounds(view: ReportView) -> str:
    if not view.rounds_run:
        return f"{say('no_round')} {view.record.stopped}".strip()
    said = say("rounds_of", number=view.rounds_run, most=view.request.rounds + 1)
    return capitalised(f"{said}. {view.record.stopped}".strip())


def risks(view: ReportView) -> Part:
    """Return the greenwashing risk by topic, highest first, with reasons and claims."""
    order = [RiskLevel.HIGH, RiskLevel.MODERATE, RiskLevel.LOW, RiskLevel.UNKNOWN]
    ranked = sorted(view.record.risks, key=lambda risk: (order.index(risk.level), -(risk.score or 0)))
    rows = tuple(
        (
            text(in_words(topic_words(risk.topic)) if risk.topic in TOPICS else risk.topic),
            (line(Said(_LEVELS[risk.level.value], tone=_LEVEL[risk.level])),),
            text(say("of_ten", score=figure(risk.score, ".1f")) if risk.score is not None else "–"),
            (*map(line, risk.reasons), *_resting(view, risk)),
            (to_claims(risk.claim_ids),) if risk.claim_ids else (),
        )
        for risk in ranked
    )
    known = any(risk.level is not RiskLevel.UNKNOWN for risk in ranked)
    head = (say("topic"), say("risk"), say("score_head"), say("why"), say("claims"))
    return Part("risks", say("risks"), (say("risk_pointer"),), (Table("risks", head, rows if known else ()),))


def _resting(view: ReportView, risk: TopicRisk) -> tuple[Line, ...]:
    cited = tuple(each for each in risk.finding_ids if each in view.numbers)
    return (line(Said(say("rests_on"), cited)),) if cited else ()


def exchange(view: ReportView) -> Part:
    """Return the questions that desks asked one another, with the answers."""
    rows = tuple(
        (
            text(request.id),
            text(f"{desk_name(request.asked_by)} → {desk_name(request.to)}"),
            (line(Said(request.claim_id, claim=request.claim_id)),),
            text(request.description),
            _answer(view, request),
        )
        for request in view.record.requests
    )
    head = ("", say("from_and_to"), say("claim"), say("question"), say("answer"))
    return Part("exchange", say("exchange"), tables=(Table("exchange", head, rows),), folded=True)


def _answer(view: ReportView, request: InfoRequest) -> Cell:
    response = view.responses.get(request.id)
    if response is None or not response.summary:
        status = response.status if response else request.status
        return text(capitalised(_STATUS[status]) + ".")
    known = view.findings
    found = to_sources(known[each].source_id for each in response.finding_ids if each in known).parts
    rests_on = f" {say('rests_on')} " if found else ""
    return (line(Said(ended(response.summary), response.finding_ids), rests_on, *found),)


def routing(view: ReportView) -> Part:
    """Return which desks took which claim and why, and the results of each desk."""
    rows = tuple(
        (
            (line(Said(each.claim_id, claim=each.claim_id)),),
            text(listed([desk_name(name) for name in each.desks]) or say("nobody")),
            text(listed([desk_name(name) for name in each.missing]) or "–"),
            text(f"{each.priority:.2f}"),
            tuple(line(reason) for reason in each.reasons),
        )
        for each in view.record.routing
    )
    columns = (say("claim"), say("looked_at_by"), say("not_installed"), say("priority"), say("why"))
    worked = tuple(
        (
            text(capitalised(desk_name(each.desk))),
            text(each.status.value + (f": {each.error}" if each.error else "")),
            text(say("done_of", done=each.claims_completed, number=each.claims_assigned)),
            text(str(each.searches)),
            text(str(each.findings)),
            text(str(each.contradictions)),
        )
        for each in view.record.desks
    )
    head = tuple(map(say, "desk state claims_done searches_head findings contradictions_head".split()))
    tables = (Table("routing", columns, rows), Table("desks", head, worked))
    return Part("routing", say("routing"), tables=tables, folded=True)


def missing(view: ReportView) -> tuple[Block, ...]:
    """Return missing desks and unjudged passages, beyond the outages that every case lists."""
    needed = grouped((desk, each.claim_id) for each in view.record.routing for desk in each.missing)
    desks = tuple(
        line(f"{say('desk_not_installed', desk=desk_name(desk))} ", *to_claims(claims).parts, ".")
        for desk, claims in needed.items()
    )
    errors = tuple(
        line(f"{capitalised(desk_name(agent))}: {summary.rstrip('.')} (", *to_claims(claims).parts, ").")
        for (agent, summary), claims in view.errors.items()
    )
    passages = tuple(
        line(
            f"{say('passages_on', number=c.assessment.unassessed)} ",
            Said(c.claim.id, claim=c.claim.id),
            *_of_sources(view.sources_with(c.claim.id, Stance.UNASSESSED)),
        )
        for c in view.claims
        if c.assessment.unassessed
    )
    return (
        Block(say("desks_missing"), desks),
        Block(say("desks_could_not_ask"), errors),
        Block(say("passages_unjudged"), passages),
    )


def _of_sources(source_ids: Sequence[str]) -> tuple[Said | str, ...]:
    named = (Said(each, source=each) for each in source_ids)
    return (" (", *joined(named), f"); {say('to_be_read')}.") if source_ids else (".",)
