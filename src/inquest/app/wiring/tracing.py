"""OpenTelemetry (extra `otel`): spans of cases, of their stages and of their outside calls.

Enabled by OpenTelemetry's own environment variables, such as OTEL_EXPORTER_OTLP_ENDPOINT, which its library reads. No
global provider is set, so that no other library of the process begins to trace. Like the database, the operator's
collector is connected to outside `net/`.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Protocol
from urllib.parse import urlsplit

from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.ports import Attribute, HttpClient, Tracer, TraceSpan

if TYPE_CHECKING:
    import httpx2
    from opentelemetry import trace
    from opentelemetry.sdk.trace import SpanProcessor

    from inquest.domain.case import Case


class CaseClient(HttpClient, Protocol):
    """The HTTP client of one case, which also provides a transport for its model clients."""

    def expect(self, urls: Iterable[str]) -> None:
        """Announce pages that may be requested soon."""
        ...

    def transport(self, model: str) -> httpx2.AsyncBaseTransport:
        """The transport for the client of this model."""
        ...


log = logging.getLogger("inquest.traces")
Exporter = Literal["none", "otlp", "console"]
_LAST_SECONDS = 3.0
"""The maximum wait for the last spans at exit; a missing collector must not delay the exit any longer."""


def traces_to(exporter: Exporter, version: str) -> OpenTelemetry | None:
    """The traces of the settings; None, with a line in the log, if the packages are missing, because the environment
    may be meant for other programs."""
    if exporter == "none":
        return None
    try:
        if exporter == "console":
            from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

            processor: SpanProcessor = SimpleSpanProcessor(ConsoleSpanExporter(out=sys.stderr))
        else:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.trace.export import BatchSpanProcessor

            processor = BatchSpanProcessor(OTLPSpanExporter())
    except ImportError:
        log.warning(
            "The environment enables traces (OTEL_...), but their packages are not installed. "
            "Install them with: pip install 'inquest[otel]', or set OTEL_SDK_DISABLED=true."
        )
        return None
    return OpenTelemetry(processor, version)


class OpenTelemetry:
    """The traces of one process."""

    def __init__(self, processor: SpanProcessor, version: str) -> None:
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider

        # The environment takes precedence over these attributes.
        ours = Resource({"service.name": "inquest", "service.version": version})
        self._provider = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("inquest", version)

    def case(self, case: Case) -> CaseTrace:
        """Start the trace of a case in this process."""
        return CaseTrace(self._tracer, case)

    async def aclose(self) -> None:
        """Send the remaining spans."""
        sending = threading.Thread(target=self._provider.shutdown, daemon=True, name="last spans")
        sending.start()
        await asyncio.to_thread(sending.join, _LAST_SECONDS)


class CaseTrace:
    """The span of one process's work on a case, and those within (kit.tracing.Tracer). Work begun before its stage
    belongs to the outer span."""

    def __init__(self, tracer: trace.Tracer, case: Case) -> None:
        from opentelemetry import trace

        self._api, self._tracer = trace, tracer
        about = {"inquest.case.id": case.id, "inquest.case.kind": case.kind.value}
        self._root = tracer.start_span("case", context=trace.set_span_in_context(trace.INVALID_SPAN), attributes=about)
        self._whole = trace.set_span_in_context(self._root)
        self._case_id = case.id

    def end(self, case: Case) -> None:
        """End the trace with the status of the case."""
        self._root.set_attribute("inquest.case.status", case.status.value)
        self._root.end()

    @contextmanager
    def span(self, name: str, *, outside: bool = False, **attributes: Attribute) -> Iterator[TraceSpan]:
        kind = self._api.SpanKind.CLIENT if outside else self._api.SpanKind.INTERNAL
        # None for the open span, if it belongs to this case.
        here = self._api.get_current_span().get_span_context()
        parent = None if here.trace_id == self._root.get_span_context().trace_id else self._whole
        with self._tracer.start_as_current_span(
            name, context=parent, kind=kind, record_exception=False, set_status_on_exception=False
        ) as span:
            made = _CaseSpan(span)
            made.note(inquest_case_id=self._case_id, **attributes)
            try:
                yield made
            except BaseException as error:
                made.note(error_type=type(error).__name__)
                if isinstance(error, Exception):
                    span.set_status(self._api.StatusCode.ERROR)
                raise


class _CaseSpan:
    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def note(self, **attributes: Attribute) -> None:
        for name, value in attributes.items():
            self._span.set_attribute(_NAMES.get(name, name.replace("_", ".")), value)


_NAMES = {"http_response_status_code": "http.response.status_code", "http_request_method": "http.request.method"}
"""Attributes of OpenTelemetry's semantic conventions whose names contain `_`."""


class WrappedClient:
    """The HTTP client of a case, passed through."""

    def __init__(self, client: CaseClient) -> None:
        self._client = client

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        return await self._client.fetch(request, purpose=purpose, label=label)

    def expect(self, urls: Iterable[str]) -> None:
        self._client.expect(urls)

    def transport(self, model: str) -> httpx2.AsyncBaseTransport:
        from inquest.net.door import DoorTransport

        return DoorTransport(self, model)


class TracedClient(WrappedClient):
    """The HTTP client of a case with a span for each call; calls served from a recording are marked."""

    def __init__(self, client: CaseClient, tracer: Tracer) -> None:
        super().__init__(client)
        self._tracer = tracer

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        asked = urlsplit(request.url)
        about: dict[str, Attribute] = {
            "inquest_purpose": purpose.value,
            "http_request_method": request.method,
            "url_scheme": asked.scheme,
            "server_address": asked.hostname or "",
        }
        if label:
            about["inquest_service"] = label
        name = f"{purpose.value} {label or asked.hostname or ''}".strip()
        with self._tracer.span(name, outside=True, **about) as span:
            reply = await self._client.fetch(request, purpose=purpose, label=label)
            span.note(http_response_status_code=reply.status, inquest_recorded=reply.recorded)
            return reply
