"""A model from a hub, through the door: checked by the hub's own hash, streamed to disk, complete or absent."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inquest.app.tools.model_hub import Hub, HubModel, download
from inquest.domain.errors import InputError, InquestError, ModelFormat, ModelUnavailable, StorageError
from inquest.local_models.exports import GivenLabels
from inquest.local_models.files import ModelFiles
from inquest.local_models.registry import ModelRegistry
from inquest.net.door import Door
from tests.local_models import tiny
from tests.net.loopback import QUICK, Asked, LoopbackWeb, MemoryRecording, a_door, http, says

ONCE = replace(QUICK, attempts=1)
COMMIT = "0123456789abcdef0123456789abcdef01234567"
MODEL = tiny.weights()
BYTES = "application/octet-stream"


def _listed(path: str, content: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = {"rfilename": path, "size": len(content)}
    if path.endswith(".onnx"):
        entry["lfs"] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return entry


FILES = {
    "tokenizer.json": tiny.tokenizer().encode(),
    "config.json": json.dumps(
        {"max_position_embeddings": 64, "id2label": {"0": "contradiction", "1": "neutral", "2": "entailment"}}
    ).encode(),
    "onnx/model.onnx": MODEL,
}
CARD = {"license": "mit", "language": ["en", "de"]}


def _about(**changed: Any) -> dict[str, Any]:
    listed = [_listed(path, content) for path, content in FILES.items()]
    return {"id": "owner/tiny", "sha": COMMIT, "siblings": listed, "cardData": CARD, **changed}


@pytest.fixture
async def web() -> AsyncIterator[LoopbackWeb]:
    async with LoopbackWeb() as web:
        offer(web)
        yield web


@pytest.fixture
def registry(tmp_path: Path) -> ModelRegistry:
    return ModelRegistry(tmp_path / "models")


def offer(web: LoopbackWeb, about: object = None, at: str = COMMIT) -> None:
    body = json.dumps(_about() if about is None else about).encode()
    web.at["/api/models/owner/tiny/revision/main"] = says(http(200, body, "application/json"))
    for path, content in FILES.items():
        web.at[f"/owner/tiny/resolve/{at}/{path}"] = says(http(200, content, BYTES))


async def get(web: LoopbackWeb, registry: ModelRegistry, repository: str = "owner/tiny", **options: Any) -> ModelFiles:
    async with a_door(web, policy=options.pop("policy", QUICK), recording=options.pop("recording", None)) as door:
        return await fetched(door, registry, repository, options.pop("hub", web.url("")), **options)


async def fetched(
    door: Door,
    registry: ModelRegistry,
    repository: str,
    hub: str,
    *,
    file: str | None = None,
    revision: str = "main",
    **more: Any,
) -> ModelFiles:
    which = HubModel(repository, file, revision).checked(hub)
    at = Hub(door, hub.rstrip("/"), which, more.pop("progress", lambda *_: None))
    return await download(at, registry, more.pop("said", GivenLabels()), **more)


def left_of(registry: ModelRegistry) -> list[str]:
    return sorted(os.listdir(registry.folder)) if registry.folder.exists() else []


async def test_a_model_is_fetched_at_its_commit_and_described_by_its_card(
    web: LoopbackWeb, registry: ModelRegistry
) -> None:
    told: list[tuple[str, int, int | None]] = []
    recording = MemoryRecording()
    files = await get(web, registry, progress=lambda *each: told.append(each), recording=recording)
    assert registry.model("tiny") == files
    assert files.hashes is not None and files.hashes["model.onnx"] == hashlib.sha256(MODEL).hexdigest()
    assert (files.licence, files.languages, files.labels[0]) == ("mit", ("en", "de"), "contradicts")
    assert files.source == f"{web.url('')}/owner/tiny onnx/model.onnx at {COMMIT}"
    assert told[-1] == ("model.onnx", len(MODEL), len(MODEL))
    assert sorted(os.listdir(files.folder)) == ["model.onnx", "model.toml", "tokenizer.json"]
    assert recording.replies == {}  # not part of any case


async def test_redirects_to_the_hubs_own_stores_are_followed(web: LoopbackWeb, registry: ModelRegistry) -> None:
    async with LoopbackWeb() as store:
        store.at["/blob"] = says(http(200, MODEL, BYTES))
        web.at[f"/owner/tiny/resolve/{COMMIT}/onnx/model.onnx"] = says(http(302, Location=store.url("/blob?token=x")))
        hosts = [f"127.0.0.1:{each.port}" for each in (web, store)]
        async with a_door(allow_hosts=hosts) as door:
            assert (await fetched(door, registry, "owner/tiny", web.url(""))).verifiable


async def test_a_redirect_to_the_inside_is_not_followed(web: LoopbackWeb, registry: ModelRegistry) -> None:
    web.at[f"/owner/tiny/resolve/{COMMIT}/onnx/model.onnx"] = says(http(302, Location="http://169.254.169.254/x"))
    with pytest.raises(ModelUnavailable, match="redirects to an address that is not fetched"):
        await get(web, registry)
    assert left_of(registry) == []


@pytest.mark.parametrize(
    ("path", "answer", "kind", "sentence"),
    [
        ("onnx/model.onnx", http(200, MODEL + b"x", BYTES), ModelFormat, "differs from the one in owner/tiny"),
        ("onnx/model.onnx", http(503, b"busy"), ModelUnavailable, "answered with status 503"),
        ("onnx/model.onnx", http(404, b"gone"), InputError, "has no onnx/model"),
        ("tokenizer.json", http(401, b"who are you"), InputError, "has no public model owner/tiny"),
        ("config.json", http(200, b'{"id2label": {"0": "a", "1": "b"}}'), InputError, "two scores"),
        ("config.json", http(404), InputError, "has no config.json"),
    ],
)
async def test_what_goes_wrong_is_said_and_nothing_stays(
    path: str, answer: bytes, kind: type[InquestError], sentence: str, web: LoopbackWeb, registry: ModelRegistry
) -> None:
    web.at[f"/owner/tiny/resolve/{COMMIT}/{path}"] = says(answer)
    with pytest.raises(kind, match=sentence):
        await get(web, registry, policy=ONCE)
    assert left_of(registry) == []


async def test_more_than_the_limit_is_cut_off_where_it_does_not(web: LoopbackWeb, registry: ModelRegistry) -> None:
    async def endless(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        for _ in range(200):
            writer.write(b" " * 100_000)
            await writer.drain()

    web.at[f"/owner/tiny/resolve/{COMMIT}/config.json"] = endless
    with pytest.raises(InputError, match=r"config\.json of owner/tiny is larger than 5 MB"):
        await get(web, registry)
    assert left_of(registry) == []


async def test_stopped_half_way_nothing_stays(web: LoopbackWeb, registry: ModelRegistry) -> None:
    begun = asyncio.Event()

    async def hangs(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(http(200, MODEL, BYTES)[:-20])
        await writer.drain()
        begun.set()
        await asyncio.sleep(60)

    web.at[f"/owner/tiny/resolve/{COMMIT}/onnx/model.onnx"] = hangs
    task = asyncio.create_task(get(web, registry))
    await asyncio.wait_for(begun.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert left_of(registry) == []


async def test_a_full_disk_is_an_outage_and_leaves_nothing(web: LoopbackWeb, registry: ModelRegistry) -> None:
    def full(name: str, done: int, size: int | None) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(StorageError, match="No space left"):
        await get(web, registry, progress=full)
    assert left_of(registry) == []


@pytest.mark.parametrize(
    ("repository", "options"),
    [
        ("tiny", {}),
        ("owner/../tiny", {}),
        ("owner/tiny", {"file": "../../etc/passwd"}),
        ("owner/tiny", {"file": "model.bin"}),
        ("owner/tiny", {"revision": "a/../b"}),
        ("owner/tiny", {"revision": ""}),
        ("owner/tiny", {"name": "none"}),
    ],
)
async def test_what_is_not_well_formed_is_not_asked(
    repository: str, options: dict[str, Any], web: LoopbackWeb, registry: ModelRegistry
) -> None:
    with pytest.raises(InputError):
        await get(web, registry, repository, **options)
    assert web.asked == []


@pytest.mark.parametrize("about", [{"siblings": None}, {"siblings": [{}]}, [], "hello"])
async def test_a_description_that_is_none_is_an_outage(about: Any, web: LoopbackWeb, registry: ModelRegistry) -> None:
    offer(web, about)
    with pytest.raises(ModelFormat, match="does not describe owner/tiny"):
        await get(web, registry)
