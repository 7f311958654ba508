"""Write a trained model as int8 ONNX with tokenizer and manifest: `python training/stance_model/export.py TRAINED OUT`.

Weights are int8, per channel; activations are quantised at run time (dynamic quantisation). `--sentences`: a sentence
encoder, whose vector is the normalised mean of its tokens' vectors, as defined by sentence-transformers.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import hashlib
import tempfile
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process
from tokenizers import Tokenizer
from transformers import BertForSequenceClassification, BertModel

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
SAMPLE = torch.tensor([[101, 2000, 2001, 102, 2002, 102], [101, 2003, 102, 2004, 2005, 102]])
STANCE = """name = "minilm-l6-stance-int8"
kind = "stance"
labels = ["contradicts", "neutral", "supports"]
claim_first = true
languages = ["en"]
max_tokens = 192
licence = "Apache-2.0"
source = "trained from all-MiniLM-L6-v2 (Apache-2.0) by training/stance_model; its README is the model card"
"""
SENTENCES = """name = "minilm-l6-sentences-int8"
kind = "sentences"
size = 384
languages = ["en"]
max_tokens = 256
licence = "Apache-2.0"
source = "sentence-transformers/all-MiniLM-L6-v2, as it is, its weights as int8 (training/stance_model/export.py --sentences)"
"""  # noqa: E501


class Stances(torch.nn.Module):
    """The scores of the three stances."""

    output = "logits"

    def __init__(self, trained: Path) -> None:
        super().__init__()
        self.model = BertForSequenceClassification.from_pretrained(trained, attn_implementation="eager")

    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).logits


class Sentences(torch.nn.Module):
    """The vector of a text, of length 1."""

    output = "vector"

    def __init__(self, trained: Path) -> None:
        super().__init__()
        self.model = BertModel.from_pretrained(trained, attn_implementation="eager")

    def forward(self, input_ids, attention_mask, token_type_ids):
        found = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        states = found.last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        return torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1).clamp(min=1e-9), dim=1)


def export(model: torch.nn.Module, target: Path) -> None:
    """Write the model as int8 ONNX."""
    axes = {name: {0: "pairs", 1: "tokens"} for name in INPUTS} | {model.output: {0: "pairs"}}
    with tempfile.TemporaryDirectory() as folder:
        plain, ready = Path(folder) / "plain.onnx", Path(folder) / "ready.onnx"
        torch.onnx.export(
            model.eval(),
            (SAMPLE, torch.ones_like(SAMPLE), torch.zeros_like(SAMPLE)),
            plain,
            input_names=list(INPUTS),
            output_names=[model.output],
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )
        quant_pre_process(plain, ready, skip_symbolic_shape=True)
        quantize_dynamic(ready, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trained", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sentences", action="store_true", help="a sentence encoder instead of a stance model")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    export((Sentences if given.sentences else Stances)(given.trained), given.out / "model.onnx")
    tokenizer = Tokenizer.from_file(str(given.trained / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(given.out / "tokenizer.json"))
    hashes = {
        name: hashlib.sha256((given.out / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json")
    }
    lines = "".join(f'"{name}" = "{value}"\n' for name, value in hashes.items())
    manifest = SENTENCES if given.sentences else STANCE
    (given.out / "model.toml").write_text(f"{manifest}\n[sha256]\n{lines}", encoding="utf-8")


if __name__ == "__main__":
    main()
