"""Models of a few hundred bytes, written by hand: ONNX is a protobuf, and a protobuf is numbered fields.

A tiny model adds up a row of numbers for each token of the text, so that its scores are known in advance: each of
`WORDS` has its own row, and the second text's words count like the first's.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import Unigram, WordLevel
from tokenizers.pre_tokenizers import Metaspace, Whitespace
from tokenizers.processors import TemplateProcessing

WORDS: Mapping[str, Sequence[float]] = {
    "[PAD]": (0, 0, 0),
    "[UNK]": (0, 0.1, 0),
    "[CLS]": (0, 0.5, 0),
    "[SEP]": (0, 0, 0),
    "closed": (0, 0, 4),
    "open": (4, 0, 0),
    "plant": (0.25, 0, 0.5),
}
"""The amounts that each word adds to contradicts, neutral, supports."""
ORDER = ("contradicts", "neutral", "supports")
_INT64, _FLOAT = 7, 1


def weights(
    rows: Sequence[Sequence[float]] = tuple(WORDS.values()),
    *,
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    output: str = "logits",
    integers: int = _INT64,
    summed: bool = True,
) -> bytes:
    """The bytes of a model: Gather(rows, input_ids), summed over the tokens. `summed=False`: a score for each token."""
    width = len(rows[0])
    table = _message(
        (1, len(rows)),
        (1, width),
        (2, _FLOAT),
        (8, "rows"),
        (9, b"".join(struct.pack("<f", number) for row in rows for number in row)),
    )
    nodes = [_node("Gather", ["rows", inputs[0]], "looked_up" if summed else output)]
    initial = [(5, table)]
    if summed:
        initial.append((5, _message((1, 1), (2, _INT64), (8, "over"), (9, struct.pack("<q", 1)))))
        # keepdims = 0 (attribute of type INT)
        keep = _message((1, "keepdims"), (3, 0), (20, 2))
        nodes.append(_node("ReduceSum", ["looked_up", "over"], output, keep))
    graph = _message(
        *((1, node) for node in nodes),
        (2, "tiny"),
        *initial,
        *((11, _value(name, integers, ("pairs", "tokens"))) for name in inputs),
        (12, _value(output, _FLOAT, ("pairs", width) if summed else ("pairs", "tokens", width))),
    )
    return _message((1, 8), (7, graph), (8, _message((2, 13))))


def tokenizer(words: Sequence[str] = tuple(WORDS)) -> str:
    """A tokenizer of whole words, in the format of tokenizer.json."""
    made = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    made.post_processor = _template(words)
    return str(made.to_str())


def sentencepiece() -> str:
    """A tokenizer of pieces with scores, as the multilingual models have."""
    pieces = [(word, -float(number)) for number, word in enumerate(WORDS)]
    pieces[4:] = [(f"▁{word}", score) for word, score in pieces[4:]]
    made = Tokenizer(Unigram(pieces, unk_id=1))
    made.pre_tokenizer = Metaspace()
    made.post_processor = _template(tuple(WORDS))
    return str(made.to_str())


def export(
    folder: Path,
    labels: Sequence[str] | None = ("contradiction", "neutral", "entailment"),
    *,
    onnx: bytes | None = None,
    tokens: str | None = None,
    **config: object,
) -> Path:
    """Make a folder in the format of public hubs, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(weights() if onnx is None else onnx)
    (folder / "tokenizer.json").write_text(tokenizer() if tokens is None else tokens, "utf-8")
    said: dict[str, object] = {"max_position_embeddings": 64, **config}
    if labels is not None:
        said["id2label"] = {str(number): label for number, label in enumerate(labels)}
    (folder / "config.json").write_text(json.dumps(said), "utf-8")
    return folder


def _template(words: Sequence[str]) -> TemplateProcessing:
    marks = [(mark, words.index(mark)) for mark in ("[CLS]", "[SEP]")]
    return TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=marks)


def _node(kind: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
    return _message(*((1, name) for name in inputs), (2, output), (4, kind), *((5, each) for each in attributes))


def _value(name: str, form: int, shape: Sequence[str | int]) -> bytes:
    sizes = [_message((2, size) if isinstance(size, str) else (1, size)) for size in shape]
    tensor = _message((1, form), (2, _message(*((1, size) for size in sizes))))
    return _message((1, name), (2, _message((1, tensor))))


def _message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """A protobuf message: each field as its number and kind, then a varint, or a length and bytes."""
    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += _varint(number << 3) + _varint(value)
        else:
            content = value.encode() if isinstance(value, str) else value
            out += _varint(number << 3 | 2) + _varint(len(content)) + content
    return out


def _varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])
