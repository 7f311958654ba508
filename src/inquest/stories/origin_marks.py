"""Words by which a report says that it was there itself: its own reporter, papers that it has seen, who told it."""

from __future__ import annotations

import re

__all__ = ["first_hand", "first_hand_words"]

_OURS = (
    r"this (?:newspaper|paper|magazine|agency|station|website|publication|reporter)|our (?:reporter|correspondent)s?"
)
_MARKS = re.compile(
    rf"\b(?:told|telling|spoke to|speaking to|shown to|handed to|given to|passed to|leaked to|obtained by|seen by|"
    rf"reviewed by|shared with|an interview with|confirmed to) (?:{_OURS})\b|"
    rf"\b(?:{_OURS}) (?:has|have|had)? ?(?:seen|obtained|learn(?:ed|t)|reviewed|spoken|visited|watched|saw)\b|"
    r"\b(?:dieser Zeitung|unserer Zeitung|unserer Redaktion|dieser Redaktion)\b|"
    r"\b(?:ce journal|notre journal|notre r[ée]daction)\b|\b(?:este (?:diario|peri[óo]dico)|este jornal)\b|"
    r"\b(?:questo giornale|deze krant|denne avis|denna tidning)\b",
    re.IGNORECASE,
)
_LOOKED_FOR = 3_000


def first_hand_words(text: str) -> tuple[str, int, int] | None:
    """The first words at the head of a text by which it says that the matter was brought to it or seen by it."""
    match = _MARKS.search(text, 0, _LOOKED_FOR)
    return (match[0], *match.span()) if match else None


def first_hand(text: str) -> bool:
    """Whether it says so. A reprint keeps the words, so that they speak for both; a later piece may make them up."""
    return first_hand_words(text) is not None
