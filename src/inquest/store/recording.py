"""Recorded outside replies (kit.ports.Recording), for replay, the cache, and nodes that run again."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row, select

from inquest.domain.document import Snapshot
from inquest.domain.errors import NotFound
from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import Archive, Clock
from inquest.store.database import Database
from inquest.store.holds import CaseHold
from inquest.store.schema import storable
from inquest.store.tables import replies

_NO_CASE = ""


class ReplyRecording:
    """One row per case and request. The bytes are in the archive under their hash, so those of a page are stored once,
    however often it is fetched and by whichever case."""

    def __init__(self, database: Database, archive: Archive, clock: Clock, hold: CaseHold | None = None) -> None:
        """`hold`: the hold of the calling runner; without it replies are stored no matter who runs the case."""
        self._database = database
        self._archive = archive
        self._clock = clock
        self._hold = hold

    async def find(self, fingerprint: str, *, case_id: str | None, younger_than: timedelta | None) -> Reply | None:
        """Return the stored reply of that case, or without `case_id` the newest of any case; None if absent, it is too
        old, or its bytes have been deleted. Raises Superseded, so that a runner whose case was taken over makes no more
        requests; StorageError."""
        query = select(replies).where(replies.c.fingerprint == fingerprint, replies.c.body.is_not(None))
        if case_id is not None:
            query = query.where(replies.c.case_id == case_id)
        if younger_than is not None:
            query = query.where(replies.c.at > self._clock.now() - younger_than)
        query = query.order_by(replies.c.at.desc(), replies.c.id.desc()).limit(1)

        def look(connection: Connection) -> Row[Any] | None:
            if self._hold is not None:
                self._hold.check(connection, lock=None)
            return connection.execute(query).first()

        row = await self._database.read(look)
        if row is None:
            return None
        try:
            body = await self._archive.body(row.body)
        except NotFound:
            return None
        return _reply(row, body)

    async def failure(self, fingerprint: str, *, case_id: str) -> str | None:
        """Return the error stored by `keep_failure` for this request of the case."""
        query = select(replies.c.error).where(replies.c.fingerprint == fingerprint, replies.c.case_id == case_id)
        error: str | None = await self._database.read(lambda connection: connection.execute(query).scalar())
        return error

    async def keep(self, fingerprint: str, request: Request, reply: Reply, *, case_id: str | None) -> None:
        """Store a reply, replacing an earlier reply or failure of the same case. Raises Superseded."""
        snapshot = Snapshot(
            hash="sha256:" + hashlib.sha256(reply.body).hexdigest(),
            url=request.url,
            final_url=reply.url,
            status=reply.status,
            content_type=reply.content_type,
            headers=reply.headers,
            retrieved_at=reply.at,
            size=len(reply.body),
        )
        # Bytes first: a row without its bytes would be a loss, bytes without a row are merely unused.
        await self._archive.put(reply.body, snapshot)
        await self._put(
            fingerprint,
            case_id or _NO_CASE,
            {
                "at": reply.at,
                "request": _request_json(request),
                "url": storable(reply.url),
                "status": reply.status,
                "headers": json.dumps(reply.headers),
                "body": snapshot.hash,
                "error": None,
            },
        )

    async def keep_failure(self, fingerprint: str, request: Request, error: str, *, case_id: str) -> None:
        """Store an outage unless the case already has a reply to this request. Raises Superseded."""
        await self._put(
            fingerprint,
            case_id,
            {"at": self._clock.now(), "request": _request_json(request), "error": storable(error)},
            over_replies=False,
        )

    async def _put(self, fingerprint: str, case_id: str, values: dict[str, Any], *, over_replies: bool = True) -> None:
        key = {"case_id": case_id, "fingerprint": fingerprint}
        where = None if over_replies else replies.c.body.is_(None)
        statement = self._database.upsert(replies, key | values, values, key=[*key], where=where)

        def work(connection: Connection) -> None:
            if self._hold is not None:
                self._hold.check(connection)
            connection.execute(statement)

        await self._database.write(work)


def _request_json(request: Request) -> str:
    """Describe the request for people who inspect the recording; secrets have already been removed."""
    shown: dict[str, Any] = {"method": request.method, "url": request.url, "headers": request.headers}
    if request.body is not None:
        try:
            shown["body"] = request.body.decode("utf-8")
        except UnicodeDecodeError:
            shown["body_base64"] = base64.b64encode(request.body).decode("ascii")
    return json.dumps(shown)


def _reply(row: Row[Any], body: bytes) -> Reply:
    return Reply(
        url=row.url,
        status=row.status,
        headers=tuple((name, value) for name, value in json.loads(row.headers)),
        body=body,
        at=row.at,
        recorded=True,
    )
