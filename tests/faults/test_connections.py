"""All connections of the whole process, including those of libraries, some of which report to their makers.

There are two watchers. A loopback listener is set in the environment as proxy and as the address of every service that
a library is known to report to, and must get no requests. If `strace` may be used, it sees every connection of every
thread, including code that ignores proxies; then only the model server named by the user may be reached.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

STAYS = 12
"""Minimum lifetime of a process in seconds: onnxruntime's first upload comes about 9 s after its start."""
COMMAND = """
import json, sys, time
begun = time.monotonic()
from inquest.cli.entry import run
for arguments in json.loads(sys.argv[1]):
    code = run(arguments)
assert "onnxruntime" in sys.modules, "nothing that could report was loaded"
time.sleep(max(1, {stays} - (time.monotonic() - begun)))
sys.exit(code)
"""


class Listener:
    """A server on loopback that refuses every request, and counts them."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.asked: list[bytes] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(2)
                try:
                    self.asked.append(connection.recv(300))
                    connection.sendall(
                        b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    )
                except OSError:
                    self.asked.append(b"")

    def close(self) -> None:
        self._socket.close()


@contextmanager
def listening() -> Iterator[Listener]:
    listener = Listener()
    try:
        yield listener
    finally:
        listener.close()


def inviting(home: Path, listener: Listener) -> dict[str, str]:
    """An environment in which every library that can report has been asked to, and to the listener."""
    there = f"http://127.0.0.1:{listener.port}"
    asked_to = {
        "ORT_DISABLE_TELEMETRY": "0",
        "LANGSMITH_TRACING": "true",
        "LANGCHAIN_TRACING_V2": "true",
        "LANGSMITH_API_KEY": "lsv2_pt_00000000000000000000000000000000_0000000000",
        "LANGSMITH_ENDPOINT": there,
        "LOGFIRE_TOKEN": "pylf_v1_eu_0000000000000000000000000000000000000000000",
        "LOGFIRE_SEND_TO_LOGFIRE": "true",
        "OTEL_EXPORTER_OTLP_ENDPOINT": there,
        "HF_ENDPOINT": there,
        "HF_HUB_DISABLE_TELEMETRY": "0",
        "FASTMCP_CHECK_FOR_UPDATES": "stable",
    }
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"), there)
    dropped = ("no_proxy", "inquest_stance_model", "inquest_sentence_model")  # it reads with the package's own models
    kept = {name: value for name, value in os.environ.items() if name.lower() not in dropped}
    return {
        **kept,
        **asked_to,
        **proxies,
        "INQUEST_HOME": str(home),
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
    }


def strace(log: Path) -> list[str]:
    """The strace command, if this machine has it and allows it; else nothing, and the listener alone decides."""
    if shutil.which("strace") is None:
        return []
    watcher = ["strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", str(log)]
    allowed = subprocess.run([*watcher, "true"], capture_output=True, check=False).returncode == 0
    return watcher if allowed else []


def reached(log: Path) -> list[str]:
    """The connections to IPv4 or IPv6 addresses that strace saw; a connect to the null address tells a socket its own
    address and sends nothing."""
    lines = log.read_text("utf-8", "replace").splitlines() if log.exists() else []
    return [line for line in lines if re.search(r"sa_family=AF_INET6?\b", line)]


def watched(commands: list[list[str]], stays: int, tmp_path: Path, **settings: str) -> list[str]:
    """Run the commands under both watchers. Returns the addresses reached, without the listener, which must get no
    requests."""
    log = tmp_path / "connections.log"
    with listening() as listener:
        process = subprocess.run(
            [*strace(log), sys.executable, "-c", COMMAND.format(stays=stays), json.dumps(commands)],
            env={**inviting(tmp_path / "home", listener), **settings},
            capture_output=True,
            timeout=300,
            check=False,
        )
    assert process.returncode in (0, 2), process.stderr.decode()[-2000:]
    assert listener.asked == []
    return reached(log)


def test_a_judgment_without_a_model_reaches_nobody(tmp_path: Path) -> None:
    pair = ["assess", "--claim", "The firm paid a fine.", "--passage", "The firm was fined 5 million euros in May."]
    assert watched([pair], STAYS, tmp_path) == []
    kept = {path.relative_to(tmp_path / "home").parts[0] for path in (tmp_path / "home").rglob("*") if path.is_file()}
    assert not kept & {"cache", ".cache"}, "a library keeps something of its own about this user"


def test_with_a_model_only_the_server_that_the_user_named_is_reached(tmp_path: Path) -> None:
    """A whole check; the model server refuses, and the rules answer in its place."""
    rows = tmp_path / "rows.jsonl"
    text = "The Air Authority fined Calder Stone Ltd 150,000 euros on 4 September 2023."
    rows.write_text(
        json.dumps({"url": "https://air.example/17", "title": "Notice", "date": "2023-09-04", "text": text})
    )
    check = [
        "check",
        "--claim",
        "Calder Stone Ltd was fined 150,000 euros in 2023.",
        "--approve",
        "auto",
        "--rounds",
        "0",
    ]
    with listening() as model:
        found = watched(
            [["collection", "add", "own", str(rows)], [*check, "--engines", "collection", "--collection", "own"]],
            1,
            tmp_path,
            INQUEST_MODEL="openai:some-model",
            OPENAI_BASE_URL=f"http://127.0.0.1:{model.port}/v1",
            OPENAI_API_KEY="sk-none",
        )
        assert model.asked, "the model server was to be asked"
    assert all(f"htons({model.port})" in line for line in found), found


@pytest.mark.skipif(shutil.which("strace") is None, reason="the watcher is not there")
def test_the_watcher_sees_what_asks_no_proxy(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = "import socket; socket.socket(2, 2).sendto(b'x', ('127.0.0.1', 9))"
    if not (watcher := strace(log)):
        pytest.skip("tracing is not allowed here")
    subprocess.run([*watcher, sys.executable, "-c", code], check=True)
    assert len(reached(log)) == 1
