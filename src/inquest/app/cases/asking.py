"""Questions to a case that has ended, answered at once from its archived pages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inquest.app.cases.claim_decisions import claim_decisions
from inquest.desks.inquiry.answers import answer_finding, answers_to, worded_answer
from inquest.domain.assessment import Verdict
from inquest.domain.case import Case
from inquest.domain.case_question import CaseQuestion, questions_in
from inquest.domain.document import Document
from inquest.domain.drafts import AnswerDraft
from inquest.domain.errors import BudgetMet, Conflict, InputError, ModelError
from inquest.domain.event import SAID_BY_PEOPLE, EventType
from inquest.domain.finding import Finding
from inquest.domain.report import Citation
from inquest.reports.asked import numbered
from inquest.reports.decided import as_decided
from inquest.text.grounding import check_grounded
from inquest.text.languages import detect_language
from inquest.text.phrases import language_name

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

MOST_CHARACTERS = 1_000
_NO_PAGE = "the case has no archived page to look in."
_NOT_FOUND = "no sentence of the pages that were read says it, as far as can be seen without a language model."


async def ask_case(app: Resources, case: Case, words: str, *, by: str) -> tuple[CaseQuestion, tuple[Citation, ...]]:
    """Answer a question from the archived pages of the case, by one call of the model of the settings or by rule, and
    keep it with the case. Returns it with the quotes of its answer, numbered as in the case. Raises InputError for a
    question that is empty or too long, Conflict where the case has not ended, SettingError, StorageError.
    """
    question = " ".join(words.split())
    if not question or len(question) > MOST_CHARACTERS:
        raise InputError(
            f"Invalid question: expected 1 to {MOST_CHARACTERS:,} characters.",
            advice="For example: When did the permit expire?",
            field="question",
        )
    if not case.status.ended:
        raise Conflict(f"The case {case.id} has not ended ({case.status.value}).", advice="Ask once it has ended.")
    events = await app.events_of(case.id, *SAID_BY_PEOPLE)
    before = questions_in(events)
    case = as_decided(case, claim_decisions(events))
    found = await _answered(app, case, question, before[-1].question if before else "")
    kept = found.model_dump(mode="json", exclude={"id", "at"}) | {"by": by}
    sink = (await app.events()).sink(case.id, app.clock)
    event = await sink.emit(EventType.QUESTION_ASKED, f"{by} asks: {question}", **kept)
    shown, asked = numbered(case, (*before, *questions_in([event])))
    ids = {finding.id for finding in asked[-1].findings}
    return asked[-1], tuple(each for each in shown.citations if ids & {each.finding_id, *each.also})


async def _answered(app: Resources, case: Case, question: str, before: str) -> CaseQuestion:
    sources = [source for source in case.sources if not source.excluded]
    read = await asyncio.gather(*(app.archive.document(source.snapshot) for source in sources))
    documents = {source.id: document for source, document in zip(sources, read, strict=True) if document}
    if not documents:
        return _kept(question, answered=False, answer=_NO_PAGE)
    draft, analyst, usd, failed = await _by_model(app, case, question, before, documents)
    if draft is None:
        found = await asyncio.to_thread(_by_rule, case, question, before, documents)
        return found.model_copy(update={"answer": f"{found.answer} {failed}".strip()})
    by_snapshot = {documents[each.id].snapshot: each for each in sources if each.id in documents}
    findings = tuple(
        check_grounded(
            answer_finding(
                f"A{n}", question, source := by_snapshot[each.snapshot], each.snapshot, each.start, each.quote
            ),
            documents[source.id].text,
        )
        for n, each in enumerate(draft.quotes, 1)
    )
    answered = bool(findings)
    text = draft.text if answered else draft.why
    return _kept(question, answered=answered, answer=text, findings=findings, analyst=analyst, usd=usd)


def _kept(
    question: str,
    *,
    answered: bool,
    answer: str,
    findings: tuple[Finding, ...] = (),
    analyst: str = "local",
    usd: float = 0.0,
) -> CaseQuestion:
    fields = {"id": 0, "at": "1970-01-01T00:00:00Z", "by": "", "question": question, "answered": answered}
    return CaseQuestion.model_validate(
        fields | {"answer": answer, "findings": findings, "analyst": analyst, "usd": usd}
    )


async def _by_model(
    app: Resources, case: Case, question: str, before: str, documents: dict[str, Document]
) -> tuple[AnswerDraft | None, str, float, str]:
    """The model's answer, its name and price, and why there is none where the model of the settings failed."""
    if app.settings.model_for("write") is None:
        return None, "", 0.0, ""
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.wiring.model_services import model_analyst
    from inquest.kit.analyst import AnswerMaterial
    from inquest.retrieval.budget import CaseBudget
    from inquest.retrieval.passages import passages_on

    settings = app.settings
    budget = CaseBudget(usd=settings.budget_usd, seconds=settings.deadline_seconds)
    door = (await app.door()).for_case(None, budget)
    analyst = model_analyst(settings, door, budget, LocalAnalyst(app.reader, None), limited=budget.usd is not None)
    texts = {document.snapshot: document for document in documents.values()}
    passages = await asyncio.to_thread(passages_on, f"{before} {question}", texts, found_for_it=texts)
    verdicts = {each.claim_id: each.verdict.value.replace("_", " ") for each in case.assessments if each.checked}
    checked = tuple((each.text, verdicts[each.id]) for each in case.claims if each.id in verdicts)
    topic = case.plan.topic if case.plan else case.brief.text
    material = AnswerMaterial(question=question, before=before, topic=topic, checked=checked, passages=tuple(passages))
    try:
        return await analyst.answer(material), analyst.name, budget.spent.usd, ""
    except (ModelError, BudgetMet) as error:
        return None, "", 0.0, f"{error.sentence} The local analyst answers instead."


def _by_rule(case: Case, question: str, before: str, documents: dict[str, Document]) -> CaseQuestion:
    language = detect_language(question)
    if language not in (None, "en"):
        why = "without a language model only English questions can be read, and this one is in"
        return _kept(question, answered=False, answer=f"{why} {language_name(language)}.")
    claims = {claim.id: claim for claim in case.claims}
    verdicts = [(claims[each.claim_id], each) for each in case.assessments if each.claim_id in claims]
    found = answers_to([before, question] if before else [question], case.sources, documents, verdicts)[-1]
    text, ids = worded_answer(found, case.sources, case.findings)
    known = {each.id: each for each in (*case.findings, *found.findings)}
    findings = tuple(known[each] for each in ids if each in known)
    decided = found.verdict is None or found.verdict[1].verdict is not Verdict.UNVERIFIED
    answered = bool(findings) and decided
    return _kept(question, answered=answered, answer=text or _NOT_FOUND, findings=findings)
