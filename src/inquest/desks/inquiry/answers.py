"""Answers to the questions of a brief: verdicts on its claims, sentences of its sources, or the reason for none."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from inquest.claims.brief_reading import subject_of
from inquest.claims.claim_detection import is_stated
from inquest.claims.standalone import without_dateline
from inquest.desks.inquiry.brief_claims import YES_OR_NO, subject_and_question
from inquest.desks.inquiry.writing import ANSWERS, fact, says
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.finding import Assessment, Finding, Stance, Verdict
from inquest.domain.reasons import Reason
from inquest.domain.report import Section, Statement
from inquest.domain.source import Source
from inquest.domain.value import grouped
from inquest.entailment.windows import Likeness
from inquest.text.blocks import evidence_sentences, without_mark
from inquest.text.entities import names
from inquest.text.lexicon import pattern, word_lists
from inquest.text.moments import moments
from inquest.text.phrases import before_answer, quoted
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.sentences import content_words, shorten
from inquest.text.vocabulary import same_act, wordings
from inquest.verdicts.weighing_reasons import name_of

_DATE, _NAME, _OPEN, _OF_ALL, _HOW_MUCH, _WHY = (
    pattern(__name__, name) for name in ("date", "name", "open", "of_all", "how_much", "why")
)
_MEASURES = {
    word: frozenset(map(Dimension, dimensions)) for word, dimensions in word_lists(__name__, "answer_measures").items()
}
"""The dimensions that answer a question, by the word after 'how'."""
_ARTICLE = 3
"""Letters of a figure in words that may be just an article: 'one'."""
_LEAST, _STATED = 0.5, 0.75
"""Share of a question's words in a sentence that answers it, and in a claim or, for a question of yes or no, in a
sentence that states the answer."""
_FEW = 2
"""Maximum number of words of a question that must all be in a sentence, if the question does not ask for a figure or
date."""
_ALONE = 2
"""Minimum number of words with which a question is complete without the previous one."""
_CITED, _SOURCES = 4, 2
_NEAR_BEST = 0.15
"""Maximum distance of a sentence's score from the best: one that scores much lower answers another question."""
_TIER = 0.04
"""Bonus for each step of a source's tier."""
_VERIFIED = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE, Verdict.DISPUTED)
"""Verdicts with which a claim answers not only yes-or-no questions."""
_YES_NO = {Verdict.VERIFIED: "yes", Verdict.CONTRADICTED: "no"}
_SHOWN = {
    Verdict.CONTRADICTED: ("contradicting",),
    Verdict.DISPUTED: ("supporting", "contradicting"),
    Verdict.PARTIALLY_TRUE: ("supporting", "contradicting"),
}
"""The sides whose first quote is given beside a verdict."""
_IN_ORDER = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE, Verdict.CONTRADICTED, Verdict.DISPUTED, Verdict.UNVERIFIED)
_NEAR, _ALIKE = 3, 0.2
"""Maximum number of claims closest to a question without an answer, and their minimum similarity in meaning."""
_OPENING, _QUOTED = 2_000, 400
"""Characters of a document that name its subject, and maximum length of an answer."""

_Checked = tuple[Claim, Assessment]


@dataclass(frozen=True)
class QuestionAnswer:
    """A question with the findings that answer it; if there is a verdict too, the claim is open and the findings are
    the nearest ones."""

    question: str
    findings: tuple[Finding, ...] = ()
    verdict: _Checked | None = None
    """The claim that states the answer."""
    of_all: tuple[_Checked, ...] = ()
    """The assertions of the brief, for a question about all of them."""
    written: Statement | None = None
    """The question with its answer, as a model wrote it."""
    near: tuple[_Checked, ...] = ()
    """The decided claims closest to a question without an answer."""

    @property
    def answered(self) -> bool:
        """True if there is an answer."""
        return bool(self.findings or self.verdict or self.of_all)


@dataclass(frozen=True)
class _Question:
    text: str
    asked_part: str
    words: frozenset[str]
    """Content words, with those of the previous question if it continues that one."""
    own: frozenset[str]

    @classmethod
    def parsed(cls, question: str, before: frozenset[str]) -> _Question:
        about, asked_part = subject_and_question(question)
        own = set(content_words(_OPEN.sub("", re.sub(r"^how\s+\w+", "", asked_part, flags=re.I))))
        own.difference_update(content_words(" ".join(subject_of(about))))
        return cls(question, asked_part, frozenset(own | before if len(own) < _ALONE else own), frozenset(own))

    @property
    def names(self) -> frozenset[str]:
        """Content words of its names."""
        return frozenset(word for name in names(self.text) for word in content_words(name.text))

    def share_in(self, words: Collection[str], own: Collection[str] | None = None) -> float:
        """The share of its words, 0 to 1, in a text; words for the same act count."""
        own = self.words if own is None else own
        met = sum(1 for word in own if word in words or same_act(word) & set(words))
        return met / len(own) if own else 0.0

    def goes_on(self, words: Collection[str]) -> bool:
        """True if a text has one of the question's own words."""
        return not self.own or self.share_in(words, self.own) > 0

    def has_form(self, text: str, written: date | None = None) -> bool:
        """True if a sentence has the figure, date, name or cause that is requested. `written`: the day of the text."""
        if asked := _HOW_MUCH.match(self.asked_part):
            known = {each.text for each in quantities(self.text)}
            given = (each for each in quantities(text) if each.text not in known)
            return any(_measures(asked, each, text) for each in given if not each.spelled or len(each.text) > _ARTICLE)
        if _DATE.match(self.asked_part):
            return bool(moments(text, written))
        if _NAME.match(self.asked_part):
            return any(not set(content_words(name.text)) <= set(content_words(self.text)) for name in names(text))
        return bool(wordings()["links"].search(text)) if _WHY.match(self.asked_part) else True


def _measures(asked: re.Match[str], figure: Quantity, text: str) -> bool:
    """True if the figure is of the requested kind: 'how many patients' asks for a number of patients, 'how many litres'
    for a volume."""
    if thing := asked["thing"]:
        if units := {each.dimension for each in quantities(f"2 {thing}")} - {Dimension.COUNT}:
            return figure.dimension in units
        wanted = {each for word in content_words(thing) for each in (word, *same_act(word))}
        # A number without a noun counts what the sentence names: 'it gave the number of pupils as 27'.
        met = not wanted or bool(wanted & set(figure.nouns or content_words(text)))
        return figure.dimension is Dimension.COUNT and met
    return figure.dimension in _MEASURES.get((asked["how"] or "cost").lower(), frozenset(Dimension))


def answers_to(
    questions: Sequence[str],
    pages: Sequence[tuple[Source, Document]],
    verdicts: Sequence[_Checked] = (),
    own: Collection[str] = (),
    findings: Sequence[Finding] = (),
) -> tuple[QuestionAnswer, ...]:
    """Answer each question by the verdict on the claim that states the answer, or by the best sentences of independent
    sources. `own`: the texts of the claims that the brief itself asserts; `findings`: those that support a contradicted
    claim answer nothing."""
    asserted = tuple(each for each in verdicts if each[0].text in own)
    contradicted = [each for each in verdicts if each[1].verdict is Verdict.CONTRADICTED]
    supporting = {each for _, found in contradicted for each in found.supporting}
    refuted = {claim.text.rstrip(".") for claim, _ in contradicted}
    refuted |= {finding.quote.strip().rstrip(".") for finding in findings if finding.id in supporting}
    answers: list[QuestionAnswer] = []
    number = 0
    before: frozenset[str] = frozenset()
    for text in questions:
        question = _Question.parsed(text, before)
        before = question.words
        if asserted and _OF_ALL.match(question.asked_part):
            answers.append(QuestionAnswer(text, of_all=asserted))
            continue
        asked_about = next((each for each in verdicts if each[0].question == text), None)
        with_evidence = asked_about and (asked_about[1].supporting or asked_about[1].contradicting)
        if decided := asked_about if with_evidence else _claim_for(question, verdicts, _VERIFIED):
            answers.append(QuestionAnswer(text, verdict=decided))
            continue
        found = [each for page in pages if not page[0].excluded for each in _sentences(question, *page)]
        best: dict[str, tuple[Source, int, str]] = {}
        least = max((each[0] for each in found), default=0.0) - _NEAR_BEST
        settled = _figures_for(question, verdicts)
        for score, source, start, quote in sorted(found, key=lambda each: (-each[0], each[1].id, each[2])):
            if score >= least and quote.strip().rstrip(".") not in refuted and _agrees(quote, settled):
                best.setdefault(source.story or source.id, (source, start, quote))
        taken = [
            answer_finding(f"Q{number + n}", text, source, source.snapshot, start, quote)
            for n, (source, start, quote) in enumerate([*best.values()][:_SOURCES], 1)
        ]
        number += len(taken)
        if asked_about is None and not taken:
            asked_about = _claim_for(question, verdicts, (Verdict.CONTRADICTED, Verdict.UNVERIFIED))
        answers.append(QuestionAnswer(text, tuple(taken), asked_about))
    return tuple(answers)


def with_nearest(
    answers: Sequence[QuestionAnswer], verdicts: Sequence[_Checked], likeness: Likeness | None
) -> tuple[QuestionAnswer, ...]:
    """Add the closest decided claims to each question without an answer, each claim to the question that it is closest
    to. `likeness`: the similarity in meaning; None: adds nothing."""
    taken = [answer.verdict for answer in answers]
    decided = [
        each
        for each in verdicts
        if (each[1].verdict in _SHOWN or each[1].verdict is Verdict.VERIFIED) and each not in taken
    ]
    open_ = [each.question for each in answers if not (each.answered or each.written)]
    if likeness is None or not decided or not open_:
        return tuple(answers)
    texts = [claim.text for claim, _ in decided]
    scores = dict(zip(open_, (likeness(each, texts) for each in open_), strict=True))
    most = [max(of_claim) for of_claim in zip(*scores.values(), strict=True)]
    found = []
    for answer in answers:
        near = zip(scores.get(answer.question, ()), most, decided, strict=False)
        best = sorted((each for each in near if each[0] == each[1] >= _ALIKE), key=lambda each: -each[0])[:_NEAR]
        found.append(replace(answer, near=tuple(each for _, _, each in best)))
    return tuple(found)


def answer_finding(id: str, question: str, source: Source, snapshot: str, start: int, quote: str) -> Finding:
    """A finding whose quote answers a question."""
    return Finding(
        id=id,
        claim_id=None,
        source_id=source.id,
        agent="inquiry",
        evidence_type="answer",
        stance=Stance.NEUTRAL,
        confidence=1.0,
        quote=quote,
        snapshot=snapshot,
        start=start,
        end=start + len(quote),
        summary=f"Answers: {question}",
    )


def _claim_for(question: _Question, verdicts: Sequence[_Checked], states: Collection[Verdict]) -> _Checked | None:
    """The claim that states the answer, with a verdict of `states`; for an open question, the weightiest verified
    one."""
    if _OPEN.match(question.asked_part):
        open_ = [each for each in verdicts if each[1].verdict is Verdict.VERIFIED and Verdict.VERIFIED in states]
        least = _LEAST if question.words else 0.0
        near = [each for each in open_ if question.share_in(content_words(each[0].text)) >= least]
        return max(near, key=lambda each: each[0].importance, default=None)
    has_form = any(form.match(question.asked_part) for form in (_HOW_MUCH, _DATE, _NAME, _WHY))
    subject = question.words - question.names or question.words
    best: tuple[float, _Checked | None] = (0.0, None)
    for claim, verdict in verdicts:
        words = set(content_words(claim.text))
        cited = verdict.checked and (verdict.supporting or verdict.contradicting)
        share = question.share_in(words)
        if not cited or not question.goes_on(words) or min(share, question.share_in(words, subject)) < _STATED:
            continue
        answers = verdict.verdict in states and has_form and question.has_form(claim.text)
        if (answers or YES_OR_NO.match(question.asked_part)) and share > best[0]:
            best = share, (claim, verdict)
    return best[1]


def _figures_for(question: _Question, verdicts: Sequence[_Checked]) -> list[Quantity]:
    """The figures of verified claims that may answer a question for a number of things, in other words."""
    asked = _HOW_MUCH.match(question.asked_part)
    if not (asked and asked["thing"]):
        return []
    verified = [claim.text for claim, verdict in verdicts if verdict.verdict is Verdict.VERIFIED]
    near = (each for each in verified if question.share_in(content_words(each)) >= _LEAST)
    return [figure for each in near if question.has_form(each) for figure in quantities(each)]


def _agrees(quote: str, settled: Sequence[Quantity]) -> bool:
    """False if a sentence has none of the figures, not even as a bound: it may be outdated."""
    known = {(each.dimension, each.value) for each in settled}
    return not settled or any((each.dimension, each.value) in known for each in quantities(quote))


def _sentences(question: _Question, source: Source, document: Document) -> list[tuple[float, Source, int, str]]:
    """The sentences of a document that answer, with score and place. The subject may be named elsewhere in it."""
    found = []
    named = question.names & set(content_words(f"{document.title} {document.text[:_OPENING]}"))
    own = (question.words - named) or question.words
    written = source.published.at.date() if source.published else None
    least = 1.0 if len(own) <= _FEW else _STATED if YES_OR_NO.match(question.asked_part) else _LEAST
    for span in evidence_sentences(document):
        span = without_mark(document.text, span)
        text = span.of(document.text)
        words = set(content_words(text))
        share = question.share_in(words, own)
        if share < least or not question.goes_on(words) or len(text) > _QUOTED or "\n" in text.strip():
            continue
        if is_stated(text) and question.has_form(text, written):
            found.append((share + _TIER * (4 - source.rating.tier), source, span.start, text))
    return found


def answer_section(
    answers: Sequence[QuestionAnswer],
    sources: Sequence[Source],
    lacks: Reason | None = None,
    findings: Sequence[Finding] = (),
) -> Section | None:
    """The answers as a section of the summary; None if there are no questions. `lacks`: what could not be queried, as
    the end of a sentence; `findings`: those that may contradict a claim."""
    why = says("no_sentence" if sources else "no_source_found")
    none = [says("not_answered_and", why=why, lacks=lacks) if lacks else says("not_answered", why=why)]
    written = []
    for answer in answers:
        if answer.written:
            written.append(answer.written)
            continue
        text, ids = answer_sentences(answer, sources, findings)
        if answer.near:
            text = [*(none if lacks else ()), says("nearest"), *(_is_decided(*each) for each in answer.near)]
            ids = tuple(
                each for _, verdict in answer.near for each in (verdict.supporting or verdict.contradicting)[:1]
            )
        stated_as = fact([says("words", words=before_answer(answer.question)), *(text or none)], ids)
        written.append(stated_as.model_copy(update={"about_the_work": not ids}))
    return Section(heading=ANSWERS, statements=tuple(written)) if written else None


def answer_sentences(
    answer: QuestionAnswer, sources: Sequence[Source], findings: Sequence[Finding] = ()
) -> tuple[list[Reason], tuple[str, ...]]:
    """The sentences of the answer with the ids of its findings; none for a question without an answer."""
    if answer.of_all:
        ordered = sorted(answer.of_all, key=lambda each: (not each[1].checked, _IN_ORDER.index(each[1].verdict)))
        by_word = grouped((_word(verdict), quoted(claim.text.rstrip("."))) for claim, verdict in ordered)
        ids = [each for _, verdict in answer.of_all for each in (*verdict.supporting[:1], *verdict.contradicting[:1])]
        text = [says("of_all", verdict=word, claims="; ".join(claims)) for word, claims in by_word.items()]
        return text, tuple(dict.fromkeys(ids))
    by_id = {source.id: source for source in sources}
    if answer.findings:
        text = [says("not_established")] if answer.verdict else []
        for each in answer.findings:
            text.append(says("says", name=name_of(by_id[each.source_id]), quote=quoted(without_dateline(each.quote))))
        return text, tuple(each.id for each in answer.findings)
    if answer.verdict is None:
        return [], ()
    claim, verdict = answer.verdict
    text = [says(_YES_NO[verdict.verdict])] if claim.question == answer.question and verdict.verdict in _YES_NO else []
    text.append(_is_decided(claim, verdict))
    known = {finding.id: finding for finding in findings if finding.source_id in by_id}
    shown = []
    for side in _SHOWN.get(verdict.verdict, ()):
        if first := next((known[each] for each in getattr(verdict, side) if each in known), None):
            quote = quoted(shorten(without_dateline(first.quote), _QUOTED))
            text.append(says("says", name=name_of(by_id[first.source_id]), quote=quote))
            shown.append(first.id)
    return text, tuple(dict.fromkeys((*shown, *verdict.supporting, *verdict.contradicting)))[:_CITED]


def _is_decided(claim: Claim, verdict: Assessment) -> Reason:
    return says("claim_is", claim=quoted(claim.text.rstrip(".")), verdict=_word(verdict))


def _word(verdict: Assessment) -> str:
    return verdict.verdict.value if verdict.checked else "not_checked"
