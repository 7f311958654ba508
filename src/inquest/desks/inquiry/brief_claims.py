"""Assertions and questions of a brief: the first claims of its inquiry, and the questions that its report answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inquest.claims.brief_reading import question_in, running_text, subject_of
from inquest.claims.merging import check_queries
from inquest.claims.parts_of_claim import verb_of
from inquest.claims.sameness import parse_statement, same_statement
from inquest.domain.claim import Claim
from inquest.domain.drafts import PlanDraft
from inquest.domain.search import Query
from inquest.text.entities import names
from inquest.text.lexicon import pattern
from inquest.text.phrases import capitalised
from inquest.text.regex import regex
from inquest.text.sentences import ASKING, content_words, sentences, shorten

_REPORTING = pattern(__name__, "reporting")
_IS_IT_SO = pattern(__name__, "is_it_so")
_NEXT_THAT = pattern(__name__, "next_that")
_NEXT_QUESTION = pattern(__name__, "next_question")
_LEADING_JOINT = pattern(__name__, "leading_joint")
_OPENER = pattern(__name__, "opener")
_PRONOUN = pattern(__name__, "pronoun")
_DEFINITE = pattern(__name__, "definite")
_POSSESSIVE = pattern(__name__, "possessive")
_TO_US = pattern(__name__, "to_us")
_OF_ALL = pattern(__name__, "of_all")
_QUESTIONS = 6
"""Questions of a plan, the brief's own among them; where these are more, one more is asked."""
_SHARED = 0.6
"""Share of a question's words that another of the same subject has."""
_MOST = 8
"""Assertions and questions of one brief that are taken up."""
_PRESENT = regex(r"\s+[a-z]{2,}s\s+\w")
_LEAST_WORDS = 3
"""Words with a meaning of their own in an assertion."""
_LEAST_OTHERS = 3
"""Claims of the sources that are checked beside the brief's own, however many these are."""


def asserted(brief: str, questions: Sequence[str] = ()) -> tuple[str, ...]:
    """The assertions of the brief, its own or somebody's, as statements that can be checked. `questions`: a plan's,
    of which those count that ask whether a statement is so."""
    text = running_text(brief)
    subject = next(iter(subject_of(text)), "")
    found: list[str] = []
    for span in sentences(text):
        sentence = span.of(text).strip()
        if sentence.endswith(ASKING) and not _IS_IT_SO.match(sentence):
            continue
        found += _statements(sentence, subject)
    found += [_IS_IT_SO.sub("", each).rstrip("?") for each in questions if _IS_IT_SO.match(each)]
    kept: list[str] = []
    for each in found:
        statement = f"{capitalised(each.strip().rstrip('.!?;:, '))}."
        if len(content_words(statement)) >= _LEAST_WORDS and not any(_same(statement, other) for other in kept):
            kept.append(shorten(statement, 400))
    return tuple(kept[:_MOST])


def asked(brief: str) -> tuple[str, ...]:
    """The questions of the brief, each by itself: 'What did it cost, and was it late?' asks two, 'I want to know
    what it cost' one. A question that a statement answers ('Is it so that ...') is an assertion instead. What stands
    before a colon is what all of a sentence's questions are about, unless the question stands there itself."""
    text = running_text(brief)
    found: list[str] = []
    for span in sentences(text):
        sentence = question_in(span.of(text).strip())
        if sentence is None or _IS_IT_SO.match(sentence):
            continue
        mark = sentence[-1] if sentence.endswith(ASKING) else ""
        about, rest = subject_and_question(sentence)
        parts = [part.strip(" ?,;") for part in _NEXT_QUESTION.split(_LEADING_JOINT.sub("", rest))]
        for part in parts:
            if _OPENER.match(part):
                found.append(f"{capitalised(about)}: {part}{mark}" if about else f"{capitalised(part)}{mark}")
            elif found and part:
                found[-1] = f"{found[-1].rstrip('?')}, {part}{mark}"
            elif part:
                found.append(f"{capitalised(part)}{mark}")
    return tuple(dict.fromkeys(shorten(each, 300) for each in found if len(each.split()) > 1))[:_MOST]


def subject_and_question(text: str) -> tuple[str, str]:
    """What stands before a colon, as what is asked about, and the question after it: 'The harbour: who paid?'. A list
    after a question belongs to it."""
    about, _, question = text.rpartition(": ")
    return ("", text) if _OPENER.match(about) else (about, question)


def with_brief(draft: PlanDraft, brief: str) -> PlanDraft:
    """The plan with what the brief itself asserts and asks, before what is asked beside it, and a query for each."""
    own_claims, own_questions = asserted(brief, draft.questions), asked(brief)
    if not (own_claims or own_questions):
        return draft
    whether = [f"Is it so that {_in_a_sentence(each)}?" for each in own_claims]
    others = [each for each in draft.questions if not _IS_IT_SO.match(each) and not _asked_already(each, own_questions)]
    room = max(_QUESTIONS - len(whether) - len(own_questions), 1)
    like = draft.queries[0] if draft.queries else Query(text="")
    subject = next(iter(subject_of(running_text(brief))), "")
    queries = [
        like.model_copy(update={"text": _query(each, subject), "purpose": each, "exact": False})
        for each in (*own_claims, *own_questions)
        if not _OF_ALL.match(each)
    ]
    kept = [query for query in draft.queries if not any(query.text == each.text for each in queries)]
    return draft.model_copy(
        update={
            "questions": (*whether, *own_questions, *others[:room]),
            "queries": (*draft.queries[:1], *(each for each in queries if each.text), *kept[1:]),
        }
    )


def _query(asked_for: str, subject: str) -> str:
    """The words to search for; with the subject of the brief where they name nobody."""
    query = check_queries(asked_for)[0]
    if names(query) or subject in query:
        return query
    return " ".join([subject, *(word for word in re.findall(r"[\w-]+", asked_for) if content_words(word))])


def _in_a_sentence(statement: str) -> str:
    """The statement as it goes on in a sentence: a first word that is no name loses its capital."""
    first = statement.split(" ", 1)[0]
    is_name = any(first in name.split() for name in subject_of(f"It is said that {statement}"))
    return (statement if is_name else statement[:1].lower() + statement[1:]).rstrip(".")


def _asked_already(question: str, own: Sequence[str]) -> bool:
    words = set(content_words(question))
    return len(words & {word for each in own for word in content_words(each)}) >= _SHARED * len(words)


def with_brief_claims(own: Sequence[str], made: Sequence[Claim], limit: int | None) -> tuple[Claim, ...]:
    """The claims of an inquiry, the brief's own first and as it words them; one that sources make too has their
    mentions. `limit`: claims in all, but never fewer than the own and a few others."""
    left = list(made)
    claims: list[Claim] = []
    for text in own:
        same = [claim for claim in left if _same(text, claim.text)]
        left = [claim for claim in left if claim not in same]
        claims.append(
            Claim(
                id="",
                text=text,
                type=same[0].type if same else Claim(id="", text=text).type,
                importance=1.0,
                mentions=tuple(mention for claim in same for mention in claim.mentions),
                queries=check_queries(text),
            )
        )
    most = None if limit is None else max(limit, len(claims) + _LEAST_OTHERS)
    return tuple(
        claim.model_copy(update={"id": f"C{number}"}) for number, claim in enumerate([*claims, *left][:most], 1)
    )


def _statements(sentence: str, subject: str) -> list[str]:
    """The statements of a sentence: clause by clause what somebody says in it, or else itself."""
    plain = _IS_IT_SO.sub("", sentence)
    if plain != sentence:
        return [_spelled_out(plain, subject)]
    said = re.search(rf"{_REPORTING.pattern}[^.;]*?\bthat\s+", sentence, re.I | re.X)
    if said is not None:
        return [_spelled_out(clause, subject) for clause in _NEXT_THAT.split(sentence[said.end() :])]
    if _TO_US.match(sentence) or not (re.search(r"\d", sentence) or _asserts(sentence)):
        return []
    return [_spelled_out(sentence, subject)]


def _asserts(sentence: str) -> bool:
    """True of a sentence with a verb, of something that it names or of what was named before it."""
    if len(content_words(sentence)) < _LEAST_WORDS or not (verb_of(sentence) or _does(sentence)):
        return False
    return bool(names(sentence) or any(form.match(sentence) for form in (_DEFINITE, _POSSESSIVE, _PRONOUN)))


def _does(sentence: str) -> bool:
    """True where it begins with a name and a verb in the present: 'Corvane runs', 'the Harbour Board owns'."""
    return any(_PRESENT.match(sentence, name.span.end) for name in names(sentence) if name.span.start <= len("The "))


def _spelled_out(clause: str, subject: str) -> str:
    """The clause with its subject by name, where it has a pronoun for it and no name of its own before."""
    if not subject or subject in clause:
        return clause
    whose = f"{subject}'" if subject.endswith("s") else f"{subject}'s"
    spelled, times = _POSSESSIVE.subn(whose, clause, count=1)
    pronoun = _PRONOUN.search(clause)
    if pronoun is not None and pronoun.start() == 0:
        return _PRONOUN.sub(subject, clause, count=1)
    return spelled if times else clause


def _same(one: str, other: str) -> bool:
    return same_statement(parse_statement(one), parse_statement(other))
