"""Files that are sent with a request: kept while they are read, under their own name, and then removed."""

from __future__ import annotations

import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from anyio import open_file, to_thread
from fastapi import UploadFile

__all__ = ["kept_for_now"]

_CHUNK = 1 << 20


@asynccontextmanager
async def kept_for_now(upload: UploadFile) -> AsyncIterator[Path]:
    """A path at which the file lies until the end. Of its name only what is harmless in one is kept."""
    name = Path((upload.filename or "").replace("\\", "/")).name
    name = re.sub(r"[^\w.-]+", "-", name).strip(".-")[-100:] or "report"
    folder = await to_thread.run_sync(lambda: tempfile.TemporaryDirectory(prefix="inquest-"))
    try:
        path = Path(folder.name) / name
        async with await open_file(path, "wb") as file:
            while chunk := await upload.read(_CHUNK):
                await file.write(chunk)
        yield path
    finally:
        await to_thread.run_sync(folder.cleanup)
