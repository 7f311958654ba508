"""`inquest mcp`: the face for programs that speak the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import typer

from inquest.cli.common import run_async
from inquest.domain.errors import InputError, SettingError

EXAMPLES = """
[bold]Examples[/bold]

    inquest mcp

    inquest mcp --http 127.0.0.1:8765

    openssl rand -hex 32 > token && chmod 600 token && inquest mcp --http 127.0.0.1:8765 --token-file token
"""


def mcp(
    http: str | None = typer.Option(
        None, metavar="HOST:PORT", help="Serve HTTP there, at /mcp, instead of standard input and output."
    ),
    files: bool = typer.Option(False, "--files", help="Clients may have files of this machine read, by their paths."),
    expose: bool = typer.Option(False, "--expose", help="With --http: other machines may reach it."),
    token_file: Path | None = typer.Option(
        None,
        "--token-file",
        metavar="FILE",
        help="With --http: let in only who sends the token in this file as Bearer.",
    ),
) -> None:
    """Serve the Model Context Protocol: tools for assistants and agents to check claims, inquire and read cases."""
    from importlib.util import find_spec

    if expose and http is None:
        raise InputError("--expose says nothing without --http.", advice="Leave it out.")
    if token_file is not None and http is None:
        raise InputError("--token-file says nothing without --http.", advice="Leave it out.")
    if find_spec("fastmcp") is None:
        raise SettingError(
            "Serving MCP needs the extra packages of `inquest[mcp]`.",
            advice="Install them: pip install 'inquest[mcp]'.",
        )
    from inquest.mcp import server

    if http is None:
        run_async(server.serve_stdio(files=files))
        return
    token = server.token_in(token_file) if token_file else None
    bound = server.listening(http, exposed=expose)

    def told(address: str) -> None:
        typer.echo(f"MCP at {address}", err=True)

    with bound:
        run_async(server.serve_http(bound, told, files=files, token=token))
