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

WEIGHTS, TOKENS, MANIFEST = "model.onnx", "tokenizer.json", "model.toml"
KINDS = ("stance", "sentences")
STANCES = ("contradicts", "neutral", "supports")
_CHUNK = 2**20
_FEWEST_TOKENS, _MOST_TOKENS = 16, 8192
_ADVICE = "Make the folder with `inquest models add`, or set the line right."


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
    """ISO 639-1; empty: any."""
    max_tokens: int = 192
    """Of both texts together; what is beyond is not read."""
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
        return sum(path.stat().st_size for path in (self.weights, self.tokens) if path.is_file())

    def missing(self) -> str | None:
        """Which file is not there, in words; a look that costs nothing."""
        for path in (self.weights, self.tokens):
            if not path.is_file():
                return f"{path.name} is missing"
            if not path.stat().st_size:
                return f"{path.name} is empty"
        return None

    def faults(self) -> list[str]:
        """What is wrong with each file, in words, by its hash where that is known. Reads every byte."""
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
        """Whether the manifest names the hashes of both files."""
        return {WEIGHTS, TOKENS} <= set(self.hashes or {})


def model_files(folder: Path) -> ModelFiles:
    """The model in a folder. Raises InputError where the manifest is missing or says nothing usable."""
    path = folder / MANIFEST
    try:
        said = tomllib.loads(path.read_text("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(
            f"{folder} holds no model: {MANIFEST} is missing.",
            advice="Take a model in with `inquest models add FOLDER`.",
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}.", advice=_ADVICE) from error
    return _Manifest(path, said).files()


@dataclass(frozen=True)
class _Manifest:
    """What a manifest says, each value being what it has to be."""

    path: Path
    said: Mapping[str, Any]

    def files(self) -> ModelFiles:
        kind = self._text("kind")
        if kind not in KINDS:
            raise self._wrong('kind must be "stance" or "sentences"')
        labels = self._texts("labels")
        if kind == "stance" and sorted(labels) != sorted(STANCES):
            raise self._wrong(f"labels must be {list(STANCES)}, in the order of its scores")
        return ModelFiles(
            folder=self.path.parent,
            name=self._text("name") or self.path.parent.name,
            kind=kind,
            labels=labels,
            languages=self._texts("languages"),
            max_tokens=self._number("max_tokens", 192, _FEWEST_TOKENS, _MOST_TOKENS),
            claim_first=self._truth("claim_first", True),
            size=self._number("size", 0, 1 if kind == "sentences" else 0, 2**16),
            hashes=self._hashes(),
            licence=self._text("licence"),
            source=self._text("source"),
        )

    def _text(self, key: str) -> str:
        value = self.said.get(key, "")
        if not isinstance(value, str):
            raise self._wrong(f"{key} must be a text")
        return value.strip()

    def _texts(self, key: str) -> tuple[str, ...]:
        values = self.said.get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self._wrong(f"{key} must be a list of texts")
        return tuple(values)

    def _number(self, key: str, usual: int, least: int, most: int) -> int:
        value = self.said.get(key, usual)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self._wrong(f"{key} must be a whole number from {least} to {most}")
        return value

    def _truth(self, key: str, usual: bool) -> bool:
        value = self.said.get(key, usual)
        if not isinstance(value, bool):
            raise self._wrong(f"{key} must be true or false")
        return value

    def _hashes(self) -> Mapping[str, str] | None:
        values = self.said.get("sha256")
        if values is None:
            return None
        if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
            raise self._wrong("[sha256] must give a text for each file")
        return dict(values)

    def _wrong(self, what: str) -> InputError:
        return InputError(f"{self.path} does not describe a model: {what}.", advice=_ADVICE)


def bundled(kind: str) -> ModelFiles | None:
    """The model of that kind in the package; None where the package was built without it. Raises InputError."""
    folder = files("inquest.local_models").joinpath(kind)
    with as_file(folder) as path:
        return model_files(path) if (path / MANIFEST).is_file() else None


def sha256(path: Path) -> str:
    """Of a file's bytes, in hexadecimal. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
