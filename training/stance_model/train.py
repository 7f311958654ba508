"""Train the stance model: `python training/stance_model/train.py --data DATA/stance --base BASE --out OUT`.

A cross-encoder with three classes, from the MiniLM-L6 weights, in two stages: general inference (`nli.jsonl`), then
claims and evidence (`train.jsonl`) with contrast pairs and claims beside passages that say nothing of them. Needs
torch and transformers, which Inquest itself does not. Seeds are fixed. Runs in bfloat16 where the processor can.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from contrast import contrast_pairs
from made_up import made_up
from mismatched import mismatched
from torch.nn import functional
from transformers import AutoTokenizer, BertForSequenceClassification, get_linear_schedule_with_warmup
from written import written

STANCES = ("contradicts", "neutral", "supports")


def read(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.open(encoding="utf-8") if line.strip()]


def apart(rows):
    """The pairs to learn from, and those of every tenth claim, kept for calibration."""
    held = [int(hashlib.sha256(row["claim"].encode()).hexdigest(), 16) % 10 == 0 for row in rows]
    return [r for r, h in zip(rows, held, strict=True) if not h], [r for r, h in zip(rows, held, strict=True) if h]


def encode(tokenizer, rows, length):
    return tokenizer(
        [row["claim"] for row in rows],
        [row["passage"] for row in rows],
        truncation="longest_first",
        max_length=length,
    )["input_ids"]


def batches(lengths, size, chance, shuffle=True):
    """Batches of pairs of like length, in random order."""
    order = list(range(len(lengths)))
    if shuffle:
        order.sort(key=lambda i: lengths[i] + chance.uniform(-8, 8))
    else:
        order.sort(key=lambda i: lengths[i])
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    if shuffle:
        chance.shuffle(groups)
    return groups


def tensors(ids, which, separator):
    width = -(-max(len(ids[i]) for i in which) // 16) * 16  # few shapes: each new one is compiled anew
    padded = np.zeros((len(which), width), dtype=np.int64)
    mask = np.zeros_like(padded)
    kinds = np.zeros_like(padded)
    for row, i in enumerate(which):
        padded[row, : len(ids[i])] = ids[i]
        mask[row, : len(ids[i])] = 1
        kinds[row, ids[i].index(separator) + 1 : len(ids[i])] = 1
    return torch.tensor(padded), torch.tensor(mask), torch.tensor(kinds)


def weights(rows, power):
    """A pair's weight: its set counts with `power` of its size, and within a set the classes are half balanced."""
    sizes = Counter(row["source"] for row in rows)
    classes = Counter((row["source"], row["stance"]) for row in rows)
    found = np.array(
        [
            sizes[row["source"]] ** (power - 1)
            * math.sqrt(sizes[row["source"]] / classes[row["source"], row["stance"]])
            for row in rows
        ]
    )
    return found / found.mean()


@dataclass(frozen=True)
class Course:
    """How a model is taught."""

    epochs: int
    rate: float
    length: int
    """Tokens of a pair."""
    size: int
    """Pairs of a batch."""
    seed: int
    smoothing: float = 0.05
    layers_decay: float = 0.9
    """How much less each deeper layer learns than the one above it."""


def learn(model, tokenizer, rows, weight, course, say):
    seed, length, size, epochs = course.seed, course.length, course.size, course.epochs
    chance = random.Random(seed)
    torch.manual_seed(seed)
    ids = encode(tokenizer, rows, length)
    lengths = [len(one) for one in ids]
    gold = torch.tensor([STANCES.index(row["stance"]) for row in rows])
    weight = torch.tensor(weight, dtype=torch.float32)
    model.bert.embeddings.word_embeddings.requires_grad_(False)  # half of all weights, and little to learn there
    groups = []
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        depth = 6 if name.startswith(("classifier", "bert.pooler")) else -1
        if ".layer." in name:
            depth = int(name.split(".layer.")[1].split(".")[0])
        factor = course.layers_decay ** (6 - depth) * (2.0 if depth == 6 else 1.0)
        decay = 0.0 if "bias" in name or "LayerNorm" in name else 0.01
        groups.append({"params": [parameter], "lr": course.rate * factor, "weight_decay": decay})
    optimiser = torch.optim.AdamW(groups)
    plan = [group for _ in range(epochs) for group in batches(lengths, size, chance)]
    schedule = get_linear_schedule_with_warmup(optimiser, int(0.06 * len(plan)), len(plan))
    model.train()
    begun, total = time.time(), 0.0
    for step, which in enumerate(plan, 1):
        inputs, mask, kinds = tensors(ids, which, tokenizer.sep_token_id)
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(input_ids=inputs, attention_mask=mask, token_type_ids=kinds).logits
        losses = functional.cross_entropy(
            logits.float(), gold[which], reduction="none", label_smoothing=course.smoothing
        )
        loss = (losses * weight[which]).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad(set_to_none=True)
        total += loss.item()
        if step % 100 == 0:
            left = (time.time() - begun) / step * (len(plan) - step)
            say(f"  step {step}/{len(plan)} loss {total / 100:.4f}, {left / 60:.1f} min left")
            total = 0.0
    return model


@torch.no_grad()
def logits_of(model, tokenizer, rows, length=192, size=48):
    model.eval()
    ids = encode(tokenizer, rows, length)
    found = np.zeros((len(rows), 3), dtype=np.float32)
    for which in batches([len(one) for one in ids], size, random.Random(0), shuffle=False):
        inputs, mask, kinds = tensors(ids, which, tokenizer.sep_token_id)
        with torch.autocast("cpu", torch.bfloat16):
            found[which] = model(input_ids=inputs, attention_mask=mask, token_type_ids=kinds).logits.float().numpy()
    return found


def macro_f1(gold, said, labels):
    scores = []
    for label in labels:
        hit = sum(g == s == label for g, s in zip(gold, said, strict=True))
        scores.append(2 * hit / max(1, sum(g == label for g in gold) + sum(s == label for s in said)))
    return sum(scores) / len(scores)


def by_source(rows, logits):
    said = [STANCES[i] for i in logits.argmax(1)]
    found = {}
    for source in sorted({row["source"] for row in rows}):
        part = [(row["stance"], one) for row, one in zip(rows, said, strict=True) if row["source"] == source]
        gold = [one for one, _ in part]
        found[source] = round(macro_f1(gold, [one for _, one in part], sorted(set(gold))), 3)
    return found | {"mean": round(sum(found.values()) / len(found), 4)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with nli.jsonl and train.jsonl")
    parser.add_argument("--base", required=True, help="folder with the weights to start from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--stage", type=int, choices=(1, 2), help="one stage only; the second starts from OUT/first")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=8e-5)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--start", default="first", help="checkpoint in OUT that the second stage starts from")
    parser.add_argument("--name", default="second")
    parser.add_argument("--contrast", type=int, default=1, help="changes made of each pair")
    parser.add_argument("--mismatched", type=int, default=400, help="claims of each set beside strange passages")
    parser.add_argument("--made-up", type=int, default=0, help="made-up pairs with one clear answer")
    parser.add_argument("--written", action="store_true", help="learn from the pairs of written/ too")
    parser.add_argument("--general", type=int, default=10_000, help="pairs of general inference that go along")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    say = lambda words: print(words, flush=True)  # noqa: E731, T201
    first = given.out / "first"
    dev = read(given.data / "dev.jsonl") if (given.data / "dev.jsonl").exists() else []
    if given.stage != 2:
        tokenizer = AutoTokenizer.from_pretrained(given.base)
        torch.manual_seed(given.seed)
        model = BertForSequenceClassification.from_pretrained(given.base, num_labels=3, dtype=torch.float32)
        rows = read(given.data / "nli.jsonl")
        long = [row for row in rows if row["source"] == "fnc1"]  # whole articles: a third of the time for little
        rows = [row for row in rows if row["source"] != "fnc1"] + random.Random(2).sample(long, 1500)
        rows += contrast_pairs([row for row in rows if row["source"] in ("mnli", "snli", "anli")], per_pair=1, seed=3)[
            :5000
        ]
        course = Course(epochs=1, rate=1.5e-4, length=128, size=48, seed=given.seed)
        learn(model, tokenizer, rows, weights(rows, 0.7), course, say)
        model.save_pretrained(first)
        tokenizer.save_pretrained(first)
        if dev:
            say(str(by_source(dev, logits_of(model, tokenizer, dev))))
    if given.stage != 1:
        tokenizer = AutoTokenizer.from_pretrained(given.out / given.start)
        model = BertForSequenceClassification.from_pretrained(
            given.out / given.start, num_labels=3, dtype=torch.float32
        )
        rows, held = apart(read(given.data / "train.jsonl"))
        (given.out / "held.jsonl").write_text("".join(json.dumps(row) + "\n" for row in held), encoding="utf-8")
        made = contrast_pairs(rows, per_pair=given.contrast)
        strange = mismatched(rows, given.mismatched)
        plain = made_up(given.made_up)
        general = random.Random(1).sample(
            [row for row in read(given.data / "nli.jsonl") if row["source"] != "fnc1"], given.general
        )
        own = written() if given.written else []
        every = rows + made + strange + general + plain + own
        weight = np.concatenate(
            [
                weights(rows, 0.6),
                0.7 * np.ones(len(made)),
                0.5 * np.ones(len(strange)),
                0.5 * np.ones(len(general)),
                0.7 * np.ones(len(plain)),
                1.2 * np.ones(len(own)),
            ]
        )
        say(
            f"{len(rows)} judged pairs, {len(made)} contrast pairs, {len(strange)} mismatched, "
            f"{len(general)} general, {len(plain)} made up, {len(own)} written"
        )
        course = Course(epochs=given.epochs, rate=given.rate, length=192, size=32, seed=given.seed)
        learn(model, tokenizer, every, weight, course, say)
        model.save_pretrained(given.out / given.name)
        tokenizer.save_pretrained(given.out / given.name)
        if dev:
            judged = dev + (written(apart=True) if given.written else [])
            say(str(by_source(judged, logits_of(model, tokenizer, judged))))
            kept = contrast_pairs(dev, per_pair=2)
            say(str(by_source(kept, logits_of(model, tokenizer, kept))))


if __name__ == "__main__":
    main()
