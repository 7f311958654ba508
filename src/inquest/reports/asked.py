"""A case with the questions that were asked of it once it had ended."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.case import Case
from inquest.domain.case_question import CaseQuestion
from inquest.domain.finding import Finding, Stance
from inquest.domain.report import Citation, Section, Statement
from inquest.text.phrases import ended
from inquest.text.sentences import ASKING

HEADING = "Questions asked of the case"
ASKED = "ask-"
"""How the id of a finding begins that answers such a question."""


def numbered(case: Case, questions: Sequence[CaseQuestion]) -> tuple[Case, tuple[CaseQuestion, ...]]:
    """The case with the quotes of the answers as findings, numbered after its own citations, and the questions with
    those findings. A quote that the case cites already keeps its number; one of a page that a further round has left
    out is dropped."""
    sources = {source.snapshot: source for source in case.sources}
    numbers = case.citation_numbers
    known = {(each.snapshot, each.start, each.end): each for each in case.findings if each.id in numbers}
    findings, citations = [*case.findings], [*case.citations]
    shown = []
    for question in questions:
        rests_on: list[Finding] = []
        for quote in question.findings:
            place, source = (quote.snapshot, quote.start, quote.end), sources.get(quote.snapshot)
            if source is None:
                continue
            if place not in known:
                changed = {"id": f"{ASKED}{question.id}-{len(rests_on) + 1}", "source_id": source.id, "claim_id": None}
                found = quote.model_copy(update=changed | {"stance": Stance.NEUTRAL})
                n = max((each.n for each in citations), default=0) + 1
                cited = Citation(n=n, finding_id=found.id, source_id=source.id, url=source.url, quote=quote.quote)
                findings.append(found)
                citations.append(cited)
                known[place] = found
            rests_on.append(known[place])
        shown.append(question.model_copy(update={"findings": tuple(rests_on)}))
    return case.model_copy(update={"findings": tuple(findings), "citations": tuple(citations)}), tuple(shown)


def with_questions(case: Case, questions: Sequence[CaseQuestion]) -> Case:
    """The case with the questions and their answers at the end of its summary, cited like the rest of it."""
    if not questions or any(each.heading == HEADING for each in (case.summary.sections if case.summary else ())):
        return case
    case, questions = numbered(case, questions)
    if case.summary is None:
        return case
    statements = tuple(
        Statement(
            text=f"{each.question if each.question.endswith(ASKING) else f'{each.question}:'} {ended(each.worded)}",
            finding_ids=tuple(finding.id for finding in each.findings),
            about_the_work=not each.findings,
        )
        for each in questions
    )
    sections = (*case.summary.sections, Section(heading=HEADING, statements=statements))
    return case.model_copy(update={"summary": case.summary.model_copy(update={"sections": sections})})
