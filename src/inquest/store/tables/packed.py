"""Compression of long texts in columns.

Rows of cases hold JSON whose keys and instructions repeat, so texts are compressed with a preset dictionary of these
(`packed_1.txt`, which must never change: a better dictionary is a new file with a new mark).
"""

from __future__ import annotations

import base64
import zlib
from functools import cache
from importlib.resources import files

from sqlalchemy import Dialect, Text, TypeDecorator

from inquest.domain.errors import StorageError

_MARK = b"z1:"
"""Prefix of a packed text. These columns hold JSON, which never begins in this way."""
_FROM = 100
"""Minimum length in characters of a text that is packed."""
_LEVEL = 6


class PackedText(TypeDecorator[str]):
    """A column of JSON, packed if that is shorter: as bytes in SQLite, which accepts them in any column, and as base64
    in PostgreSQL. Unpacked rows of earlier versions are read unchanged."""

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
                "A stored case cannot be read.",
                advice="It was edited by hand, or the database is damaged: restore it from a backup.",
            ) from error


def packed(text: str) -> bytes | None:
    """Compress a text; None if that does not make it shorter. Deterministic."""
    marked = text.startswith(_MARK.decode())
    if len(text) < _FROM and not marked:
        return None
    work = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=_dictionary())
    short = _MARK + work.compress(text.encode("utf-8", "surrogatepass")) + work.flush()
    return short if marked or len(_as_text(short)) < len(text) else None


def unpacked(kept: str | bytes) -> str:
    """Return the text of packed bytes, of their base64, or of a text that was never packed. Raises zlib.error or
    ValueError if the value is corrupt."""
    if isinstance(kept, str):
        if not kept.startswith(_MARK.decode()):
            return kept
        body = base64.b64decode(kept[len(_MARK) :], validate=True)
    else:
        body = kept[len(_MARK) :]
    work = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_dictionary())
    text = work.decompress(body) + work.flush()
    if not work.eof:
        raise ValueError("truncated packed text")
    return text.decode("utf-8", "surrogatepass")


def _as_text(short: bytes) -> str:
    return _MARK.decode() + base64.b64encode(short[len(_MARK) :]).decode("ascii")


@cache
def _dictionary() -> bytes:
    return files("inquest.store.tables").joinpath("packed_1.txt").read_bytes()
