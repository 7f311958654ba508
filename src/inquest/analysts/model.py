"""The analyst that asks a model service and verifies every answer.

The pure parser of each prompt checks an answer: ids must exist, quotes must be in the text, figures in the cited
passages. After an unusable answer, the model is asked once more, in a simpler form; if that fails too, ModelFormat is
raised, and the flow has the local analyst answer that call and lists the outage. A single assessment that fails twice
is 'unassessed'.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Literal, TypeVar

from inquest.analysts.prompts import (
    answer,
    assess,
    classify,
    desk_queries,
    events,
    leanings,
    market,
    merge,
    plan,
    read,
    write,
)
from inquest.analysts.prompts.assess import Asked
from inquest.analysts.replies import AnswerPart, Unusable, schema_of
from inquest.analysts.second_reading import doubtful, repeated, settled, shared, window_of
from inquest.analysts.service import ModelService, PromptTooLong
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import ModelFormat
from inquest.domain.finding import ContradictionType, Reading, Stance
from inquest.domain.market import MarketReading
from inquest.domain.plan import AnalysedUrl, Brief, Plan
from inquest.domain.reasons import in_words
from inquest.domain.report import Summary
from inquest.domain.search import EngineKind
from inquest.domain.source import Rating, Source
from inquest.entailment.attribution import WORDS_ALONE, is_about_words
from inquest.entailment.windows import Likeness
from inquest.kit.analyst import (
    Analyst,
    AnswerDraft,
    AnswerMaterial,
    ClaimDraft,
    DatedPassage,
    EventDraft,
    LeaningDraft,
    Passage,
    PlanDraft,
    SourceReading,
    WriteMaterial,
)
from inquest.text.languages import other_than_english

T = TypeVar("T")

Duty = Literal[
    "plan", "read", "merge", "assess", "events", "leanings", "classify", "write", "news", "academic", "market"
]
"""Tasks for a model. The last three belong to desks with a model of their own: its queries and its assessments."""

_CLAIMS_AT_ONCE = 20
"""Claims per call when queries are written; with more, small models begin to leave some out."""
_OF_FIGURES = (None, ContradictionType.DIRECT)
"""Kinds of contradiction decided by figures; those of omission, context and time can contradict a claim with the same
figure."""
_LIKELY = 0.5
"""Confidence from which the local assessment counts."""
_REFUTING = {
    Stance.CONTRADICTS: (Stance.SUPPORTS, "entailment.figures_same"),
    Stance.SUPPORTS: (Stance.CONTRADICTS, "entailment.figures_differ"),
}
"""The model's stance, the local stance that refutes it, and the arithmetical reason."""


class ModelAnalyst(Analyst):
    """An analyst with one or several models; the local analyst does tasks without a model."""

    def __init__(self, name: str, services: Mapping[Duty, ModelService], local: Analyst) -> None:
        """`name`: the analyst named in the plan. `local`: also finds the sentences closest in meaning to a claim."""
        self.name = name
        self._services = {str(duty): service for duty, service in services.items()}
        self._local = local

    async def plan(
        self,
        brief: Brief,
        user_sources: Sequence[AnalysedUrl],
        kinds: Sequence[EngineKind],
        *,
        change: str = "",
        before: Plan | None = None,
    ) -> PlanDraft:
        """Return the draft of a plan. Raises ModelError, like every method, if a model cannot answer."""
        service = self._services.get("plan")
        if service is None:
            return await self._local.plan(brief, user_sources, kinds, change=change, before=before)
        return await _asked(
            service,
            plan.Revision if before else plan.Answer,
            lambda again: plan.ask(kinds, again),
            plan.question(brief, user_sources, change, before),
            lambda text: plan.answer(text, brief, user_sources, kinds),
        )

    async def read(self, brief: Brief, topic: str, document: Document) -> SourceReading:
        """Return what the document says about the brief."""
        service = self._services.get("read")
        if service is None:
            return await self._local.read(brief, topic, document)
        seen = read.shown(document, topic, brief.text)
        return await _asked(
            service,
            read.Answer,
            read.ask,
            read.question(brief, topic, document, seen),
            lambda text: read.answer(text, document, seen, final=False),
            lambda text: read.answer(text, document, seen, final=True),
        )

    async def merge(
        self, topic: str, readings: Sequence[tuple[Source, SourceReading]], limit: int | None
    ) -> tuple[ClaimDraft, ...]:
        """Return the claims of all sources, most important first."""
        service = self._services.get("merge")
        if service is None or not any(reading.key_claims for _, reading in readings):
            return await self._local.merge(topic, readings, limit)
        return await _asked(
            service,
            merge.Answer,
            lambda again: merge.ask(limit, again),
            merge.question(topic, readings),
            lambda text: merge.answer(text, readings, limit),
        )

    async def assess(
        self, claim: str, passages: Sequence[Passage], *, statements: Sequence[str] = (), desk: str = ""
    ) -> tuple[Reading, ...]:
        """Return the stance of each passage, in order. A passage whose quote was not found in it twice is unassessed;
        one that another passage contains is assessed with it."""
        service = self._of_desk(desk, "assess")
        if service is None or not passages:
            return await self._local.assess(claim, passages, statements=statements)
        asked = Asked(claim, tuple(statements))
        repeats = repeated(passages)
        by_id = await self._by_id(service, asked, [each for each in passages if each.id not in repeats])
        by_id |= shared(passages, repeats, by_id)
        by_id |= await self._by_id(service, asked, [each for each in passages if each.id not in by_id])
        found = [_with_words(claim, by_id[each.id]) for each in passages]
        return await self._held_against_figures(claim, passages, found)

    async def _by_id(self, service: ModelService, asked: Asked, passages: Sequence[Passage]) -> dict[str, Reading]:
        """Assess the passages in as few calls as the model allows, doubtful ones twice, and return the results by
        passage."""
        size = service.at_once
        parts = [passages[start : start + size] for start in range(0, len(passages), size)]
        judged = await asyncio.gather(*(_judged(service, asked, part, self._local.likeness) for part in parts))
        found = [reading for part in judged for reading in part]
        places = doubtful(found)
        windows = [window_of(passages[place], found[place]) for place in places]
        with suppress(ModelFormat):
            second = await _judged(service, asked, windows) if windows else []
            for place, window, again in zip(places, windows, second, strict=True):
                found[place] = settled(found[place], again, passages[place], window)
        return dict(zip([each.id for each in passages], found, strict=True))

    async def _held_against_figures(
        self, claim: str, passages: Sequence[Passage], found: Sequence[Reading]
    ) -> tuple[Reading, ...]:
        """Neutralise assessments that the quoted figures refute: an equal figure does not contradict, and a different
        one does not support."""
        if not any(char.isdigit() for char in claim):
            return tuple(found)
        decided = [
            passage.model_copy(update={"text": one.quote, "start": passage.start + one.start})
            for passage, one in zip(passages, found, strict=True)
            if one.stance in _REFUTING and one.contradiction_type in _OF_FIGURES
            if any(char.isdigit() for char in one.quote)
        ]
        by_rule = await self._local.assess(claim, decided) if decided else ()
        rules = {each.passage_id: each for each in by_rule}
        return tuple(_unless_refuted(one, rules.get(one.passage_id)) for one in found)

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """Return the price according to the price list of the model used for assessments."""
        service = self._services.get("assess") or next(iter(self._services.values()), None)
        return service.price(tokens_in, tokens_out) if service is not None else 0.0

    def judge_of(self, desk: str) -> str:
        """Return the desk itself if it has a model of its own; all others share the model for assessments."""
        return desk if desk in self._services else ""

    async def desk_queries(
        self, desk: str, angles: Mapping[str, str], claims: Sequence[Claim], company: str, industry: str
    ) -> Mapping[str, Mapping[str, str]]:
        """Return search queries: claim id -> angle -> query. Unrequested claims, angles and operators are dropped;
        claims may be missing."""
        service = self._of_desk(desk, "plan")
        if service is None or not claims or not angles:
            return await self._local.desk_queries(desk, angles, claims, company, industry)
        parts = [claims[start : start + _CLAIMS_AT_ONCE] for start in range(0, len(claims), _CLAIMS_AT_ONCE)]

        async def drafted(part: Sequence[Claim]) -> desk_queries.Drafted:
            return await _asked(
                service,
                desk_queries.Answer,
                lambda again: desk_queries.ask(desk, angles, again),
                desk_queries.question(part, company, industry),
                lambda text: desk_queries.answer(text, angles, part),
            )

        found: desk_queries.Drafted = {}
        for each in await asyncio.gather(*(drafted(part) for part in parts)):
            found |= each
        return found

    async def read_market_question(self, text: str) -> MarketReading:
        """Interpret a market question with the market desk's own model, or the planner's."""
        service = self._of_desk("market", "plan")
        if service is None:
            return await self._local.read_market_question(text)
        return await _asked(service, market.Answer, market.ask, market.question(text), market.answer)

    async def events(self, topic: str, passages: Sequence[DatedPassage]) -> tuple[EventDraft, ...]:
        """Return the relevant events, oldest first."""
        service = self._services.get("events")
        if service is None or not passages:
            return await self._local.events(topic, passages)
        seen = events.chosen(passages)
        return await _asked(
            service, events.Answer, events.ask, events.question(topic, seen), lambda text: events.answer(text, seen)
        )

    async def leanings(self, topic: str, sources: Sequence[tuple[Source, Document]]) -> tuple[LeaningDraft, ...]:
        """Return the leaning of each source towards the subject, in the order given."""
        service = self._services.get("leanings")
        if service is None or not sources:
            return await self._local.leanings(topic, sources)
        return await _asked(
            service,
            leanings.Answer,
            leanings.ask,
            leanings.question(topic, sources),
            lambda text: leanings.answer(text, sources),
        )

    async def classify(self, source_url: str, document: Document) -> Rating | None:
        """Return a rating of at most tier 3 for a publisher without a rule; None: unknown."""
        service = self._services.get("classify")
        if service is None:
            return await self._local.classify(source_url, document)
        return await _asked(
            service,
            classify.Answer,
            classify.ask,
            classify.question(source_url, document),
            lambda text: classify.answer(text, source_url),
        )

    async def answer(self, material: AnswerMaterial) -> AnswerDraft | None:
        """Return the answer with its quotes, each checked against its passage."""
        service = self._of_desk(material.desk, "write")
        if service is None or not material.passages:
            return None
        question = answer.question(material)
        if material.desk:
            reply = await service.ask(answer.ask(""), question, schema_of(answer.Answer))
            try:
                return answer.answer(reply, material)
            except Unusable:
                return None
        return await _asked(service, answer.Answer, answer.ask, question, lambda text: answer.answer(text, material))

    async def write(self, material: WriteMaterial, *, depth: str) -> Summary:
        """Return the cited summary. Its sentences about the work itself are written by rules."""
        service = self._services.get("write")
        by_rule = await self._local.write(material, depth=depth)
        if service is None or not any(finding.quote for finding in material.findings):
            return by_rule
        foreign = await asyncio.to_thread(write.foreign_quotes, material)
        summary = await _asked(
            service,
            write.TranslatedAnswer if foreign else write.Answer,
            lambda again: write.ask(depth, again, material.language, foreign, questions=bool(material.questions)),
            write.question(material),
            lambda text: write.answer(text, material),
        )
        return write.with_the_work(summary, by_rule)

    def _of_desk(self, desk: str, duty: Duty) -> ModelService | None:
        """Return the service for a task of a desk: its own model, or the general one."""
        return self._services.get(desk) or self._services.get(duty)


async def _asked(
    service: ModelService,
    kind: type[AnswerPart],
    ask: Callable[[str], str],
    question: str,
    parse: Callable[[str], T],
    parse_last: Callable[[str], T] | None = None,
) -> T:
    """Return the parsed answer to the first request or to a second, simpler one. `ask` gets the reason why the last
    answer was unusable; `parse_last`: a more lenient parser for the second answer. Raises ModelError."""
    schema = schema_of(kind)
    try:
        return parse(await service.ask(ask(""), question, schema))
    except (Unusable, ModelFormat) as error:
        why = _why(error)
    try:
        return (parse_last or parse)(await service.ask(ask(why), question, schema, again=True))
    except Unusable as error:
        raise _useless(service, error) from error


def _why(error: Unusable | ModelFormat) -> str:
    return str(error) if isinstance(error, Unusable) else "it was not an answer at all"


def _useless(service: ModelService, error: Unusable) -> ModelFormat:
    return ModelFormat(
        service.name,
        f"{service.name} answered twice in a form that cannot be used: {error}.",
        advice="A larger model, or another one for this role, may do better.",
    )


async def _judged(
    service: ModelService, asked: Asked, passages: Sequence[Passage], likeness: Likeness | None = None
) -> list[Reading]:
    """Return one assessment per passage. Only what the first answer lacks is requested again. Passages too long for one
    call are halved."""
    seen = await asyncio.to_thread(assess.packed, asked.claim, passages, likeness)
    good: assess.Judged = {}
    missing: dict[str, str] = {}
    why = ""
    schema = schema_of(assess.Answer)
    try:
        question = assess.question(asked, passages, seen)
        reply = await service.ask(assess.ask(asked), question, schema, whole=len(passages) > 1)
        good, missing = assess.answer(reply, passages, seen)
        why = next(iter(missing.values()), "")
    except PromptTooLong:
        middle = len(passages) // 2
        halves = (passages[:middle], passages[middle:])
        judged = await asyncio.gather(*(_judged(service, asked, half, likeness) for half in halves))
        return [reading for half in judged for reading in half]
    except (Unusable, ModelFormat) as error:
        missing = {passage.id: "" for passage in passages}
        why = _why(error)
    if missing:
        left = [passage for passage in passages if passage.id in missing]
        try:
            question = assess.question(asked, left, seen)
            reply = await service.ask(assess.ask(asked, why), question, schema, again=True)
            again, missing = assess.answer(reply, left, seen)
            good |= again
        except (Unusable, ModelFormat) as error:
            if not good and isinstance(error, Unusable):
                raise _useless(service, error) from error
            if not good:
                raise
    return [
        good.get(passage.id) or assess.unassessed(passage, service.name, missing[passage.id]) for passage in passages
    ]


def _with_words(claim: str, reading: Reading) -> Reading:
    """Add whether the claim is about words if the model has not said it. A model that says so of what an English claim
    states as a fact is not believed: a party's own statement would become evidence."""
    about = reading.about_words
    if about is None:
        about = reading.mode in WORDS_ALONE and is_about_words(claim)
    elif about:
        about = is_about_words(claim) or other_than_english(claim) is not None
    return reading.model_copy(update={"about_words": about or None})


def _unless_refuted(judgement: Reading, by_rule: Reading | None) -> Reading:
    if by_rule is None or by_rule.confidence < _LIKELY or judgement.stance not in _REFUTING:
        return judgement
    stance, code = _REFUTING[judgement.stance]
    proof = next((each for each in by_rule.reason_codes if each.code == code), None)
    if by_rule.stance is not stance or proof is None:
        return judgement
    kept = (*(judgement.reasons or ("The model gave no reason.",)), in_words(proof))
    changed = {"stance": Stance.NEUTRAL, "contradiction_type": None, "reasons": kept}
    return judgement.model_copy(update={**changed, "reason_codes": (*judgement.reason_codes, proof)})
