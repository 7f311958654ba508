"""`inquest serve`: REST, server-sent events and the newsroom page."""

from __future__ import annotations

import logging
from enum import StrEnum

import typer

from inquest.cli.common import run_async

log = logging.getLogger("inquest.service")

EXAMPLES = """
[bold]Examples[/bold]

    inquest serve

    inquest serve --host 0.0.0.0 --port 8311
"""


class LogForm(StrEnum):
    """How the server's log is written."""

    TEXT = "text"
    JSON = "json"


def serve(
    host: str = typer.Option("127.0.0.1", help="Where to listen; beyond the loopback everybody must sign in."),
    port: int = typer.Option(8311, min=0, max=65535, help="0: any that is free."),
    log_form: LogForm = typer.Option(
        LogForm.TEXT, "--log", help="json: one object a line on standard error, with a line for each request."
    ),
) -> None:
    """Serve the newsroom page and the API (docs at /api/docs), and work on the cases that are opened there."""
    from inquest.api import server
    from inquest.app.logs import log_to_stderr
    from inquest.app.work.dispatching import dispatcher_of
    from inquest.web.pages import add_pages

    bound, is_loopback = server.listening(host, port)

    as_json = log_form is LogForm.JSON
    if as_json:
        log_to_stderr()

    def told(address: str) -> None:
        if as_json:
            log.info("Inquest at %s", address)
        else:
            typer.echo(f"Inquest at {address}  ·  API docs: {address}/api/docs", err=True)

    made = server.create_app(dispatcher=dispatcher_of, extend=add_pages, open_at_loopback=is_loopback)
    if as_json:
        server.log_requests(made)
    with bound:
        run_async(server.serve(bound, made, told))
