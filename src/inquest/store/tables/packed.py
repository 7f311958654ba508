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

_MARK = b"z1:"
"""What begins a packed text. JSON, which is what these columns hold, begins otherwise."""
_FROM = 100
"""Characters of a text from which it is packed."""
_LEVEL = 6


class PackedText(TypeDecorator[str]):
    """A column of JSON, packed where that is shorter: as bytes in SQLite, which keeps them in any column, and in
    PostgreSQL's text as base64. Rows of versions that packed nothing are read as they are."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | bytes | None:
        if value is None:
            return None
        short = packed(value)
        if short is None:
            return value
        return short if dialect.name == "sqlite" else _as_text(short)

    def process_result_value(self, value: str | bytes | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        try:
            return unpacked(value)
        except (zlib.error, ValueError) as error:
            raise StorageError(
                "What is kept of a case cannot be read.",
                advice="It was changed by hand, or the database is damaged: take it from a backup.",
            ) from error


def packed(text: str) -> bytes | None:
    """The text compressed; None where it is too short for that. The same text gives the same bytes."""
    marked = text.startswith(_MARK.decode())
    if len(text) < _FROM and not marked:
        return None
    work = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=_dictionary())
    short = _MARK + work.compress(text.encode("utf-8", "surrogatepass")) + work.flush()
    return short if marked or len(_as_text(short)) < len(text) else None


def unpacked(kept: str | bytes) -> str:
    """The text again, of packed bytes, these as base64, or as it is. Raises zlib.error or ValueError where what is kept
    was changed."""
    if isinstance(kept, str):
        if not kept.startswith(_MARK.decode()):
            return kept
        body = base64.b64decode(kept[len(_MARK) :], validate=True)
    else:
        body = kept[len(_MARK) :]
    work = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_dictionary())
    text = work.decompress(body) + work.flush()
    if not work.eof:
        raise ValueError("a packed text was cut off")
    return text.decode("utf-8", "surrogatepass")


def _as_text(short: bytes) -> str:
    return _MARK.decode() + base64.b64encode(short[len(_MARK) :]).decode("ascii")


@cache
def _dictionary() -> bytes:
    return files("inquest.store.tables").joinpath("packed_1.txt").read_bytes()
