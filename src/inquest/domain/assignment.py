"""Who of the newsroom works on a case, how far they are, and who is mentioned in a note: kept as events."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from enum import StrEnum

from inquest.domain.event import Event, EventType
from inquest.domain.value import Value


class DeskStatus(StrEnum):
    """How far the newsroom's own work on a case is, whatever the state of its run."""

    TO_DO = "to_do"
    IN_WORK = "in_work"
    IN_REVIEW = "in_review"
    DONE = "done"


class Assignment(Value):
    """The last assignment of a case, and whether a note mentions whoever looks."""

    assigned: str = ""
    """The name of the user; '': nobody."""
    desk_status: DeskStatus | None = None
    """None: nobody has set one."""
    mentioned_by: str = ""
    """Who mentioned whoever looks, who has written nothing on the case since; ''."""
    note: str = ""
    """The note with that mention."""


def mentioned(note: str, names: Collection[str]) -> set[str]:
    """Those of the names that follow an '@' in the note, whatever the case of their letters; of 'Anna' and 'Anna Berg'
    the longer one that fits."""
    if "@" not in note or not names:
        return set()
    known = {name.casefold(): name for name in names}
    any_name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return {known[each.casefold()] for each in re.findall(rf"(?<!\w)@({any_name})(?!\w)", note, re.I)}


def assignment_in(events: Iterable[Event], name: str = "", names: Collection[str] = ()) -> Assignment:
    """The assignment that these events of a case, oldest first, come to, as the user `name` sees it. `names`: those of
    all users."""
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
