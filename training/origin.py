"""Fit the model that weighs possible origins (`src/inquest/stories/origin.toml`) on generated trees.

    python -m training.origin [--trees 600]

The trees of `bench/trees.py` with seeds below 10,000 are used; those that `python -m bench.quality origin` measures
have seeds from 10,000 on. The weights are those of a conditional logit (McFadden 1974): among all roots of a tree, the
origin should have the largest share. Features that occur in no generated tree (`GIVEN`) keep the weights of the file.
The confidence is a logistic curve over the logit of the best share and the number of doubts, fitted on different trees
from those for the weights. Prints both as TOML; nothing is written.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from bench.measures.origin import main_story
from bench.trees import Tree, grow
from inquest.stories.crediting import UNREAD
from inquest.stories.lineage_model import FEATURES, Lineage

SIZES = (4, 6, 10, 20, 40)
GIVEN = ("first_hand", "official", "elsewhere", "worth", "release", "asked")
_SPREAD = 0.001
"""Factor of the penalty on the square of a weight, per tree."""

Floats = npt.NDArray[np.float64]


def _grown(first: int, trees: int) -> list[tuple[Tree, Lineage]]:
    found = []
    for number in range(trees):
        tree = grow(SIZES[number % len(SIZES)], first + number)
        story = main_story(tree)
        if story is not None and story.lineage.roots:
            found.append((tree, story.lineage))
    return found


def _truth(tree: Tree) -> str:
    return tree.origin or f"{UNREAD}{tree.outside}"


def fitted(trees: list[tuple[Tree, Lineage]], start: Floats, free: npt.NDArray[np.bool_]) -> Floats:
    """The maximum-likelihood weights, by gradient ascent."""
    known = []
    for tree, lineage in trees:
        ids = [root.id for root in lineage.roots]
        if tree.decidable and _truth(tree) in ids:
            known.append((np.array([root.features for root in lineage.roots]), ids.index(_truth(tree))))
    weights = start.copy()
    for step in range(3_000):
        slope = -2 * _SPREAD * weights
        for rows, right in known:
            scores = rows @ weights
            share = np.exp(scores - scores.max())
            share /= share.sum()
            slope += (rows[right] - share @ rows) / len(known)
        weights += np.where(free, 2.0 / (1 + step / 1_000) * slope, 0.0)
    return weights


def curve(trees: list[tuple[Tree, Lineage]], weights: Floats) -> tuple[Floats, list[tuple[float, int, bool]]]:
    """Bias, slope and weight of a doubt; and for each tree the share, the doubts and whether the result is right."""
    seen: list[tuple[float, int, bool]] = []
    for tree, lineage in trees:
        scores = np.array([root.features for root in lineage.roots]) @ weights
        share = np.exp(scores - scores.max())
        share /= share.sum()
        best = int(share.argmax())
        seen.append(
            (float(share[best]), len(lineage.doubts), lineage.roots[best].id == _truth(tree) and tree.decidable)
        )
    rows = np.array([(1.0, np.log(min(p, 1 - 1e-6) / (1 - min(p, 1 - 1e-6))), doubts) for p, doubts, _ in seen])
    right = np.array([float(each[2]) for each in seen])
    found = np.array([0.0, 1.0, -0.5])
    for _ in range(20_000):
        said = 1 / (1 + np.exp(-rows @ found))
        found += 0.05 * (rows.T @ (right - said)) / len(seen)
    return found, seen


def main() -> None:
    """Fit, and print the result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--trees", type=int, default=600)
    asked = parser.parse_args()
    table = tomllib.loads((files("inquest.stories") / "origin.toml").read_text(encoding="utf-8"))
    start = np.array([table["weights"][name] for name in FEATURES])
    free = np.array([name not in GIVEN for name in FEATURES])
    half = asked.trees // 2
    weights = fitted(_grown(0, half), start, free)
    found, seen = curve(_grown(5_000, half), weights)
    lines = ["[weights]", *(f"{name} = {weight:.2f}" for name, weight in zip(FEATURES, weights, strict=True))]
    lines += ["", "[confidence]"]
    lines += [f"{name} = {value:.2f}" for name, value in zip(("bias", "slope", "per_doubt"), found, strict=True)]
    for least in (0.3, 0.4, 0.5, 0.6, 0.7):
        for most in (1, 2, 3):
            named = [right for share, doubts, right in seen if share >= least and doubts <= most]
            share = len(named) / len(seen)
            lines.append(f"# least {least}, most_doubts {most}: names {share:.3f}, right {np.mean(named):.3f}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
