"""Assertions and questions of a brief: the first claims of its inquiry, and the questions for its report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from inquest.claims.brief_reading import question_in, running_text, subject_of
from inquest.claims.merging import check_queries, parse_statement, same_statement
from inquest.claims.parts_of_claim import verb_of
from inquest.claims.standalone import ANY, statement_of
from inquest.domain.drafts import ClaimDraft, KeyClaim, PlanDraft, SourceReading
from inquest.domain.plan import Stated
from inquest.domain.search import Query
from inquest.domain.source import Rating, Source
from inquest.entailment.direction import lemma
from inquest.text.entities import names
from inquest.text.languages import other_than_english
from inquest.text.lexicon import pattern
from inquest.text.phrases import capitalised
from inquest.text.regex import regex
from inquest.text.sentences import ASKING, content_words, sentences, shorten
from inquest.text.vocabulary import negations

_REPORTING, _IS_IT_SO, _NEXT_THAT, _NEXT_QUESTION, _LEADING_JOINT = (
    pattern(__name__, name) for name in ("reporting", "is_it_so", "next_that", "next_question", "leading_joint")
)
_OPENER, _PRONOUN, _DEFINITE, _POSSESSIVE, _TO_US, _OF_ALL = (
    pattern(__name__, name) for name in ("opener", "pronoun", "definite", "possessive", "to_us", "of_all")
)
YES_OR_NO = pattern(__name__, "yes_or_no")
_REPORTED = re.compile(rf"{_REPORTING.pattern}[^.;]*?\bthat\s+", re.I | re.X)
_PRESENT = regex(r"\s+[a-z]{2,}s\s+\w")
_QUESTIONS, _MOST = 6, 8
"""Limits of the questions of a plan with the brief's own, and of the assertions and questions of a brief."""
_BRIEF = "brief"
"""The id of the brief among the sources whose claims are merged."""
_SHARED = 0.6
"""Share of words from which two questions have the same subject."""
_LEAST_WORDS, _LEAST_ASKED, _LEAST_OTHERS = 3, 2, 3
"""Minimum content words of an assertion, and of one asked about; minimum number of claims from sources besides the
brief's own."""


def asserted(brief: str, questions: Sequence[str] = (), read: Sequence[Stated] = ()) -> dict[str, str]:
    """The statements of the brief that can be checked, each with the question that it answers: first those of its
    yes/no questions, then those asserted by it or by somebody in it (with ''). `questions`: a plan's, of which those of
    the form 'Is it true that' count. `read`: the statements as a model reads them, instead of any found by rules."""
    own = asked(brief)
    if read:
        by_model = {
            each.text: _as_asked(each.question, own) if _is_same_way(each.text, each.question) else "" for each in read
        }
        return dict(sorted(by_model.items(), key=lambda each: not each[1])[:_MOST])
    text = running_text(brief)
    subject = next(iter(subject_of(text)), "")
    if re.search(rf"\ban?\s+{re.escape(subject)}\s", text, re.I):  # 'a Swedish library'
        subject = ""
    found: list[tuple[str, str]] = [(statement_of(each), each) for each in own]
    stated: list[tuple[str, str]] = []
    for span in sentences(text):
        sentence = span.of(text).strip()
        if _IS_IT_SO.match(sentence):
            found += [(each, sentence if sentence.endswith(ASKING) else "") for each in _statements(sentence)]
        elif not sentence.endswith(ASKING):
            stated += [(each, "") for each in _statements(sentence)]
    open_ = [question for statement, question in found if not statement]
    planned = [_IS_IT_SO.sub("", each) for each in questions if _IS_IT_SO.match(each)]
    found += [(each, _question_of(each, open_)) for each in planned]
    kept: dict[str, str] = {}
    for text, question in (*(each for each in found if each[1]), *stated, *(each for each in found if not each[1])):
        statement = f"{capitalised(_spelled_out(text, subject).strip().rstrip('.!?;:, '))}."
        long = len(content_words(statement)) >= (_LEAST_ASKED if question else _LEAST_WORDS)
        if long and not any(_same(statement, other) for other in kept):
            kept[shorten(statement, 400)] = "" if question in kept.values() else question
    return dict(list(kept.items())[:_MOST])


def _is_same_way(statement: str, question: str) -> bool:
    """False if one of the two denies what the other says: 'No driver was fined', 'Was any driver fined?'."""
    return len(negations(statement)) % 2 == len(negations(question)) % 2


def _as_asked(question: str, own: Sequence[str]) -> str:
    """The question of the brief with most of the words of a question; '' if none has."""
    given = {*content_words(question)}
    shares = {each: len(given & {*content_words(each)}) for each in own}
    best = max(own, key=lambda each: shares[each], default="")
    return best if best and shares[best] > _SHARED * len(given) else ""


def _question_of(statement: str, questions: Sequence[str]) -> str:
    """The yes/no question that the statement answers; '' if it shares most words with none of them, or with several."""
    near: dict[str, float] = {}
    for each in questions:
        about, asked_part = subject_and_question(each)
        words = [lemma(word) for word in content_words(asked_part) if word not in ANY]
        named = {word for name in names(statement) for word in content_words(name.text)} | {*content_words(about)}
        stated = {lemma(word) for word in content_words(statement) if lemma(word) in words or word not in named}
        # The first word is the subject or, after a pronoun, the act.
        if YES_OR_NO.match(asked_part) and words and words[0] in stated and _is_same_way(statement, asked_part):
            shared = len(stated & set(words))
            near[each] = shared / (min(len({*words}), len(stated)) if shared > 1 else len({*words}))
    best = max(near.values(), default=0.0)
    found = [each for each, share in near.items() if share == best >= _SHARED]
    return found[0] if len(found) == 1 else ""


def asked(brief: str) -> tuple[str, ...]:
    """The questions of the brief, each on its own; 'Is it true that ...' is an assertion instead."""
    text = running_text(brief)
    english = other_than_english(text) is None  # in other languages, the beginning of a question is not known
    found: list[str] = []
    for span in sentences(text):
        sentence = question_in(span.of(text).strip())
        if sentence is None or _IS_IT_SO.match(sentence):
            continue
        mark = sentence[-1] if sentence.endswith(ASKING) else ""
        about, rest = subject_and_question(sentence)
        for part in (part.strip(" ?,;") for part in _NEXT_QUESTION.split(_LEADING_JOINT.sub("", rest))):
            if part and found and english and not _OPENER.match(part):
                found[-1] = f"{found[-1].rstrip('?')}, {part}{mark}"
            elif part:
                found.append(f"{capitalised(about)}: {part}{mark}" if about else f"{capitalised(part)}{mark}")
    return tuple(dict.fromkeys(shorten(each, 300) for each in found if len(each.split()) > 1))[:_MOST]


def subject_and_question(text: str) -> tuple[str, str]:
    """The subject before a colon and the question after it: 'The harbour: who paid?'."""
    about, _, question = text.rpartition(": ")
    return ("", text) if _OPENER.match(about) else (about, question)


def own_questions(brief: str, questions: Sequence[str], read: Sequence[Stated] = ()) -> tuple[str, ...]:
    """The assertions and questions of the brief, each as a question. `questions`, `read`: as for `asserted`."""
    own = asked(brief)
    # A plan's statement stays in the plan unless the brief's question states it by itself.
    made = asserted(brief, questions, read).items()
    unasked = [each for each, question in made if question not in own or not statement_of(question)]
    return (*(f"Is it true that {in_a_sentence(each)}?" for each in unasked), *own)


def besides(questions: Sequence[str], own: Sequence[str]) -> list[str]:
    """The questions of a plan that do not repeat `own` in other words."""
    known = {word for each in own if not _IS_IT_SO.match(each) for word in content_words(each)}
    others = [each for each in questions if each not in own]
    return [each for each in others if len(known & (words := {*content_words(each)})) < _SHARED * len(words)]


def with_brief(draft: PlanDraft, brief: str) -> PlanDraft:
    """Put the assertions and questions of the brief, with a query for each, before the plan's other questions."""
    own_claims, asked_for = asserted(brief, draft.questions, draft.stated), asked(brief)
    own = own_questions(brief, draft.questions, draft.stated)
    answered = set(own_claims.values())
    if not own:
        return draft
    room = max(_QUESTIONS - len(own), 1)
    others = besides([each for each in draft.questions if not _IS_IT_SO.match(each)], own)
    like = draft.queries[0] if draft.queries else Query(text="")
    subject = next(iter(subject_of(running_text(brief))), "")
    queries = [
        like.model_copy(update={"text": text, "purpose": each, "exact": False})
        for each in (*own_claims, *(each for each in asked_for if each not in answered))
        if not _OF_ALL.match(each) and (text := _query(each, subject))
    ]
    kept = [query for query in draft.queries[1:] if not any(query.text == each.text for each in queries)]
    return draft.model_copy(
        update={"questions": (*own, *others[:room]), "queries": (*draft.queries[:1], *queries, *kept)}
    )


def _query(asked_for: str, subject: str) -> str:
    """The search words, with the subject of the brief if they have no name."""
    query = check_queries(asked_for)[0]
    if names(query) or subject in query:
        return query
    return " ".join([subject, *(word for word in re.findall(r"[\w-]+", asked_for) if content_words(word))])


def in_a_sentence(statement: str) -> str:
    """A statement or topic as it appears within a sentence: a first word that is not a name loses its capital."""
    first = statement.split(" ", 1)[0]
    is_name = any(first in name.split() for name in subject_of(f"It is said that {statement}"))
    return (statement if is_name and first.lower() != "the" else statement[:1].lower() + statement[1:]).rstrip(".")


def brief_reading(own: Iterable[str], now: datetime) -> tuple[Source, SourceReading]:
    """The brief as a source of its own statements, so that they are merged with those of the sources."""
    claims = tuple(KeyClaim(text=each, quote=each, start=0, end=len(each), importance=1.0) for each in own)
    rating = Rating(domain="", score=100, tier=1, stars=5, known=True, reasons=())
    source = Source(id=_BRIEF, url="", title="", domain="", rating=rating, snapshot="", retrieved_at=now)
    return source, SourceReading(summary="", key_claims=claims)


def most_claims(own: int, limit: int | None) -> int | None:
    """The limit of an inquiry's claims with `own` claims of its brief: these and a few others are always checked."""
    return None if limit is None else max(limit, own + _LEAST_OTHERS)


def with_brief_claims(own: Iterable[str], merged: Sequence[ClaimDraft], limit: int | None) -> tuple[ClaimDraft, ...]:
    """The claims of an inquiry, the brief's own first and in its words. `merged`: those of the sources and of
    `brief_reading`; its statements that were merged with one another stay apart."""
    left = list(merged)
    drafts: list[ClaimDraft] = []
    for number, text in enumerate(own):
        same = next((draft for draft in left if (_BRIEF, number) in draft.members), None)
        if same is not None:
            left.remove(same)
            members = tuple(each for each in same.members if each[0] != _BRIEF)
            drafts.append(same.model_copy(update={"text": text, "importance": 1.0, "members": members}))
        else:
            drafts.append(ClaimDraft(text=text, importance=1.0, members=(), queries=check_queries(text)))
    return tuple([*drafts, *left][: most_claims(len(drafts), limit)])


def _statements(sentence: str) -> list[str]:
    """The statements of a sentence: the clauses that it attributes to somebody, else the sentence."""
    plain = _IS_IT_SO.sub("", sentence)
    if plain != sentence:
        return [plain]
    if reported := _REPORTED.search(sentence):
        return list(_NEXT_THAT.split(sentence[reported.end() :]))
    return [] if _TO_US.match(sentence) or not _asserts(sentence) else [sentence]


def _asserts(sentence: str) -> bool:
    """True for a sentence with a figure, or with a verb and a subject."""
    if re.search(r"\d", sentence):
        return True
    # 'Corvane runs', 'the Harbour Board owns': a name and a verb in the present.
    named = names(sentence)
    does = any(_PRESENT.match(sentence, name.span.end) for name in named if name.span.start <= len("The "))
    if len(content_words(sentence)) < _LEAST_WORDS or not (verb_of(sentence) or does):
        return False
    return bool(named or any(form.match(sentence) for form in (_DEFINITE, _POSSESSIVE, _PRONOUN)))


def _spelled_out(clause: str, subject: str) -> str:
    """The clause with the subject's name in place of a pronoun."""
    if not subject or subject.split()[0].lower() in clause.lower().split():
        return clause
    if _PRONOUN.match(clause):
        return _PRONOUN.sub(subject, clause, count=1)
    if names(_POSSESSIVE.split(clause, maxsplit=1)[0]):  # 'Tessaly opened its centre' says whose it is
        return clause
    return _POSSESSIVE.sub(f"{subject}'" if subject.endswith("s") else f"{subject}'s", clause, count=1)


def _same(one: str, other: str) -> bool:
    return same_statement(parse_statement(one), parse_statement(other))
