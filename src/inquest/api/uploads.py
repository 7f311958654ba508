"""Uploaded files, stored under safe forms of their names."""

from __future__ import annotations

import re
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from anyio import open_file, to_thread
from fastapi import UploadFile

from inquest.domain.errors import InputError

_CHUNK = 1 << 20
_PDF, _PDF_WITHIN = b"%PDF-", 1024
"""A PDF has this header within its first 1,024 bytes (as Acrobat accepts: PDF Reference 1.7, appendix H, note 13)."""


@asynccontextmanager
async def kept_for_now(upload: UploadFile) -> AsyncIterator[Path]:
    """The path of the file during the context. Raises InputError for a false PDF."""
    beginning = await upload.read(_PDF_WITHIN)
    await upload.seek(0)
    if beginning and (upload.filename or "").lower().endswith(".pdf") and _PDF not in beginning:
        raise InputError(
            f"{_harmless(upload.filename or '')} is not a PDF, despite its name.",
            advice="Send the PDF itself, or correct the file name.",
        )
    folder = await to_thread.run_sync(lambda: tempfile.TemporaryDirectory(prefix="inquest-"))
    try:
        yield await _written(upload, Path(folder.name))
    finally:
        await to_thread.run_sync(folder.cleanup)


async def kept_for_good(uploads: Sequence[UploadFile], home: Path, collection: str) -> list[Path]:
    """Permanent paths of the files; a file replaces an earlier one of the same name."""
    folder = home / _harmless(collection)
    folder.mkdir(parents=True, exist_ok=True)
    return [await _written(upload, folder) for upload in uploads]


async def _written(upload: UploadFile, folder: Path) -> Path:
    path = folder / _harmless((upload.filename or "").replace("\\", "/").rsplit("/", 1)[-1])
    async with await open_file(path, "wb") as file:
        while chunk := await upload.read(_CHUNK):
            await file.write(chunk)
    return path


def _harmless(name: str) -> str:
    """A safe file name: no folders, no leading dot."""
    return re.sub(r"[^\w.-]+", "-", name).strip(".-")[-100:] or "document"
