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
from inquest.text.sentences import ASKING, content_words, shorten
from inquest.text.synonyms import same_act
from inquest.verdicts.weighing_reasons import name_of

HEADING = "Answers to the questions"
_DATE, _NAME, _OPEN, _OF_ALL, _YES_OR_NO = (
    pattern(__name__, name) for name in ("date", "name", "open", "of_all", "yes_or_no")
)
_HOW_MUCH = pattern(__name__, "how_much")
_COST = "cost"
_MEASURES = {
    word: frozenset(map(Dimension, dimensions)) for word, dimensions in word_lists(__name__, "answer_measures").items()
}
"""By the word after 'how', the dimensions that answer it."""
_ARTICLE = 3
"""Letters of a figure in words that may be an article: 'one'."""
_LEAST = 0.5
"""Share of a question's own words that a sentence must have to answer it."""
_FEW = 2
"""Words of a question all of which a sentence must have, where no figure or date is asked for."""
_ALONE = 2
"""Words of its own that a question must have to be understood without the one before."""
_STATED = 0.75
"""Share of a question's words that a claim must have to state what is asked."""
_CITED = 4
_TIER = 0.04
"""What each step of a source's tier adds to the share of words."""
_MOST = 2
"""Sources quoted for one answer."""
_HOLDING = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE, Verdict.DISPUTED)
"""Verdicts with which a claim answers more than a yes or no."""
_UNAIDED = "no sentence has the question's words, and without a language model nothing else can be looked for"
_IN_ORDER = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE, Verdict.CONTRADICTED, Verdict.DISPUTED, Verdict.UNVERIFIED)
_OPENING = 2_000
"""Characters of a document in which its subject is named."""
_QUOTED = 400
"""Characters of a sentence that can be an answer."""


def asks_for_a_figure(asked_part: str) -> bool:
    """True of a question for a figure or a date, whose form shows what an answer is."""
    return bool(_HOW_MUCH.match(asked_part) or _DATE.match(asked_part))


def has_form(asked_part: str, question: str, text: str, written: date | None = None) -> bool:
    """True where a sentence has what is asked for: a figure of what is measured or counted, a date or a name, that
    the question does not have. `written`: the day from which 'last June' counts."""
    if asked := _HOW_MUCH.match(asked_part):
        known = {each.text for each in quantities(question)}
        given = (each for each in quantities(text) if each.text not in known)
        return any(_measures(asked, each, text) for each in given if not each.spelled or len(each.text) > _ARTICLE)
    if _DATE.match(asked_part):
        return bool(moments(text, written))
    if _NAME.match(asked_part):
        words = set(content_words(question))
        return any(not set(content_words(name.text)) <= words for name in names(text))
    return True


def _measures(asked: re.Match[str], figure: Quantity, text: str) -> bool:
    """True where the figure is of the kind asked for: 'how many patients' wants a number of patients."""
    if thing := asked["thing"]:
        wanted = {each for word in content_words(thing) for each in (word, *same_act(word))}
        # A number without a noun counts what the sentence names: 'it gave the number of pupils as 27'.
        counted = not wanted or bool(wanted & set(figure.nouns or content_words(text)))
        return figure.dimension is Dimension.COUNT and counted
    return figure.dimension in _MEASURES.get((asked["how"] or _COST).lower(), frozenset(Dimension))


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
    before: frozenset[str] = frozenset()
    for question in questions:
        asks = _Question.parsed(question, before)
        before = asks.own
        if asserted and _OF_ALL.match(asks.asked_part):
            answers.append(QuestionAnswer(question, of_all=asserted))
            continue
        decided = _main(asks, verdicts) if _OPEN.match(asks.asked_part) else _decided(asks, verdicts, _HOLDING)
        if decided is not None:
            answers.append(QuestionAnswer(question, verdict=decided))
            continue
        found = [each for source in counted for each in _sentences(asks, source, documents[source.id])]
        best: dict[str, tuple[Source, int, str]] = {}
        for _, source, start, quote in sorted(found, key=lambda each: (-each[0], each[1].id, each[2])):
            if quote.strip().rstrip(".") not in refuted:
                best.setdefault(source.story or source.id, (source, start, quote))
        taken = [_answer(f"Q{number + n}", question, *each) for n, each in enumerate([*best.values()][:_MOST], 1)]
        number += len(taken)
        left = None if taken else _decided(asks, verdicts, (Verdict.CONTRADICTED, Verdict.UNVERIFIED))
        answers.append(QuestionAnswer(question, tuple(taken), left))
    return tuple(answers)


def _answer(id: str, question: str, source: Source, start: int, quote: str) -> Finding:
    return Finding(
        id=id,
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
    none = (_UNAIDED if unaided else "no sentence was found that says it") if sources else "no source was found"
    written = []
    for answer in answers:
        asked = answer.question if answer.question.endswith(ASKING) else f"{answer.question}:"
        if answer.of_all:
            written.append(_of_all(asked, answer.of_all))
        elif answer.verdict is not None:
            claim, verdict = answer.verdict
            ids = (*verdict.supporting, *verdict.contradicting)[:_CITED]
            text = f"{asked} {quoted(claim.text.rstrip('.'))} is {_word(verdict)}"
            against = next((known[each] for each in verdict.contradicting if each in known), None)
            if verdict.verdict is Verdict.CONTRADICTED and against is not None and against.source_id in by_id:
                ids = tuple(dict.fromkeys((*ids[: _CITED - 1], against.id)))
                text += f"; {name_of(by_id[against.source_id])} has {quoted(shorten(against.quote, _QUOTED))}"
            written.append(Statement(text=f"{text}.", finding_ids=ids))
        elif answer.findings:
            quotes = "; ".join(f"{name_of(by_id[each.source_id])}: {quoted(each.quote)}" for each in answer.findings)
            written.append(Statement(text=f"{asked} {quotes}.", finding_ids=tuple(each.id for each in answer.findings)))
        else:
            why = f"{none}, and {lacks}" if lacks else none
            written.append(Statement(text=f"{asked} Not answered: {why}.", about_the_work=True))
    return Section(heading=HEADING, statements=tuple(written)) if written else None


def _word(verdict: Assessment) -> str:
    if not verdict.checked:
        return "not checked"
    return "not verified" if verdict.verdict is Verdict.UNVERIFIED else verdict.verdict.value.replace("_", " ")


def _of_all(asked: str, verdicts: Sequence[tuple[Claim, Assessment]]) -> Statement:
    """The statements that the brief asserts, by verdict."""
    by_word: dict[str, list[str]] = {}
    for claim, verdict in sorted(verdicts, key=lambda each: (not each[1].checked, _IN_ORDER.index(each[1].verdict))):
        by_word.setdefault(_word(verdict), []).append(quoted(claim.text.rstrip(".")))
    text = " ".join(f"{capitalised(word)}: {'; '.join(claims)}." for word, claims in by_word.items())
    ids = [each for _, verdict in verdicts for each in (*verdict.supporting[:1], *verdict.contradicting[:1])]
    return Statement(text=f"{asked} {text}", finding_ids=tuple(dict.fromkeys(ids)), about_the_work=not ids)


@dataclass(frozen=True)
class _Question:
    """A question, the part of it that asks, its words, and those of them that no question before it had."""

    text: str
    asked_part: str
    own: frozenset[str]
    new: frozenset[str]

    @classmethod
    def parsed(cls, question: str, before: frozenset[str]) -> _Question:
        """`before`: the words of the question before, which 'When did they open?' goes on from."""
        about, asked_part = subject_and_question(question)
        words = set(content_words(_OPEN.sub("", re.sub(r"^how\s+\w+", "", asked_part, flags=re.I))))
        words -= {word for name in subject_of(about) for word in content_words(name)}
        own = words | before if len(words) < _ALONE else words
        return cls(question, asked_part, frozenset(own), frozenset(words))


def _main(asked: _Question, verdicts: Sequence[tuple[Claim, Assessment]]) -> tuple[Claim, Assessment] | None:
    """The weightiest verified claim on what is asked about."""
    held = [each for each in verdicts if each[1].verdict is Verdict.VERIFIED]
    held = [each for each in held if not asked.own or _share(asked.own, content_words(each[0].text)) >= _LEAST]
    return max(held, key=lambda each: each[0].importance, default=None)


def _decided(
    asked: _Question, verdicts: Sequence[tuple[Claim, Assessment]], states: Collection[Verdict]
) -> tuple[Claim, Assessment] | None:
    """The claim that states what is asked: it has most of the question's words, with and without the names in it, at
    least one that no question before it had, and a figure, a date or a name where one is asked for, with one of these
    verdicts (`states`)."""
    asked_part = asked.asked_part
    subject = asked.own - {word for name in names(asked.text) for word in content_words(name.text)} or asked.own
    has_a_form = bool(asks_for_a_figure(asked_part) or _NAME.match(asked_part))
    shares = []
    for place, (claim, verdict) in enumerate(verdicts):
        words = set(content_words(claim.text))
        cited = verdict.checked and (verdict.supporting or verdict.contradicting)
        if not cited or (asked.new and not _share(asked.new, words)) or _share(subject, words) < _STATED:
            continue
        answers = verdict.verdict in states and has_a_form and has_form(asked_part, asked.text, claim.text)
        if answers or _YES_OR_NO.match(asked_part):
            shares.append((_share(asked.own, words), -place, claim, verdict))
    best = max(shares, key=lambda each: each[:2], default=None)
    return (best[2], best[3]) if best is not None and best[0] >= _STATED else None


def _sentences(asked: _Question, source: Source, document: Document) -> list[tuple[float, Source, int, str]]:
    """The sentences of a document that answer, with their worth and place. What a question is about may be named
    elsewhere in a document, and only what it asks in the sentence itself."""
    found = []
    about = {word for name in names(asked.text) for word in content_words(name.text)}
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
        if not has_form(asked.asked_part, asked.text, text, written):
            continue
        found.append((share + _TIER * (4 - source.rating.tier), source, span.start, text))
    return found


def _share(own: Collection[str], words: Collection[str]) -> float:
    """The share of a question's words that a text has, in any word for the same act: 'caught' and 'contracted'."""
    met = sum(1 for word in own if word in words or same_act(word) & set(words))
    return met / len(own) if own else 0.0
