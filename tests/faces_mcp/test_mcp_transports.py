"""The command as a process: over standard input and output, and over HTTP on the loopback."""

from __future__ import annotations

import asyncio
import http.client
import importlib.util
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from inquest.cli.entry import run
from inquest.domain.errors import InputError
from inquest.mcp.server import listening, token_in

INQUEST = [sys.executable, "-c", "from inquest.cli import main; main()"]


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "INQUEST_HOME": str(home)}


def status_of(address: str, headers: dict[str, str]) -> int:
    """The status of a request as sent by a page of another site, or by one with a domain name that points to
    loopback."""
    parts = urlsplit(address)
    assert parts.hostname and parts.port
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    try:
        about_client = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"},
        }
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about_client})
        about = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        connection.request("POST", parts.path, body, {**about, **headers})
        return connection.getresponse().status
    finally:
        connection.close()


async def test_over_standard_input_and_output(tmp_path: Path) -> None:
    command, *arguments = (*INQUEST, "mcp")
    transport = StdioTransport(command, list(arguments), env=environment(tmp_path), keep_alive=False)
    async with Client(transport) as client:
        found = await client.call_tool("rate_source", {"urls": ["sec.gov"]})
        assert found.structured_content is not None and found.structured_content["ratings"][0]["tier"] == 1
        assert (await client.call_tool("list_cases", {})).structured_content is not None


async def test_over_http_on_the_loopback(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *INQUEST, "mcp", "--http", "127.0.0.1:0", env=environment(tmp_path), stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    try:
        line = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
        address = line.removeprefix("MCP at ").strip()
        assert address.startswith("http://127.0.0.1:") and address.endswith("/mcp")
        async with Client(address) as client:
            found = await client.call_tool("assess", {"claim": "It rose.", "passage": "It fell."})
            assert found.structured_content is not None and found.structured_content["stance"]
        assert await asyncio.to_thread(status_of, address, {}) == 200
        assert await asyncio.to_thread(status_of, address, {"Origin": "https://evil.example"}) == 403
        assert await asyncio.to_thread(status_of, address, {"Host": "evil.example"}) == 421
    finally:
        process.terminate()
        _, rest = await asyncio.wait_for(process.communicate(), 60)
    assert b"Traceback" not in rest


async def test_with_a_token_nobody_without_it_is_let_in(tmp_path: Path) -> None:
    token, kept = "0123456789abcdef-of-the-desk", tmp_path / "token"
    kept.write_text(f"{token}\n")
    process = await asyncio.create_subprocess_exec(
        *INQUEST, "mcp", "--http", "127.0.0.1:0", "--token-file", str(kept),
        env=environment(tmp_path), stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        line = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
        address = line.removeprefix("MCP at ").strip()
        async with Client(address, auth=token) as client:
            assert {tool.name for tool in await client.list_tools()} >= {"check_claim", "read_case"}
        for wrong in ({}, {"Authorization": f"Bearer {token}x"}, {"Authorization": token}):
            assert await asyncio.to_thread(status_of, address, wrong) == 401
        assert await asyncio.to_thread(status_of, address, {"Authorization": f"Bearer {token}"}) == 200
    finally:
        process.terminate()
        _, rest = await asyncio.wait_for(process.communicate(), 60)
    assert b"Traceback" not in rest and token.encode() not in rest


def test_what_is_no_token_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "token"
    for content in (b"", b"short", b"two words of a token", b"line one is long\nline two", b"\xff" * 20):
        kept.write_bytes(content)
        with pytest.raises(InputError, match="token"):
            token_in(kept)
    with pytest.raises(InputError, match="cannot be read"):
        token_in(tmp_path / "none")


def test_what_is_no_address_is_refused() -> None:
    for address in ("", "x", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:-1"):
        with pytest.raises(InputError, match="expected HOST:PORT"):
            listening(address)


def test_an_address_without_a_host_is_this_machine_s_alone() -> None:
    for address in (":0", "0", "localhost:0"):
        with listening(address) as bound:
            assert bound.getsockname()[0] in ("127.0.0.1", "::1")


def test_other_machines_are_let_in_only_on_purpose() -> None:
    with pytest.raises(InputError, match="has no sign-in"):
        listening("0.0.0.0:0")
    with listening("0.0.0.0:0", exposed=True) as bound:
        assert bound.getsockname()[0] == "0.0.0.0"


def test_a_port_that_is_taken_is_said_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert run(["mcp", "--http", f"127.0.0.1:{other.getsockname()[1]}"]) == 1
    assert "cannot listen at" in capsys.readouterr().err


def test_without_the_extra_packages_it_says_how_to_have_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec

    def without(name: str, *more: Any) -> Any:
        return None if name == "fastmcp" else found(name, *more)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    assert run(["mcp"]) == 1
    assert "pip install 'inquest[mcp]'" in capsys.readouterr().err


def test_an_option_that_says_nothing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--expose"], ["--token-file", "token"]):
        assert run(["mcp", *option]) == 1
        assert f"{option[0]} applies only with --http" in capsys.readouterr().err


def test_the_help_does_not_load_the_server() -> None:
    script = "import sys; from inquest.cli.entry import run; run(['--help']); print('fastmcp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False" and "mcp" in done.stdout
