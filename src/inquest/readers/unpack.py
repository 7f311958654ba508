"""Bodies that arrive packed: files ending in .gz, and servers that pack twice."""

from __future__ import annotations

import zlib

from inquest.domain.errors import PageTooLarge, PageUnreadable

GZIP = b"\x1f\x8b\x08"


def unpacked(body: bytes, url: str, limit: int) -> bytes:
    """The bytes inside a gzip body, at most `limit` of them; any other body as it is. Never unpacks more than once.

    A body that was cut off gives what could be unpacked. Raises PageTooLarge, PageUnreadable.
    """
    if not body.startswith(GZIP):
        return body
    found: list[bytes] = []
    size, rest = 0, body
    try:
        while rest.startswith(GZIP):
            stream = zlib.decompressobj(31)
            part = stream.decompress(rest, limit + 1 - size)
            size += len(part)
            found.append(part)
            if size > limit:
                raise PageTooLarge(url, f"The document at {url} unpacks to more than {limit // 1_000_000} MB.")
            rest = stream.unused_data
    except zlib.error as error:
        if not size:
            raise PageUnreadable(
                url, f"The document at {url} is a damaged gzip file.", advice="Fetch or copy it again."
            ) from error
    return b"".join(found)
