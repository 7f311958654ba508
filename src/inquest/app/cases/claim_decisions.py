"""People's decisions on the claims of a case, and their questions, answered from its archived pages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from inquest.desks.inquiry.answers import answer_finding, answer_sentences, answers_to
from inquest.domain.case import Case
from inquest.domain.document import Document
from inquest.domain.errors import BudgetMet, Conflict, InputError, ModelError, NotFound
from inquest.domain.event import (
    SAID_BY_PEOPLE,
    CaseQuestion,
    ClaimDecision,
    DecisionKind,
    Event,
    EventType,
    by_claim,
    questions_in,
    said_in,
)
from inquest.domain.finding import Assessment, Verdict
from inquest.domain.report import Citation
from inquest.reports.case_json import case_json as case_json
from inquest.reports.decided import as_decided, numbered, with_questions
from inquest.text.grounding import check_grounded
from inquest.text.languages import detect_language
from inquest.text.phrases import language_name, quoted, stated
from inquest.text.sentences import shorten

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

MOST_WORDS = 5_000
_VERBS = {
    DecisionKind.ACCEPT: "accepts",
    DecisionKind.OVERRULE: "overrules",
    DecisionKind.COMMENT: "comments on",
    DecisionKind.MORE: "asks for more on",
}


class Deciding(BaseModel):
    """A person's decision on a claim, or a comment."""

    kind: DecisionKind
    verdict: str = Field("", max_length=40)
    """That replaces the overruled one."""
    why: str = Field("", max_length=MOST_WORDS)
    finding_id: str = Field("", max_length=200)
    """Of the finding that a comment is on; '': on the claim."""
    seen: int | None = Field(None, ge=0)
    """The number of the last decision that the person saw, 0 for none; None: no check against later ones."""


def claim_decisions(events: Iterable[Event]) -> tuple[ClaimDecision, ...]:
    """The decisions among these events, oldest first."""
    return said_in(events, EventType.PERSON_DECIDED, ClaimDecision)


async def as_shown(app: Resources, case: Case) -> Case:
    """The case with people's verdicts (`as_decided`) and questions. Raises StorageError."""
    events = await app.events_of(case.id, *SAID_BY_PEOPLE)
    return with_questions(as_decided(case, claim_decisions(events)), questions_in(events))


async def case_document(app: Resources, case: Case) -> dict[str, Any]:
    """The JSON of a case with people's decisions and questions; callers must not change it. Raises StorageError."""
    events = await app.events_of(case.id, *SAID_BY_PEOPLE)
    rest = "json", events[-1].id if events else 0
    return app.kept.get(case, rest, lambda: case_json(case, claim_decisions(events), questions_in(events)))


async def decide_claim(app: Resources, case: Case, claim_id: str, wanted: Deciding, *, by: str) -> Event:
    """Store a decision on a claim. Raises NotFound for a claim without a verdict in the case; InputError for a missing
    verdict or reason; Conflict for another decision since the one in `seen`; StorageError."""
    assessment = next((each for each in case.assessments if each.claim_id == claim_id), None)
    if assessment is None:
        raise NotFound(f"The case {case.id} has no verdict on a claim {claim_id[:80]!r}.")
    decided, why = _checked(wanted, assessment)
    of_claim = [each for each in case.findings if each.claim_id == claim_id]
    finding = next((each for each in of_claim if each.id == wanted.finding_id), None)
    if wanted.finding_id and finding is None:
        raise NotFound(f"There is no finding {wanted.finding_id[:80]!r} on the claim {claim_id}.")
    claim = next(each for each in case.claims if each.id == claim_id).text
    what = f": {decided.value.replace('_', ' ')}" if wanted.kind is DecisionKind.OVERRULE else ""
    data = {
        "claim_id": claim_id,
        "claim": claim,
        "finding_id": finding.id if finding else "",
        "quote": finding.quote if finding else "",
        "kind": wanted.kind.value,
        "found": assessment.verdict.value,
        "decided": decided.value,
        "why": why,
        "by": by,
    }
    event = Event(
        id=0, case_id=case.id, at=app.clock.now(), type=EventType.PERSON_DECIDED,
        text=f"{by} {_VERBS[wanted.kind]} {quoted(shorten(claim, 200))}{what}", data={**data},
    )  # fmt: skip
    while True:
        known = await _unless_decided(app, case, claim_id, wanted)
        with suppress(Conflict):  # another event by people came in between
            return await (await app.events()).append(event, known=known)


async def _unless_decided(app: Resources, case: Case, claim_id: str, wanted: Deciding) -> int:
    """The number of people's last event. Raises Conflict for a decision on the claim after the one in `seen`."""
    events = await app.events_of(case.id, *SAID_BY_PEOPLE)
    earlier = by_claim(case.claims, claim_decisions(events)).get(claim_id, ())
    if wanted.seen is not None and earlier and earlier[-1].id != wanted.seen:
        raise Conflict(
            f"{earlier[-1].by} has decided on this claim since you opened it.",
            advice="Read that decision before you make yours.",
        )
    return events[-1].id if events else 0


def _checked(wanted: Deciding, assessment: Assessment) -> tuple[Verdict, str]:
    why = wanted.why.strip()
    if wanted.kind is DecisionKind.COMMENT and not why:
        raise InputError("The comment is empty.", advice="Write a comment.")
    if wanted.kind is not DecisionKind.OVERRULE:
        return assessment.verdict, why
    if wanted.verdict not in {each.value for each in Verdict}:
        raise InputError("Missing verdict.", advice="Choose the verdict that replaces it.", field="verdict")
    if not why:
        raise InputError("Replacing a verdict requires a reason.", advice="Explain why it is wrong.", field="why")
    return Verdict(wanted.verdict), why


MOST_CHARACTERS = 1_000
_NO_PAGE = "The case has no archived page."
_NOT_FOUND = "No sentence with an answer was found in the case's pages without a language model."


async def ask_case(app: Resources, case: Case, words: str, *, by: str) -> tuple[CaseQuestion, tuple[Citation, ...]]:
    """Answer a question from the archived pages of the case, with one model call or by rules, and store it with the
    case. Return it with the quotes of its answer, numbered as in the case. Raises InputError for an empty or too long
    question, Conflict for a case that has not ended, SettingError, StorageError."""
    question = " ".join(words.split())
    if not any(map(str.isalnum, question)) or len(question) > MOST_CHARACTERS:
        raise InputError(
            f"Invalid question: expected words, at most {MOST_CHARACTERS:,} characters.",
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
    failed = ""
    if app.settings.model_for("write") is not None:
        try:
            if by_model := await _by_model(app, case, question, before, documents):
                return by_model
        except (ModelError, BudgetMet) as error:
            failed = f"{error.sentence} The local analyst answers instead."
    found = await asyncio.to_thread(_by_rule, case, question, before, documents)
    return found.model_copy(update={"answer": f"{found.answer} {failed}".strip()})


def _kept(question: str, *, answer: str, **fields: Any) -> CaseQuestion:
    """An answer before it is stored, by the local analyst if `fields` name no other."""
    made = {"id": 0, "at": "1970-01-01T00:00:00Z", "by": "", "question": question, "analyst": "local"}
    return CaseQuestion.model_validate({**made, "answer": answer, **fields})


async def _by_model(
    app: Resources, case: Case, question: str, before: str, documents: dict[str, Document]
) -> CaseQuestion | None:
    """The answer of the model, if it can give one. Raises ModelError, BudgetMet."""
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
    draft = await analyst.answer(material)
    if draft is None:
        return None
    by_snapshot = {documents[each.id].snapshot: each for each in case.sources if each.id in documents}
    findings = tuple(
        check_grounded(
            answer_finding(f"A{n}", question, by_snapshot[each.snapshot], each.snapshot, each.start, each.quote),
            texts[each.snapshot].text,
        )
        for n, each in enumerate(draft.quotes, 1)
    )
    answer, usd = draft.text if findings else draft.why, budget.spent.usd
    return _kept(question, answered=bool(findings), answer=answer, findings=findings, analyst=analyst.name, usd=usd)


def _by_rule(case: Case, question: str, before: str, documents: dict[str, Document]) -> CaseQuestion:
    language = detect_language(question)
    if language not in (None, "en"):
        answer = f"Questions in {language_name(language)} need a language model; without one, ask in English."
        return _kept(question, answered=False, answer=answer)
    claims = {claim.id: claim for claim in case.claims}
    verdicts = [(claims[each.claim_id], each) for each in case.assessments if each.claim_id in claims]
    pages = [(each, documents[each.id]) for each in case.sources if each.id in documents]
    asked = [before, question] if before else [question]
    found = answers_to(asked, pages, verdicts, findings=case.findings)[-1]
    text, ids = answer_sentences(found, case.sources, case.findings)
    known = {each.id: each for each in (*case.findings, *found.findings)}
    findings = tuple(known[each] for each in ids if each in known)
    decided = found.verdict is None or found.verdict[1].verdict is not Verdict.UNVERIFIED
    answered = bool(findings) and decided
    return _kept(question, answered=answered, answer=stated(text) if text else _NOT_FOUND, findings=findings)
