"""The assignee, desk status and mentions of a case, kept as events."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from enum import StrEnum

from inquest.domain.event import Event, EventType
from inquest.domain.value import Value


class DeskStatus(StrEnum):
    """The newsroom's progress on a case, independent of the state of its run."""

    TO_DO = "to_do"
    IN_WORK = "in_work"
    IN_REVIEW = "in_review"
    DONE = "done"


class Assignment(Value):
    """The last assignment of a case, and a note that mentions the current user."""

    assigned: str = ""
    """The name of the user; '': unassigned."""
    desk_status: DeskStatus | None = None
    """None: not set."""
    mentioned_by: str = ""
    """The author of the last note that mentions the current user, who has not written on the case since; ''."""
    note: str = ""
    """That note."""


def mentioned(note: str, names: Collection[str]) -> set[str]:
    """Return the names that follow an '@' in the note, ignoring case; of 'Anna' and 'Anna Berg' the longer match."""
    if "@" not in note or not names:
        return set()
    known = {name.casefold(): name for name in names}
    any_name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return {known[each.casefold()] for each in re.findall(rf"(?<!\w)@({any_name})(?!\w)", note, re.I)}


def assignment_in(events: Iterable[Event], name: str = "", names: Collection[str] = ()) -> Assignment:
    """Return the assignment after these events of a case (oldest first), as the user `name` sees it. `names`: all
    users.
    """
    found = Assignment()
    for event in events:
        by, note = str(event.data.get("by") or ""), str(event.data.get("why") or "")
        if event.type is EventType.CASE_ASSIGNED:
            status = str(event.data.get("desk_status") or "")
            known = DeskStatus(status) if status in set(DeskStatus) else None
            assigned = str(event.data.get("assigned") or "")
            found = found.model_copy(update={"assigned": assigned, "desk_status": known})
        if by == name:
            found = found.model_copy(update={"mentioned_by": "", "note": ""})
        elif name and name in mentioned(note, names):
            found = found.model_copy(update={"mentioned_by": by, "note": note})
    return found
