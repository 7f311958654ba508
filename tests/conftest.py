"""Fixtures for all tests: no network except loopback, and the evaluation data if available."""

from __future__ import annotations

import gc
import ipaddress
import os
import socket
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from inquest.cli import COLLECTED_AFTER

# A machine under load is slow, and no test may fail because of that.
UNTIMED = settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("untimed", UNTIMED)
settings.register_profile("ci", UNTIMED, derandomize=True, database=None, max_examples=10)
settings.load_profile("untimed")


def pytest_collection_finish() -> None:
    """Freeze collected objects, so that the garbage collector does not scan ten thousand tests and their modules
    repeatedly."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)


WITHOUT_SMALL_MODELS = {"app", "faces_api", "faces_mcp", "faces_web", "faults", "flow"}
"""Folders of tests on what happens around the reading: only features judge there, in a fraction of the time."""
_HOMES = count()
ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("INQUEST_SHARED", ROOT.parent / "shared"))


def _is_loopback(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a Unix socket
    host = str(address[0])
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets reach only loopback; other names are not even looked up."""
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if not _is_loopback(address):
            raise OSError(f"a test tried to reach {address}")
        connect(self, address)

    def guarded_look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name not in (None, "0.0.0.0") and not _is_loopback((name,)):
            raise socket.gaierror(f"a test tried to look up {name}")
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The door retries at once, and does not wait between requests to simulated papers and archives."""
    from inquest.kit.engine import Limits
    from inquest.net import policy
    from inquest.second_readers.copies import WaybackCopies

    monkeypatch.setattr(WaybackCopies, "limits", Limits(per_second=1_000, concurrency=100))
    hasty = partial(policy.RequestPolicy, first_wait=0, jitter=0, page_interval=0)
    monkeypatch.setattr(policy, "RequestPolicy", hasty)


@pytest.fixture(autouse=True)
def clean_environment(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Ignore keys and settings of the person who runs the tests; the data folder is fresh, and made only if something
    is stored in it."""
    for name in list(os.environ):
        if (
            (name.startswith("INQUEST_") and name != "INQUEST_SHARED")
            or name.endswith(("_API_KEY", "_BASE_URL"))
            or name.upper().endswith("_PROXY")
        ):
            monkeypatch.delenv(name)
    if "tmp_path" in request.fixturenames:
        home: Path = request.getfixturevalue("tmp_path") / "home"
    else:
        home = tmp_path_factory.getbasetemp() / f"home-{next(_HOMES)}"
    monkeypatch.setenv("INQUEST_HOME", str(home))
    if request.path.parent.name in WITHOUT_SMALL_MODELS:
        monkeypatch.setenv("INQUEST_STANCE_MODEL", "none")
        monkeypatch.setenv("INQUEST_SENTENCE_MODEL", "none")


@pytest.fixture
def features_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only features judge, for tests outside those folders that are on what happens around the reading."""
    monkeypatch.setenv("INQUEST_STANCE_MODEL", "none")
    monkeypatch.setenv("INQUEST_SENTENCE_MODEL", "none")


@pytest.fixture
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords in a millisecond and with little memory."""
    from argon2 import PasswordHasher

    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr("inquest.app.access.accounts._hasher", lambda: quick)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of evaluation data and recordings; a test that needs it is skipped if it is missing."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the evaluation data, which is not at {SHARED}")
    return SHARED
