"""Decode a body's content coding in bounded steps, so that a small body cannot fill the memory.

Requests accept only gzip and deflate (Accept-Encoding), which the standard library decodes in bounded steps; a server
that sends another coding violates the protocol (RFC 9110, 12.5.3). Web archives also hold Brotli (RFC 7932) and
Zstandard (RFC 8878).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol

ACCEPTED = "gzip, deflate"
REQUESTED = frozenset({"gzip", "x-gzip", "deflate"})
ARCHIVED = REQUESTED | {"br", "zstd"}
"""The codings of pages in web archives."""
_MOST_WINDOW = 2**27
# Maximum window of a Zstandard frame in bytes; RFC 9659 recommends 2**23, archives use more.
_ZSTD_STEP = 512
# Bytes of Zstandard input per step: the smallest block has 4 bytes and expands to at most 128 KB.
_STEP = 256 * 1024
# Bytes of output per step, and thus the most by which a limit can be exceeded.
_DAMAGED = "its compression is damaged"


class NotUnpackable(Exception):
    """The body is not in its declared coding, or the coding is not accepted."""


class Packed(Protocol):
    """A compressed unit being decoded: a gzip member, a Zstandard frame, a Brotli stream."""

    def step(self, packed: bytes) -> tuple[bytes, bytes]:
        """Decode a bounded step and return its output and the remaining input, including any after the end of the unit.
        Raises NotUnpackable."""

    @property
    def done(self) -> bool:
        """True after the coding's end; False at the end of a body means that it is incomplete."""


class Deflated:
    """A gzip member; with other `wbits`, a stream of zlib."""

    def __init__(self, wbits: int = zlib.MAX_WBITS | 16) -> None:
        self._inflate = zlib.decompressobj(wbits)
        self._may_be_bare = wbits == zlib.MAX_WBITS

    def step(self, packed: bytes) -> tuple[bytes, bytes]:
        try:
            out = self._inflate.decompress(packed, _STEP)
        except zlib.error as error:
            if not self._may_be_bare:
                raise NotUnpackable(_DAMAGED) from error
            # 'deflate' means the zlib format, but some servers send the bare stream.
            self._inflate, self._may_be_bare = zlib.decompressobj(-zlib.MAX_WBITS), False
            return self.step(packed)
        self._may_be_bare = self._may_be_bare and not packed
        return out, self._inflate.unused_data if self._inflate.eof else self._inflate.unconsumed_tail

    @property
    def done(self) -> bool:
        return self._inflate.eof


class Zstandard:
    """A Zstandard frame, with or without a dictionary."""

    def __init__(self, dictionary: bytes = b"") -> None:
        import zstandard

        known = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        self._decode = zstandard.ZstdDecompressor(dict_data=known, max_window_size=_MOST_WINDOW).decompressobj()
        self._error = zstandard.ZstdError

    def step(self, packed: bytes) -> tuple[bytes, bytes]:
        try:
            out = self._decode.decompress(packed[:_ZSTD_STEP])
        except self._error as error:
            raise NotUnpackable(_DAMAGED) from error
        return out, (self._decode.unused_data if self._decode.eof else b"") + packed[_ZSTD_STEP:]

    @property
    def done(self) -> bool:
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
    """One coding of a body, which may have several gzip members or Zstandard frames."""

    def __init__(self, name: str) -> None:
        self._new: Callable[[], Packed] = {"br": _Brotli, "zstd": Zstandard}.get(name, Deflated)
        self._repeats = name not in ("br", "deflate")
        self.packed: Packed = Deflated(zlib.MAX_WBITS) if name == "deflate" else self._new()

    def feed(self, data: bytes) -> Iterator[bytes]:
        while True:
            if self.packed.done:
                if not self._repeats or not data.strip(b"\0"):
                    return  # the rest is padding
                self.packed = self._new()
            out, data = self.packed.step(data)
            if out:
                yield out
            elif not data:
                return


class Unpacker:
    """A decoder of nested codings, outermost first; without codings it passes the bytes on."""

    def __init__(self, names: Sequence[str]) -> None:
        self._layers = [_Layer(name) for name in names]

    def feed(self, packed: bytes) -> Iterator[bytes]:
        """Yield the decoded bytes in bounded pieces. Raises NotUnpackable."""
        return self._through(packed, self._layers)

    def _through(self, packed: bytes, layers: list[_Layer]) -> Iterator[bytes]:
        if not layers:
            yield packed
            return
        for piece in layers[0].feed(packed):
            yield from self._through(piece, layers[1:])

    @property
    def complete(self) -> bool:
        """True after the end of every coding; False at the end of a body means that it is incomplete."""
        return all(layer.packed.done for layer in self._layers)


def unpacker(content_encoding: str, known: Collection[str] = REQUESTED) -> Unpacker:
    """Return the decoder for a Content-Encoding header. Raises NotUnpackable for a coding not in `known`."""
    names = [name.strip().lower() for name in content_encoding.split(",")]
    names = [name for name in reversed(names) if name not in ("", "identity")]
    for name in names:
        if name not in known:
            why = "is not an accepted coding" if known is REQUESTED else "is not a known coding"
            raise NotUnpackable(f"it is packed as '{name[:20]}', which {why}")
    if len(names) > 2:
        raise NotUnpackable("it is packed more than twice")
    return Unpacker(names)
