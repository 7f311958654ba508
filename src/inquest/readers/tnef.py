"""The files in winmail.dat (TNEF), the wrapping in which Outlook sends attachments to others than itself."""

from __future__ import annotations

import struct
from collections.abc import Iterator

MAGIC = b"\x78\x9f\x3e\x22"
# MS-OXTNEF 2.1.3.1: the identifiers of attributes, each of level, identifier, length, bytes, checksum.
_RENDERING, _TITLE, _DATA, _PROPERTIES = 0x00069002, 0x00018010, 0x0006800F, 0x00069005
_HEAD = struct.Struct("<BII")


def files_in(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each attachment, as far as the bytes go."""
    name, data = "", b""
    place = len(MAGIC) + 2
    while place + _HEAD.size <= len(body):
        _, attribute, length = _HEAD.unpack_from(body, place)
        value = body[place + _HEAD.size : place + _HEAD.size + length]
        place += _HEAD.size + length + 2
        if attribute == _RENDERING and data:
            yield name, data
            name, data = "", b""
        elif attribute == _TITLE:
            name = value.rstrip(b"\0").decode("cp1252", "replace")
        elif attribute == _DATA:
            data = value
        elif attribute == _PROPERTIES:
            name = _long_name(value) or name
    if data:
        yield name, data


def _long_name(properties: bytes) -> str:
    """PidTagAttachLongFilename among MAPI properties (tag, number of values, length, bytes); '': it is not there."""
    for tag, encoding in ((b"\x1f\x00\x07\x37", "utf-16-le"), (b"\x1e\x00\x07\x37", "cp1252")):
        place = properties.find(tag)
        if place >= 0 and place + 12 <= len(properties):
            length = int.from_bytes(properties[place + 8 : place + 12], "little")
            return properties[place + 12 : place + 12 + length].decode(encoding, "replace").rstrip("\0")
    return ""
