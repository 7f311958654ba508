"""The files of a model: what lies beside each other, what the manifest says of them, and whether they are whole."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from inquest.domain.errors import InputError

__all__ = ["ModelFiles", "bundled", "model_files"]

WEIGHTS, TOKENS, MANIFEST = "model.onnx", "tokenizer.json", "model.toml"
_LABELS = ("contradicts", "neutral", "supports")
_CHUNK = 2**20


@dataclass(frozen=True)
class ModelFiles:
    """A folder with weights, tokenizer and manifest."""

    folder: Path
    name: str
    kind: str
    """stance or sentences."""
    labels: tuple[str, ...] = ()
    """Which stance each of its scores is of, in its own order."""
    languages: tuple[str, ...] = ()
    max_tokens: int = 192
    claim_first: bool = True
    """Whether the claim is its first text; models made for inference read the premise, the passage, first."""
    size: int = 0
    """Numbers in a vector, of an encoder."""
    hashes: Mapping[str, str] | None = None
    """SHA-256 by file name; None: not known."""
    licence: str = ""
    source: str = ""

    @property
    def weights(self) -> Path:
        return self.folder / WEIGHTS

    @property
    def tokens(self) -> Path:
        return self.folder / TOKENS

    @property
    def bytes(self) -> int:
        """Size of weights and tokenizer together; 0 where they are not there."""
        return sum(path.stat().st_size for path in (self.weights, self.tokens) if path.exists())

    def damaged(self) -> str | None:
        """What is wrong with the files, in words; None: they are there, and as they were made where that is known."""
        for path in (self.weights, self.tokens):
            if not path.is_file():
                return f"{path.name} is missing"
            wanted = (self.hashes or {}).get(path.name)
            if wanted and _sha256(path) != wanted:
                return f"{path.name} is not the file that the manifest names (its SHA-256 differs)"
        return None


def model_files(folder: Path) -> ModelFiles:
    """The model in a folder. Raises InputError where the manifest is missing or says nothing usable."""
    path = folder / MANIFEST
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(
            f"{folder} holds no model: {MANIFEST} is missing.", advice="Point to a folder made by `inquest models`."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error
    return _checked(folder, said)


def _checked(folder: Path, said: Mapping[str, Any]) -> ModelFiles:
    kind = str(said.get("kind", ""))
    labels = tuple(str(label) for label in said.get("labels", ()))
    if kind not in ("stance", "sentences"):
        raise InputError(f'{folder / MANIFEST} names no kind of model: write kind = "stance" or "sentences".')
    if kind == "stance" and sorted(labels) != sorted(_LABELS):
        raise InputError(
            f"{folder / MANIFEST} must say which of its scores is which: labels = {list(_LABELS)}, in its own order."
        )
    hashes = said.get("sha256")
    return ModelFiles(
        folder=folder,
        name=str(said.get("name") or folder.name),
        kind=kind,
        labels=labels,
        languages=tuple(str(language) for language in said.get("languages", ())),
        max_tokens=int(said.get("max_tokens", 192)),
        claim_first=bool(said.get("claim_first", True)),
        size=int(said.get("size", 0)),
        hashes={str(name): str(value) for name, value in hashes.items()} if isinstance(hashes, dict) else None,
        licence=str(said.get("licence", "")),
        source=str(said.get("source", "")),
    )


def bundled(kind: str) -> ModelFiles | None:
    """The model of that kind in the package; None where the package was built without it."""
    folder = files("inquest.local_models").joinpath(kind)
    with as_file(folder) as path:
        return model_files(path) if (path / MANIFEST).is_file() else None


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
