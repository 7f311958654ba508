"""A writer of compound files (MS-CFB) with as much of the format as an Outlook message needs."""

from __future__ import annotations

import struct
from datetime import UTC, datetime

Tree = dict[str, "bytes | Tree"]
_SECTOR, _FREE, _END, _FAT = 512, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound_file(tree: Tree) -> bytes:
    """The file with these streams and storages; each stream is padded to at least 4,096 bytes, as required for a
    regular one."""
    entries: list[list[object]] = [["Root Entry", 5, _FREE, _FREE, _FREE, _END, 0]]
    sectors: list[bytes] = []
    fat: list[int] = []

    def chain(data: bytes) -> int:
        first, count = len(sectors), -(-len(data) // _SECTOR)
        for number in range(count):
            sectors.append(data[number * _SECTOR : (number + 1) * _SECTOR].ljust(_SECTOR, b"\0"))
            fat.append(first + number + 1 if number < count - 1 else _END)
        return first

    def add(tree: Tree) -> int:
        """Add the entries as a list in which each is the next one's left neighbour; return the number of the first."""
        first = previous = _FREE
        for name, inside in tree.items():
            number = len(entries)
            entries.append([name, 1, _FREE, _FREE, _FREE, _END, 0])
            if isinstance(inside, dict):
                entries[number][1], entries[number][4] = 1, add(inside)
            else:
                entries[number][1], entries[number][5] = 2, chain(inside.ljust(4096, b"\0"))
                entries[number][6] = max(4096, len(inside))
            if previous == _FREE:
                first = number
            else:
                entries[previous][3] = number
            previous = number
        return first

    entries[0][4] = add(tree)
    directory = b"".join(
        struct.pack(
            "<64sHBBIII16sIQQIQ",
            str(name).encode("utf-16-le"),
            2 * len(str(name)) + 2,
            kind,
            1,
            left,
            right,
            child,
            b"",
            0,
            0,
            0,
            start,
            size,
        )
        for name, kind, left, right, child, start, size in entries
    )
    at = chain(directory.ljust(-(-len(directory) // _SECTOR) * _SECTOR, b"\0"))
    tables = -(-(len(sectors) + 8) * 4 // _SECTOR)
    places = list(range(len(sectors), len(sectors) + tables))
    table = struct.pack(f"<{len(fat) + tables}I", *fat, *([_FAT] * tables)).ljust(tables * _SECTOR, b"\xff")
    head = struct.pack(
        "<8s16sHHHHH6sIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, b"", 0, tables, at, 0, 4096, _END, 0, _END, 0,
    )  # fmt: skip
    return head + struct.pack("<109I", *places, *([_FREE] * (109 - tables))) + b"".join(sectors) + table


def properties(offset: int, texts: dict[int, str], files: dict[int, bytes] | None = None, **more: datetime) -> Tree:
    """The streams of a message's or an attachment's properties: texts and bytes by number; `sent`: when."""
    rows = [struct.pack("<HHIQ", 0x001F, number, 6, 2 * len(text) + 2) for number, text in texts.items()]
    rows += [struct.pack("<HHIQ", 0x0102, number, 6, len(body)) for number, body in (files or {}).items()]
    rows += [struct.pack("<HHIQ", 0x0040, 0x0039, 6, _file_time(at)) for at in more.values()]
    tree: Tree = {"__properties_version1.0": b"\0" * offset + b"".join(rows)}
    tree |= {f"__substg1.0_{number:04X}001F": text.encode("utf-16-le") for number, text in texts.items()}
    return tree | {f"__substg1.0_{number:04X}0102": body for number, body in (files or {}).items()}


def _file_time(at: datetime) -> int:
    return int((at - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
