"""Undoes a body's content coding piece by piece, so that a small packed body cannot become a huge one in memory.

Only gzip and deflate are asked for (Accept-Encoding): both are in the standard library, and either lets the output of
one step be bounded. A server that packs otherwise without being asked breaks the protocol (RFC 9110, 12.5.3). Web
archives hold what browsers asked for: Brotli (RFC 7932) and Zstandard (RFC 8878), too.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from typing import Any

ACCEPTED = "gzip, deflate"
ASKED_FOR = frozenset({"gzip", "x-gzip", "deflate"})
ARCHIVED = ASKED_FOR | {"br", "zstd"}
"""The codings that pages in web archives come in."""
_MOST_WINDOW = 2**27
# Bytes that a Zstandard frame may make its reader hold; RFC 9659 asks for 2**23, whole archives are packed with more.
ZSTD_STEP = 512
"""Bytes of Zstandard input in one step: its smallest block is 4 bytes and gives at most 128 KB."""
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


class _Brotli(Unpacker):
    def __init__(self) -> None:
        try:
            import brotli
        except ImportError as error:
            raise NotUnpackable("it is packed as 'br': pip install 'inquest[archives]'") from error
        self._decode = brotli.Decompressor()
        self._error = brotli.error

    def feed(self, packed: bytes) -> Iterator[bytes]:
        try:
            while packed or not self._decode.can_accept_more_data():
                if self._decode.is_finished():
                    return
                out = self._decode.process(packed, output_buffer_limit=_STEP)
                packed = b""
                if out:
                    yield out
        except self._error as error:
            raise NotUnpackable("its compression is damaged") from error

    @property
    def complete(self) -> bool:
        return bool(self._decode.is_finished())


def zstd_decoder(dictionary: bytes = b"") -> Any:
    """A decoder of one Zstandard frame (`decompress`, `eof`, `unused_data`) whose memory is bounded."""
    import zstandard

    known = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
    return zstandard.ZstdDecompressor(dict_data=known, max_window_size=_MOST_WINDOW).decompressobj()


class _Zstd(Unpacker):
    def __init__(self) -> None:
        self._decode = zstd_decoder()

    def feed(self, packed: bytes) -> Iterator[bytes]:
        import zstandard

        while packed:
            if self._decode.eof:
                self._decode = zstd_decoder()  # frames may follow one another
            try:
                out = self._decode.decompress(packed[:ZSTD_STEP])
            except zstandard.ZstdError as error:
                raise NotUnpackable("its compression is damaged") from error
            packed = (self._decode.unused_data if self._decode.eof else b"") + packed[ZSTD_STEP:]
            if out:
                yield out

    @property
    def complete(self) -> bool:
        return bool(self._decode.eof)


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


def unpacker(content_encoding: str, known: Collection[str] = ASKED_FOR) -> Unpacker:
    """What undoes a Content-Encoding header. Raises NotUnpackable for a coding that is not one of the `known`."""
    names = [name.strip().lower() for name in content_encoding.split(",") if name.strip()]
    layers: list[Unpacker] = []
    for name in reversed(names):
        if name == "identity":
            continue
        if name not in known:
            why = "was not asked for" if known is ASKED_FOR else "is not a known coding"
            raise NotUnpackable(f"it is packed as '{name[:20]}', which {why}")
        layers.append(_layer(name))
    if len(layers) > 2:
        raise NotUnpackable("it is packed more than twice")
    return _Chain(layers) if layers else Unpacker()


def _layer(name: str) -> Unpacker:
    if name == "br":
        return _Brotli()
    return _Zstd() if name == "zstd" else _Deflated(gzip=name != "deflate")
