"""The whole API, called with what its schema allows and forbids: no defects, and no undeclared replies."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import requests
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from inquest.api.server import create_app
from inquest.app.service.dispatching import Dispatcher
from inquest.app.wiring.resources import Resources

pytestmark = pytest.mark.usefixtures("quick_passwords")
PASSWORD = "correct horse battery staple"
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = 2
"""Requests for each operation in each mode."""
OPEN = {"/healthz", "/readyz", "/api/v1/sign-in", "/api/v1/oidc/sign-in"}
"""Endpoints that need no sign-in."""


class Idle(Dispatcher):
    """Accepts cases but runs none: the results of cases are tested elsewhere."""

    def __init__(self, app: Resources) -> None:
        pass

    async def start(self) -> None: ...

    async def submit(self, case_id: str) -> None: ...

    async def cancel(self, case_id: str, *, report: bool) -> bool:
        return True

    async def aclose(self) -> None: ...


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server on loopback, in its own thread, that makes no external requests."""
    monkeypatch.setenv("INQUEST_ENGINES", "collection")
    monkeypatch.setenv("INQUEST_REQUESTS_PER_MINUTE", "100000")
    bound = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(dispatcher=Idle), log_level="error", lifespan="on"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])))
    thread.start()
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        bound.close()


def test_every_operation_keeps_to_its_schema(address: str) -> None:
    with httpx2.Client(base_url=address) as client:
        body = {"name": "Ada", "role": "admin", "password": PASSWORD}
        assert client.post("/api/v1/users", json=body).status_code == 201
        made = client.post("/api/v1/tokens", json={"name": "all", "scope": "admin", "user": "Ada"})
    headers = {"Accept": "application/json", "Authorization": f"Bearer {made.json()['token']}"}
    schema = schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json")
    bounded = settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    wrong: list[str] = []
    asked = 0
    with requests.Session() as session:

        def ask(case: schemathesis.Case[Any]) -> None:
            nonlocal asked
            asked += 1
            case.validate_response(case.call(session=session, headers=headers, timeout=30), checks=CHECKS)

        for found in schema.get_all_operations():
            operation = found.ok()  # type: ignore[union-attr]
            for mode in GenerationMode:
                try:
                    bounded(given(operation.as_strategy(mode))(ask))()
                except Unsatisfiable:  # there is nothing that this operation forbids
                    continue
                except (FailureGroup, AssertionError) as error:
                    wrong.append(f"{operation.label} ({mode.value}): {error}")
    assert asked > 200
    assert not wrong, "\n\n".join(wrong)


def test_nothing_is_answered_to_another_machine_without_signing_in(address: str) -> None:
    answered = set()
    with httpx2.Client(base_url=address, headers={"X-Forwarded-For": "203.0.113.9"}) as client:
        for path, methods in client.get("/api/v1/openapi.json").json()["paths"].items():
            for method, operation in methods.items():
                body = {"json": operation["requestBody"]["content"]} if "requestBody" in operation else {}
                reply = client.request(method, re.sub(r"{\w+}", "1", path), **body)
                assert str(reply.status_code) in operation["responses"], f"{method} {path}: {reply.status_code}"
                if reply.status_code != 401:
                    answered.add(path)
                elif path.startswith("/api/v1/") and "sign-in" not in path and "oidc" not in path:
                    assert reply.headers["WWW-Authenticate"].startswith("Bearer")
    assert answered == OPEN
