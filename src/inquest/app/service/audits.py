"""Audits that a service makes: each at work in a task of its own, and kept in files until it is a month old."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from inquest.app.access.ownership import is_theirs, team_of
from inquest.app.files import replacing
from inquest.app.tools.auditing import OpenedText, audit_of
from inquest.domain.audit import Audit
from inquest.domain.errors import InquestError, NotFound
from inquest.domain.person import Person
from inquest.domain.value import Value

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_AT_ONCE = 3
_BEAT_SECONDS = 1.0
"""Between two looks at whether the audit was removed; its file is written as often."""
_CUT_OFF_SECONDS = 60.0
"""Without a beat: the server that was at work has ended."""
_KEPT = timedelta(days=30)


class AuditLine(Value):
    """An audit as a list shows it."""

    id: str
    what: str
    by: str
    team_id: int | None
    at: datetime
    status: Literal["running", "completed", "cancelled", "failed"] = "running"
    progress: str = ""
    """What is being done; of one that failed why, with what to do."""
    summary: str = ""


class Audits:
    """The audits of one data folder: those at work in this process, and the files of all."""

    def __init__(self) -> None:
        self._at_work: dict[str, asyncio.Task[None]] = {}
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def begin(self, app: Resources, opened: OpenedText, person: Person) -> AuditLine:
        """Begin the audit of a text."""
        folder = _folder(app)
        await asyncio.to_thread(_without_old, folder, (app.clock.now() - _KEPT).timestamp())
        asked, team = opened.request, team_of(person, None)
        what = asked.name or opened.document.title or asked.what
        waits = "Waits for its turn." if self._room.locked() else ""
        line = AuditLine(
            id=secrets.token_hex(8), what=what, by=person.name, team_id=team, at=app.clock.now(), progress=waits
        )
        _write(folder, line)
        self._at_work[line.id] = task = asyncio.create_task(self._made(app, opened, line))
        task.add_done_callback(lambda _: self._at_work.pop(line.id, None))
        return line

    async def seen(self, app: Resources, person: Person, audit_id: str, *, wait: float = 0) -> AuditLine:
        """The audit, at its end or after `wait` seconds. Raises NotFound."""
        line = await asyncio.to_thread(_read, _folder(app), audit_id)
        if line is None or not (person.sees_all or is_theirs(person, line.team_id, line.by)):
            advice = "GET /api/v1/audits lists those there are."
            raise NotFound(f"There is no audit {audit_id[:40]!r} here.", advice=advice)
        if wait and (task := self._at_work.get(audit_id)) is not None:
            await asyncio.wait({task}, timeout=wait)
            return await self.seen(app, person, audit_id)
        return line

    async def result(self, app: Resources, line: AuditLine) -> Audit | None:
        """What it came to; None while it is at work, and where it did not get there."""
        with suppress(FileNotFoundError):
            kept = await asyncio.to_thread(_result_path(_folder(app), line.id).read_text, "utf-8")
            return Audit.model_validate_json(kept)
        return None

    async def listed(self, app: Resources, person: Person) -> list[AuditLine]:
        """Those that the person may see, newest first."""
        folder = _folder(app)
        names = [each.stem for each in folder.glob("*.json")]
        lines = await asyncio.to_thread(lambda: [_read(folder, name) for name in names])
        seen = [each for each in lines if each and (person.sees_all or is_theirs(person, each.team_id, each.by))]
        return sorted(seen, key=lambda each: each.at, reverse=True)

    async def remove(self, app: Resources, person: Person, audit_id: str) -> None:
        """Forget an audit; one at work ends, wherever it is. Raises NotFound."""
        line = await self.seen(app, person, audit_id)
        _remove(_folder(app), line.id)

    async def aclose(self) -> None:
        """Stop what is at work."""
        tasks = list(self._at_work.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _made(self, app: Resources, opened: OpenedText, line: AuditLine) -> None:
        folder, said = _folder(app), [line.progress]
        work = asyncio.create_task(self._audit(app, opened, said.append))
        try:
            while not (await asyncio.wait({work}, timeout=_BEAT_SECONDS))[0]:
                if not _line_path(folder, line.id).exists():
                    work.cancel()
                else:
                    _write(folder, line.model_copy(update={"progress": said[-1]}))
            done = work.result()
            await asyncio.to_thread(_write, folder, line, done)
            end = {"status": "completed", "summary": done.summary, "progress": ""}
        except asyncio.CancelledError:
            work.cancel()
            end = {"status": "cancelled", "progress": said[-1]}
        except InquestError as error:
            end = {"status": "failed", "progress": error.sentence}
        except Exception:
            _close(folder, line, {"status": "failed", "progress": "It ended by an error of the program; see its log."})
            raise
        _close(folder, line, end)

    async def _audit(self, app: Resources, opened: OpenedText, tell: Callable[[str], None]) -> Audit:
        async with self._room:
            return await audit_of(app, opened, tell)


def _folder(app: Resources) -> Path:
    return app.settings.home / "audits" / "results"


def _line_path(folder: Path, audit_id: str) -> Path:
    return folder / f"{audit_id}.json"


def _result_path(folder: Path, audit_id: str) -> Path:
    return folder / f"{audit_id}.audit"


def _write(folder: Path, line: AuditLine, done: Audit | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = _line_path(folder, line.id) if done is None else _result_path(folder, line.id)
    with replacing(path) as part:
        part.write_text((done or line).model_dump_json(), "utf-8")


def _close(folder: Path, line: AuditLine, end: dict[str, str]) -> None:
    """Write how it ended, unless it was removed meanwhile."""
    if _line_path(folder, line.id).exists():
        _write(folder, line.model_copy(update=end))
    else:
        _remove(folder, line.id)


def _read(folder: Path, audit_id: str) -> AuditLine | None:
    if not audit_id.isalnum():
        return None
    with suppress(FileNotFoundError):
        path = _line_path(folder, audit_id)
        line = AuditLine.model_validate_json(path.read_text("utf-8"))
        if line.status == "running" and time.time() - path.stat().st_mtime > _CUT_OFF_SECONDS:
            return line.model_copy(update={"status": "cancelled", "progress": "The server was restarted."})
        return line
    return None


def _remove(folder: Path, audit_id: str) -> None:
    for path in (_line_path(folder, audit_id), _result_path(folder, audit_id)):
        path.unlink(missing_ok=True)


def _without_old(folder: Path, before: float) -> None:
    for path in folder.glob("*.json"):
        if path.stat().st_mtime < before:
            _remove(folder, path.stem)
