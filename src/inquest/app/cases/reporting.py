"""Reports of a case, with each quote in the context of the page it was taken from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.app.cases.claim_decisions import claim_decisions
from inquest.desks.verification.investigation_notes import quotes_of
from inquest.domain.case import Case
from inquest.domain.case_question import questions_in
from inquest.domain.claim import Mention
from inquest.domain.claim_decision import by_claim
from inquest.domain.errors import InputError, Ungrounded
from inquest.domain.event import SAID_BY_PEOPLE
from inquest.domain.topic_history import Review
from inquest.reports.asked import with_questions
from inquest.reports.decided import as_decided
from inquest.reports.view import Context, ReportView
from inquest.text.grounding import check_grounded

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


AROUND = 300
"""Characters of context on each side of a quote."""


async def render(app: Resources, case: Case, form: str) -> bytes:
    """The report as md, html, json or pdf. Raises InputError where there is nothing to report, or no such form. Every
    quote it may show is held against its snapshot once more before anything is written; raises Ungrounded."""
    events = await app.events_of(case.id, *SAID_BY_PEOPLE)
    if form == "json":
        import json

        from inquest.reports.case_json import case_json

        document = case_json(case, claim_decisions(events), questions_in(events))
        # A lone half of a character, which UTF-8 cannot hold, is written as JSON escapes it.
        return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode(errors="backslashreplace")
    if case.summary is None:
        raise InputError(
            f"The case {case.id} has no report ({case.status.value}). {case.why}".strip(),
            advice=f"`inquest show {case.id}` says what was done.",
        )
    decisions = claim_decisions(events)
    case = with_questions(as_decided(case, decisions), questions_in(events))
    contexts = await _contexts(app, case)
    view = ReportView(case, contexts, await _decisions(app, case), by_claim(case.claims, decisions))
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
            raise InputError(f"There is no report in the form '{form}'.", advice="Forms: md, html, json, pdf.")


async def _decisions(app: Resources, case: Case) -> tuple[Review, ...]:
    """What people decided on the level of a topic's case."""
    if case.investigation is None:
        return ()
    from inquest.app.cases.reviewing import decisions_of

    return await decisions_of(app, case.id)


async def _contexts(app: Resources, case: Case) -> dict[str, Context]:
    findings = {finding.id: finding for finding in case.findings}
    texts: dict[str, str] = {}
    contexts = {}
    shown = dict.fromkeys(citation.finding_id for citation in case.citations)
    if case.check is not None:  # a check quotes what its desks rest on, in no verdict though it be
        shown |= dict.fromkeys(finding.id for finding in case.findings if finding.quote)
    for finding in (findings[finding_id] for finding_id in shown):
        if finding.snapshot not in texts:
            document = await app.archive.document(finding.snapshot)
            if document is None:
                raise Ungrounded(f"The text of {finding.snapshot} is no longer in the archive.")
            texts[finding.snapshot] = document.text
        text = texts[finding.snapshot]
        check_grounded(finding, text)
        contexts[finding.id] = Context(
            _from_word(text[max(0, finding.start - AROUND) : finding.start], finding.start > AROUND),
            finding.quote,
            _to_word(text[finding.end : finding.end + AROUND], finding.end + AROUND < len(text)),
        )
    if case.investigation is not None:
        for mention in quotes_of(case.investigation):
            await _hold(app, mention, texts)
    return contexts


async def _hold(app: Resources, mention: Mention, texts: dict[str, str]) -> None:
    """A quote of an investigation, held against its snapshot."""
    if mention.snapshot not in texts:
        document = await app.archive.document(mention.snapshot)
        texts[mention.snapshot] = document.text if document else ""
    if texts[mention.snapshot][mention.start : mention.end] != mention.quote:
        raise Ungrounded(f"A quote of {mention.source_id} does not stand in its snapshot {mention.snapshot}.")


def _from_word(text: str, cut: bool) -> str:
    return "… " + text.split(" ", 1)[-1] if cut and " " in text else text


def _to_word(text: str, cut: bool) -> str:
    return text.rsplit(" ", 1)[0] + " …" if cut and " " in text else text
