"""A phrase in a text: the words as they stand, whatever the case, the spacing and the style of quotes and dashes."""

from __future__ import annotations

import re
from functools import lru_cache

from inquest.text.sentences import Span

_ALIKE = {"'": "['’‘]", '"': '["“”„«»]', "-": "[-‐‑–—]"}
_PLAIN = str.maketrans("’‘“”„«»‐‑–—", '\'\'"""""----')


def stands_in(phrase: str, text: str) -> Span | None:
    """Where the phrase first stands in the text, at the borders of words; None: nowhere."""
    match = _pattern(phrase).search(text) if phrase.strip() else None
    return Span(*match.span()) if match else None


@lru_cache(maxsize=64)
def _pattern(phrase: str) -> re.Pattern[str]:
    words = phrase.translate(_PLAIN).strip().strip('"').split()
    spelled = r"\s+".join("".join(_ALIKE.get(sign) or re.escape(sign) for sign in word) for word in words)
    return re.compile(rf"(?<!\w){spelled}(?!\w)", re.IGNORECASE)
