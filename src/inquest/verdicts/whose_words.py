"""Whose words a quote really has: a claim, restated to be checked; a correction; hearsay in another language."""

from __future__ import annotations

from inquest.text.lexicon import compiled, entries, pattern
from inquest.text.regex import regex

_CORRECTING = pattern(__name__, "correcting")
_RESTATING = pattern(__name__, "restating")
_RULING = pattern(__name__, "ruling")
"""'Our finding: false': who checks the claim says what came of it."""
_WE = pattern(__name__, "we")
_QUOTED = regex(r"[\"“„«][^\"”“»]*[\"”“»]")
_HEARSAY = tuple(compiled(words) for words in entries(__name__, "hearsay").values())


def corrects(quote: str) -> bool:
    """Whether the words correct or take back what was said before."""
    return bool(_CORRECTING.search(quote))


def only_restates(quote: str) -> bool:
    """Whether the words only repeat a claim, to check it or to take it back: 'The claim: ...', 'We wrote that ...'. Not
    where they go on to say what the check came to."""
    return bool(_RESTATING.search(quote.strip())) and not _RULING.search(quote)


def is_handed_on(quote: str) -> bool:
    """Whether the form of the verb says that it is only reported: 'er soll gegangen sein', 'il serait parti'."""
    return any(words.search(quote) for words in _HEARSAY)


def speaks_of_itself(quote: str) -> bool:
    """True where the publisher speaks as 'we', outside of what it quotes."""
    return bool(_WE.search(_QUOTED.sub(" ", quote)))
