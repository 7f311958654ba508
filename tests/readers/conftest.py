"""Bytes to read: a tiny PDF writer, and snapshots of anything."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from inquest.domain.document import Snapshot

SnapshotOf = Callable[..., Snapshot]
PdfOf = Callable[..., bytes]
Placed = tuple[float, float, float, str]
"""Left, baseline and type size in points, and the words."""


@pytest.fixture(scope="session")
def snapshot_of() -> SnapshotOf:
    """A snapshot of a body, retrieved on 1 June 2025."""

    def make(
        body: bytes, url: str = "https://news.example/story", content_type: str = "", status: int = 200
    ) -> Snapshot:
        return Snapshot(
            hash="sha256:" + hashlib.sha256(body).hexdigest(),
            url=url,
            final_url=url,
            status=status,
            content_type=content_type,
            retrieved_at=datetime(2025, 6, 1, 12, tzinfo=UTC),
            size=len(body),
        )

    return make


@pytest.fixture(scope="session")
def pdf_of() -> PdfOf:
    """A PDF with the given pages (A4, Helvetica), each a list of placed lines; an empty list is a page without text."""

    def make(pages: Sequence[Sequence[Placed]], info: str = "", encrypted: bool = False) -> bytes:
        font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
        objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", font]
        kids = []
        for lines in pages:
            content = "BT " + " ".join(
                f"/F1 {size} Tf 1 0 0 1 {left} {baseline} Tm ({_escaped(words)}) Tj"
                for left, baseline, size, words in lines
            )
            stream = f"{content} ET" if lines else "0.9 g 100 100 400 600 re f"
            objects.append(f"<< /Length {len(stream.encode('latin-1'))} >>\nstream\n{stream}\nendstream")
            objects.append(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R "
                "/Resources << /Font << /F1 3 0 R >> >> >>"
            )
            kids.append(f"{len(objects)} 0 R")
        objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
        objects.append(f"<< {info} >>")
        trailer = f"/Root 1 0 R /Info {len(objects)} 0 R"
        if encrypted:
            secret = "<" + "5a" * 32 + ">"
            objects.append(f"<< /Filter /Standard /V 1 /R 2 /O {secret} /U {secret} /P -4 >>")
            trailer += f" /Encrypt {len(objects)} 0 R /ID [<{'00' * 16}> <{'00' * 16}>]"
        out = bytearray(b"%PDF-1.4\n")
        places = []
        for number, text in enumerate(objects, 1):
            places.append(len(out))
            out += f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1")
        table = len(out)
        out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
        out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
        out += f"trailer\n<< /Size {len(objects) + 1} {trailer} >>\nstartxref\n{table}\n%%EOF\n".encode()
        return bytes(out)

    return make


def _escaped(words: str) -> str:
    return words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
