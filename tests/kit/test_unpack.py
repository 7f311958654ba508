"""Content codings: decoded piece by piece, in limited steps, and never silently truncated."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.kit.unpack import NotUnpackable, unpacker


def bare(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "": lambda body: body,
    "identity": lambda body: body,
    "gzip": gzip.compress,
    "X-GZIP": gzip.compress,
    "deflate": zlib.compress,
    "deflate ": bare,
    "deflate, gzip": lambda body: gzip.compress(zlib.compress(body)),
    "gzip , identity": gzip.compress,
}


def undone(coding: str, packed: bytes, step: int) -> tuple[bytes, bool]:
    unpack = unpacker(coding)
    out = b"".join(
        piece for start in range(0, len(packed), step) for piece in unpack.feed(packed[start : start + step])
    )
    return out, unpack.complete


@given(st.sampled_from(sorted(PACKED)), st.binary(max_size=2000), st.integers(2, 700), st.integers(1, 50))
def test_what_was_packed_comes_out(coding: str, body: bytes, step: int, times: int) -> None:
    assert undone(coding, PACKED[coding](body * times), step) == (body * times, True)


@given(st.binary(min_size=1, max_size=2000), st.integers(1, 8))
def test_a_gzip_that_is_cut_short_is_not_complete(body: bytes, missing: int) -> None:
    out, complete = undone("gzip", gzip.compress(body)[:-missing], 50)
    assert not complete and body.startswith(out)


def test_gzip_members_follow_one_another_and_padding_is_none() -> None:
    assert undone("gzip", gzip.compress(b"one ") + gzip.compress(b"two") + b"\0" * 9, 7) == (b"one two", True)


def test_a_bomb_comes_out_in_small_pieces() -> None:
    bomb = gzip.compress(b"0" * 10_000_000)
    assert max(len(piece) for piece in unpacker("gzip").feed(bomb)) <= 256 * 1024


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, gzip, gzip", "gzip;q=1"])
def test_a_coding_that_was_not_asked_for_is_refused(coding: str) -> None:
    with pytest.raises(NotUnpackable):
        unpacker(coding)


@given(st.sampled_from(["gzip", "deflate"]), st.binary(max_size=200))
def test_rubbish_is_refused_or_incomplete_and_nothing_else(coding: str, body: bytes) -> None:
    with suppress(NotUnpackable):  # and no zlib.error, and no endless loop
        undone(coding, body, 17)
