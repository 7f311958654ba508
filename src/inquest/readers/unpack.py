"""Bodies that arrive packed: files ending in .gz, and servers that pack twice."""

from __future__ import annotations

import zlib

from inquest.domain.errors import PageTooLarge, PageUnreadable

GZIP = b"\x1f\x8b\x08"


def unpacked(body: bytes, url: str, limit: int, named: str = "document") -> bytes:
    """Return the content of a gzip body, unpacked once, or any other body unchanged.

    A truncated body gives what can be unpacked. `named` is used in messages. Raises PageTooLarge above `limit` bytes,
    and PageUnreadable for a damaged file.
    """
    if not body.startswith(GZIP):
        if len(body) > limit:
            megabytes = f"{len(body) / 1e6:.0f} MB; {limit // 1_000_000} MB are read"
            raise PageTooLarge(url, f"The {named} at {url} has {megabytes}.")
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
                raise PageTooLarge(url, f"The {named} at {url} unpacks to more than {limit // 1_000_000} MB.")
            rest = stream.unused_data
    except zlib.error as error:
        if not size:
            raise PageUnreadable(
                url, f"The {named} at {url} is a damaged gzip file.", advice="Fetch or copy it again."
            ) from error
    return b"".join(found)
