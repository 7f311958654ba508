"""Learn the combination of the entailment features: `python training/entailment.py --data DATA`.

DATA holds `stance/{train,dev}.jsonl` and `pages_vs_claims/{wice_dev,fnc1}.jsonl`. Needs scikit-learn, which Inquest
itself does not. Writes src/inquest/entailment/weights.json; prints the results of cross-validation by text.
Deterministic. `python -m bench.quality ablation` learns again without each feature.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GroupKFold

from inquest.entailment.combination import with_found
from inquest.entailment.features import measure
from inquest.entailment.parsed_text import Page
from inquest.entailment.stance import prepare
from inquest.text.similarity import likeness
from training.mismatched import mismatched
from training.stance_model.contrast import contrast_pairs
from training.stance_model.pages import whole_pages
from training.stance_model.rows import STANCES, held_out, macro_f1, read_rows
from training.stance_model.written import NEAR, written

TARGET = Path(__file__).resolve().parent.parent / "src/inquest/entailment/weights.json"
OF_PAGES = {
    "supported": "supports", "partially_supported": "neutral", "not_supported": "neutral",
    "agree": "supports", "disagree": "contradicts", "discuss": "neutral", "unrelated": "neutral",
}  # fmt: skip
BY_FOUND = (
    "read_supports", "read_contradicts", "most_supports", "most_contradicts", "opening_supports", "opening_contradicts",
    "alike_most", "alike_mean", "all_have", "one_has", "one_has_all", "rarest_missing", "many_missing", "hearsay",
    "opening_hearsay", "claim_hearsay", "debunked", "debunked_about", "names_missing", "figures_same",
    "figures_same_said", "figures_rival", "figures_clash", "negated", "opposed", "hedged",
)  # fmt: skip
WEIGHT = {
    "held": 1.0,
    "wice": 8.0,
    "fnc1": 8.0,
    "embedded": 1.0,
    "strange": 0.3,
    "contrast": 0.25,
    "near": 1.5,
    "page": 1.0,
}
"""The weight of each kind of material."""
STRENGTH = 0.3
"""Inverse strength of the regularisation (C of scikit-learn)."""
PAGES = ("wice", "fnc1")
"""Kinds whose rows are grouped into folds by page; all others are grouped by claim."""
MEASURED = ("wice", "fnc1", "embedded")
"""Kinds that represent passages returned by a search, judged by a model that has not seen their page or claim."""


def page_row(row):
    """A row of WiCE or of the Fake News Challenge as claim, passage, title and stance."""
    from bench.measures.pages import page_of

    title, text = page_of(row)
    return {"claim": row["claim"], "passage": text, "title": title, "stance": OF_PAGES[row["label"]],
            "label": row["label"], "source": "wice" if "sentences" in row else "fnc1"}  # fmt: skip


def embedded(rows, seed=5):
    """Evidence among the passages of other claims, as on a page; and half as often those passages alone."""
    chance, made = random.Random(seed), []
    pool = [row["passage"] for row in rows]
    for row in rows:
        parts = [text for text in chance.sample(pool, chance.choice([2, 4, 8])) if text != row["passage"]]
        if chance.random() < 0.5:
            made.append({**row, "passage": "\n\n".join(parts), "stance": "neutral", "source": "strange"})
        parts.insert(chance.randrange(len(parts) + 1), row["passage"])
        made.append({**row, "passage": "\n\n".join(parts), "source": "embedded"})
    return made


def materials(data):
    """By name: the rows, and whether they represent search results."""
    train = read_rows(data / "stance/train.jsonl")
    held = [row for row in train if held_out(row)]
    return {
        "held": (held, False),
        "train": (train, False),
        "dev": (read_rows(data / "stance/dev.jsonl"), False),
        "wice": ([page_row(row) for row in read_rows(data / "pages_vs_claims/wice_dev.jsonl")], True),
        "fnc1": ([page_row(row) for row in read_rows(data / "pages_vs_claims/fnc1.jsonl")], True),
        "embedded": (embedded(held), True),
        "strange": (mismatched(held, 60), True),
        "contrast": (contrast_pairs(held, per_pair=3, seed=5), False),
        "near": (written(NEAR, apart=True), True),
        "page": (whole_pages(apart=True), True),
    }


class Readers:
    """The small models, with a file that caches their readings."""

    def __init__(self, cache):
        from inquest.app.settings import load_settings
        from inquest.app.wiring.small_models import pair_reader, sentence_encoder

        self.reader, self.encoder = pair_reader(load_settings()), sentence_encoder(load_settings())
        self.file = cache
        self.read, self.vectors = pickle.loads(cache.read_bytes()) if cache and cache.exists() else ({}, {})

    def meanings(self, pairs):
        new = [pair for pair in dict.fromkeys(pairs) if key(*pair) not in self.read]
        self.read.update(zip((key(*pair) for pair in new), self.reader.read(new), strict=True))
        return [self.read[key(*pair)] for pair in pairs]

    def likeness(self, claim, texts):
        new = [text for text in dict.fromkeys((claim, *texts)) if key(text) not in self.vectors]
        self.vectors.update(zip((key(text) for text in new), self.encoder.encode(new), strict=True))
        return [round(likeness(self.vectors[key(claim)], self.vectors[key(text)]), 3) for text in texts]

    def save(self):
        if self.file:
            self.file.write_bytes(pickle.dumps((self.read, self.vectors)))


def key(*texts):
    return hashlib.blake2b("\0".join(texts).encode("utf-8", "replace"), digest_size=12).digest()


def prepared(row, found, readers):
    """The preparation of a pair before a model reads it; None if there is nothing to read."""
    page = Page(row.get("title", "")) if found else None
    one = prepare(row["claim"], row["passage"], page=page, likeness=readers.likeness if readers else None)
    return one if one is not None and one.windows else None


def read(row, found, readers):
    """The evidence of a pair with the model's reading of it; None if there is nothing to compare."""
    one = prepared(row, found, readers)
    if one is None:
        return None
    return replace(one, meanings=tuple(readers.meanings([(one.claim.text, window.text) for window in one.windows])))


def numbers(rows, found, readers):
    """The feature values of each pair; `readers` None: without a model."""
    made = [prepared(row, found, readers) for row in rows]
    if readers:  # all at once, in parallel
        readers.meanings([(each.claim.text, window.text) for each in made if each for window in each.windows])
        made = [read(row, found, readers) for row in rows]
    return [dict(measure(each)) if each else {} for each in made]


def opening(row):
    """The features of an article and its own first paragraphs."""
    return "".join(row["passage"].split())[:60]


class Material:
    """Rows of several kinds as one matrix."""

    def __init__(self, kinds, by_kind, measured, without=()):
        self.kind = np.array([kind for kind in kinds for _ in by_kind[kind][0]])
        self.rows = [row for kind in kinds for row in by_kind[kind][0]]
        given = []
        for kind in kinds:
            for each in measured[kind]:
                each = {name: value for name, value in each.items() if name not in without}
                given.append(
                    with_found(each, tuple(n for n in BY_FOUND if n not in without)) if by_kind[kind][1] else each
                )
        self.given = given
        self.y = np.array([STANCES.index(row["stance"]) for row in self.rows])
        self.found = np.array([by_kind[kind][1] for kind in kinds for _ in by_kind[kind][0]])
        self.groups = np.array([
            int.from_bytes(key(opening(row) if kind in PAGES else row["claim"])[:6], "big")
            for kind, row in zip(self.kind, self.rows, strict=True)
        ])  # fmt: skip

    def matrix(self, names):
        return np.array([[each.get(name, 0.0) for name in names] for each in self.given])

    def weights(self, of=WEIGHT):
        sets = [(kind, row["source"]) for kind, row in zip(self.kind, self.rows, strict=True)]
        sizes, classes = Counter(sets), Counter(zip(sets, self.y, strict=True))
        found = np.array([
            of.get(one[0], 1.0) * sizes[one] ** -0.4 * (sizes[one] / classes[one, label]) ** 0.5
            for one, label in zip(sets, self.y, strict=True)
        ])  # fmt: skip
        return found / found.mean()


def fitted(x, y, weight):
    """Weights and intercepts for unscaled values, as differences from neutral."""
    mean, deviation = x.mean(0), x.std(0) + 1e-6
    model = LogisticRegression(C=STRENGTH, max_iter=600).fit((x - mean) / deviation, y, sample_weight=weight)
    w = model.coef_ / deviation
    b = model.intercept_ - w @ mean
    return w - w[1], b - b[1]


def chances(x, model):
    scores = x @ model[0].T + model[1]
    parts = np.exp(scores - scores.max(1, keepdims=True))
    return parts / parts.sum(1, keepdims=True)


def out_of_fold(x, every, weight):
    """The probabilities of all rows, each by a model that has not seen its page or claim."""
    found = np.zeros((len(every.y), 3))
    for train, test in GroupKFold(5).split(x, every.y, every.groups):
        found[test] = chances(x[test], fitted(x[train], every.y[train], weight[train]))
    return found


def curve(chance, right):
    """The calibration curve, as points: how often a stance given with a probability is right."""
    if len(chance) < 20:
        return [[0.0, 0.5], [1.0, 0.8]]
    smooth = IsotonicRegression(out_of_bounds="clip", y_min=0.05, y_max=0.97).fit(chance, right)
    grid = np.quantile(chance, [0.02, 0.15, 0.35, 0.55, 0.75, 0.9, 0.98])
    points = np.interp(grid, smooth.X_thresholds_, smooth.y_thresholds_)
    return [[round(float(a), 3), round(float(c), 3)] for a, c in zip(grid, points, strict=True)]


def least_support(wice, wice_labels, fnc, fnc_labels, precision=0.8):
    """The lowest probability at which at most one unsupported claim of WiCE is called supported and this share of FNC-1
    is right."""
    for least in np.arange(0.5, 0.95, 0.01):
        wrong = (wice.argmax(1) == 2) & (wice[:, 2] >= least) & (wice_labels == "not_supported")
        given = (fnc.argmax(1) == 2) & (fnc[:, 2] >= least)
        if wrong.sum() <= 1 and (fnc_labels[given] == "agree").mean() >= precision:
            return float(round(least, 2))
    return 0.95


def least_contradiction(found, gold, precision=0.75):
    """The lowest probability at which this share of contradictions is right, over everything that a search might
    return; at least 0.7, because below that more than one in a hundred passages of other claims seem to contradict
    (`bench.quality stance`)."""
    for least in np.arange(0.7, 0.95, 0.01):
        given = (found.argmax(1) == 0) & (found[:, 0] >= least)
        if (gold[given] == 0).mean() >= precision:
            return float(round(least, 2))
    return 0.95


def figures(dev, dev_found, oof, labels, least):
    """The quality of the combination on the development pairs, and on the pages out of fold."""
    wice, fnc, wl, fl = oof["wice"], oof["fnc1"], labels["wice"], labels["fnc1"]
    supports = {kind: (each.argmax(1) == 2) & (each[:, 2] >= least["supports"]) for kind, each in oof.items()}
    against = {kind: (each.argmax(1) == 0) & (each[:, 0] >= least["contradicts"]) for kind, each in oof.items()}
    sup, agree, disagree = supports["wice"], supports["fnc1"], against["fnc1"]
    return {
        "pairs_macro_f1": macro_f1(dev, dev_found.argmax(1))[0],
        "wice_supported_found": round(float(sup[wl == "supported"].mean()), 3),
        "wice_unsupported_called_supported": int(sup[wl == "not_supported"].sum()),
        "wice_supported_called_contradicted": round(float(against["wice"][wl == "supported"].mean()), 3),
        "fnc_precision": round(float((fl[agree] == "agree").mean()), 3) if agree.any() else 0.0,
        "fnc_recall": round(float(agree[fl == "agree"].mean()), 3),
        "fnc_disagree_precision": round(float((fl[disagree] == "disagree").mean()), 3) if disagree.any() else 0.0,
        "fnc_disagree_recall": round(float(disagree[fl == "disagree"].mean()), 3),
        "fnc_average_precision": round(float(average_precision_score(fl == "agree", fnc[:, 2])), 3),
        "wice_average_precision": round(float(average_precision_score(wl == "supported", wice[:, 2])), 3),
        "least": least,
    }


def learn(by_kind, measured, *, read, without=(), least=None):
    """One table, and its quality. `least`: the probabilities from which a stance is given; None: chosen here."""
    kinds = [kind for kind in (WEIGHT if read else {**WEIGHT, "train": 1.0}) if kind in measured]
    if not read:
        kinds = [kind for kind in kinds if kind not in ("held", "near", "page")]
    every = Material(kinds, by_kind, measured, without)
    names = sorted(set().union(*every.given))
    x, weight = every.matrix(names), every.weights()
    unseen = out_of_fold(x, every, weight)
    oof = {kind: unseen[every.kind == kind] for kind in MEASURED}
    labels = {kind: np.array([row["label"] for row in by_kind[kind][0]]) for kind in ("wice", "fnc1")}
    model = fitted(x, every.y, weight)
    dev = Material(["dev"], by_kind, measured, without)
    dev_found = chances(dev.matrix(names), model)
    both = np.concatenate([oof[kind] for kind in MEASURED])
    gold = np.concatenate([every.y[every.kind == kind] for kind in MEASURED])
    least = least or {
        "supports": least_support(oof["wice"], labels["wice"], oof["fnc1"], labels["fnc1"]),
        "contradicts": least_contradiction(both, gold),
    }  # fmt: skip
    worth = figures(dev.rows, dev_found, oof, labels, least)
    confidence = {}
    for situation, chance, right in (("pair", dev_found, dev.y), ("found", both, gold)):
        confidence[situation] = {
            stance: curve(chance[chance.argmax(1) == n, n], right[chance.argmax(1) == n] == n)
            for n, stance in enumerate(STANCES)
        }
    w, b = model
    table = {
        "names": names,
        "weights": {STANCES[n]: [round(float(one), 4) for one in w[n]] for n in (0, 2)},
        "intercepts": {STANCES[n]: round(float(b[n]), 4) for n in (0, 2)},
        "by_found": [one for one in BY_FOUND if one not in without],
        "least": {"pair": {}, "found": least},
        "confidence": confidence,
    }
    return table, worth


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, help="where what the models read is kept between runs")
    given = parser.parse_args()
    by_kind = materials(given.data)
    readers = Readers(given.cache)
    with_model = {kind: numbers(rows, found, readers) for kind, (rows, found) in by_kind.items() if kind != "train"}
    readers.save()
    plain = {kind: numbers(rows, found, None) for kind, (rows, found) in by_kind.items()}
    tables = {}
    for name, measured in (("read", with_model), ("unread", plain)):
        tables[name], worth = learn(by_kind, measured, read=name == "read")
        print(name, json.dumps(worth))  # noqa: T201
    TARGET.write_text(json.dumps({"made_by": "training/entailment.py", "tables": tables}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
