"""Downloading a model from a public hub or a mirror, checked against its API (commit, sizes, SHA-256)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote, urlsplit

from inquest.app.wiring.small_models import models_folder
from inquest.domain.errors import InputError, ModelFormat, ModelUnavailable, StorageError
from inquest.kit.exchange import Reply, Request
from inquest.local_models.exports import CONFIG, TOKENIZER_CONFIG, GivenLabels, described
from inquest.local_models.files import TOKENS, WEIGHTS, ModelFiles
from inquest.local_models.registry import LARGEST, ModelRegistry, Progress
from inquest.text.regex import regex

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.net.door import Door
    from inquest.net.wire import Sink

_WEIGHTS = ("onnx/model_quantized.onnx", "onnx/model.onnx", "model_quantized.onnx", "model.onnx")
"""The usual paths of weights, small ones first."""
_REPOSITORY = regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_PATH = regex(r"[A-Za-z0-9_][A-Za-z0-9._ +-]*(?:/[A-Za-z0-9_][A-Za-z0-9._ +-]*)*")
_SMALL, _TOKENIZER = 5 * 10**6, 100 * 10**6
"""Limits in bytes for descriptions and tokenizers."""


@dataclass(frozen=True)
class HubModel:
    """A model of a hub. `repository`: OWNER/NAME, or the address of its page; `file`: its weights, by default quantised
    ones if available; `revision`: a branch, a tag or a commit."""

    repository: str
    file: str | None = None
    revision: str = "main"

    def checked(self, hub: str) -> HubModel:
        """The normalized model. Raises InputError."""
        repository = self.repository.strip().removeprefix(hub.rstrip("/") + "/").strip("/")
        if not _REPOSITORY.fullmatch(repository) or ".." in repository:
            raise InputError(f"'{repository}' is not the name of a model on a hub.", advice="Write it as OWNER/NAME.")
        if self.file is not None and (not _PATH.fullmatch(self.file) or not self.file.endswith(".onnx")):
            raise InputError(
                f"'{self.file}' is not an ONNX file of a model.", advice="Write it like --file onnx/model.onnx."
            )
        if not _PATH.fullmatch(self.revision):
            raise InputError(f"'{self.revision}' is not a revision.", advice="Give a branch, a tag or a commit.")
        return replace(self, repository=repository)


async def download_model(
    app: Resources,
    published: HubModel,
    said: GivenLabels,
    *,
    name: str | None = None,
    progress: Progress = lambda *_: None,
) -> ModelFiles:
    """Call `download` with the app's HTTP client, the hub of the settings and the data folder."""
    hub = app.settings.model_hub
    published = published.checked(hub)  # before the client, which opens the database
    at = Hub(await app.door(), hub.rstrip("/"), published, progress)
    return await download(at, ModelRegistry(models_folder(app.settings)), said, name=name)


async def download(at: Hub, registry: ModelRegistry, said: GivenLabels, *, name: str | None = None) -> ModelFiles:
    """Download and add the model. Raises InputError for a missing or unsupported model, ModelUnavailable and
    ModelFormat for the hub, StorageError."""
    repository = at.model.repository
    name = name or repository.rpartition("/")[2]
    registry.free(name)
    await at.look()
    weights = at.model.file or next((each for each in _WEIGHTS if each in at.files), _WEIGHTS[-1])
    if f"{weights}_data" in at.files:
        raise InputError(
            f"{repository} keeps the weights of {weights} in a second file, which is not supported.",
            advice="Choose another of its files with --file.",
        )
    with registry.room() as room:
        await at.fetch(TOKENS, room / TOKENS, largest=_TOKENIZER)
        for path in (CONFIG, TOKENIZER_CONFIG):
            if path in at.files or (path == CONFIG and said.labels is None):
                await at.fetch(path, room / path, largest=_SMALL)
        # Reject unsupported models before the weights are downloaded.
        declared = replace(said, languages=said.languages if said.languages is not None else at.languages)
        described(room, repository, declared, weights_follow=True)
        await at.fetch(weights, room / WEIGHTS, largest=LARGEST)
        source = f"{at.hub}/{repository} {weights} at {at.commit or at.model.revision}"
        declared = replace(declared, licence=said.licence or at.licence, source=said.source or source)
        files = described(room, name, declared)
        return registry.take(replace(files, hashes={each: at.hashes[each] for each in (WEIGHTS, TOKENS)}))


@dataclass
class Hub:
    """One model of the hub with its description. `files`: by path; `hashes`: by local name."""

    door: Door
    hub: str
    model: HubModel
    progress: Progress
    commit: str = ""
    licence: str = ""
    languages: tuple[str, ...] | None = None
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)

    async def look(self) -> None:
        """Request the description of the model. Raises InputError, ModelUnavailable, ModelFormat."""
        url = f"{self.hub}/api/models/{self.model.repository}/revision/{quote(self.model.revision, safe='')}?blobs=true"
        reply = await self._ask(url, None, _SMALL)
        self._good(reply, "description")
        try:
            said = json.loads(reply.body)
            self.files = {str(each["rfilename"]): each for each in said["siblings"]}
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ModelFormat(
                self.model.repository,
                f"{self._host} does not describe {self.model.repository} the way a hub does.",
                advice="Check INQUEST_MODEL_HUB, or download the files by hand: `inquest models add FOLDER`.",
            ) from error
        commit, card = said.get("sha"), said.get("cardData")
        self.commit = commit if isinstance(commit, str) and re.fullmatch(r"[0-9a-f]{40,64}", commit) else ""
        if isinstance(card, dict):
            self.licence = card["license"] if isinstance(card.get("license"), str) else ""
            self.languages = _languages(card.get("language"))

    async def fetch(self, path: str, place: Path, *, largest: int) -> None:
        """Download a file, and compare its hash with the hub's. Raises InputError, Outage."""
        if path not in self.files:
            raise self._lacks(path)
        size, known = _blob(self.files[path])
        if size is not None and size > largest:
            raise self._too_large(path, largest)
        at = quote(self.commit or self.model.revision, safe="")
        url = f"{self.hub}/{self.model.repository}/resolve/{at}/{quote(path)}"
        with place.open("wb") as file:
            sink = _OnDisk(file, partial(self.progress, place.name), size)
            self._good(await self._ask(url, sink, largest), path)
        found = self.hashes[place.name] = sink.digest.hexdigest()
        if known is not None and found != known:
            raise ModelFormat(
                self.model.repository,
                f"{path} differs from the one in {self.model.repository}: its SHA-256 is {found}, not {known}.",
                advice="Download it again.",
            )

    async def _ask(self, url: str, sink: Sink | None, largest: int) -> Reply:
        try:
            reply = await self.door.download(Request(url=url), sink, largest=largest, label=self._host)
        except ModelFormat as error:
            raise self._too_large(urlsplit(url).path.rpartition("/")[2], largest) from error
        except OSError as error:
            raise StorageError(
                f"The download cannot be written ({error.strerror or error}).",
                advice="Free some space; no partial files were left behind.",
            ) from error
        if self.hub.startswith("https:") and not reply.url.startswith("https:"):
            raise ModelFormat(
                self.model.repository, f"{self._host} redirects to an unencrypted address ({reply.url[:100]})."
            )
        return reply

    @property
    def _host(self) -> str:
        return urlsplit(self.hub).hostname or self.hub

    def _good(self, reply: Reply, path: str) -> None:
        status = reply.status
        if 200 <= status < 300:
            return
        if status in (401, 403):
            raise InputError(
                f"{self._host} has no public model {self.model.repository} ({status}).",
                advice="Check its spelling; a restricted model has to be downloaded by hand and added with "
                "`inquest models add FOLDER`.",
            )
        if status in (404, 410):
            raise self._lacks(path)
        raise ModelUnavailable(
            self.model.repository, f"{self._host} answered with status {status}.", advice="Try again later."
        )

    def _lacks(self, path: str) -> InputError:
        there = sorted(each for each in self.files if each.endswith(".onnx"))
        if path.endswith(".onnx") and there:
            advice = f"It has: {', '.join(there[:8])}; choose one with --file."
        elif path.endswith(".onnx"):
            advice = "Choose a model that is published as ONNX, or export it and take it in with `inquest models add`."
        else:
            advice = "Check the name and the revision, or choose a model that has one."
        return InputError(f"{self.model.repository} at {self.model.revision} has no {path}.", advice=advice)

    def _too_large(self, path: str, largest: int) -> InputError:
        return InputError(
            f"{path} of {self.model.repository} is larger than {largest / 1e6:,.0f} MB, which is over the limit.",
            advice="Choose a quantised file with --file, or a smaller model.",
        )


class _OnDisk:
    """A sink that writes and hashes."""

    def __init__(self, file: BinaryIO, progress: Callable[[int, int | None], None], size: int | None) -> None:
        self._file, self._progress, self._size = file, progress, size
        self._done, self.digest = 0, hashlib.sha256()

    def begin(self, size: int | None) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._done, self.digest = 0, hashlib.sha256()
        self._size = size if size is not None else self._size
        self._progress(0, self._size)

    def write(self, piece: bytes) -> None:
        self._file.write(piece)
        self.digest.update(piece)
        self._done += len(piece)
        self._progress(self._done, self._size)


def _blob(about: Mapping[str, Any]) -> tuple[int | None, str | None]:
    """The size and SHA-256 of a file by the hub's description."""
    lfs = about.get("lfs")
    lfs = lfs if isinstance(lfs, dict) else {}
    size, digest = lfs.get("size", about.get("size")), lfs.get("sha256")
    known = isinstance(digest, str) and re.fullmatch(r"[0-9a-f]{64}", digest)
    return size if isinstance(size, int) and not isinstance(size, bool) else None, str(digest) if known else None


def _languages(said: object) -> tuple[str, ...] | None:
    """The languages of the model card; () for any; None for unknown."""
    listed = [said] if isinstance(said, str) else said
    if not isinstance(listed, list) or not listed or not all(isinstance(each, str) for each in listed):
        return None
    if "multilingual" in listed or not all(re.fullmatch(r"[a-z]{2,3}", each) for each in listed):
        return ()
    return tuple(listed)
