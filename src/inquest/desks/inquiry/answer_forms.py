"""The form of an answer: a figure, a date or a name, as a question asks for it."""

from __future__ import annotations

import re
from datetime import date

from inquest.text.entities import names
from inquest.text.lexicon import pattern, word_lists
from inquest.text.moments import moments
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import content_words
from inquest.text.synonyms import same_act

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
