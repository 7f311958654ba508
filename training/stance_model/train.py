"""Train a stance model: `python training/stance_model/train.py --rows ROWS --base BASE --out OUT [--teacher TAUGHT]`,
and once more, with restatements: `... --base TRAINED --out OUT --again`.

A cross-encoder with three classes, in two stages: general inference, then claims and evidence with some general pairs.
Without `--teacher` it learns from the labels and writes its logits of all training pairs beside its weights; with it, a
smaller model learns from the labels and from these logits (distillation: Hinton, Vinyals and Dean 2015). With `--again`
a trained model learns restatements from their labels, and the other pairs from its own earlier results, so that it does
not change on them: 25 minutes on two CPU cores.

ROWS holds the train.jsonl and dev.jsonl of `rows.py`. Needs torch and transformers, which Inquest itself does not.
Seeds are fixed.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import json
import math
import random
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import AutoModelForSequenceClassification, get_linear_schedule_with_warmup

from training.stance_model.rows import STANCES, macro_f1, read_rows

TOKENS = 256
"""Maximum for claim and passage together."""
WEIGHT = {
    "general": 0.45, "general_contrast": 0.4, "judged_contrast": 0.6, "written_contrast": 0.7, "mismatched": 0.5,
    "made_up": 0.4, "written": 1.2, "restated": 0.8, "framed": 0.8, "near": 1.0,
    "plain": 1.2, "page": 1.0, "page_neutral": 1.0,
}  # fmt: skip
"""The weight of a pair by kind; judged pairs have weight 1 on average."""
NEW = ("restated", "framed", "near", "plain", "page", "page_neutral")
"""Kinds used only in the last stage, with their labels alone."""
AGAIN_PAIRS = {
    "general": 2_000, "general_contrast": 1_000, "judged": 4_500, "judged_contrast": 2_500, "written_contrast": 1_800,
    "mismatched": 1_500, "made_up": 1_200, "written": 4_500, "restated": 5_500, "framed": 3_300,
    "near": 16_000, "plain": 11_000, "page": 6_300, "page_neutral": 10_000,
}  # fmt: skip
"""Number of pairs of each kind in the last stage, none longer than AGAIN_LONGEST characters."""
AGAIN_LONGEST, AGAIN_SURE = 1_100, (3.0, -2.5)
"""Target logits of a new pair for its label, and for the other stances."""
FROZEN = ("embeddings", ".layer.0.", ".layer.1.")
GENERAL_AGAIN = 18_000
"""Number of general pairs that are repeated in the second stage."""
SMOOTHING = 0.05
LAYER_DECAY = 0.95
"""Factor by which each deeper layer learns less than the one above it."""
TEMPERATURE = 2.0
FROM_TEACHER = 0.65
"""Share of the loss from the comparison with the teacher; the rest is from the labels."""


@dataclass(frozen=True)
class Stage:
    """One training run."""

    epochs: int
    rate: float
    batch: int
    seed: int
    articles: slice
    """The whole articles (Fake News Challenge) that it uses: many take a third of the time for little benefit."""


TEACHER = (Stage(1, 5e-5, 96, 5, slice(2000)), Stage(3, 4e-5, 96, 7, slice(2000, 3500)))
AGAIN = Stage(1, 1.2e-4, 64, 9, slice(0))
STUDENT = (Stage(1, 3e-4, 128, 5, slice(3500)), Stage(6, 2.5e-4, 96, 7, slice(0)))


def weights(rows):
    """Weight of each pair: a set of judged pairs counts as its size to the power of 0.6, its classes half balanced."""
    judged = [row for row in rows if row["kind"] == "judged"]
    sizes = Counter(row["source"] for row in judged)
    classes = Counter((row["source"], row["stance"]) for row in judged)

    def of_judged(row):
        size = sizes[row["source"]]
        return size**-0.4 * math.sqrt(size / classes[row["source"], row["stance"]])

    mean = sum(map(of_judged, judged)) / max(1, len(judged))
    return [of_judged(row) / mean if row["kind"] == "judged" else WEIGHT[row["kind"]] for row in rows]


def stages(rows):
    """Indices of the rows for each stage, without the articles; and those of the articles."""
    first, second, articles = [], [], []
    for index, row in enumerate(rows):
        if row["kind"] in NEW:
            continue
        if row["source"] == "fnc1":
            articles.append(index)
        elif row["kind"] in ("general", "general_contrast"):
            first.append(index)
        else:
            second.append(index)
    again = random.Random(4).sample(first, min(len(first), GENERAL_AGAIN))
    return (first, second + again), articles


def batches(lengths, size, chance=None):
    """Batches of indices of pairs with similar length; in random order if `chance` is given."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i] + (chance.uniform(-8, 8) if chance else 0))
    groups = [order[start : start + size] for start in range(0, len(order), size)]
    if chance:
        chance.shuffle(groups)
    return groups


class Reader:
    """A cross-encoder with its tokenizer."""

    def __init__(self, base: Path) -> None:
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(TOKENS, strategy="longest_first")
        torch.manual_seed(TEACHER[0].seed)
        self.model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=3, dtype=torch.float32)
        self.model.to(self.device)
        embeddings = self.model.base_model.embeddings
        embeddings.word_embeddings.requires_grad_(False)  # half of a small model's weights, with little to learn
        self.has_segments = hasattr(embeddings, "token_type_embeddings")

    def encode(self, rows):
        return self.tokenizer.encode_batch([(row["claim"], row["passage"]) for row in rows])

    def scores(self, encoded):
        """Logits of a batch of encoded pairs."""
        width = -(-max(len(one.ids) for one in encoded) // 16) * 16
        ids = np.full((len(encoded), width), self.model.config.pad_token_id)
        mask, segments = np.zeros_like(ids), np.zeros_like(ids)
        for row, one in enumerate(encoded):
            ids[row, : len(one.ids)] = one.ids
            mask[row, : len(one.ids)] = 1
            segments[row, : len(one.ids)] = one.type_ids
        inputs = {"input_ids": ids, "attention_mask": mask}
        if self.has_segments:
            inputs["token_type_ids"] = segments
        inputs = {name: torch.from_numpy(array).to(self.device) for name, array in inputs.items()}
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            return self.model(**inputs).logits.float()

    @torch.no_grad()
    def read(self, rows, size=256):
        """Logits of all pairs."""
        self.model.eval()
        encoded = self.encode(rows)
        found = np.zeros((len(rows), len(STANCES)), dtype=np.float32)
        for group in batches([len(one.ids) for one in encoded], size):
            found[group] = self.scores([encoded[i] for i in group]).cpu().numpy()
        return found

    def parameters(self, rate):
        """Parameter groups: deeper layers learn less, the classifier twice as much as the last layer."""
        top = self.model.config.num_hidden_layers
        groups = []
        for name, parameter in self.model.named_parameters():
            if not parameter.requires_grad:
                continue
            if name.startswith("classifier") or "pooler" in name:
                factor = 2.0
            else:
                depth = int(name.split(".layer.")[1].split(".")[0]) if ".layer." in name else -1
                factor = LAYER_DECAY ** (top - depth)
            decay = 0.0 if "bias" in name or "LayerNorm" in name else 0.01
            groups.append({"params": [parameter], "lr": rate * factor, "weight_decay": decay})
        return groups

    def learn(self, rows, stage: Stage, taught=None) -> None:
        """One stage. `taught`: the teacher's logits of the rows."""
        chance = random.Random(stage.seed)
        torch.manual_seed(stage.seed)
        encoded = self.encode(rows)
        lengths = [len(one.ids) for one in encoded]
        gold = torch.tensor([STANCES.index(row["stance"]) for row in rows], device=self.device)
        weight = torch.tensor(weights(rows), dtype=torch.float32, device=self.device)
        taught = None if taught is None else torch.from_numpy(taught).to(self.device)
        optimiser = torch.optim.AdamW(self.parameters(stage.rate), fused=self.device == "cuda")
        plan = [group for _ in range(stage.epochs) for group in batches(lengths, stage.batch, chance)]
        schedule = get_linear_schedule_with_warmup(optimiser, int(0.06 * len(plan)), len(plan))
        self.model.train()
        for step, group in enumerate(plan, 1):
            scores = self.scores([encoded[i] for i in group])
            losses = functional.cross_entropy(scores, gold[group], reduction="none", label_smoothing=SMOOTHING)
            if taught is not None:
                losses = (1 - FROM_TEACHER) * losses + FROM_TEACHER * divergence(scores, taught[group])
            loss = (losses * weight[group]).mean()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            optimiser.zero_grad(set_to_none=True)
            if step % 200 == 0 or step == len(plan):
                print(f"step {step} of {len(plan)}, loss {loss.item():.4f}", flush=True)  # noqa: T201

    def save(self, out: Path, base: Path) -> None:
        self.model.save_pretrained(out)
        shutil.copy(base / "tokenizer.json", out)


def divergence(scores, taught):
    """The distance of each pair's probabilities from the teacher's, both softened."""
    found = functional.kl_div(
        functional.log_softmax(scores / TEMPERATURE, 1), functional.softmax(taught / TEMPERATURE, 1), reduction="none"
    )
    return found.sum(1) * TEMPERATURE**2


def report(reader: Reader, rows) -> None:
    """Print the macro-F1 on the development pairs, by kind and source."""
    places = reader.read(rows).argmax(1)
    for kind in dict.fromkeys(row["kind"] for row in rows):
        part = [(row, place) for row, place in zip(rows, places, strict=True) if row["kind"] == kind]
        print(kind, json.dumps(macro_f1(*zip(*part, strict=True))), flush=True)  # noqa: T201


def once_more(reader: Reader, rows) -> None:
    """The last stage of a trained model."""
    for name, parameter in reader.model.named_parameters():
        if any(part in name for part in FROZEN):
            parameter.requires_grad_(False)
    chance = random.Random(2)
    chosen = []
    for kind, number in AGAIN_PAIRS.items():
        part = [
            row for row in rows
            if row["kind"] == kind and row["source"] != "fnc1" and len(row["passage"]) < AGAIN_LONGEST
        ]  # fmt: skip
        chosen += chance.sample(part, min(number, len(part)))
    read = reader.read(chosen, 64)
    for row, logits in zip(chosen, read, strict=True):
        if row["kind"] in NEW:
            logits[:] = AGAIN_SURE[1]
            logits[STANCES.index(row["stance"])] = AGAIN_SURE[0]
    reader.learn(chosen, AGAIN, read)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True, help="folder of the weights to start from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, help="OUT of the model to learn from")
    parser.add_argument("--again", action="store_true", help="BASE is a trained model, which learns restatements")
    parser.add_argument("--sample", type=int, help="so many pairs only, to try the script")
    given = parser.parse_args()
    rows, dev = read_rows(given.rows / "train.jsonl"), read_rows(given.rows / "dev.jsonl")
    if given.sample:
        rows, dev = (random.Random(1).sample(part, given.sample) for part in (rows, dev))
    taught = np.load(given.teacher / "logits.npy") if given.teacher else None
    reader = Reader(given.base)
    if given.again:
        once_more(reader, rows)
        report(reader, dev)
        reader.save(given.out, given.base)
        return
    parts, articles = stages(rows)
    for part, stage in zip(parts, STUDENT if given.teacher else TEACHER, strict=True):
        which = part + articles[stage.articles]
        reader.learn([rows[i] for i in which], stage, None if taught is None else taught[which])
        report(reader, dev)
    reader.save(given.out, given.base)
    if not given.teacher:
        np.save(given.out / "logits.npy", reader.read(rows))


if __name__ == "__main__":
    main()
