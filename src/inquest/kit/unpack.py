"""Undoes a body's content coding piece by piece, so that a small packed body cannot become a huge one in memory.

Only gzip and deflate are asked for (Accept-Encoding): both are in the standard library, and either lets the output of
one step be bounded. A server that packs otherwise without being asked breaks the protocol (RFC 9110, 12.5.3). Web
archives hold what browsers asked for: Brotli (RFC 7932) and Zstandard (RFC 8878), too.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol

ACCEPTED = "gzip, deflate"
ASKED_FOR = frozenset({"gzip", "x-gzip", "deflate"})
ARCHIVED = ASKED_FOR | {"br", "zstd"}
"""The codings that pages in web archives come in."""
_MOST_WINDOW = 2**27
# Bytes that a Zstandard frame may make its reader hold; RFC 9659 asks for 2**23, whole archives are packed with more.
_ZSTD_STEP = 512
# Bytes of Zstandard input in one step: its smallest block is 4 bytes and gives at most 128 KB.
_STEP = 256 * 1024
# Bytes of output in one step; what is beyond a limit is at most this much.
_DAMAGED = "its compression is damaged"


class NotUnpackable(Exception):
    """The body is not in the coding that its header names, or the coding is none that was asked for."""


class Packed(Protocol):
    """One packed piece, being unpacked: a gzip member, a Zstandard frame, a Brotli stream."""

    def step(self, packed: bytes) -> tuple[bytes, bytes]:
        """What comes out, in bounded size, and what of the bytes is still to be fed or follows the end. Nothing of
        either: all is out that went in. Raises NotUnpackable."""
        ...

    @property
    def done(self) -> bool:
        """Whether the coding's own end was seen; False at the end of a body means that something is missing."""
        ...


class Deflated:
    """A gzip member; with other `wbits`, a stream of zlib."""

    def __init__(self, wbits: int = zlib.MAX_WBITS | 16) -> None:
        self._inflate = zlib.decompressobj(wbits)
        self._may_be_bare = wbits == zlib.MAX_WBITS

    def step(self, packed: bytes) -> tuple[bytes, bytes]:
        """As of Packed."""
        try:
            out = self._inflate.decompress(packed, _STEP)
        except zlib.error as error:
            if not self._may_be_bare:
                raise NotUnpackable(_DAMAGED) from error
            # 'deflate' means zlib's form, and some servers send the bare stream.
            self._inflate, self._may_be_bare = zlib.decompressobj(-zlib.MAX_WBITS), False
            return self.step(packed)
        self._may_be_bare = self._may_be_bare and not packed
        return out, self._inflate.unused_data if self._inflate.eof else self._inflate.unconsumed_tail

    @property
    def done(self) -> bool:
        """As of Packed."""
        return self._inflate.eof


class Zstandard:
    """A frame, packed with a dictionary or without."""

    def __init__(self, dictionary: bytes = b"") -> None:
        import zstandard

        known = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        self._decode = zstandard.ZstdDecompressor(dict_data=known, max_window_size=_MOST_WINDOW).decompressobj()
        self._error = zstandard.ZstdError

    def step(self, packed: bytes) -> tuple[bytes, bytes]:
        """As of Packed."""
        try:
            out = self._decode.decompress(packed[:_ZSTD_STEP])
        except self._error as error:
            raise NotUnpackable(_DAMAGED) from error
        return out, (self._decode.unused_data if self._decode.eof else b"") + packed[_ZSTD_STEP:]

    @property
    def done(self) -> bool:
        """As of Packed."""
        return bool(self._decode.eof)


class _Brotli:
    def __init__(self) -> None:
        try:
            import brotli
        except ImportError as error:
            raise NotUnpackable("it is packed as 'br': pip install 'inquest[archives]'") from error
        self._decode, self._error = brotli.Decompressor(), brotli.error

    def step(self, packed: bytes) -> tuple[bytes, bytes]:
        try:
            return self._decode.process(packed, output_buffer_limit=_STEP), b""
        except self._error as error:
            raise NotUnpackable(_DAMAGED) from error

    @property
    def done(self) -> bool:
        return bool(self._decode.is_finished())


class _Layer:
    """One coding of a body. Of gzip members and Zstandard frames several may follow one another."""

    def __init__(self, name: str) -> None:
        self._new: Callable[[], Packed] = {"br": _Brotli, "zstd": Zstandard}.get(name, Deflated)
        self._repeats = name not in ("br", "deflate")
        self.packed: Packed = Deflated(zlib.MAX_WBITS) if name == "deflate" else self._new()

    def feed(self, data: bytes) -> Iterator[bytes]:
        while True:
            if self.packed.done:
                if not self._repeats or not data.strip(b"\0"):
                    return  # what follows the end is padding
                self.packed = self._new()
            out, data = self.packed.step(data)
            if out:
                yield out
            elif not data:
                return


class Unpacker:
    """Codings laid one over the other, outermost first; none: what comes in goes out."""

    def __init__(self, names: Sequence[str]) -> None:
        self._layers = [_Layer(name) for name in names]

    def feed(self, packed: bytes) -> Iterator[bytes]:
        """The bytes that come out, in bounded pieces. Raises NotUnpackable."""
        return self._through(packed, self._layers)

    def _through(self, packed: bytes, layers: list[_Layer]) -> Iterator[bytes]:
        if not layers:
            yield packed
            return
        for piece in layers[0].feed(packed):
            yield from self._through(piece, layers[1:])

    @property
    def complete(self) -> bool:
        """Whether every coding's own end was seen; False at the end of a body means that something is missing."""
        return all(layer.packed.done for layer in self._layers)


def unpacker(content_encoding: str, known: Collection[str] = ASKED_FOR) -> Unpacker:
    """What undoes a Content-Encoding header. Raises NotUnpackable for a coding that is not one of the `known`."""
    names = [name.strip().lower() for name in content_encoding.split(",")]
    names = [name for name in reversed(names) if name not in ("", "identity")]
    for name in names:
        if name not in known:
            why = "was not asked for" if known is ASKED_FOR else "is not a known coding"
            raise NotUnpackable(f"it is packed as '{name[:20]}', which {why}")
    if len(names) > 2:
        raise NotUnpackable("it is packed more than twice")
    return Unpacker(names)
