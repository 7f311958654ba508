"""Origins of stories, over generated propagation trees (bench/trees.py): how often the right one is named, by size.

In a tree in which nothing tells the origin from a copy (Tree.symmetric, known from how the tree was made and not from
what was found) the one right answer is that it cannot be told; everywhere else that answer counts as wrong. Where the
origin is deleted, the right answer is its publisher's name, and that it cannot be read.

No data is needed; `--data` is ignored. Seeds from 10,000 on are measured; what is developed uses others.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Protocol

from bench.figures import ROOT, Figure
from bench.trees import Tree, grow
from inquest.logic.origin import telling_of
from inquest.logic.origin_names import folded_name
from inquest.logic.origin_report import origin_trace
from inquest.logic.stories import Story, assign_stories, find_stories

DATA = str(ROOT / "bench" / "trees.py")
"""What makes the trees; its hash is that of the data."""

SIZES = {5: 200, 20: 100, 100: 40, 500: 10}
"""Documents of a tree, and how many trees are measured."""
_SEED = 10_000
_LARGEST_FOR_DESK = 100


def measure(data: Path | None = None) -> list[Figure]:
    """`accuracy` over all trees, by size, and by what befell them; `right`, `wrong` and `unknown` over those whose
    origin can be told (not symmetric); `desk`: as the topic desk reports it, for trees of up to 100 documents.

    `members` is the share of the documents of a tree that are found to belong to its story, `intruders` that of
    documents of other matters among those found.
    """
    return figures(_SEED, SIZES)


def figures(seed: int, sizes: dict[int, int]) -> list[Figure]:
    """The figures for trees grown from this seed on."""
    found = []
    right_of_all: list[bool] = []
    desk: list[bool] = []
    by_damage: dict[str, list[bool]] = defaultdict(list)
    told: list[tuple[bool, bool, bool]] = []
    whole: list[float] = []
    strange: list[float] = []
    for size, trees in sizes.items():
        grown = [grow(size, seed + 1000 * size + number) for number in range(trees)]
        begun = time.perf_counter()
        stories = [main_story(tree) for tree in grown]
        seconds = (time.perf_counter() - begun) / trees
        right = [is_right(tree, story) for tree, story in zip(grown, stories, strict=True)]
        for tree, story, well in zip(grown, stories, right, strict=True):
            for damage in tree.damage or {"none"}:
                by_damage[damage].append(well)
            if size <= _LARGEST_FOR_DESK:
                desk.append(is_right(tree, trace(tree)))
            named = bool(story and (story.origin or story.outside))
            if not tree.symmetric:
                told.append((well, named and not well, not named))
            members = set(story.members) if story else set()
            whole.append(len(members & tree.members) / len(tree.members))
            strange.append(len(members - tree.members) / max(1, len(members)))
        right_of_all += right
        details = {"trees": trees, "seconds_per_tree": round(seconds, 3)}
        found.append(Figure("origin", f"accuracy_{size}", fmean(right), details=details))
    found += [
        Figure("origin", f"accuracy_{damage}", fmean(right), details={"trees": len(right)})
        for damage, right in sorted(by_damage.items())
    ]
    details = {"trees": len(right_of_all)}
    return [
        Figure("origin", "accuracy", fmean(right_of_all), details=details),
        *(
            Figure("origin", name, fmean(column), details={"trees": len(told)})
            for name, column in zip(("right", "wrong", "unknown"), zip(*told, strict=True), strict=True)
        ),
        *found,
        Figure("origin", "desk", fmean(desk), details={"trees": len(desk)}),
        Figure("origin", "members", fmean(whole), details=details),
        Figure("origin", "intruders", fmean(strange), details=details),
    ]


class Named(Protocol):
    """What names an origin: a story, or a trace of it."""

    @property
    def origin(self) -> str | None:
        """Id of the source."""

    @property
    def outside(self) -> str | None:
        """The publisher of one that could not be read."""


def is_right(tree: Tree, found: Named | None) -> bool:
    """Whether what was found is so, and where it cannot be told, says that."""
    expected = (None, tree.outside) if tree.symmetric or tree.outside else (tree.origin, None)
    return found is not None and (found.origin, found.outside) == expected


def main_story(tree: Tree) -> Story | None:
    """The story that holds most of the tree's documents."""
    stories = find_stories([telling_of(source, tree.documents[source.id]) for source in tree.sources])
    return max(stories, key=lambda story: len(tree.members & set(story.members)), default=None)


@dataclass(frozen=True)
class Traced:
    """What the topic desk says of a tree."""

    origin: str | None
    outside: str | None


def trace(tree: Tree) -> Traced:
    """The origin as the topic desk finds it: from the sources of a case, with their stories."""
    sources = {source.id: source for source in assign_stories(tree.sources, tree.documents)}
    found = origin_trace(sources, tree.documents, tree.sources[0].retrieved_at)
    return Traced(found.source_id, None if found.readable else folded_name(found.name))
