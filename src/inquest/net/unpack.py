"""Undoes a body's content coding piece by piece, so that a small packed body cannot become a huge one in memory.

Only gzip and deflate are asked for (Accept-Encoding) and undone: both are in the standard library, and either lets the
output of one step be bounded. A server that packs otherwise without being asked breaks the protocol (RFC 9110, 12.5.3).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

ACCEPTED = "gzip, deflate"
_STEP = 256 * 1024
"""Bytes of output in one step; what is beyond a limit is at most this much."""


class NotUnpackable(Exception):
    """The body is not in the coding that its header names, or the coding is none that was asked for."""


class Unpacker:
    """No coding: what comes in goes out."""

    def feed(self, packed: bytes) -> Iterator[bytes]:
        """The bytes that come out, in bounded pieces. Raises NotUnpackable."""
        yield packed

    @property
    def complete(self) -> bool:
        """Whether the coding's own end was seen; False at the end of a body means that something is missing."""
        return True


class _Deflated(Unpacker):
    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 16 if gzip else zlib.MAX_WBITS)
        self._fed = False

    def feed(self, packed: bytes) -> Iterator[bytes]:
        while packed:
            if self._inflate.eof:
                if not self._gzip or not packed.strip(b"\0"):
                    return  # what follows the end is padding
                self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)  # gzip members may follow one another
            out = self._step(packed)
            packed = self._inflate.unused_data if self._inflate.eof else self._inflate.unconsumed_tail
            if out:
                yield out
        # All input may be taken in while output is still held back by the bound.
        while not self._inflate.eof and (out := self._step(b"")):
            yield out

    def _step(self, packed: bytes) -> bytes:
        try:
            out = self._inflate.decompress(packed, _STEP)
        except zlib.error as error:
            if self._gzip or self._fed:
                raise NotUnpackable("its compression is damaged") from error
            # 'deflate' means zlib's form, and some servers send the bare stream.
            self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
            self._fed = True
            return self._step(packed)
        self._fed = self._fed or bool(packed)
        return out

    @property
    def complete(self) -> bool:
        return self._inflate.eof


class _Chain(Unpacker):
    """Codings laid one over the other, outermost first."""

    def __init__(self, layers: list[Unpacker]) -> None:
        self._layers = layers

    def feed(self, packed: bytes) -> Iterator[bytes]:
        return self._through(packed, self._layers)

    def _through(self, packed: bytes, layers: list[Unpacker]) -> Iterator[bytes]:
        if not layers:
            yield packed
            return
        for piece in layers[0].feed(packed):
            yield from self._through(piece, layers[1:])

    @property
    def complete(self) -> bool:
        return all(layer.complete for layer in self._layers)


def unpacker(content_encoding: str) -> Unpacker:
    """What undoes a Content-Encoding header. Raises NotUnpackable for a coding that was not asked for."""
    names = [name.strip().lower() for name in content_encoding.split(",") if name.strip()]
    layers: list[Unpacker] = []
    for name in reversed(names):
        if name == "identity":
            continue
        if name not in ("gzip", "x-gzip", "deflate"):
            raise NotUnpackable(f"it is packed as '{name[:20]}', which was not asked for")
        layers.append(_Deflated(gzip=name != "deflate"))
    if len(layers) > 2:
        raise NotUnpackable("it is packed more than twice")
    return _Chain(layers) if layers else Unpacker()
