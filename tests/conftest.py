"""What every test relies on: no network but loopback, and the evaluation data where it is there."""

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

# A machine under load is slow, and no test fails for that.
UNTIMED = settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("untimed", UNTIMED)
settings.register_profile("ci", UNTIMED, derandomize=True, database=None, max_examples=10)
settings.load_profile("untimed")


def pytest_collection_finish() -> None:
    """What was collected stays to the end: ten thousand tests and their modules are not looked through again and again
    for what nothing refers to."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)


WITHOUT_SMALL_MODELS = {"app", "faces_api", "faces_mcp", "faces_web", "faults", "flow"}
"""Folders of tests about what happens around the reading: features alone judge there, in a fraction of the time."""
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
    """Sockets reach loopback only; a name that is not loopback's is not even looked up."""
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if not _is_loopback(address):
            raise OSError(f"a test tried to reach {address}")
        connect(self, address)

    def guarded_look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and not _is_loopback((name,)):
            raise socket.gaierror(f"a test tried to look up {name}")
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The door tries again at once, and is not polite to simulated papers and archives."""
    from inquest.kit.engine import Limits
    from inquest.net import policy
    from inquest.second_readers.wayback import WaybackCopies

    monkeypatch.setattr(WaybackCopies, "limits", Limits(per_second=1_000, concurrency=100))
    hasty = partial(policy.RequestPolicy, first_wait=0, jitter=0, page_interval=0)
    monkeypatch.setattr(policy, "RequestPolicy", hasty)


@pytest.fixture(autouse=True)
def clean_environment(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No key or setting of the person who runs the tests plays a part; the data folder is a fresh one, which is made
    only if something is kept in it."""
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
    """Features alone judge, for tests outside of those folders that are about what happens around the reading."""
    monkeypatch.setenv("INQUEST_STANCE_MODEL", "none")
    monkeypatch.setenv("INQUEST_SENTENCE_MODEL", "none")


@pytest.fixture
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """A password is hashed in a millisecond and in no memory."""
    from argon2 import PasswordHasher

    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr("inquest.app.access.accounts._hasher", lambda: quick)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of evaluation data and recordings; a test that needs it is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the evaluation data, which is not at {SHARED}")
    return SHARED
