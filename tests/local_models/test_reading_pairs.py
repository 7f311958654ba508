"""Reading pairs: the same pair gets the same numbers, whatever is beside it; a broken model is one outage."""

from __future__ import annotations

import builtins
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import ModelUnavailable
from inquest.local_models.encoders import CrossEncoder, VectorEncoder
from inquest.local_models.exports import GivenLabels, described
from inquest.local_models.files import ModelFiles, bundled
from inquest.local_models.running import LoadedModel
from tests.local_models import tiny

PAIRS = [(f"the plant is {word}", f"{word} number {n}") for n in range(15) for word in ("open", "closed", "there")]
ODD = [
    "",
    " ",
    "\x00\x01",
    "\u202eclosed",
    "🙂🙂",
    "\ud800",
    "x\udfff open",
    "ا" * 50,
    "closed " * 20_000,
    "a" * 100_000,
]


@pytest.fixture
def files(tmp_path: Path) -> ModelFiles:
    return described(tiny.export(tmp_path / "tiny"), "tiny", GivenLabels())


def test_the_scores_are_put_in_order_by_the_labels(tmp_path: Path) -> None:
    turned = [[row[2], row[0], row[1]] for row in tiny.WORDS.values()]
    other = tiny.export(tmp_path / "b", ("entailment", "contradiction", "neutral"), onnx=tiny.weights(turned))
    usual = CrossEncoder(described(tiny.export(tmp_path / "a"), "a", GivenLabels()))
    assert CrossEncoder(described(other, "b", GivenLabels())).read(PAIRS) == usual.read(PAIRS)
    (open_, closed, _) = usual.read(PAIRS[:3])
    assert open_.contradicts > 0.9 and closed.supports > 0.9


def test_a_pair_is_given_the_same_alone_in_a_batch_in_another_order_and_after_others(files: ModelFiles) -> None:
    alone = [CrossEncoder(files, threads=1).read([pair])[0] for pair in PAIRS]
    assert CrossEncoder(files, threads=4).read(PAIRS) == alone
    turned = list(reversed(PAIRS))
    assert CrossEncoder(files, threads=2).read(turned) == alone[::-1]
    forgetful = CrossEncoder(files, threads=2, kept=0)
    forgetful.read(PAIRS)
    assert forgetful.read(PAIRS) == alone


def test_the_packages_encoder_gives_the_same_bits_alone_and_beside_others() -> None:
    mine = bundled("sentences")
    assert mine is not None
    texts = ["The plant closed in 2019.", "A short one.", "The river rose by two metres in one night.", "", "🙂"] * 4
    encoder = VectorEncoder(mine, threads=2)
    together = encoder.encode(texts)
    assert together == [encoder.encode([text])[0] for text in texts]
    assert {len(vector) for vector in together} == {4 * mine.size}


def test_which_text_goes_first_is_the_models_own_matter(tmp_path: Path) -> None:
    """When cut to 16 tokens, the longer text is shortened; nothing else shows the order in a model that only adds
    up."""
    read: list[Any] = []

    class Listening(LoadedModel):
        def run(self, texts: Any) -> Any:
            read.extend(texts)
            return super().run(texts)

    for claim_first in (False, True):
        files = described(tiny.export(tmp_path / str(claim_first)), "tiny", GivenLabels(claim_first=claim_first))
        encoder = CrossEncoder(files)
        encoder._model = Listening(files, threads=1)
        encoder.read([("claim", "passage")])
    assert read == [("passage", "claim"), ("claim", "passage")]


def test_odd_texts_are_read_like_any_other(files: ModelFiles) -> None:
    encoder = CrossEncoder(files)
    for meaning in encoder.read([(odd, "closed") for odd in ODD] + [("closed", odd) for odd in ODD]):
        assert sum(meaning) == pytest.approx(1, abs=2e-4)


@given(st.text(st.characters(codec=None), max_size=60), st.text(st.characters(codec=None), max_size=60))
def test_any_two_texts_are_a_pair(claim: str, passage: str) -> None:
    (meaning,) = _shared().read([(claim, passage)])
    assert sum(meaning) == pytest.approx(1, abs=2e-4)


_made: list[CrossEncoder] = []


def _shared() -> CrossEncoder:
    if not _made:
        import tempfile

        folder = Path(tempfile.mkdtemp())
        _made.append(CrossEncoder(described(tiny.export(folder / "tiny"), "tiny", GivenLabels())))
    return _made[0]


def test_what_was_read_is_remembered_up_to_a_bound_and_the_oldest_goes_first(files: ModelFiles) -> None:
    encoder = CrossEncoder(files, kept=3)
    ran: list[int] = []
    run = encoder._model.run
    encoder._model.run = lambda texts: ran.append(len(texts)) or run(texts)  # type: ignore[method-assign, func-returns-value]
    encoder.read([("a", "1"), ("a", "2"), ("a", "3")])
    encoder.read([("a", "1")])  # used again: "2" is now the oldest
    encoder.read([("a", "4")])
    assert len(encoder._kept) == 3 and ran == [3, 1]
    encoder.read([("a", "1"), ("a", "3"), ("a", "4")])
    assert ran == [3, 1]
    encoder.read([("a", "2")])
    assert ran == [3, 1, 1]
    encoder.read([("b", str(n)) for n in range(10)])
    assert len(encoder._kept) == 3


def test_a_pair_that_comes_twice_is_read_once(files: ModelFiles) -> None:
    encoder = CrossEncoder(files)
    first, second = encoder.read([("a", "open"), ("a", "open")])
    assert first == second and len(encoder._kept) == 1


def test_no_two_pairs_are_taken_for_one_another(files: ModelFiles) -> None:
    encoder = CrossEncoder(files)
    encoder.read([("a\0b", "c"), ("a", "b\0c"), ("ab", "c"), ("a", "bc")])
    assert len(encoder._kept) == 4


def test_many_threads_load_it_once_and_read_the_same(files: ModelFiles) -> None:
    encoder, start = CrossEncoder(files, threads=2), threading.Barrier(8)
    right = CrossEncoder(files, threads=1).read(PAIRS)
    loads: list[int] = []
    load = encoder._model._load
    encoder._model._load = lambda: loads.append(1) or load()  # type: ignore[method-assign, func-returns-value]

    def read(seed: int) -> bool:
        order = list(range(len(PAIRS)))
        random.Random(seed).shuffle(order)
        start.wait(30)
        return encoder.read([PAIRS[n] for n in order]) == [right[n] for n in order]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(read, range(8)))
    assert loads == [1]


def _cut(folder: Path) -> None:
    whole = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(whole[: len(whole) // 2])


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "truncated": (_cut, "model.onnx is not a model that can be run"),
    "empty": (lambda folder: (folder / "model.onnx").write_bytes(b""), "model.onnx is empty"),
    "no weights": (lambda folder: (folder / "model.onnx").unlink(), "model.onnx is missing"),
    "a page": (
        lambda folder: (folder / "model.onnx").write_text("<html>Not found</html>"),
        "not a model that can be run",
    ),
    "no tokenizer": (lambda folder: (folder / "tokenizer.json").unlink(), "tokenizer.json is missing"),
    "a list": (lambda folder: (folder / "tokenizer.json").write_text("[]"), "tokenizer.json is not a tokenizer"),
    "images": (lambda folder: (folder / "model.onnx").write_bytes(tiny.weights(inputs=["pixels"])), "the input pixels"),
    "a reranker": (
        lambda folder: (folder / "model.onnx").write_bytes(tiny.weights([[1.0]] * len(tiny.WORDS))),
        r"the shape \[1\] instead of three",
    ),
    "fewer words": (
        lambda folder: (folder / "model.onnx").write_bytes(tiny.weights([[0.0, 1.0, 0.0]] * 3)),
        "it fails on a text",
    ),
    "no numbers": (
        lambda folder: (folder / "model.onnx").write_bytes(tiny.weights([[float("nan")] * 3] * len(tiny.WORDS))),
        "is not a number",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_cannot_be_used_says_why_and_what_to_do(case: str, files: ModelFiles) -> None:
    damage, sentence = BROKEN[case]
    damage(files.folder)
    encoder = CrossEncoder(files)
    for _ in range(2):  # and raises the same error again
        with pytest.raises(ModelUnavailable, match=sentence) as met:
            encoder.read([("open", "closed")])
        assert "\n" not in met.value.sentence and "inquest models" in met.value.advice


def test_an_encoder_of_another_size_is_no_encoder(files: ModelFiles) -> None:
    with pytest.raises(ModelUnavailable, match=r"the shape \[3\] instead of 384"):
        VectorEncoder(replace(files, kind="sentences", size=384)).encode(["open"])


@pytest.mark.parametrize("absent", ["onnxruntime", "tokenizers"])
def test_without_the_runtime_there_is_an_outage_and_no_crash(
    absent: str, files: ModelFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def lacking(name: str, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] == absent:
            raise ImportError(f"No module named '{absent}'")
        return real(name, *rest, **named)

    monkeypatch.delitem(sys.modules, absent, raising=False)
    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(ModelUnavailable, match=f"cannot run local models.*{absent}") as met:
        CrossEncoder(files).read([("a", "b")])
    assert "rules judge alone" in met.value.advice


def test_a_model_of_32_bit_numbers_without_a_mask_and_with_pieces_is_read_too(tmp_path: Path) -> None:
    folder = tiny.export(
        tmp_path / "m", onnx=tiny.weights(inputs=["input_ids"], integers=6), tokens=tiny.sentencepiece()
    )
    (meaning,) = CrossEncoder(described(folder, "m", GivenLabels())).read([("plant", "closed")])
    assert meaning.supports > 0.9


_FIRST_OF = """
import sys
seen = []
class Watch:
    def find_spec(self, name, path=None, target=None):
        seen.append(name)
sys.meta_path.insert(0, Watch())
from pathlib import Path
from inquest.local_models.exports import GivenLabels, described
from inquest.local_models.running import LoadedModel
LoadedModel(described(Path(sys.argv[1]), "m", GivenLabels()), threads=1).load()
print(seen.index("numpy") < seen.index("onnxruntime.capi"))
"""


def test_numpy_is_whole_before_the_runtime_asks_for_a_part_of_it(tmp_path: Path) -> None:
    """Two threads that import it at once, one from the top and one from below, break it."""
    folder = tiny.export(tmp_path / "m")
    done = subprocess.run([sys.executable, "-c", _FIRST_OF, str(folder)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"]
