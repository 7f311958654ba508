"""Traces: a case's stages and outside calls as spans at the operator's collector, and nothing without one."""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from inquest import Inquest
from inquest.app.settings import for_operators, load_settings
from inquest.app.wiring.tracing import traces_to
from inquest.domain.case import Case, CaseStatus
from inquest.domain.plan import Brief

ROW = json.dumps(
    {"url": "https://gazette.example/a", "title": "The ferry", "text": "The ferry at Tarn carried 412 people a day."}
)


class Collector:
    """An OTLP collector on loopback."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.service: dict[str, str] = {}
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                request = ExportTraceServiceRequest.FromString(body)
                for each in request.resource_spans:
                    collector.service = {one.key: one.value.string_value for one in each.resource.attributes}
                    for scope in each.scope_spans:
                        collector.spans += scope.spans
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    yield made
    made.close()


def _about(span: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes}


async def test_a_case_its_stages_and_its_outside_calls_are_one_trace(
    collector: Collector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address)
    monkeypatch.setenv("OTEL_SERVICE_NAME", "desk-three")
    (tmp_path / "rows.jsonl").write_text(ROW)
    asked: dict[str, Any] = {"collections": ["tarn"], "engines": ["collection"]}
    async with Inquest(home=tmp_path / "home", traces="otlp") as inquest:
        await inquest.app.collections.add("tarn", [tmp_path / "rows.jsonl"])
        case = await inquest.inquiry("Did the ferry at Tarn carry 412 people a day?", **asked)
    assert case.status is CaseStatus.COMPLETED
    assert collector.service["service.name"] == "desk-three"
    by_name = {span.name: span for span in collector.spans}
    whole = by_name["case"]
    assert _about(whole) == {
        "inquest.case.id": case.id,
        "inquest.case.kind": "inquiry",
        "inquest.case.status": "completed",
    }
    assert {span.trace_id for span in collector.spans} == {whole.trace_id}, "one trace"
    stages = {name for name in by_name if name.startswith("stage ")}
    assert {"stage plan", "stage gather", "stage claims", "stage check", "stage judge", "stage write"} <= stages
    call = by_name["engine collection"]
    assert _about(call) == {
        "inquest.case.id": case.id,
        "inquest.purpose": "engine",
        "inquest.service": "collection",
        "http.request.method": "GET",
        "url.scheme": "collection",
        "server.address": "tarn",
        "http.response.status_code": 200,
        "inquest.recorded": False,
    }
    assert call.parent_span_id in {by_name[name].span_id for name in stages} | {whole.span_id}
    assert all(whole.start_time_unix_nano <= span.start_time_unix_nano for span in collector.spans)
    assert b"ferry" not in b"".join(span.SerializeToString() for span in collector.spans), "nothing of what is asked"


async def test_a_collector_that_is_away_holds_the_end_up_for_no_longer_than_its_time(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    collector.close()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    monkeypatch.setattr("inquest.app.wiring.tracing._LAST_SECONDS", 0.0)
    now = datetime.now(UTC)
    case = Case(id="alder", status=CaseStatus.RUNNING, brief=Brief(text="?"), as_of=now, created_at=now)
    traces = traces_to("otlp", "0")
    assert traces is not None
    trace = traces.case(case)
    with pytest.raises(ValueError, match="s3cret"), trace.span("engine tavily", outside=True) as span:
        span.note(http_response_status_code=500)
        raise ValueError("s3cret")
    trace.end(case)
    async with asyncio.timeout(5):
        await traces.aclose()


@pytest.mark.parametrize(
    ("environment", "exporter"),
    [
        ({}, "none"),
        ({"OTEL_SERVICE_NAME": "desk"}, "none"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, "otlp"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector:4318/v1/traces"}, "otlp"),
        ({"OTEL_TRACES_EXPORTER": "console"}, "console"),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, "none"),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, "none"),
    ],
)
def test_only_opentelemetrys_own_variables_ask_for_traces(
    environment: dict[str, str], exporter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    settings = load_settings(home=tmp_path)
    assert settings.traces == "none", "a command sends none"
    assert for_operators(settings).traces == exporter


def test_without_the_packages_the_log_says_so_and_nothing_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    assert traces_to("otlp", "0") is None
    assert "inquest[otel]" in caplog.text
