"""Investigations of topics, kept: one row for each run, and what it makes of its topic, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, insert, select, update

from inquest.domain.errors import Busy, InputError, NotFound
from inquest.domain.investigation import InvestigationResult
from inquest.domain.topic import Priority, Topic
from inquest.domain.topic_history import Investigation, InvestigationStatus
from inquest.store import tables
from inquest.store.database import Kept
from inquest.store.rows import columns, made
from inquest.store.topics import load_topic, save_topic
from inquest.stories.topic_after import after_investigation

GIVEN_UP_AFTER = timedelta(hours=1)
"""An investigation that has not ended by then is taken for cut off, and does not keep another from being begun."""

_CUT_OFF = "It was cut off, and begun anew."
"""Why an investigation that was given up has no result."""

_LISTS = ("sources", "verified_claims", "disputed_claims", "success", "review_flags", "outages")


class Investigations(Kept):
    """Investigations by number, case and topic."""

    async def start(
        self,
        topic_id: int,
        *,
        at: datetime,
        priority: Priority,
        estimated: datetime | None = None,
        alone: bool = True,
    ) -> Investigation:
        """Begin one. Raises NotFound, Busy where one of the same topic is under way (`alone`), StorageError."""
        table = tables.investigations

        def work(connection: Connection) -> Investigation:
            # The topic is locked, so that of two that begin at once the second finds the first.
            topic = load_topic(connection, topic_id, lock=True)
            running = (
                select(table.c.id, table.c.investigation_date)
                .where(table.c.topic_id == topic_id, table.c.status == InvestigationStatus.STARTED.value)
                .where(table.c.investigation_date > at - GIVEN_UP_AFTER)
            )
            if alone and (other := connection.execute(running).first()) is not None:
                raise Busy(
                    f"Topic {topic_id} has been under investigation since "
                    f"{other.investigation_date:%Y-%m-%d %H:%M} UTC (investigation {other.id}).",
                    advice="Wait for it to end.",
                )
            if alone:
                # Its process is gone, and nobody else would ever write down that it has ended.
                cut_off = table.c.topic_id == topic_id, table.c.status == InvestigationStatus.STARTED.value
                ended = {"status": InvestigationStatus.FAILED.value, "finished_at": at, "why": _CUT_OFF}
                connection.execute(update(table).where(*cut_off).values(ended))
            return _begun(connection, topic, priority=priority, investigation_date=at, estimated_completion=estimated)

        return await self._database.write(work)

    async def for_case(self, topic_id: int, case_id: str, *, at: datetime, priority: Priority) -> Investigation:
        """The investigation that a case of the topic, begun `at`, is kept as: its own, else one that waits for its
        case, else a new one. Of two cases that end at once each has its own. Raises NotFound, StorageError."""
        table = tables.investigations
        started = table.c.topic_id == topic_id, table.c.status == InvestigationStatus.STARTED.value

        def work(connection: Connection) -> Investigation:
            topic = load_topic(connection, topic_id, lock=True)
            own = connection.execute(select(table).where(table.c.case_id == case_id)).first()
            if own is not None:
                return _investigation(own)
            waiting = select(table).where(*started, table.c.case_id.is_(None), table.c.investigation_date <= at)
            row = connection.execute(waiting.order_by(table.c.id.desc()).limit(1)).first()
            if row is None:
                return _begun(connection, topic, case_id=case_id, priority=priority, investigation_date=at)
            connection.execute(update(table).where(table.c.id == row.id).values(case_id=case_id))
            return _investigation(row).model_copy(update={"case_id": case_id})

        return await self._database.write(work)

    async def finish(self, investigation: Investigation, result: InvestigationResult | None) -> Investigation:
        """Keep how it ended, and with a `result` what it makes of its topic. Reviews made meanwhile stand, and so does
        what somebody else has kept of the same case. Raises NotFound, InputError where it has ended before,
        StorageError.
        """
        if not investigation.status.ended:
            raise InputError(f"Investigation {investigation.id} has not ended.")
        table = tables.investigations

        def work(connection: Connection) -> Investigation:
            row = (connection.execute(select(table).where(table.c.id == investigation.id).with_for_update())).first()
            if row is None:
                raise _none(investigation.id)
            before = _investigation(row)
            if before.status.has_result and before.case_id == investigation.case_id is not None:
                return before
            if before.status.has_result:
                raise InputError(f"Investigation {investigation.id} has ended already ({row.status}).")
            values = _row(investigation)
            connection.execute(update(table).where(table.c.id == investigation.id).values(values))
            if result is not None:
                topic = load_topic(connection, investigation.topic_id, lock=True)
                save_topic(connection, after_investigation(topic, result))
            return investigation

        return await self._database.write(work)

    async def get(self, investigation_id: int) -> Investigation:
        """Raises NotFound, StorageError."""
        found = await self._all(select(tables.investigations).where(tables.investigations.c.id == investigation_id))
        if not found:
            raise _none(investigation_id)
        return found[0]

    async def of_case(self, case_id: str) -> Investigation | None:
        """The investigation that came to this case; None: there is none. Raises StorageError."""
        table = tables.investigations
        found = await self._all(select(table).where(table.c.case_id == case_id).order_by(table.c.id.desc()).limit(1))
        return found[0] if found else None

    async def of_topic(self, topic_id: int) -> Sequence[Investigation]:
        """Newest first. Raises StorageError."""
        table = tables.investigations
        return await self._all(select(table).where(table.c.topic_id == topic_id).order_by(table.c.id.desc()))

    async def since(self, moment: datetime | None) -> Sequence[Investigation]:
        """Those begun since then (None: all), oldest first. Raises StorageError."""
        table = tables.investigations
        query = select(table).order_by(table.c.id)
        return await self._all(query if moment is None else query.where(table.c.investigation_date >= moment))

    async def _all(self, query: Select[Any]) -> list[Investigation]:
        return await self._database.read(lambda connection: [_investigation(row) for row in connection.execute(query)])


def _begun(connection: Connection, topic: Topic, **known: Any) -> Investigation:
    """A new investigation of a kept topic, with the topic's level and the number that it is given."""
    level = topic.verification_status
    levels = {"verification_level_before": level, "verification_level_after": level}
    begun = Investigation(id=0, topic_id=topic.id, **levels, **known)
    number = connection.execute(insert(tables.investigations).values(_row(begun)).returning(tables.investigations.c.id))
    return begun.model_copy(update={"id": number.scalar_one()})


def _none(investigation_id: int) -> NotFound:
    return NotFound(f"There is no investigation {investigation_id} here.", advice="`inquest topics list` shows them.")


def _row(each: Investigation) -> dict[str, Any]:
    """All but the number, and the reviewer, who is written with a review alone."""
    row = columns(each, exclude=("id", "reviewed_by", "reviewed_at"))
    return row | {"sources_json": row.pop("sources")}


def _investigation(row: Row[Any]) -> Investigation:
    fields = dict(row._mapping)
    fields["sources"] = fields.pop("sources_json")
    return made(Investigation, fields, lists=_LISTS, what=f"investigation {row.id}")
