"""Learn the weights of the stance judgment: `python training/stance_weights.py TRAIN.jsonl`.

Needs numpy and scikit-learn, which Inquest itself does not. Lines of TRAIN have claim, passage, stance and source.
Writes src/inquest/text/word_weights.json. Deterministic.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from mismatched import mismatched
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from inquest.entailment.evidence import gather
from inquest.entailment.features import features
from inquest.text import word_weights as stance_weights
from inquest.text.passages import stems

TARGET = Path(__file__).resolve().parent.parent / "src/inquest/text/word_weights.json"
STANCES = ("supports", "contradicts", "neutral")
# How much the mismatched pairs count beside the judged ones.
MISMATCHED = 0.02


def rarities(rows: list[dict[str, str]], at_least: int = 8) -> dict[str, str]:
    """Stems by inverse document frequency, to half a unit; those in fewer texts than `at_least` are left out."""
    texts = {row[part] for row in rows for part in ("claim", "passage")}
    counts = Counter(stem for text in texts for stem in set(stems(text)))
    levels = defaultdict(list)
    for stem, count in counts.items():
        if count >= at_least and stem.isalpha():
            levels[str(round(2 * math.log(len(texts) / count)) / 2)].append(stem)
    return {level: " ".join(sorted(found)) for level, found in sorted(levels.items())}


def learn(x: np.ndarray, y: np.ndarray, weight: np.ndarray, groups: np.ndarray, names: list[str]) -> dict:
    """Intercepts, weights and temperature. The temperature is fitted on claims that a fold has not seen."""
    weight = weight / weight.mean()
    mean, deviation = x.mean(0), x.std(0) + 1e-6
    scaled = (x - mean) / deviation

    def fit(which: np.ndarray) -> LogisticRegression:
        return LogisticRegression(C=0.05, max_iter=2000).fit(scaled[which], y[which], sample_weight=weight[which])

    scores = np.zeros((len(y), 3))
    for train, held_out in GroupKFold(5).split(scaled, y, groups):
        scores[held_out] = fit(train).decision_function(scaled[held_out])

    def loss(temperature: float) -> float:
        logs = scores / temperature
        logs = logs - logs.max(1, keepdims=True)
        logs -= np.log(np.exp(logs).sum(1, keepdims=True))
        return -(weight * logs[np.arange(len(y)), y]).sum()

    temperature = float(min(np.arange(0.5, 3.0, 0.05), key=loss))
    model = fit(np.arange(len(y)))
    weights = model.coef_ / deviation
    intercepts = model.intercept_ - weights @ mean
    # Only differences between the stances count: neutral is the zero.
    weights, intercepts = weights - weights[2], intercepts - intercepts[2]
    return {
        "temperature": round(temperature, 2),
        "intercepts": {stance: round(float(intercepts[i]), 4) for i, stance in enumerate(STANCES)},
        "weights": {
            stance: {name: round(float(weights[i, j]), 4) for j, name in enumerate(names)}
            for i, stance in enumerate(STANCES)
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    rows = [json.loads(line) for line in parser.parse_args().train.open(encoding="utf-8")]
    table = rarities(rows)
    stance_weights._tables = lambda: {"rarity": table}
    every = rows + mismatched(rows)
    pairs = [(row, gather(row["claim"], row["passage"])) for row in every]
    pairs = [(row, features(evidence)) for row, evidence in pairs if evidence is not None]
    names = sorted({name for _, found in pairs for name in found})
    x = np.array([[found[name] for name in names] for _, found in pairs])
    y = np.array([STANCES.index(row["stance"]) for row, _ in pairs])
    claims = np.array([row["claim"] for row, _ in pairs])
    sizes = Counter(row["source"] for row, _ in pairs)
    made_up = np.array([row["source"] == "mismatched" for row, _ in pairs])
    # A set counts with the root of its size, so that the two largest do not decide alone.
    weight = np.array([1 / math.sqrt(sizes[row["source"]]) for row, _ in pairs])
    weight[made_up] = MISMATCHED * weight[~made_up].sum() / made_up.sum()
    learned = learn(x, y, weight, claims, names)
    written = {"made_by": "training/stance_weights.py", **learned, "rarity": table}
    TARGET.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    print(f"{len(pairs)} pairs, {len(names)} features, temperature {learned['temperature']}")  # noqa: T201


if __name__ == "__main__":
    main()
