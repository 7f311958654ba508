"""What sites said in robots.txt, kept for other cases and processes for as long as it may be believed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path


class KeptRobots:
    """One small file per site, in a folder per day (UTC). A cache: what cannot be read or written here is asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, origin: str, *, now: datetime, age: timedelta) -> tuple[datetime, bytes] | None:
        """When the site was asked and what its file said (b'': it has none); None where nothing younger than `age` is
        kept."""
        for day in (now, now - timedelta(days=1)):
            found = _read(self._path(origin, day), origin)
            if found is not None and timedelta() <= now - found[0] <= age:
                return found
        return None

    def keep(self, origin: str, at: datetime, body: bytes) -> None:
        """Keep what the site said. Days that are too old to be believed are removed with the first of a new day."""
        path = self._path(origin, at)
        head = json.dumps({"origin": origin, "at": at.isoformat()}).encode()
        with suppress(OSError):
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True, exist_ok=True)
                self._forget_before(at - timedelta(days=1))
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
            with os.fdopen(handle, "wb") as file:
                file.write(head + b"\n" + body)
            Path(name).replace(path)

    def _forget_before(self, day: datetime) -> None:
        for folder in self._folder.iterdir():
            if folder.is_dir() and folder.name < _day(day):
                shutil.rmtree(folder, ignore_errors=True)

    def _path(self, origin: str, at: datetime) -> Path:
        return self._folder / _day(at) / hashlib.sha256(origin.encode()).hexdigest()[:40]


def _day(at: datetime) -> str:
    return at.astimezone(UTC).date().isoformat()


def _read(path: Path, origin: str) -> tuple[datetime, bytes] | None:
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        given = json.loads(head)
        at = datetime.fromisoformat(given["at"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return (at, body) if given.get("origin") == origin and at.tzinfo is not None else None
