"""The list of cases as the desk shows it: where each stands, what it came to, and which wait for somebody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from inquest.app.service.looking import CaseLine, CaseQuery, list_cases
from inquest.domain.assessment import Verdict
from inquest.domain.case import CaseStatus
from inquest.domain.person import Person, Role
from inquest.reports.check_view import VERDICT_ORDER
from inquest.store.case_outlines import Outline, outlines

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


PAGE = 30
"""Cases on a page of the list."""
_SORTED = 300
"""Of so many cases, the newest, an order by what they came to is made; all of them are on one page."""
_WAITING = 50
"""Plans that wait, shown over the list wherever they stand in it."""
_LATELY = timedelta(days=7)
"""How long a change that a watch found is news."""


@dataclass(frozen=True)
class Wanted:
    """Which cases the list shows, and in which order."""

    words: str = ""
    kind: str = ""
    status: str = ""
    sort: str = "newest"
    """newest, cost, contradicted: the latter two sort the newest 300."""
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
        return [(verdict.value, counts[verdict.value]) for verdict in VERDICT_ORDER if counts.get(verdict.value)]


@dataclass(frozen=True)
class DeskPage:
    """A page of the list. `following` is where the next page begins; None: there is none."""

    rows: tuple[DeskRow, ...]
    wanted: Wanted
    following: str | None
    changed: tuple[tuple[str, str, str], ...] = ()
    """Of watched topics that changed lately: the case, the headline, and what changed."""
    waiting: tuple[DeskRow, ...] = ()
    """Cases with a plan that waits for a decision, on this page or not."""

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
        limit=PAGE if wanted.sort == "newest" else _SORTED,
    )
    rows, following = await _rows(app, person, query)
    planned, _ = await _rows(app, person, CaseQuery(statuses=(CaseStatus.PLANNED.value,), limit=_WAITING))
    if wanted.sort == "cost":
        rows.sort(key=lambda row: -row.outline.usd)
    elif wanted.sort == "contradicted":
        rows.sort(key=lambda row: -row.outline.verdicts.get(Verdict.CONTRADICTED.value, 0))
    waiting = tuple(row for row in planned if row.outline.waits)
    return DeskPage(tuple(rows), wanted, following, await _changed(app, person), waiting)


async def _rows(app: Resources, person: Person, query: CaseQuery) -> tuple[list[DeskRow], str | None]:
    lines, following = await list_cases(app, person, query)
    found = await outlines(await app.database(), [line.case_id for line in lines])
    return [DeskRow(line, found.get(line.case_id, Outline())) for line in lines], following


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
