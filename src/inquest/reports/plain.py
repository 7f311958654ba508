"""Make text of pages, people and models safe to display: free of markup and of hidden characters.

Only the formats that people read are cleaned; the archive and the case as JSON keep the original text.
"""

from __future__ import annotations

import re

from inquest.text.regex import regex

# Invisible characters that can only mislead: controls, bidirectional embeddings, overrides and isolates (reports
# isolate foreign text themselves), zero-width spaces, byte order marks, fillers, tags, noncharacters. Joiners (200C,
# 200D), directional marks (200E, 200F) and variation selectors stay: scripts and emoji need them.
_UNSEEN = regex(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
_SURROGATE = regex("[\ud800-\udfff]")
_LINE_END = regex("\r\n?|\x85|\u2028|\u2029")
_MANY_LINES = regex(r"[^\S\n]*\n\s*")


def shown(text: str) -> str:
    """Remove invisible characters, replace lone surrogates by U+FFFD and every kind of line end by a line feed."""
    return _SURROGATE.sub("\ufffd", _UNSEEN.sub("", _LINE_END.sub("\n", text)))


def one_line(text: str) -> str:
    """Return the `shown` text on one line."""
    return " ".join(shown(text).split())


def paragraphs(text: str) -> str:
    """Return the `shown` text line by line, without empty lines; blanks at either end become one blank."""
    return _MANY_LINES.sub("\n", re.sub(r"[^\S\n]+", " ", shown(text)))


_RIGHT_TO_LEFT = regex("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def isolated(text: str) -> str:
    """Enclose text with right-to-left letters in Unicode isolates, so that it does not reorder the text around it."""
    return f"\u2068{text}\u2069" if _RIGHT_TO_LEFT.search(text) else text


_SPECIAL = regex(r"[\\`*\[\]<|~]|(?<![^\W_])_|_(?![^\W_])|&(?=[#\w]+;)")
_AT_START = regex(r"^(?:([-+=>#:])|(\d{1,9})([.)])(?=\s|$))")


def markdown_text(text: str, *, opens: bool = True) -> str:
    """Return the text on one line, escaped so that Markdown reads no heading, list, link or tag in it.

    `opens`: the text may begin a line, where more characters are special.
    """
    escaped = _SPECIAL.sub(lambda special: "\\" + special.group(), one_line(text))
    if not opens:
        return escaped
    return _AT_START.sub(lambda start: f"\\{start[1]}" if start[1] else f"{start[2]}\\{start[3]}", escaped)
