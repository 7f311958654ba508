"""A case as a file that leaves: its report in each form, and everything that `export` makes."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inquest.app.cases.exporting import ENDINGS, export
from inquest.app.cases.reporting import render
from inquest.domain.case import Case

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_REPORTS = {"pdf": ".pdf", "md": ".md", "html": ".html"}
FORMS = (*_REPORTS, *ENDINGS)
"""The forms, those of the report first."""


@dataclass(frozen=True)
class Handed:
    """A file's name and content."""

    name: str
    content: bytes


async def handed_on(app: Resources, case: Case, form: str) -> Handed:
    """The case in this form. Raises InputError, NotFound, StorageError, Ungrounded as `render` and `export` do."""
    if form in _REPORTS:
        return Handed(f"{case.id}{_REPORTS[form]}", await render(app, case, form))
    with tempfile.TemporaryDirectory(prefix="inquest-") as folder:
        target = Path(folder) / f"{case.id}{ENDINGS.get(form, '')}"
        await export(app, case, form, target)
        return Handed(target.name, await asyncio.to_thread(target.read_bytes))
