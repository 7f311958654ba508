"""The list of cases as the desk shows it: where each stands, what it came to, and which wait for somebody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from inquest.app.service.looking import CaseLine, CaseQuery, list_cases
from inquest.domain.assessment import Verdict
from inquest.domain.person import Person, Role
from inquest.store.case_outlines import Outline, outlines

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

__all__ = ["DeskPage", "DeskRow", "Wanted", "desk_page"]

PAGE = 30
"""Cases on a page of the list."""
_LATELY = timedelta(days=7)
"""How long a change that a watch found is news."""


@dataclass(frozen=True)
class Wanted:
    """Which cases the list shows, and in which order."""

    words: str = ""
    kind: str = ""
    status: str = ""
    sort: str = "newest"
    """newest, cost, contradicted: the latter two sort the page that is shown."""
    after: str = ""


@dataclass(frozen=True)
class DeskRow:
    """A case of the list."""

    line: CaseLine
    outline: Outline

    @property
    def verdicts(self) -> Sequence[tuple[str, int]]:
        """Each verdict that a claim of it has, with how many have it."""
        counts: Mapping[str, int] = self.outline.verdicts
        return [(verdict.value, counts[verdict.value]) for verdict in Verdict if counts.get(verdict.value)]


@dataclass(frozen=True)
class DeskPage:
    """A page of the list. `following` is where the next page begins; None: there is none."""

    rows: tuple[DeskRow, ...]
    wanted: Wanted
    following: str | None
    changed: tuple[tuple[str, str, str], ...] = ()
    """Of watched topics that changed lately: the case, the headline, and what changed."""

    @property
    def waiting(self) -> tuple[DeskRow, ...]:
        """Those of the page with a plan that waits for a decision."""
        return tuple(row for row in self.rows if row.outline.waits)

    @property
    def to_review(self) -> tuple[DeskRow, ...]:
        """Those of the page whose level a person is to look at."""
        return tuple(row for row in self.rows if row.outline.review)

    @property
    def live(self) -> bool:
        """Whether any of them can change without anybody asking for it."""
        return any(row.line.status in ("planned", "running") for row in self.rows)


async def desk_page(app: Resources, person: Person, wanted: Wanted) -> DeskPage:
    """The cases that the person may see and asked for. Raises InputError, StorageError."""
    query = CaseQuery(
        kinds=(wanted.kind,) if wanted.kind else (),
        statuses=(wanted.status,) if wanted.status else (),
        words=wanted.words,
        after=wanted.after,
        limit=PAGE,
    )
    lines, following = await list_cases(app, person, query)
    found = await outlines(await app.database(), [line.case_id for line in lines])
    rows = [DeskRow(line, found.get(line.case_id, Outline())) for line in lines]
    if wanted.sort == "cost":
        rows.sort(key=lambda row: -row.outline.usd)
    elif wanted.sort == "contradicted":
        rows.sort(key=lambda row: -row.outline.verdicts.get(Verdict.CONTRADICTED.value, 0))
    return DeskPage(tuple(rows), wanted, following, await _changed(app, person))


async def _changed(app: Resources, person: Person) -> tuple[tuple[str, str, str], ...]:
    """What watches found to have changed in the last days, for those who keep them."""
    from inquest.app.desks.watching import watched

    if not person.may(Role.EDITOR):
        return ()
    since = app.clock.now() - _LATELY
    return tuple(
        (watch.last_case, topic.title, watch.changes[0])
        for watch, topic in await watched(app)
        if watch.changes and watch.last_case and watch.last_at and watch.last_at >= since
    )
