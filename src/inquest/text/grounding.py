"""Quotes and the text they stand in: nothing is quoted that cannot be found there, character for character."""

from __future__ import annotations

import re

from inquest.domain.errors import Ungrounded
from inquest.domain.finding import Finding
from inquest.text.sentences import Span

# Each pattern character stands for all the spellings that a reader, a model or an editor makes of it.
_SINGLE = "'‘’‚‛′`´"
_DOUBLE = '"“”„‟«»″'
_DASH = "-‐‑‒–—―−"
_SPELLINGS = {char: f"[{re.escape(group)}]" for group in (_SINGLE, _DOUBLE, _DASH) for char in group}
_SPELLINGS |= {"…": r"(?:…|\.\.\.)"}


def ground(text: str, quote: str, near: int | None = None) -> Span | None:
    """Where the quote appears in the text, or None if it does not.

    An exact match is taken first. After that, differences of white space, quotation marks, dashes and letter case at
    the very beginning are allowed for; the span is always that of the text, so quote `span.of(text)`, never what was
    asked for. `near`: of several places, the one nearest this offset; otherwise the first.
    """
    quote = quote.strip()
    if not quote:
        return None
    exact = [Span(match.start(), match.end()) for match in re.finditer(re.escape(quote), text)]
    if exact:
        return _nearest(exact, near)
    loose = [Span(*match.span()) for match in _pattern(quote).finditer(text)]
    return _nearest(loose, near) if loose else None


def check_grounded(finding: Finding, text: str) -> Finding:
    """The finding, if its quote appears in its snapshot's text exactly where it says (X1). Raises Ungrounded."""
    if finding.end > len(text) or text[finding.start : finding.end] != finding.quote:
        raise Ungrounded(
            f"Finding {finding.id} quotes words that do not stand at {finding.start} to {finding.end} of its snapshot."
        )
    return finding


def _nearest(spans: list[Span], near: int | None) -> Span:
    return spans[0] if near is None else min(spans, key=lambda span: abs(span.start - near))


def _pattern(quote: str) -> re.Pattern[str]:
    # The marks around a whole quote are the quoter's own.
    trimmed = quote.strip(_DOUBLE + "…").strip() or quote
    parts = [
        "".join(_SPELLINGS.get(char, re.escape(char)) for char in part) for part in trimmed.replace("...", "…").split()
    ]
    if trimmed[0].isalpha():
        parts[0] = f"[{re.escape(trimmed[0].lower())}{re.escape(trimmed[0].upper())}]" + parts[0][1:]
    return re.compile(r"\s+".join(parts))
