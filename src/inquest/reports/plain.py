"""Text of pages, people and models, made fit to be shown: nothing in it is markup, and nothing in it is hidden.

What is kept (the archive, the case as JSON) is never touched; only the forms that a person reads are.
"""

from __future__ import annotations

import re

from inquest.text.regex import regex

# Characters that cannot be seen and can only mislead: controls, bidirectional embeddings, overrides and isolates (every
# form of the report isolates foreign text itself), zero-width spaces, byte order marks, fillers, tags, noncharacters.
# Joiners (200C, 200D), directional marks (200E, 200F) and variation selectors stay: scripts and emoji need them.
_UNSEEN = regex(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
_SURROGATE = regex("[\ud800-\udfff]")
_LINE_END = regex("\r\n?|\x85|\u2028|\u2029")
_MANY_LINES = regex(r"[^\S\n]*\n\s*")


def shown(text: str) -> str:
    """The text without what cannot be seen; halves of characters become U+FFFD, every kind of line end a line feed."""
    return _SURROGATE.sub("\ufffd", _UNSEEN.sub("", _LINE_END.sub("\n", text)))


def one_line(text: str) -> str:
    """As `shown`, on one line."""
    return " ".join(shown(text).split())


def paragraphs(text: str) -> str:
    """As `shown`, with its lines and without empty ones; blanks at the very ends stay, as one each."""
    return _MANY_LINES.sub("\n", re.sub(r"[^\S\n]+", " ", shown(text)))


_RIGHT_TO_LEFT = regex("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def isolated(text: str) -> str:
    """For a form whose only way to set a passage apart is in the text: where it has letters that run from right to
    left, with the characters that keep them from moving what is around it."""
    return f"\u2068{text}\u2069" if _RIGHT_TO_LEFT.search(text) else text


_SPECIAL = regex(r"[\\`*\[\]<|~]|(?<![^\W_])_|_(?![^\W_])|&(?=[#\w]+;)")
_AT_START = regex(r"^(?:([-+=>#:])|(\d{1,9})([.)])(?=\s|$))")


def markdown_text(text: str, *, opens: bool = True) -> str:
    """As `one_line`, for Markdown: wherever it appears, it reads as it is and is no heading, list, link or tag.

    `opens`: it may stand at the beginning of a line, where some characters mean more than elsewhere.
    """
    escaped = _SPECIAL.sub(lambda special: "\\" + special.group(), one_line(text))
    if not opens:
        return escaped
    return _AT_START.sub(lambda start: f"\\{start[1]}" if start[1] else f"{start[2]}\\{start[3]}", escaped)
