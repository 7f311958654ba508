"""Answers to the questions of a brief: the sentences of its sources that say it, or why there is none."""

from __future__ import annotations

import re
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
from inquest.text.blocks import evidence_sentences, without_mark
from inquest.text.entities import names
from inquest.text.lexicon import pattern, word_lists
from inquest.text.moments import moments
from inquest.text.phrases import capitalised, quoted
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import ASKING, content_words, shorten
from inquest.text.synonyms import same_act
from inquest.verdicts.weighing_reasons import name_of

_NUMBER = pattern(__name__, "number")
_COUNTED = pattern(__name__, "counted")
_DATE = pattern(__name__, "date")
_NAME = pattern(__name__, "name")
_MEASURES = tuple(
    (
        regex(rf"^how\s+{word}\b" if word != "cost" else r"^what\b.*\bcost", re.IGNORECASE),
        frozenset(map(Dimension, dimensions)),
    )
    for word, dimensions in word_lists(__name__, "answer_measures").items()
)
_WORD_NUMBER = 3
"""Letters of a figure in words that may be an article: 'one'."""


def asks_for_a_form(asked_part: str) -> bool:
    """Whether a question asks for a figure, a date or a name."""
    return asks_for_a_figure(asked_part) or bool(_NAME.match(asked_part))


def asks_for_a_figure(asked_part: str) -> bool:
    """Whether it asks for a figure or a date, which shows by itself what an answer is."""
    return bool(_NUMBER.match(asked_part) or _DATE.match(asked_part))


def has_form(asked_part: str, question: str, text: str, written: date | None = None) -> bool:
    """True where a sentence has what is asked for: a figure of what is measured or counted, a date or a name, that
    the question does not have. `written`: the day from which 'last June' counts."""
    if _NUMBER.match(asked_part):
        asked = {each.text for each in quantities(question)}
        given = [each for each in quantities(text) if each.text not in asked]
        return any(_answers(asked_part, each, text) for each in given if not _is_article(each))
    if _DATE.match(asked_part):
        return bool(moments(text, written))
    if _NAME.match(asked_part):
        known = set(content_words(question))
        return any(not set(content_words(name.text)) <= known for name in names(text))
    return True


def _is_article(figure: Quantity) -> bool:
    return figure.spelled and len(figure.text) <= _WORD_NUMBER


def _answers(asked_part: str, figure: Quantity, text: str) -> bool:
    """'How many patients' is answered by a number of patients, 'how much water' by no mere number."""
    counted = _COUNTED.match(asked_part)
    if counted is not None:
        if figure.dimension is not Dimension.COUNT:
            return False
        wanted = {each for word in content_words(counted["thing"]) for each in (word, *same_act(word))}
        # A number that stands alone counts what the sentence names: 'it gave the number of pupils as 27'.
        return not wanted or bool(wanted & set(figure.nouns or content_words(text)))
    measures = next((each for form, each in _MEASURES if form.match(asked_part)), None)
    return measures is None or figure.dimension in measures


HEADING = "Answers to the questions"
_OPEN = pattern(__name__, "open")
_OF_ALL = pattern(__name__, "of_all")
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
_UNAIDED = "no sentence says it in the question's words, which are all that can be looked for without a language model"
_IN_ORDER = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE, Verdict.CONTRADICTED, Verdict.DISPUTED, Verdict.UNVERIFIED)
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
    of_all: tuple[tuple[Claim, Assessment], ...] = ()
    """What the brief asserts, where it asks what of it holds."""


def answers_to(
    questions: Sequence[str],
    sources: Sequence[Source],
    documents: Mapping[str, Document],
    verdicts: Sequence[tuple[Claim, Assessment]] = (),
    own: Collection[str] = (),
) -> tuple[QuestionAnswer, ...]:
    """The verdict on the claim that states what is asked, or the best sentence of each of the best independent sources.
    `documents`: by source id; `own`: what the brief itself asserts, word for word as its claims do."""
    asserted = tuple(each for each in verdicts if each[0].text in own)
    counted = [source for source in sources if not source.excluded and source.id in documents]
    refuted = {claim.text.rstrip(".") for claim, found in verdicts if found.verdict is Verdict.CONTRADICTED}
    answers: list[QuestionAnswer] = []
    number = 0
    before: set[str] = set()
    for question in questions:
        asked, asked_part = subject_and_question(question)
        if asserted and _OF_ALL.match(asked_part):
            answers.append(QuestionAnswer(question, of_all=asserted))
            continue
        words = set(content_words(_OPEN.sub("", _HOW_MUCH.sub("", asked_part))))
        words -= {word for name in subject_of(asked) for word in content_words(name)}
        # 'When did they open?' goes on from the question before.
        new, words = words, words | before if len(words) < _ALONE else words
        before = words
        asks = _QuestionWords(question, asked_part, frozenset(words), frozenset(new))
        decided = _main(asks, verdicts) if _OPEN.match(asked_part) else _decided(asks, verdicts, _HOLDING)
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
    answers: Sequence[QuestionAnswer],
    sources: Sequence[Source],
    lacks: str = "",
    findings: Sequence[Finding] = (),
    *,
    unaided: bool = False,
) -> Section | None:
    """The answers as a section of the summary; None where nothing was asked. `lacks`: what could not be asked, as the
    end of a sentence; `findings`: of these what contradicts a claim is quoted, since it is the better answer;
    `unaided`: no language model has read the sources."""
    known = {finding.id: finding for finding in findings}
    by_id = {source.id: source for source in sources}
    said = []
    for answer in answers:
        asked = answer.question if answer.question.endswith(ASKING) else f"{answer.question}:"
        if answer.of_all:
            said.append(_of_all(asked, answer.of_all))
        elif answer.verdict is not None:
            claim, verdict = answer.verdict
            word = _word(verdict)
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
            read = _UNAIDED if unaided else "no sentence was found that says it"
            why = f"{read if sources else 'no source was found'}{f', and {lacks}' if lacks else ''}"
            said.append(Statement(text=f"{asked} Not answered: {why}.", about_the_work=True))
    return Section(heading=HEADING, statements=tuple(said)) if said else None


def _word(verdict: Assessment) -> str:
    if not verdict.checked:
        return "not checked"
    return "not verified" if verdict.verdict is Verdict.UNVERIFIED else verdict.verdict.value.replace("_", " ")


def _of_all(asked: str, verdicts: Sequence[tuple[Claim, Assessment]]) -> Statement:
    """What holds of what the brief asserts: its statements by verdict."""
    by_word: dict[str, list[str]] = {}
    for claim, verdict in sorted(verdicts, key=lambda each: (not each[1].checked, _IN_ORDER.index(each[1].verdict))):
        by_word.setdefault(_word(verdict), []).append(quoted(claim.text.rstrip(".")))
    said = " ".join(f"{capitalised(word)}: {'; '.join(claims)}." for word, claims in by_word.items())
    ids = [each for _, verdict in verdicts for each in (*verdict.supporting[:1], *verdict.contradicting[:1])]
    return Statement(text=f"{asked} {said}", finding_ids=tuple(dict.fromkeys(ids)), about_the_work=not ids)


@dataclass(frozen=True)
class _QuestionWords:
    """A question, the part of it that asks, its words, and those of them that no question before it had."""

    question: str
    asked_part: str
    own: frozenset[str]
    new: frozenset[str]


def _main(asked: _QuestionWords, verdicts: Sequence[tuple[Claim, Assessment]]) -> tuple[Claim, Assessment] | None:
    """What happened: the weightiest claim that was found to be so, of those on what is asked about."""
    held = [each for each in verdicts if each[1].verdict is Verdict.VERIFIED]
    held = [each for each in held if not asked.own or _share(asked.own, content_words(each[0].text)) >= _LEAST]
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
        or (verdict.verdict in states and asks_for_a_form(asked_part) and has_form(asked_part, question, claim.text))
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
    least = _LEAST if asks_for_a_figure(asked.asked_part) or len(own) > _FEW else 1.0
    for span in evidence_sentences(document):
        span = without_mark(document.text, span)
        text = span.of(document.text)
        words = set(content_words(text))
        share = _share(own, words)
        if share < least or (asked.new and not _share(asked.new, words)):
            continue
        if len(text) > _QUOTED or text.rstrip().endswith(ASKING) or "\n" in text.strip():
            continue
        if not has_form(asked.asked_part, asked.question, text, written):
            continue
        found.append((share + _FORM + _TIER * (4 - source.rating.tier), source, span.start, text))
    return found


def _share(own: Collection[str], words: Collection[str]) -> float:
    """The share of a question's words that a text has, in any word for the same act: 'caught' and 'contracted'."""
    met = sum(1 for word in own if word in words or same_act(word) & set(words))
    return met / len(own) if own else 0.0
