"""The shared archive on an S3 server and on a folder: one key per hash, the first text is kept, nothing is stored
twice."""

from __future__ import annotations

import asyncio
import hashlib
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bench.scale.machines import ObjectStore, s3_program
from inquest.archive.shared import CloudObjects, SharedArchive, objects_at
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import NotFound, SettingError, StorageError
from inquest.kit.ports import Objects
from inquest.store.database import Database
from inquest.store.shared import ObjectEvidence

AT = datetime(2024, 5, 1, 12, tzinfo=UTC)
_KEYS = {"aws_access_key_id": "k", "aws_secret_access_key": "s", "region_name": "us-east-1"}
PAGE = b"<html>" + b"40 tonnes. " * 200 + b"</html>"


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    """The address of a server with S3's protocol and one bucket."""
    if s3_program() is None:
        pytest.skip("needs the programs of requirements/apart.txt: `make test` installs them")
    with ObjectStore() as store:
        yield store.address


@pytest.fixture(params=["s3", "folder"])
def objects(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Objects:
    if request.param == "folder":
        return objects_at(f"file://{tmp_path}/shared")
    _at(request.getfixturevalue("s3"), monkeypatch)
    return objects_at(f"s3://evidence/{tmp_path.name}")


@pytest.fixture
async def archive(objects: Objects, tmp_path: Path) -> SharedArchive:
    database = await Database.open(f"sqlite:///{tmp_path}/inquest.db")

    async def records() -> ObjectEvidence:
        return ObjectEvidence(database)

    return SharedArchive(objects, records)


def a_snapshot(body: bytes = PAGE, *, at: datetime = AT) -> Snapshot:
    digest = "sha256:" + hashlib.sha256(body).hexdigest()
    url = "https://alder.example/"
    return Snapshot(
        hash=digest, url=url, final_url=url, status=200, content_type="text/html", retrieved_at=at, size=len(body)
    )


async def test_what_is_put_is_there_for_all_with_every_retrieval(archive: SharedArchive, objects: Objects) -> None:
    first, again = a_snapshot(), a_snapshot(at=AT + timedelta(days=1))
    for each in (first, again, first):
        await archive.put(PAGE, each)
    assert await archive.body(first.hash) == PAGE
    assert await archive.snapshot(first.hash) == first
    assert await archive.retrievals(first.hash) == (first, again)
    digest = first.hash.removeprefix("sha256:")
    assert await objects.keys("objects") == [f"objects/{digest[:2]}/{digest}"]


async def test_of_many_that_put_at_once_one_wins(objects: Objects) -> None:
    won = await asyncio.gather(*(objects.put_absent("objects/ab/cd", bytes([n]) * 9) for n in range(12)))
    assert sum(won) == 1
    assert await objects.get("objects/ab/cd") == bytes([won.index(True)]) * 9


async def test_the_first_text_stands(archive: SharedArchive) -> None:
    snapshot = a_snapshot()
    texts = [Document(snapshot=snapshot.hash, url=snapshot.url, text=f"text {n}") for n in range(4)]
    stand = await asyncio.gather(*(archive.put_document(text) for text in texts))
    assert len(set(stand)) == 1 and stand[0] in texts
    assert await archive.document(snapshot.hash) == stand[0]


async def test_bytes_that_were_changed_in_the_store_are_no_evidence(archive: SharedArchive, objects: Objects) -> None:
    snapshot = a_snapshot()
    await archive.put(PAGE, snapshot)
    digest = snapshot.hash.removeprefix("sha256:")
    await objects.put(f"objects/{digest[:2]}/{digest}", b"40,000 tonnes")
    with pytest.raises(StorageError, match="damaged"):
        await archive.body(snapshot.hash)


async def test_what_is_removed_is_gone_and_what_was_fetched_lately_stays(archive: SharedArchive) -> None:
    old, new = a_snapshot(), a_snapshot(b"new", at=AT + timedelta(days=2))
    await archive.put(PAGE, old)
    await archive.put(b"new", new)
    await archive.remove([old.hash, new.hash], untouched_since=AT + timedelta(days=2))
    with pytest.raises(NotFound):
        await archive.body(old.hash)
    assert await archive.body(new.hash) == b"new"


@pytest.mark.parametrize("url", ["ftp://bucket/x", "s3://", "bucket", "file://"])
def test_an_address_that_is_no_store_is_one_sentence(url: str) -> None:
    with pytest.raises(SettingError, match="INQUEST_STORAGE_URL does not name an object store"):
        objects_at(url)


async def test_a_store_that_cannot_be_reached_is_an_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        _at(f"http://127.0.0.1:{free.getsockname()[1]}", monkeypatch)
    store = CloudObjects("s3://evidence/x", timeout=0.1)
    with pytest.raises(StorageError, match="could not be used"):
        await store.get("objects/ab/cd")


def _at(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in _KEYS.items():
        monkeypatch.setenv(name.upper().replace("REGION_NAME", "AWS_REGION"), value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", address)
