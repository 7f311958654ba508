"""Origins of stories, over generated propagation trees (bench/trees.py): how often the right one is named, by size.

In a tree in which nothing tells the origin from a copy (Tree.symmetric, known from how the tree was made and not from
what was found) the one right answer is that it cannot be told; everywhere else that answer counts as wrong.

No data is needed; `--data` is ignored. Seeds from 10,000 on are measured; what is developed uses others.
"""

from __future__ import annotations

import time
from pathlib import Path
from statistics import fmean

from bench.figures import ROOT, Figure
from bench.trees import Tree, grow
from inquest.logic.origin import telling_of
from inquest.logic.stories import Story, find_stories

DATA = str(ROOT / "bench" / "trees.py")
"""What makes the trees; its hash is that of the data."""

SIZES = {5: 200, 20: 100, 100: 40, 500: 10}
"""Documents of a tree, and how many trees are measured."""
_SEED = 10_000


def measure(data: Path | None = None) -> list[Figure]:
    """`accuracy` over all trees; `right`, `wrong` and `unknown` over those whose origin can be told (not symmetric).

    `members` is the share of the documents of a tree that are found to belong to its story, `intruders` that of
    documents of other matters among those found.
    """
    return figures(_SEED, SIZES)


def figures(seed: int, sizes: dict[int, int]) -> list[Figure]:
    """The figures for trees grown from this seed on."""
    found = []
    right_of_all: list[bool] = []
    told: list[tuple[bool, bool, bool]] = []
    whole: list[float] = []
    strange: list[float] = []
    for size, trees in sizes.items():
        begun = time.perf_counter()
        right = []
        for number in range(trees):
            tree = grow(size, seed + 1000 * size + number)
            story = main_story(tree)
            right.append(story is not None and story.origin == (None if tree.symmetric else tree.origin))
            named = story.origin if story else None
            if not tree.symmetric:
                told.append((named == tree.origin, named is not None and named != tree.origin, named is None))
            members = set(story.members) if story else set()
            whole.append(len(members & tree.members) / len(tree.members))
            strange.append(len(members - tree.members) / max(1, len(members)))
        right_of_all += right
        details = {"trees": trees, "seconds_per_tree": round((time.perf_counter() - begun) / trees, 3)}
        found.append(Figure("origin", f"accuracy_{size}", fmean(right), details=details))
    details = {"trees": len(right_of_all)}
    return [
        Figure("origin", "accuracy", fmean(right_of_all), details=details),
        *(
            Figure("origin", name, fmean(column), details={"trees": len(told)})
            for name, column in zip(("right", "wrong", "unknown"), zip(*told, strict=True), strict=True)
        ),
        *found,
        Figure("origin", "members", fmean(whole), details=details),
        Figure("origin", "intruders", fmean(strange), details=details),
    ]


def main_story(tree: Tree) -> Story | None:
    """The story that holds most of the tree's documents."""
    stories = find_stories([telling_of(source, tree.documents[source.id]) for source in tree.sources])
    return max(stories, key=lambda story: len(tree.members & set(story.members)), default=None)
