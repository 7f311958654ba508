"""Answers to the questions of a brief: the sentences of its sources that say it, or why there is none."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from inquest.claims.brief_reading import subject_of
from inquest.desks.inquiry.brief_claims import subject_and_question
from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.finding import Finding, Stance
from inquest.domain.report import Section, Statement
from inquest.domain.source import Source
from inquest.text.entities import names
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.phrases import quoted
from inquest.text.quantities import quantities
from inquest.text.sentences import content_words, sentences, shorten
from inquest.text.synonyms import same_act
from inquest.verdicts.weighing_reasons import name_of

HEADING = "Answers to the questions"
_OPEN = pattern(__name__, "open")
_NUMBER = pattern(__name__, "number")
_DATE = pattern(__name__, "date")
_NAME = pattern(__name__, "name")
_HOW_MUCH = pattern(__name__, "how_much")
_YES_OR_NO = pattern(__name__, "yes_or_no")
_LEAST = 0.5
"""Share of a question's own words that a sentence must have to answer it."""
_FEW = 2
"""Words of a question all of which a sentence must have, where no figure or date is asked for."""
_ALONE = 2
"""Words of its own that a question must have to be understood without the one before."""
_STATED = 0.75
"""The same of a claim that states what is asked."""
_CITED = 4
_FORM, _TIER = 0.35, 0.04
"""What the form that is asked for (a figure, a date, a name) and each step of a source's tier are worth beside that."""
_MOST = 2
"""Sources quoted for one answer."""
_HOLDING = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE, Verdict.DISPUTED)
"""What a claim must come to, to answer what is more than a yes or no."""
_OPENING = 2_000
"""Characters of a document in which what it is about is named."""
_QUOTED = 400
"""Characters of a sentence that can stand as an answer."""


@dataclass(frozen=True)
class QuestionAnswer:
    """A question with the findings that answer it; without any, and without a verdict, it is not answered."""

    question: str
    findings: tuple[Finding, ...] = ()
    verdict: tuple[Claim, Assessment] | None = None
    """The claim that states what is asked, where it was checked and something was found on it."""


def answers_to(
    questions: Sequence[str],
    sources: Sequence[Source],
    documents: Mapping[str, Document],
    verdicts: Sequence[tuple[Claim, Assessment]] = (),
) -> tuple[QuestionAnswer, ...]:
    """The verdict on the claim that states what is asked, or the best sentence of each of the best independent sources.
    `documents`: by source id."""
    counted = [source for source in sources if not source.excluded and source.id in documents]
    refuted = {claim.text.rstrip(".") for claim, found in verdicts if found.verdict is Verdict.CONTRADICTED}
    answers: list[QuestionAnswer] = []
    number = 0
    before: set[str] = set()
    for question in questions:
        asked, asked_part = subject_and_question(question)
        own = set(content_words(_HOW_MUCH.sub("", asked_part)))
        own -= {word for name in subject_of(asked) for word in content_words(name)}
        # 'When did they open?' goes on from the question before.
        new, own = own, own | before if len(own) < _ALONE else own
        before = own
        asks = _QuestionWords(question, asked_part, frozenset(own), frozenset(new))
        decided = _main(verdicts) if _OPEN.match(asked_part) else _decided(asks, verdicts, _HOLDING)
        if decided is not None:
            answers.append(QuestionAnswer(question, (), decided))
            continue
        best = sorted(
            (
                found
                for source in counted
                for found in _sentences(asks, source, documents[source.id])
                if found[3].strip().rstrip(".") not in refuted
            ),
            key=lambda each: (-each[0], each[1].id, each[2]),
        )
        taken: dict[str, Finding] = {}
        for _, source, start, quote in best:
            story = source.story or source.id
            if story in taken or len(taken) == _MOST:
                continue
            number += 1
            taken[story] = Finding(
                id=f"Q{number}",
                claim_id=None,
                source_id=source.id,
                agent="inquiry",
                evidence_type="answer",
                stance=Stance.NEUTRAL,
                confidence=1.0,
                quote=quote,
                snapshot=source.snapshot,
                start=start,
                end=start + len(quote),
                summary=f"Answers: {question}",
            )
        left = None if taken else _decided(asks, verdicts, (Verdict.CONTRADICTED, Verdict.UNVERIFIED))
        answers.append(QuestionAnswer(question, tuple(taken.values()), left))
    return tuple(answers)


def answer_section(
    answers: Sequence[QuestionAnswer], sources: Sequence[Source], lacks: str = "", findings: Sequence[Finding] = ()
) -> Section | None:
    """The answers as a section of the summary; None where nothing was asked. `lacks`: what could not be asked, as the
    end of a sentence; `findings`: of these what contradicts a claim is quoted, since it is the better answer."""
    known = {finding.id: finding for finding in findings}
    by_id = {source.id: source for source in sources}
    said = []
    for answer in answers:
        asked = answer.question if answer.question.endswith("?") else f"{answer.question}:"
        if answer.verdict is not None:
            claim, verdict = answer.verdict
            word = "not verified" if verdict.verdict is Verdict.UNVERIFIED else verdict.verdict.value.replace("_", " ")
            ids = (*verdict.supporting, *verdict.contradicting)[:_CITED]
            against = next((known[each] for each in verdict.contradicting if each in known), None)
            text = f"{asked} “{claim.text.rstrip('.')}” is {word}."
            if verdict.verdict is Verdict.CONTRADICTED and against is not None and against.source_id in by_id:
                ids = tuple(dict.fromkeys((*ids[: _CITED - 1], against.id)))
                text = text.removesuffix(".")
                text += f"; {name_of(by_id[against.source_id])} has {quoted(shorten(against.quote, _QUOTED))}."
            said.append(Statement(text=text, finding_ids=ids))
        elif answer.findings:
            quotes = "; ".join(f"{name_of(by_id[each.source_id])}: “{each.quote}”" for each in answer.findings)
            ids = tuple(each.id for each in answer.findings)
            said.append(Statement(text=f"{asked} {quotes}", finding_ids=ids))
        else:
            read = "no sentence was found that says it" if sources else "no source was found"
            why = f"{read}{f', and {lacks}' if lacks else ''}"
            said.append(Statement(text=f"{asked} Not answered: {why}.", about_the_work=True))
    return Section(heading=HEADING, statements=tuple(said)) if said else None


@dataclass(frozen=True)
class _QuestionWords:
    """A question, the part of it that asks, its words, and those of them that no question before it had."""

    question: str
    asked_part: str
    own: frozenset[str]
    new: frozenset[str]


def _main(verdicts: Sequence[tuple[Claim, Assessment]]) -> tuple[Claim, Assessment] | None:
    """What happened: the weightiest claim that was found to be so."""
    held = [each for each in verdicts if each[1].verdict is Verdict.VERIFIED]
    return max(held, key=lambda each: each[0].importance, default=None)


def _decided(
    asked: _QuestionWords, verdicts: Sequence[tuple[Claim, Assessment]], states: Collection[Verdict]
) -> tuple[Claim, Assessment] | None:
    """The claim that states what is asked: it has most of the question's words, with and without the names in it, at
    least one that no question before it had, and a figure, a date or a name where one is asked for, with one of these
    verdicts (`states`)."""
    own, new, asked_part, question = asked.own, asked.new, asked.asked_part, asked.question
    matter = own - {word for name in names(question) for word in content_words(name.text)} or own
    shares = [
        (_share(own, words), -place, claim, verdict)
        for place, (claim, verdict) in enumerate(verdicts)
        if verdict.checked and (verdict.supporting or verdict.contradicting)
        if (_share(new, words := set(content_words(claim.text))) or not new) and _share(matter, words) >= _STATED
        if _YES_OR_NO.match(asked_part)
        or (verdict.verdict in states and _asks_for_a_form(asked_part) and _has_form(asked_part, question, claim.text))
    ]
    best = max(shares, key=lambda each: each[:2], default=None)
    return (best[2], best[3]) if best is not None and best[0] >= _STATED else None


def _sentences(asked: _QuestionWords, source: Source, document: Document) -> list[tuple[float, Source, int, str]]:
    """The sentences of a document that answer, with their worth and place. What a question is about may be named
    elsewhere in a document, and only what it asks in the sentence itself."""
    found = []
    about = {word for name in names(asked.question) for word in content_words(name.text)}
    named = about & set(content_words(f"{document.title} {document.text[:_OPENING]}"))
    own = (asked.own - named) or asked.own
    # A figure or a date shows what an answer is; without one a single word in common, 'paper', tells nothing.
    written = source.published.at.date() if source.published else None
    known_form = _NUMBER.match(asked.asked_part) or _DATE.match(asked.asked_part)
    least = _LEAST if known_form or len(own) > _FEW else 1.0
    for span in sentences(document.text):
        text = span.of(document.text)
        words = set(content_words(text))
        share = _share(own, words)
        if share < least or (asked.new and not _share(asked.new, words)):
            continue
        if len(text) > _QUOTED or text.rstrip().endswith("?") or "\n" in text.strip():
            continue
        if not _has_form(asked.asked_part, asked.question, text, written):
            continue
        found.append((share + _FORM + _TIER * (4 - source.rating.tier), source, span.start, text))
    return found


def _share(own: Collection[str], words: Collection[str]) -> float:
    """The share of a question's words that a text has, in any word for the same act: 'caught' and 'contracted'."""
    met = sum(1 for word in own if word in words or same_act(word) & set(words))
    return met / len(own) if own else 0.0


def _asks_for_a_form(asked_part: str) -> bool:
    return any(form.match(asked_part) for form in (_NUMBER, _DATE, _NAME))


def _has_form(asked_part: str, question: str, text: str, written: date | None = None) -> bool:
    """True where a sentence has what is asked for: a figure, a date or a name that the question does not have.
    `written`: the day from which 'last June' counts."""
    if _NUMBER.match(asked_part):
        asked = {each.text for each in quantities(question)}
        return any(each.text not in asked for each in quantities(text) if not each.spelled or len(each.text) > 3)
    if _DATE.match(asked_part):
        return bool(moments(text, written))
    if _NAME.match(asked_part):
        known = set(content_words(question))
        return any(not set(content_words(name.text)) <= known for name in names(text))
    return True
