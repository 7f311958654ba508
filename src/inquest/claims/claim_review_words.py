"""The words in which fact checkers rate claims, by what they come to in our verdicts (`words.toml`)."""

from __future__ import annotations

from inquest.domain.assessment import Verdict
from inquest.text.lexicon import entries
from inquest.text.sentences import fold

__all__ = ["NO_VERDICT", "RATINGS", "folded"]


# Letters that are no other letter with an accent, as people without them on their keyboards write them.
_WHOLE_LETTERS = str.maketrans({"ł": "l", "ı": "i", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe"})


def folded(words: str) -> str:
    """As the table has them: `fold`ed, hyphens and underscores as spaces, on one line."""
    return " ".join(fold(words).translate(_WHOLE_LETTERS).replace("-", " ").replace("_", " ").split())


_TABLE = {
    name: frozenset(folded(each) for each in words.split("|"))
    for name, words in entries(__name__, "claim_review_words").items()
}
NO_VERDICT = _TABLE.pop("no_verdict")
"""What says nothing of truth: jokes, frauds, opinions, changes of mind. A number beside such a word means nothing."""
RATINGS = {words: Verdict(name) for name, listed in _TABLE.items() for words in listed}
"""Folded rating words to verdict."""
