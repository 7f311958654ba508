"""Whose words a quote really has: a claim, restated to be checked; a correction; hearsay in another language."""

from __future__ import annotations

from inquest.stories.publishers import Sentence
from inquest.text.lexicon import compiled, entries, pattern
from inquest.text.regex import regex
from inquest.text.sentences import Span

_CORRECTING = pattern(__name__, "correcting")
_RESTATING = pattern(__name__, "restating")
_RULING = pattern(__name__, "ruling")
"""'Our finding: false': who checks the claim says what came of it."""
_WE = pattern(__name__, "we")
_QUOTED = regex(r"[\"“„«][^\"”“»]*[\"”“»]")
_SPEECH = pattern(__name__, "speech")
"""From one quotation mark to the other, or after what a transcript calls somebody without a name."""
_NOBODY = ("posts", "media")
"""Kinds of sources without a name (`stories/credits.toml`) that are no authority."""
_HEARSAY = tuple(compiled(words) for words in entries(__name__, "hearsay").values())


def corrects(quote: str) -> bool:
    """Whether the words correct or take back what was said before."""
    return bool(_CORRECTING.search(quote))


def only_restates(quote: str) -> bool:
    """Whether the words only repeat a claim, to check it or to take it back: 'The claim: ...', 'We wrote that ...'. Not
    where they go on to say what the check came to."""
    return bool(_RESTATING.search(quote.strip())) and not _RULING.search(quote)


def is_handed_on(quote: str) -> bool:
    """Whether the words say that it is only reported, by nobody in particular: 'er soll gegangen sein', 'il serait
    parti', 'according to messages on WhatsApp'."""
    unnamed = Sentence(quote, Span(0, len(quote))).unnamed()
    return any(words.search(quote) for words in _HEARSAY) or any(kind in _NOBODY for kind in unnamed)


def press_named(quote: str) -> str:
    """The newspaper, agency or broadcaster that the words give as whom they have it from; '' where they name none."""
    sentence = Sentence(quote, Span(0, len(quote)))
    return next((at.name for at in sentence.press() if sentence.credits(at)), "")


def is_speech(quote: str) -> bool:
    """Whether it is direct speech from beginning to end, so that who says it stands elsewhere."""
    return bool(_SPEECH.fullmatch(quote.strip()))


def speaks_of_itself(quote: str) -> bool:
    """True where the publisher speaks as 'we', outside of what it quotes."""
    return bool(_WE.search(_QUOTED.sub(" ", quote)))
