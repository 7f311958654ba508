"""Reports of a case with each quote in the context of its page; and replays of a case from its recording."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inquest.app.cases.claim_decisions import claim_decisions
from inquest.app.cases.memory_events import MemorySink
from inquest.app.cases.topic_records import decisions_of
from inquest.app.clock import FixedClock
from inquest.app.wiring.case_services import CaseWork, case_services
from inquest.app.wiring.tracing import WrappedClient
from inquest.desks.verification.investigation_notes import quotes_of
from inquest.domain.case import Case, CaseStatus, in_force
from inquest.domain.claim import Mention
from inquest.domain.editorial import by_claim, questions_in
from inquest.domain.errors import InputError, Ungrounded
from inquest.domain.event import SAID_BY_PEOPLE
from inquest.domain.finding import Finding
from inquest.domain.languages import Language, speaking
from inquest.domain.languages import language as speaks
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.reports.decided import as_decided, with_questions
from inquest.reports.view import Context, ReportView
from inquest.reports.words import reworded
from inquest.text.grounding import check_grounded

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

AROUND = 300
"""Characters of context on each side of a quote."""


async def render(app: Resources, case: Case, form: str, language: Language | None = None) -> bytes:
    """The report as md, html, json or pdf, in this language or that of the case. Every quote is compared with its
    snapshot once more. Raises InputError for an unknown form or a case without a report, Ungrounded."""
    events = await app.events_of(case.id, *SAID_BY_PEOPLE)
    if form == "json":
        import json

        from inquest.reports.case_json import case_json

        document = case_json(case, claim_decisions(events), questions_in(events))
        # A lone surrogate is written as JSON escapes it.
        return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode(errors="backslashreplace")
    if case.summary is None:
        raise InputError(
            f"The case {case.id} has no report ({case.status.value}). {case.why}".strip(),
            advice=f"`inquest show {case.id}` shows what was done.",
        )
    if case.audit is not None:
        from inquest.app.cases.auditing import audit_of
        from inquest.reports.audit import FORMS

        audit = await audit_of(app, case)
        assert audit is not None
        if form not in FORMS:
            raise InputError(f"Invalid form '{form}' of an audit: expected one of {', '.join(FORMS)}.")
        fields = {"snapshot", "start", "end", "quote"}
        quotes = (
            Mention(source_id=each.snapshot, **each.model_dump(include=fields)) for each in audit.items if each.quote
        )
        await _texts(app, quotes)
        with speaking("en" if form == "sarif" else language or case.brief.language):
            shown_audit = audit if speaks() == "en" else reworded(audit)
            return FORMS[form](shown_audit).encode(errors="backslashreplace")
    decisions = claim_decisions(events)
    shown = with_questions(as_decided(case, decisions), questions_in(events))
    contexts = await _contexts(app, shown)
    reviews = await decisions_of(app, case.id) if case.investigation is not None else ()
    rest = "report", form, language, events[-1].id if events else 0, tuple(reviews)
    with speaking(language or case.brief.language):
        decided = by_claim(shown.claims, decisions)
        return app.kept.get(case, rest, lambda: _written(ReportView(shown, contexts, reviews, decided), form))


def _written(view: ReportView, form: str) -> bytes:
    if speaks() != "en":
        view = replace(view, case=reworded(view.case))
    match form:
        case "md":
            from inquest.reports.markdown import markdown

            return markdown(view).encode()
        case "html":
            from inquest.reports.html import html

            return html(view).encode()
        case "pdf":
            from inquest.reports.pdf import pdf

            return pdf(view)
        case _:
            raise InputError(f"Invalid form '{form}': expected md, html, json or pdf.")


async def _contexts(app: Resources, case: Case) -> dict[str, Context]:
    findings = {finding.id: finding for finding in case.findings}
    shown = dict.fromkeys(citation.finding_id for citation in case.citations)
    if case.check is not None:  # a check also quotes findings that no verdict cites
        shown |= dict.fromkeys(finding.id for finding in case.findings if finding.quote)
    quoted = [findings[finding_id] for finding_id in shown]
    texts = await _texts(app, [*quoted, *(quotes_of(case.investigation) if case.investigation else ())])
    contexts = {}
    for finding in quoted:
        text = texts[finding.snapshot]
        contexts[finding.id] = Context(
            _from_word(text[max(0, finding.start - AROUND) : finding.start], finding.start > AROUND),
            finding.quote,
            _to_word(text[finding.end : finding.end + AROUND], finding.end + AROUND < len(text)),
        )
    return contexts


async def _texts(app: Resources, quoted: Iterable[Finding | Mention]) -> dict[str, str]:
    """The texts of the snapshots, each quote compared with its own. Raises Ungrounded."""
    texts: dict[str, str] = {}
    for each in quoted:
        if each.snapshot not in texts:
            document = await app.archive.document(each.snapshot)
            if document is None:
                raise Ungrounded(f"The text of {each.snapshot} is no longer in the archive.")
            texts[each.snapshot] = document.text
        if isinstance(each, Finding):
            check_grounded(each, texts[each.snapshot])
        elif texts[each.snapshot][each.start : each.end] != each.quote:
            raise Ungrounded(f"A quote of {each.source_id} is not in its snapshot {each.snapshot}.")
    return texts


def _from_word(text: str, cut: bool) -> str:
    return "… " + text.split(" ", 1)[-1] if cut and " " in text else text


def _to_word(text: str, cut: bool) -> str:
    return text.rsplit(" ", 1)[0] + " …" if cut and " " in text else text


@dataclass(frozen=True)
class Replayed:
    """A case replayed from its recording, and the comparison of its reports."""

    case: Case
    same: bool
    difference: str
    replies: int


async def replay(app: Resources, case_id: str) -> Replayed:
    """Run the case again from its recording, and compare the reports byte for byte. Raises InputError."""
    from langgraph.checkpoint.memory import InMemorySaver

    from inquest.flow.runner import CaseRunner
    from inquest.retrieval.budget import CaseBudget

    case = await app.case(case_id)
    if case.summary is None:
        raise InputError(
            f"The case {case.id} has no report to compare with.", advice="Finish it with `inquest resume`."
        )
    clock = FixedClock(case.created_at)
    budget = CaseBudget()
    door = _Counting((await app.door()).for_case(case.id, budget, replay=True))
    services = await case_services(app, CaseWork(case, door, budget, MemorySink(case.id, clock), clock, replay=True))
    bare = case.model_copy(update={"plan": None, "approvals": (), "rounds": (), "status": CaseStatus.PLANNED})
    runner = CaseRunner(bare, services, InMemorySaver(), None, timings=case.timings, cost=case.cost)
    async with runner:
        again = await runner.start()
        for approval in in_force(case.approvals, case.rounds):
            again = await runner.decide(approval)
    again = again.model_copy(update={"approvals": case.approvals, "rounds": case.rounds})
    before, after = [await render(app, each, "md") for each in (case, again)]
    return Replayed(again, before == after, _first_difference(before, after), door.count)


class _Counting(WrappedClient):
    """An HTTP client that counts requests."""

    count = 0

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        self.count += 1
        return await super().fetch(request, purpose=purpose, label=label)


def _first_difference(before: bytes, after: bytes) -> str:
    for number, (old, new) in enumerate(zip(before.splitlines(), after.splitlines(), strict=False), 1):
        if old != new:
            return f"line {number} was “{old.decode()[:200]}” and is “{new.decode()[:200]}”"
    return "" if before == after else "one is longer than the other"
