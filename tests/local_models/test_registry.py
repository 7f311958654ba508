"""The models of a data folder: complete, tested, with their hashes; or absent."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inquest.domain.errors import InputError, NotFound, StorageError
from inquest.local_models import registry as registry_module
from inquest.local_models.exports import GivenLabels
from inquest.local_models.files import model_files, sha256
from inquest.local_models.registry import ModelRegistry
from tests.local_models import tiny


@pytest.fixture
def registry(tmp_path: Path) -> ModelRegistry:
    return ModelRegistry(tmp_path / "models")


def left_of(registry: ModelRegistry) -> list[str]:
    return sorted(os.listdir(registry.folder)) if registry.folder.exists() else []


def test_a_published_folder_becomes_a_model_with_manifest_and_hashes(registry: ModelRegistry, tmp_path: Path) -> None:
    folder = tiny.export(tmp_path / "tiny", ("entailment", "neutral", "contradiction"))
    (folder / "README.md").write_text("not wanted")
    added = registry.add(folder, "mine", GivenLabels(licence="MIT"))
    assert sorted(os.listdir(added.folder)) == ["model.onnx", "model.toml", "tokenizer.json"]
    found = registry.model("mine")
    assert found == added
    assert found.labels == ("supports", "neutral", "contradicts")
    assert (found.claim_first, found.max_tokens, found.languages, found.licence) == (False, 64, ("en",), "MIT")
    assert found.hashes == {name: sha256(folder / name) for name in ("model.onnx", "tokenizer.json")}
    assert found.verifiable and found.faults() == [] and registry.names() == ["mine"]


def test_a_model_of_ours_keeps_what_its_manifest_says(registry: ModelRegistry, tmp_path: Path) -> None:
    first = registry.add(
        tiny.export(tmp_path / "t"), "one", GivenLabels(claim_first=True, languages=["de"], source='a "b" \\ é 🙂')
    )
    second = registry.add(first.folder, "two", GivenLabels())
    assert (second.claim_first, second.languages, second.source) == (True, ("de",), 'a "b" \\ é 🙂')


@pytest.mark.parametrize(
    ("config", "tokens", "languages"),
    [
        ({"max_position_embeddings": 512, "model_type": "deberta-v2", "vocab_size": 128100}, 512, ("en",)),
        ({"max_position_embeddings": 514, "model_type": "xlm-roberta", "vocab_size": 250002}, 512, ()),
        ({"max_position_embeddings": 130, "model_type": "roberta"}, 128, ("en",)),
        ({"max_position_embeddings": 8192, "_name_or_path": "x/multilingual-MiniLM"}, 512, ()),
        ({"max_position_embeddings": -1}, 512, ("en",)),
        ({"max_position_embeddings": "many"}, 512, ("en",)),
    ],
)
def test_how_much_it_reads_and_in_which_languages(
    config: dict[str, Any], tokens: int, languages: tuple[str, ...], registry: ModelRegistry, tmp_path: Path
) -> None:
    folder = tiny.export(tmp_path / "t", **config)
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 1e30}')
    added = registry.add(folder, "m", GivenLabels())
    assert (added.max_tokens, added.languages) == (tokens, languages)


def _write(name: str, content: str | bytes) -> Callable[[Path], object]:
    data = content.encode() if isinstance(content, str) else content
    return lambda folder: (folder / name).write_bytes(data)


def _emptied(folder: Path) -> None:
    for each in folder.iterdir():
        each.unlink()


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing there": (_emptied, "has no model.onnx"),
    "no tokenizer": (lambda folder: (folder / "tokenizer.json").unlink(), "has no tokenizer.json"),
    "no config": (lambda folder: (folder / "config.json").unlink(), "has no config.json"),
    "config is a page": (_write("config.json", "<html>"), "config.json is not JSON"),
    "config is a list": (_write("config.json", "[]"), "config.json is not a JSON object"),
    "two classes": (_write("config.json", '{"id2label": {"0": "yes", "1": "no"}}'), "two scores"),
    "truncated": (_write("model.onnx", tiny.weights()[:-40]), "not a model that can be run"),
    "weights empty": (_write("model.onnx", b""), "model.onnx is empty"),
    "another's tokenizer": (
        _write("tokenizer.json", tiny.tokenizer([*tiny.WORDS, *(f"w{n}" for n in range(500))])),
        "is another model's: its 507 words",
    ),
    "a reranker": (
        _write("model.onnx", tiny.weights([[1.0]] * 7)),
        "answers with 1 numbers per text, but 3 are needed",
    ),
    "scores for tokens": (_write("model.onnx", tiny.weights(summed=False)), "x 3 numbers per text"),
    "wants more": (_write("model.onnx", tiny.weights(inputs=["input_ids", "pixels"])), "the input pixels"),
    "a manifest that lies": (_write("model.toml", 'kind = "stance"\nlabels = "all"'), "labels must be a list"),
    "a manifest with other hashes": (
        _write(
            "model.toml",
            'kind = "stance"\nlabels = ["neutral", "supports", "contradicts"]\n[sha256]\n"model.onnx" = "00"\n',
        ),
        "is damaged: model.onnx is not the file",
    ),
    "a manifest of another kind": (_write("model.toml", 'kind = "sentences"\nsize = 384\n'), "but 384 are needed"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_model_is_refused_in_one_sentence_and_leaves_nothing(
    case: str, registry: ModelRegistry, tmp_path: Path
) -> None:
    damage, sentence = WRONG[case]
    folder = tiny.export(tmp_path / "tiny")
    damage(folder)
    with pytest.raises(InputError, match=sentence) as met:
        registry.add(folder, "mine", GivenLabels())
    assert "\n" not in met.value.sentence and met.value.advice
    assert left_of(registry) == [] and registry.names() == []


@pytest.mark.parametrize("name", ["none", "package", "../up", "a/b", "", ".hidden", "x" * 100, "a\nb", "dot."])
def test_some_names_are_no_names(name: str, registry: ModelRegistry, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be a model's name"):
        registry.add(tiny.export(tmp_path / "tiny"), name, GivenLabels())


def test_a_name_is_given_once(registry: ModelRegistry, tmp_path: Path) -> None:
    folder = tiny.export(tmp_path / "tiny")
    registry.add(folder, "mine", GivenLabels())
    with pytest.raises(InputError, match="already a model 'mine'"):
        registry.add(folder, "mine", GivenLabels())


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
def test_stopped_half_way_nothing_stays(stop: BaseException, registry: ModelRegistry, tmp_path: Path) -> None:
    def stopped(name: str, done: int, size: int | None) -> None:
        if name == "tokenizer.json":
            raise stop

    expected = StorageError if isinstance(stop, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        registry.add(tiny.export(tmp_path / "tiny"), "mine", GivenLabels(), progress=stopped)
    assert left_of(registry) == []


def test_what_a_crash_left_is_no_model_and_is_cleared_away_after_a_day(registry: ModelRegistry, tmp_path: Path) -> None:
    old, new = registry.folder / ".part-old", registry.folder / ".part-new"
    for part in (old, new):
        part.mkdir(parents=True)
        (part / "model.onnx").write_bytes(b"half")
    for path in (old / "model.onnx", old):
        os.utime(path, (0, 0))
    assert registry.names() == []
    registry.add(tiny.export(tmp_path / "tiny"), "mine", GivenLabels())
    assert left_of(registry) == [".part-new", "mine"]


def test_a_file_larger_than_is_taken_in_is_refused_before_it_is_copied(
    registry: ModelRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry_module, "LARGEST", 100)
    with pytest.raises(InputError, match="is larger than"):
        registry.add(tiny.export(tmp_path / "tiny"), "mine", GivenLabels())
    assert left_of(registry) == []


def test_a_model_is_removed_whole(registry: ModelRegistry, tmp_path: Path) -> None:
    registry.add(tiny.export(tmp_path / "tiny"), "mine", GivenLabels())
    registry.remove("mine")
    assert left_of(registry) == []
    with pytest.raises(NotFound, match="no model 'mine'"):
        registry.remove("mine")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kind = 3", "kind must be a text"),
        ('kind = "chat"', "kind must be"),
        ('kind = "stance"', "labels must be"),
        ('kind = "sentences"', "size must be a whole number"),
        ('kind = "sentences"\nsize = 384\nmax_tokens = "all"', "max_tokens must be a whole number"),
        ('kind = "sentences"\nsize = 384\nlanguages = "en"', "languages must be a list"),
        ('kind = "sentences"\nsize = 384\nclaim_first = "no"', "claim_first must be true or false"),
        ('kind = "sentences"\nsize = 384\n[sha256]\nx = 1', "sha256"),
        ("kind = ", "is not TOML"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_named(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=sentence):
        model_files(tmp_path)
