"""Long texts, kept compressed.

What is kept of a case is JSON whose keys and instructions are the same in every row, so a text is compressed with a
dictionary of these (`packed_1.txt`, which never changes: a better one is a further file with a mark of its own).
"""

from __future__ import annotations

import base64
import zlib
from functools import cache
from importlib.resources import files

from sqlalchemy import Dialect, Text, TypeDecorator

from inquest.domain.errors import StorageError

__all__ = ["PackedText", "packed", "unpacked"]

_MARK = "z1:"
"""What begins a packed text. JSON, which is what these columns hold, begins otherwise."""
_FROM = 100
"""Characters of a text from which it is packed."""
_LEVEL = 9


class PackedText(TypeDecorator[str]):
    """A column of JSON, packed where that is shorter. Rows of versions that packed nothing are read as they are."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else packed(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        try:
            return unpacked(value)
        except (zlib.error, ValueError) as error:
            raise StorageError(
                "What is kept of a case cannot be read.",
                advice="It was changed by hand, or the database is damaged: take it from a backup.",
            ) from error


def packed(text: str) -> str:
    """The text in printable ASCII characters, or as it is where that is shorter. The same text gives the same."""
    if len(text) < _FROM and not text.startswith(_MARK):
        return text
    work = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=_dictionary())
    body = work.compress(text.encode("utf-8", "surrogatepass")) + work.flush()
    short = _MARK + base64.b64encode(body).decode("ascii")
    return short if len(short) < len(text) or text.startswith(_MARK) else text


def unpacked(kept: str) -> str:
    """The text again. Raises zlib.error or ValueError where what is kept was changed."""
    if not kept.startswith(_MARK):
        return kept
    work = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_dictionary())
    text = work.decompress(base64.b64decode(kept[len(_MARK) :], validate=True)) + work.flush()
    if not work.eof:
        raise ValueError("a packed text was cut off")
    return text.decode("utf-8", "surrogatepass")


@cache
def _dictionary() -> bytes:
    return files("inquest.store.tables").joinpath("packed_1.txt").read_bytes()
