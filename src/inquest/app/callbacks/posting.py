"""The payloads of callbacks, and posting them over HTTP: signed, to allowed receivers, without following redirects."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inquest.app.settings import host_and_port
from inquest.claims.brief_reading import control_lines
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import InputError, Outage
from inquest.domain.event import Event, EventType
from inquest.domain.source import Source
from inquest.domain.value import JsonObject, JsonValue
from inquest.kit.exchange import Purpose, Request
from inquest.kit.ports import Clock
from inquest.net.client import Network
from inquest.net.door import Door
from inquest.net.guard import Forbidden, Guard
from inquest.net.outside import Allowances
from inquest.net.policy import RequestPolicy
from inquest.stories.stories import independent
from inquest.text.urls import is_web_url

if TYPE_CHECKING:
    from inquest.app.settings import Settings


@dataclass(frozen=True, slots=True)
class Payload:
    """One callback."""

    type: str
    key: str
    """Identifies the subject: each key is sent once, and the receiver's id is stored under it."""
    data: JsonObject
    returns: str = ""
    """The field of the reply with the receiver's id."""


def investigation_id(case: Case) -> str:
    """Return the receiver's id from the brief ('Investigation ID: ...'), else the case id."""
    return case.brief.reference or control_lines(case.brief.text).reference or case.id


def payloads(event: Event, case: Case, ids: Mapping[str, str]) -> Iterator[Payload]:
    """Yield the callbacks of an event in order. `ids`: the receiver's ids by key, read again for each. Sources come
    before what cites them, including those found while claims were checked."""
    match event.type:
        case EventType.CASE_STARTED:
            topic = case.plan.topic if case.plan else ""
            yield Payload(
                "INVESTIGATION_STARTED", "started", {"mode": case.brief.mode.value, "topic": topic, "ref": case.id}
            )
        case EventType.SOURCE_FOUND:
            yield _source_payload(event.data)
        case EventType.CLAIM_EXTRACTED | EventType.FACT_CHECKED | EventType.TIMELINE_EVENT:
            yield from map(_source, case.sources)
            yield _MADE[event.type](event, case, ids)
        case EventType.BIAS_ANALYSED:
            names = {"overall_bias_score": "overall", "balance": "balance", "recommendation": "recommendation"}
            yield Payload("BIAS_ANALYZED", "bias", {name: event.data.get(own) for name, own in names.items()})
        case EventType.CASE_FINISHED:
            yield from map(_source, case.sources)
            from inquest.reports.case_json import summary_with_sources

            data: JsonObject = {
                "summary": summary_with_sources(case),
                "ref": case.id,
                "sources": sum(not source.excluded for source in case.sources),
                "independent_sources": len(independent(case.sources)),
            }
            if case.bias:
                data["overall_bias_score"] = case.bias.overall
            why = str(event.data.get("why") or case.why)
            if why:
                data["partial_reason" if case.status is CaseStatus.PARTIAL else "reason"] = why
            # A case that was stopped can be resumed and end again with another status.
            status = CaseStatus(str(event.data.get("status") or case.status.value))
            yield Payload(status.end_marker, f"end {event.id}", data)


def _source(source: Source) -> Payload:
    fields = ("url", "title", "summary", "user_provided", "domain", "excluded")
    rated = {"stars": source.rating.stars, "tier": source.rating.tier}
    quoted = {"key_finding": source.key_claims[0] if source.key_claims else ""}
    return _source_payload({name: getattr(source, name) for name in fields} | rated | quoted, ref=source.id)


def _source_payload(source: JsonObject, **more: JsonValue) -> Payload:
    names = {"content_snippet": "summary", "credibility_score": "stars", "is_user_provided": "user_provided"}
    fields = ("url", "title", *names, "domain", "tier", "key_finding", "excluded")
    data = {name: source.get(names.get(name, name)) for name in fields}
    return Payload("SOURCE_FOUND", f"source {source.get('url')}", data | more, "source_id")


def _claim(event: Event, case: Case, ids: Mapping[str, str]) -> Payload:
    data = {name: event.data.get(name) for name in ("claim_text", "importance")}
    ref = event.data.get("claim_id")
    return Payload("CLAIM_EXTRACTED", f"claim {ref}", {**data, **_cited(event, case, ids), "ref": ref}, "claim_id")


def _fact_check(event: Event, case: Case, ids: Mapping[str, str]) -> Payload:
    ref = str(event.data.get("claim_id"))
    fields = ("claim_text", "verdict", "confidence", "independent_sources")
    evidence: list[JsonValue] = [
        {
            "stance": each.stance.value,
            "quote": each.quote,
            "source_id": next(iter(_theirs([each.source_id], case, ids)), None),
            "source_ref": each.source_id,
            "snapshot": each.snapshot,
        }
        for each in case.findings
        if each.claim_id == ref and each.stance.decides
    ]
    data = {"claim_id": ids.get(f"claim {ref}"), **{name: event.data.get(name) for name in fields}}
    return Payload("FACT_CHECKED", f"check {ref}", {**data, "evidence": evidence, "ref": ref}, "fact_check_id")


def _timeline_event(event: Event, case: Case, ids: Mapping[str, str]) -> Payload:
    data = {name: event.data.get(name) for name in ("event_date", "event_text", "conflict")}
    data |= _cited(event, case, ids)
    first = next(iter(_strings(data["source_ids"])), None)
    key = f"event {data['event_date']} {data['event_text']}"
    return Payload("TIMELINE_EVENT", key, {**data, "source_id": first}, "event_id")


_MADE = {
    EventType.CLAIM_EXTRACTED: _claim,
    EventType.FACT_CHECKED: _fact_check,
    EventType.TIMELINE_EVENT: _timeline_event,
}


def _cited(event: Event, case: Case, ids: Mapping[str, str]) -> JsonObject:
    """Return the sources of an event by the receiver's ids and by ours."""
    refs = _strings(event.data.get("source_ids"))
    return {"source_ids": _theirs(refs, case, ids), "source_refs": [*refs]}


def _strings(value: JsonValue) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _theirs(refs: Iterable[str], case: Case, ids: Mapping[str, str]) -> list[JsonValue]:
    urls = {source.id: source.url for source in case.sources}
    keys = (f"source {urls.get(ref)}" for ref in refs)
    return [ids[key] for key in keys if key in ids]


LABEL = "callback"
_ONCE = RequestPolicy(attempts=1, max_redirects=0, breaker_threshold=1_000_000)
"""The outbox does the retries; a redirect could leak the secret."""


@dataclass(frozen=True)
class ReceiverAnswer:
    """The receiver's reply to a callback."""

    status: int | None
    error: str | None = None
    theirs: str | None = None

    @property
    def taken(self) -> bool:
        """True if the receiver accepted it."""
        return self.error is None

    @property
    def final(self) -> bool:
        """True for a refusal that a retry cannot change: the receiver rejects the request as invalid."""
        return (
            self.status is not None and 400 <= self.status < 500 and self.status not in (401, 403, 404, 408, 425, 429)
        )


def signature(secret: str, moment: int, body: bytes) -> str:
    """Return `t=<seconds since 1970>,v1=<HMAC-SHA256 of "t.body">`, with which the receiver checks content and time."""
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def check_receiver(settings: Settings, url: str) -> None:
    """Raise InputError for a URL to which no callbacks may go, judged without resolving it: an invalid one, one with
    credentials, or one of an internal host that the operator has not allowed."""
    if not is_web_url(url) or "@" in urlsplit(url).netloc:
        raise InputError(
            f"Invalid callback URL '{url[:200]}'.", advice="Write it like https://example.org/agent-callback."
        )
    try:
        Guard(allow_hosts=_allowed(settings)).place(url)
    except Forbidden as error:
        raise InputError(
            f"Invalid callback URL '{url[:200]}': it {error}.",
            advice="An operator can allow an internal host with INQUEST_ALLOW_HOSTS.",
        ) from error


def _allowed(settings: Settings) -> tuple[str, ...]:
    """Return the internal hosts that are allowed: those of the settings, and the operator's own receiver."""
    own = host_and_port(settings.callback_url or "")
    return (*settings.allow_hosts, own) if own else settings.allow_hosts


class Poster:
    """Posts callbacks through a separate HTTP client, without recording."""

    def __init__(self, settings: Settings, clock: Clock, door: Door) -> None:
        self._clock = clock
        self._door = door.for_case(None, cache_age=None)
        self._secret = settings.key("INQUEST_AGENT_SECRET") or settings.key("AGENT_SECRET")

    async def post(self, url: str, case: Case, payload: Payload) -> ReceiverAnswer:
        """Post one callback. Never raises: failures are in the answer."""
        sent = {"type": payload.type, "investigation_id": investigation_id(case), "data": payload.data}
        body = json.dumps(sent, ensure_ascii=False).encode(errors="backslashreplace")
        name = f"{case.id} {hashlib.sha256(payload.key.encode(errors='replace')).hexdigest()}"
        headers = [("Content-Type", "application/json"), ("Accept", "application/json"), ("Idempotency-Key", name)]
        if self._secret:
            moment = int(self._clock.now().timestamp())
            headers.append(("X-Agent-Secret", self._secret))
            headers.append(("X-Inquest-Signature", signature(self._secret, moment, body)))
        request = Request(
            url=url, method="POST", headers=tuple(headers), body=body, secrets=(self._secret,) if self._secret else ()
        )
        try:
            reply = await self._door.fetch(request, purpose=Purpose.ENGINE, label=LABEL)
        except Outage as error:
            return ReceiverAnswer(None, error.sentence)
        if not 200 <= reply.status < 300:
            return ReceiverAnswer(reply.status, f"The receiver answered with status {reply.status}.")
        try:
            answer = reply.json()
        except ValueError:  # accepted, but without an id
            answer = None
        theirs = answer.get(payload.returns) if isinstance(answer, dict) and payload.returns else None
        return ReceiverAnswer(reply.status, theirs=str(theirs)[:500] if isinstance(theirs, str | int) else None)


@asynccontextmanager
async def poster(settings: Settings, clock: Clock, policy: RequestPolicy = _ONCE) -> AsyncIterator[Poster]:
    """Open a poster, and close its connections at the end."""
    async with door_of_its_own(settings, clock, "callbacks", _allowed(settings), policy) as door:
        yield Poster(settings, clock, door)


def door_of_its_own(
    settings: Settings, clock: Clock, what_for: str, allowed: Sequence[str], policy: RequestPolicy
) -> Door:
    """An HTTP client to be opened, separate from those of cases, that may also reach these internal hosts."""
    ca_file = str(settings.ca_file) if settings.ca_file else None
    return Door(
        clock=clock,
        user_agent=f"Inquest ({what_for})",
        network=Network(tuple(allowed), proxy=settings.proxy, ca_file=ca_file),
        allowances=Allowances(policy=policy),
    )
