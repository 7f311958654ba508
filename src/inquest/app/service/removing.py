"""Taking a case out for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import Conflict

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


async def remove_case(app: Resources, case: Case) -> None:
    """Forget the case, with the pages in the archive that no other case uses. Raises Conflict where it is at work,
    StorageError."""
    from inquest.store.forgetting import Forgetting

    if case.status is CaseStatus.RUNNING:
        raise Conflict(f"The case {case.id} is at work.", advice="Stop it first.")
    forgetting = Forgetting(await app.database())
    # The files first: were the rows gone and the files not, nobody would know that they are to go.
    await app.archive.remove(await forgetting.only_of(case.id), untouched_since=app.clock.now())
    await forgetting.forget(case.id)
