"""Write a trained model as int8 ONNX with its tokenizer: `python training/stance_model/export.py TRAINED OUT`.

Weights are held as int8, per channel; what flows between layers is quantised as it comes (dynamic). Inquest runs
one pair at a time, so that what a pair is given never depends on the pairs beside it.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import hashlib
import shutil
import tempfile
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process
from transformers import AutoTokenizer, BertForSequenceClassification, BertModel


class Pooled(torch.nn.Module):
    """A sentence's vector: the mean of its tokens', of length 1, as the sentence-transformers model defines it."""

    def __init__(self, bert):
        super().__init__()
        self.bert = bert

    def forward(self, input_ids, attention_mask, token_type_ids):
        states = self.bert(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        return torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1).clamp(min=1e-9), dim=1)


class Judged(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).logits


def export(trained: Path, out: Path, *, sentences: bool) -> None:
    out.mkdir(parents=True, exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(trained)
    if sentences:
        model, output = Pooled(BertModel.from_pretrained(trained, attn_implementation="eager")), "vector"
    else:
        model = Judged(BertForSequenceClassification.from_pretrained(trained, attn_implementation="eager"))
        output = "logits"
    model.eval()
    sample = tokenizer(
        ["a claim", "another claim"], ["a passage", "a longer passage of words"], padding=True, return_tensors="pt"
    )
    names = ["input_ids", "attention_mask", "token_type_ids"]
    with tempfile.TemporaryDirectory() as folder:
        plain, ready = Path(folder) / "plain.onnx", Path(folder) / "ready.onnx"
        torch.onnx.export(
            model,
            tuple(sample[name] for name in names),
            plain,
            input_names=names,
            output_names=[output],
            dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in names} | {output: {0: "pairs"}},
            opset_version=17,
            dynamo=False,
        )
        quant_pre_process(plain, ready, skip_symbolic_shape=True)
        quantize_dynamic(ready, out / "model.onnx", weight_type=QuantType.QInt8, per_channel=True, reduce_range=False)
    tokenizer.save_pretrained(out)
    for extra in out.iterdir():
        if extra.name not in ("model.onnx", "tokenizer.json", "model.toml"):
            shutil.rmtree(extra) if extra.is_dir() else extra.unlink()


MANIFESTS = {
    "stance": """name = "{name}"
kind = "stance"
labels = ["contradicts", "neutral", "supports"]
claim_first = true
languages = ["en"]
max_tokens = 192
licence = "Apache-2.0"
source = "trained from all-MiniLM-L6-v2 (Apache-2.0) by training/stance_model; its README is the model card"
""",
    "sentences": """name = "{name}"
kind = "sentences"
size = 384
languages = ["en"]
max_tokens = 256
licence = "Apache-2.0"
source = "sentence-transformers/all-MiniLM-L6-v2 as it was published, its weights as int8"
""",
}


def write_manifest(out: Path, kind: str, name: str) -> None:
    hashes = {file: hashlib.sha256((out / file).read_bytes()).hexdigest() for file in ("model.onnx", "tokenizer.json")}
    lines = "".join(f'"{file}" = "{value}"\n' for file, value in hashes.items())
    (out / "model.toml").write_text(MANIFESTS[kind].format(name=name) + "\n[sha256]\n" + lines, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trained", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sentences", action="store_true", help="a sentence encoder, and no judge")
    parser.add_argument("--name", default="minilm-l6-stance-int8")
    given = parser.parse_args()
    export(given.trained, given.out, sentences=given.sentences)
    write_manifest(given.out, "sentences" if given.sentences else "stance", given.name)
