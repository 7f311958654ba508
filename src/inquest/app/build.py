"""All use cases in one object, for interfaces and programs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquest.app.clock import SystemClock
from inquest.app.files import replacing
from inquest.app.settings import Settings, load_settings
from inquest.app.wiring.resources import Resources
from inquest.domain.errors import StorageError
from inquest.domain.plan import Brief
from inquest.kit.ports import Clock

if TYPE_CHECKING:
    from inquest.app.cases.reporting import Replayed
    from inquest.app.cases.session import Session
    from inquest.domain.case import Case
    from inquest.domain.languages import Language


@asynccontextmanager
async def open_app(settings: Settings | None = None, *, clock: Clock | None = None) -> AsyncIterator[App]:
    """The app with the settings of this process, closed on exit. Raises SettingError, StorageError."""
    async with AsyncExitStack() as stack:
        yield App(settings or load_settings(), stack, clock or SystemClock())


class App(Resources):
    """The use cases of every interface, and their resources. Created by `open_app`; no use case imports it."""

    async def new_case(self, brief: Brief, *, approved: bool = False) -> Session:
        """A new case, not yet started. `approved`: its plan is, in advance. Raises InputError."""
        from inquest.app.cases.session import new_session

        return await new_session(self, brief, approved=approved)

    async def open_case(self, case_id: str) -> Session:
        """A case to continue. Raises NotFound, and InputError if it has ended."""
        from inquest.app.cases.session import open_session

        return await open_session(self, case_id)

    async def replay(self, case_id: str) -> Replayed:
        """Run a case again from its recording."""
        from inquest.app.cases.reporting import replay

        return await replay(self, case_id)

    async def read(self, what: str) -> dict[str, Any]:
        """Read a page or file: the JSON of `inquest read`. Raises InputError, PageError."""
        from inquest.app.tools.reading import read_page

        return await read_page(self, what)

    async def try_engine(self, name: str, query: str | None = None) -> dict[str, Any]:
        """Send one query to an engine: the JSON of `inquest engines --test`. Raises InputError, SettingError."""
        from inquest.app.tools.doctor import try_engine

        return await try_engine(self, name, query)

    def case_json(self, case: Case) -> dict[str, Any]:
        """The JSON of a case (docs/case.md)."""
        from inquest.reports.case_json import case_json

        return case_json(case)

    async def case_document(self, case: Case) -> dict[str, Any]:
        """The JSON of a case with people's decisions and questions; callers must not change it. Raises StorageError."""
        from inquest.app.cases.claim_decisions import claim_decisions
        from inquest.domain.event import SAID_BY_PEOPLE, questions_in
        from inquest.reports.case_json import case_json

        events = await self.events_of(case.id, *SAID_BY_PEOPLE)
        rest = "json", events[-1].id if events else 0
        return self.kept.get(case, rest, lambda: case_json(case, claim_decisions(events), questions_in(events)))

    async def render(self, case: Case, form: str, language: Language | None = None) -> bytes:
        """The report in md, html, json or pdf, in this language or that of the case. Raises InputError without one."""
        from inquest.app.cases.reporting import render

        return await render(self, case, form, language)

    async def keep_report(self, case: Case) -> Path:
        """Write the HTML report into the data folder, and return its path."""
        content = await self.render(case, "html")
        path = self.settings.home / "reports" / f"{case.id}.html"
        try:
            path.parent.mkdir(exist_ok=True)
            with replacing(path) as part:
                part.write_bytes(content)
        except OSError as error:
            raise StorageError(f"The report cannot be written to {path} ({error.strerror}).") from error
        return path
