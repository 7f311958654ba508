"""The files of a model: their folder, their manifest, and checks of their integrity."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inquest.domain.errors import InputError

WEIGHTS, TOKENS, MANIFEST = "model.onnx", "tokenizer.json", "model.toml"
KINDS = ("stance", "sentences")
STANCES = ("contradicts", "neutral", "supports")
_FEWEST_TOKENS, _MOST_TOKENS, _LARGEST_VECTOR = 16, 8192, 2**16
_MUST = {
    "kind": 'a text, "stance" or "sentences"',
    "labels": "a list of texts",
    "languages": "a list of texts",
    "max_tokens": f"a whole number from {_FEWEST_TOKENS} to {_MOST_TOKENS}",
    "claim_first": "true or false",
    "size": f"a whole number from 1 to {_LARGEST_VECTOR}",
    "sha256": "a table with a text for each file",
}
"""The required types of manifest values that are not plain text."""
_ADVICE = "Make the folder with `inquest models add`, or set the line right."


@dataclass(frozen=True)
class ModelFiles:
    """A folder with weights, tokenizer and manifest."""

    folder: Path
    name: str
    kind: str
    """stance or sentences."""
    labels: tuple[str, ...] = ()
    """The stance of each of its scores, in their order."""
    languages: tuple[str, ...] = ()
    """ISO 639-1; empty: any."""
    max_tokens: int = 192
    """Limit for both texts together; the rest is not read."""
    claim_first: bool = True
    """True if the claim is its first text; inference models read the premise, the passage, first."""
    size: int = 0
    """Numbers in a vector, for an encoder."""
    hashes: Mapping[str, str] | None = field(default=None, compare=False)
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
        """Size of weights and tokenizer together; 0 if they are missing."""
        return sum(path.stat().st_size for path in (self.weights, self.tokens) if path.is_file())

    def missing(self) -> str | None:
        """The missing file, as a sentence, or None; a cheap check."""
        for path in (self.weights, self.tokens):
            if not path.is_file():
                return f"{path.name} is missing"
            if not path.stat().st_size:
                return f"{path.name} is empty"
        return None

    def faults(self) -> list[str]:
        """The fault of each file, as sentences; compares known hashes. Reads every byte."""
        found = []
        for path in (self.weights, self.tokens):
            if not path.is_file():
                found.append(f"{path.name} is missing")
                continue
            wanted = (self.hashes or {}).get(path.name)
            try:
                same = wanted is None or sha256(path) == wanted.lower()
            except OSError as error:
                found.append(f"{path.name} cannot be read ({error.strerror})")
                continue
            if not same:
                found.append(f"{path.name} is not the file that the manifest names (its SHA-256 differs)")
        return found

    @property
    def verifiable(self) -> bool:
        """True if the manifest has the hashes of both files."""
        return {WEIGHTS, TOKENS} <= set(self.hashes or {})


def model_files(folder: Path) -> ModelFiles:
    """The model in a folder. Raises InputError if the manifest is missing or unusable."""
    path = folder / MANIFEST
    try:
        said = tomllib.loads(path.read_text("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(
            f"{folder} contains no model: {MANIFEST} is missing.",
            advice="Add a model with `inquest models add FOLDER`.",
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}.", advice=_ADVICE) from error
    try:
        found = _Manifest.model_validate(said)
    except ValidationError as error:
        field = str(error.errors()[0]["loc"][0])
        raise _wrong(path, f"{field} must be {_MUST.get(field, 'a text')}") from error
    if found.kind == "stance" and sorted(found.labels) != sorted(STANCES):
        raise _wrong(path, f"labels must be {list(STANCES)}, in the order of its scores")
    if found.kind == "sentences" and not found.size:
        raise _wrong(path, f"size must be {_MUST['size']}")
    fields = found.model_dump() | {"name": found.name or folder.name, "hashes": found.sha256}
    fields |= {"labels": tuple(found.labels), "languages": tuple(found.languages)}
    del fields["sha256"]
    return ModelFiles(folder=folder, **fields)


class _Manifest(BaseModel):
    """The known values of a manifest; others are ignored."""

    model_config = ConfigDict(frozen=True, strict=True, str_strip_whitespace=True)

    kind: Literal["stance", "sentences"]
    name: str = ""
    labels: list[str] = []
    languages: list[str] = []
    max_tokens: int = Field(default=192, ge=_FEWEST_TOKENS, le=_MOST_TOKENS)
    claim_first: bool = True
    size: int = Field(default=0, ge=0, le=_LARGEST_VECTOR)
    sha256: dict[str, str] | None = None
    licence: str = ""
    source: str = ""


def _wrong(path: Path, what: str) -> InputError:
    return InputError(f"{path} does not describe a model: {what}.", advice=_ADVICE)


def bundled(kind: str) -> ModelFiles | None:
    """The model of that kind in the package; None if the package was built without it. Raises InputError."""
    folder = files("inquest.local_models").joinpath(kind)
    with as_file(folder) as path:
        return model_files(path) if (path / MANIFEST).is_file() else None


def sha256(path: Path) -> str:
    """Hash of a file's bytes, in hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
