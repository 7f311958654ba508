"""One real query to each engine: `INQUEST_LIVE=1 python -m pytest tests/live`.

To be run before a release, and if a service may have changed. An engine without its key is skipped; one that refuses
this address or is down is skipped too, with its own message: the test is on the format.
"""

from __future__ import annotations

from datetime import UTC, datetime

import httpx2
import pytest

from inquest.domain.errors import EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.discover import engines
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.exchange import Reply, Request

FOUND = engines("inquest.engines")
ENGINES = {name: engine for name, engine in FOUND.items() if EngineKind.OWN not in engine.spec.kinds}


def ask(client: httpx2.Client, request: Request) -> Reply:
    answer = client.request(request.method, request.url, headers=dict(request.headers), content=request.body)
    headers = tuple((name.lower(), value) for name, value in answer.headers.items())
    return Reply(
        url=str(answer.url), status=answer.status_code, headers=headers, body=answer.content, at=datetime.now(UTC)
    )


def drive(engine: Engine, query: Query) -> list[Hit]:
    agent = {"user-agent": "inquest-live-test"}
    with httpx2.Client(timeout=engine.spec.limits.timeout, follow_redirects=True, headers=agent) as client:
        flow = engine.search(query)
        request = next(flow)
        try:
            while True:
                request = flow.send(ask(client, request))
        except StopIteration as end:
            hits: list[Hit] = end.value
            return hits


@pytest.mark.parametrize("name", ENGINES)
def test_it_answers_in_the_form_we_know(name: str, keys: dict[str, str]) -> None:
    spec = ENGINES[name].spec
    engine = ENGINES[name](EngineAccess(key=keys.get(spec.key or ""), url=keys.get(spec.url_setting or "")))
    if lacking := engine.lacks():
        pytest.skip(lacking)
    text = "https://www.iana.org/" if EngineKind.ARCHIVE in spec.kinds else "coral reef bleaching"
    try:
        hits = drive(engine, Query(text=text, limit=5))
    except (httpx2.TransportError, EngineKeyRefused, EngineQuota, EngineUnavailable) as refusal:
        pytest.skip(f"{spec.title} cannot be asked from here: {refusal}")
    assert 1 <= len(hits) <= 5
    assert all(hit.title and hit.url for hit in hits)
