"""Put model and rules together: `python training/stance_model/combine.py --model FOLDER --held HELD.jsonl --dev
DEV.jsonl`.

A multinomial logistic regression over what the model says of a pair and what the rules measured of it, learned on
pairs of claims that the model has not seen; then one curve from its probability to a confidence that is right so
often, learned on the development pairs. Writes src/inquest/entailment/combined.json. Deterministic.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
from contrast import contrast_pairs
from made_up import made_up
from mismatched import mismatched
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from inquest.entailment.combined import measured
from inquest.entailment.evidence import gather
from inquest.entailment.rules import rule
from inquest.entailment.windows import best_meaning, to_read
from inquest.local_models.cross_encoder import CrossEncoder
from inquest.local_models.files import model_files

TARGET = Path(__file__).resolve().parents[2] / "src/inquest/entailment/combined.json"
STANCES = ("contradicts", "neutral", "supports")


def read(path):
    return [json.loads(line) for line in path.open(encoding="utf-8") if line.strip()]


def seen(rows, encoder):
    """The features of each pair, and the place of its stance."""
    texts = [to_read(row["claim"], row["passage"]) for row in rows]
    encoder.read([(row["claim"], text) for row, parts in zip(rows, texts, strict=True) for text in parts])
    found = []
    for row, parts in zip(rows, texts, strict=True):
        evidence = gather(row["claim"], row["passage"])
        meaning = best_meaning(encoder.read([(row["claim"], text) for text in parts]))[0]
        found.append(measured(evidence, meaning, rule(evidence)))
    return found, np.array([STANCES.index(row["stance"]) for row in rows])


def weights(rows, power=0.6, balance=0.5):
    sizes = Counter(row["source"] for row in rows)
    classes = Counter((row["source"], row["stance"]) for row in rows)
    each = np.array(
        [
            sizes[r["source"]] ** (power - 1) * (sizes[r["source"]] / classes[r["source"], r["stance"]]) ** balance
            for r in rows
        ]
    )
    return each / each.mean()


def macro(rows, said):
    found = {}
    for source in sorted({row["source"] for row in rows}):
        part = [
            (STANCES.index(row["stance"]), one) for row, one in zip(rows, said, strict=True) if row["source"] == source
        ]
        scores = []
        for label in sorted({gold for gold, _ in part}):
            hit = sum(gold == one == label for gold, one in part)
            scores.append(
                2 * hit / max(1, sum(gold == label for gold, _ in part) + sum(one == label for _, one in part))
            )
        found[source] = round(sum(scores) / len(scores), 3)
    return round(sum(found.values()) / len(found), 4), found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--strength", type=float, default=0.01)
    parser.add_argument("--made-weight", type=float, default=0.7, help="of a made pair beside a judged one")
    given = parser.parse_args()
    say = lambda *words: print(*words, flush=True)  # noqa: E731, T201
    encoder = CrossEncoder(model_files(given.model), threads=2)
    held, dev = read(given.held), read(given.dev)
    made = contrast_pairs(held, per_pair=3) + made_up(600, seed=97)
    rows = held + made + mismatched(held, 60)
    found, gold = seen(rows, encoder)
    names = sorted(found[0])
    x = np.array([[one[name] for name in names] for one in found])
    weight = np.concatenate([weights(held), np.full(len(rows) - len(held), given.made_weight)])
    mean, deviation = x.mean(0), x.std(0) + 1e-6
    dev_found, dev_gold = seen(dev, encoder)
    dev_x = np.array([[one[name] for name in names] for one in dev_found])
    kept = contrast_pairs(dev, per_pair=2) + made_up(600, seed=98)
    kept_found, kept_gold = seen(kept, encoder)
    kept_x = np.array([[one[name] for name in names] for one in kept_found])
    real = np.array([row["source"] != "made_up" and row["source"] != "contrast_same" for row in kept])
    plain = np.array([row["source"] == "made_up" for row in kept])
    alone = np.stack(
        [dev_x[:, names.index("m_contradicts")], np.zeros(len(dev)), dev_x[:, names.index("m_supports")]], 1
    )
    say("model alone", *macro(dev, alone.argmax(1)))
    few = (
        "m_",
        "rule_",
        "numbers",
        "dates",
        "one_negated",
        "opposed",
        "names_missing",
        "flipped",
        "denied",
        "coverage_best",
    )
    for strength in (0.003, 0.01, 0.03):
        for keep in ("all", "few", "model"):
            use = [
                i for i, name in enumerate(names) if keep == "all" or name.startswith(few if keep == "few" else "m_")
            ]
            fitted = LogisticRegression(C=strength, max_iter=3000).fit(
                ((x - mean) / deviation)[:, use], gold, sample_weight=weight
            )
            right = fitted.predict(((kept_x - mean) / deviation)[:, use]) == kept_gold
            score = macro(dev, fitted.predict(((dev_x - mean) / deviation)[:, use]))[0]
            say(
                strength,
                keep,
                score,
                "contrast",
                round(right[real].mean(), 3),
                "made up",
                round(right[plain].mean(), 3),
            )
    model = LogisticRegression(C=given.strength, max_iter=3000).fit((x - mean) / deviation, gold, sample_weight=weight)
    w = model.coef_ / deviation
    b = model.intercept_ - w @ mean
    w, b = w - w[1], b - b[1]
    scores = dev_x @ w.T + b
    chances = np.exp(scores - scores.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    said = chances.argmax(1)
    say("chosen", *macro(dev, said))
    curves = {}
    for place, stance in enumerate(STANCES):
        which = said == place
        curve = IsotonicRegression(out_of_bounds="clip", y_min=0.05, y_max=0.97).fit(
            chances[which, place], dev_gold[which] == place
        )
        grid = np.quantile(chances[which, place], [0.02, 0.15, 0.35, 0.55, 0.75, 0.9, 0.98])
        smooth = np.interp(grid, curve.X_thresholds_, curve.y_thresholds_)
        curves[stance] = [[round(float(a), 3), round(float(c), 3)] for a, c in zip(grid, smooth, strict=True)]
    written = {
        "made_by": "training/stance_model/combine.py",
        "intercepts": {stance: round(float(b[i]), 4) for i, stance in enumerate(STANCES)},
        "weights": {
            stance: {name: round(float(w[i, j]), 4) for j, name in enumerate(names)} for i, stance in enumerate(STANCES)
        },
        "confidence": curves,
    }
    TARGET.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
