"""Text that both databases take."""

from __future__ import annotations

_UNSTORABLE = dict.fromkeys([0, *range(0xD800, 0xE000)], "\ufffd")


def storable(text: str) -> str:
    """The text with NULs (which PostgreSQL refuses) and half surrogates (which are no UTF-8) replaced by U+FFFD."""
    return text.translate(_UNSTORABLE)
