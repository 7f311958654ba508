"""The models of a data folder: added completely or not at all, listed, removed."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from inquest.domain.errors import InputError, InquestError, NotFound, StorageError
from inquest.local_models.exports import GivenLabels, described
from inquest.local_models.files import MANIFEST, TOKENS, WEIGHTS, ModelFiles, model_files
from inquest.local_models.running import tried_out
from inquest.text.regex import regex

LARGEST = 2 * 10**9
"""Maximum size of one file in bytes, as limited by ONNX."""
RESERVED = ("none", "package")
_NAME = regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_PART = ".part-"
_ABANDONED = 24 * 3600.0
"""Seconds after which incomplete folders left by an interruption are deleted."""
_CHUNK = 2**20

Progress = Callable[[str, int, int | None], None]
"""Receives the file's name, the bytes done, and the total if known."""


class ModelRegistry:
    """The folder that holds a folder for each model."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> list[str]:
        """The names of the complete models in the folder."""
        try:
            return sorted(each.name for each in self.folder.iterdir() if each.is_dir() and _NAME.fullmatch(each.name))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def model(self, name: str) -> ModelFiles:
        """A model by its name. Raises NotFound; InputError if its manifest is unusable."""
        if name not in self.names():
            known = self.names()
            raise NotFound(
                f"There is no model '{name}' in {self.folder}.",
                advice=f"Models: {', '.join(known)}." if known else "Add one with `inquest models add FOLDER`.",
            )
        return replace(model_files(self.folder / name), name=name)

    def free(self, name: str) -> None:
        """Raises InputError if the name is invalid for a model, or already in use."""
        if not _NAME.fullmatch(name) or name in RESERVED or name.endswith("."):
            raise InputError(
                f"'{name}' cannot be a model's name.", advice="Use letters, digits, dots, dashes: --name NAME."
            )
        if name in self.names():
            raise InputError(
                f"There is already a model '{name}'.",
                advice=f"Remove it (`inquest models remove {name}`) or choose another name with --name.",
            )

    @contextmanager
    def room(self) -> Iterator[Path]:
        """A temporary folder for making a model, beside the models; it is always deleted at the end. Raises
        StorageError."""
        with _written(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._clear_abandoned()
            part = Path(tempfile.mkdtemp(dir=self.folder, prefix=_PART))
        try:
            yield part
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def add(self, folder: Path, name: str, said: GivenLabels, *, progress: Progress = lambda *_: None) -> ModelFiles:
        """Copy a model into the folder, test it, and give it its name. Raises InputError, ModelUnavailable,
        StorageError."""
        self.free(name)
        found = described(folder, name, said)
        for path in (found.weights, found.tokens):
            if path.stat().st_size > LARGEST:
                raise InputError(f"{path} is larger than {LARGEST / 1e9:g} GB, the limit for one file.")
        wrong = found.faults()
        if wrong:
            raise InputError(f"The model in {folder} is damaged: {wrong[0]}.", advice="Copy it again.")
        with self.room() as part:
            hashes = {path.name: _copied(path, part / path.name, progress) for path in (found.weights, found.tokens)}
            return self.take(replace(found, folder=part, hashes=hashes))

    def take(self, files: ModelFiles) -> ModelFiles:
        """Test a model in a `room`, write its manifest, and move it to its final place under its name. Raises
        InputError, ModelUnavailable, StorageError."""
        tried_out(files)
        self.free(files.name)
        place = self.folder / files.name
        with _written(self.folder):
            (files.folder / MANIFEST).write_text(manifest(files), "utf-8")
            for each in files.folder.iterdir():
                if each.name not in (WEIGHTS, TOKENS, MANIFEST):
                    each.unlink()
            files.folder.chmod(0o755)
            files.folder.rename(place)
        return replace(files, folder=place)

    def remove(self, name: str) -> None:
        """Remove a model. Raises NotFound, StorageError."""
        if name not in self.names():
            self.model(name)
        # Renamed first, so that a model with only some of its files never appears.
        with _written(self.folder):
            going = Path(tempfile.mkdtemp(dir=self.folder, prefix=_PART))
            (self.folder / name).rename(going / name)
            shutil.rmtree(going)

    def _clear_abandoned(self) -> None:
        for part in self.folder.glob(f"{_PART}*"):
            with suppress(FileNotFoundError):
                newest = max((each.stat().st_mtime for each in (part, *part.iterdir())), default=0.0)
                if time.time() - newest > _ABANDONED:
                    shutil.rmtree(part, ignore_errors=True)


def manifest(files: ModelFiles) -> str:
    """The contents of `model.toml` for a model. JSON texts, lists and numbers are also valid TOML."""
    said: dict[str, object] = {"name": files.name, "kind": files.kind}
    if files.kind == "stance":
        said |= {"labels": list(files.labels), "claim_first": files.claim_first}
    else:
        said["size"] = files.size
    said |= {"languages": list(files.languages), "max_tokens": files.max_tokens}
    said |= {"licence": _plain(files.licence), "source": _plain(files.source)}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in said.items()]
    lines += ["", "[sha256]", *(f'"{name}" = "{value}"' for name, value in (files.hashes or {}).items())]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """The text on one line, with only characters that TOML allows."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())[:500]


def _copied(source: Path, target: Path, progress: Progress) -> str:
    """Copy a file and return its SHA-256."""
    digest, done = hashlib.sha256(), 0
    with _written(target.parent):
        size = source.stat().st_size
        with source.open("rb") as reading, target.open("wb") as writing:
            while chunk := reading.read(_CHUNK):
                digest.update(chunk)
                writing.write(chunk)
                done += len(chunk)
                progress(target.name, done, size)
    return digest.hexdigest()


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    try:
        yield
    except InquestError:
        raise
    except OSError as error:
        raise StorageError(
            f"The models folder {folder} cannot be written ({error.strerror or error}).",
            advice="Free some space or check its permissions; no partial files were left behind.",
        ) from error
