"""Origins of stories in generated propagation trees (bench/trees.py): how often the right one is named, by size.

In some trees everything that would distinguish the origin from another report was destroyed (Tree.rivals, known from
how the tree was made and not from what was found). There the only right answer is that the origin cannot be determined,
with the origin among the possible ones; a name is wrong, even the right one, since it was a guess. For all other trees,
'cannot be determined' is wrong. If the origin is deleted, the right answer is its publisher's name, and that it cannot
be read.

No data is needed; `--data` is ignored. Seeds from 10,000 on are for measuring, lower ones for development.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Protocol

from bench.figures import ROOT, Figure
from bench.trees import Tree, grow
from inquest.desks.verification.origin_report import OriginCase, origin_trace
from inquest.sources.publisher_names import folded_name
from inquest.stories.crediting import UNREAD, article_of
from inquest.stories.stories import Story, assign_stories, find_stories

DATA = str(ROOT / "bench" / "trees.py")
"""The generator of the trees; its hash serves as that of the data."""

SIZES = {5: 200, 20: 200, 50: 100, 100: 60, 500: 10}
"""Documents per tree, and number of trees measured."""
_SEED = 10_000
_LARGEST_FOR_DESK = 20
_FOREIGN = {5: 100, 20: 100}
"""The same, for trees some of whose pages are in other languages."""
_LISTED = frozenset({"late"})


def measure(data: Path | None = None) -> list[Figure]:
    """`accuracy` over all trees, and by what was done to them; `listed`: only rewrites, truncation, wrong and missing
    dates, missing links, other spellings of names and a late 'original'. `named_right`: the share in which the origin
    is named, whether it can be determined or not; `decidable_N` by size, and `right`, `wrong` and `unknown` ('cannot be
    determined') over those whose origin can be determined; `untold`: the share of the others that are reported as such;
    `desk`: accuracy as reported by the topic desk, for trees of up to 20 documents. `foreign_forms`: accuracy over
    trees in which half the credits are on pages in other languages, and `foreign_forms_wrong`, over those that can be
    determined.

    `members` is the share of a tree's documents that are assigned to its story, `intruders` the share of documents on
    other topics among those assigned.
    """
    return figures(_SEED, SIZES)


def figures(seed: int, sizes: dict[int, int]) -> list[Figure]:
    """The figures for trees grown from this seed on."""
    judged: list[_Judged] = []
    foreign: list[_Judged] = []
    by_size: list[Figure] = []
    for size, trees in sizes.items():
        grown = [grow(size, seed + 1000 * size + number) for number in range(trees)]
        begun = time.perf_counter()
        stories = [main_story(tree) for tree in grown]
        seconds = (time.perf_counter() - begun) / trees
        here = [_Judged(tree, story, size) for tree, story in zip(grown, stories, strict=True)]
        details = {"trees": trees, "seconds_per_tree": round(seconds, 3)}
        by_size.append(Figure("origin", f"accuracy_{size}", fmean(each.right for each in here), details=details))
        told = [each.right for each in here if each.tree.decidable]
        by_size.append(Figure("origin", f"decidable_{size}", fmean(told), details={"trees": len(told)}))
        judged += here
        if size in _FOREIGN:
            abroad = [grow(size, seed + 1000 * size + number, foreign=True) for number in range(_FOREIGN[size])]
            foreign += [_Judged(tree, main_story(tree), size) for tree in abroad]
    known = [each for each in judged if each.tree.decidable]
    told_abroad = [each for each in foreign if each.tree.decidable]
    desk = [is_right(each.tree, trace(each.tree)) for each in judged if each.size <= _LARGEST_FOR_DESK]
    return [
        _figure("accuracy", [each.right for each in judged]),
        _figure("named_right", [each.named_right for each in judged]),
        _figure("right", [each.right for each in known]),
        _figure("wrong", [each.named and not each.right for each in known]),
        _figure("unknown", [not each.named for each in known]),
        _figure("untold", [each.right for each in judged if not each.tree.decidable]),
        *by_size,
        *(_figure(f"accuracy_{damage}", right) for damage, right in sorted(_by_damage(judged).items())),
        _figure("desk", desk),
        _figure("foreign_forms", [each.right for each in foreign]),
        _figure("foreign_forms_wrong", [each.named and not each.right for each in told_abroad]),
        _figure("members", [each.whole for each in judged]),
        _figure("intruders", [each.strange for each in judged]),
    ]


class _Judged:
    """One tree with the result for it."""

    def __init__(self, tree: Tree, story: Story | None, size: int) -> None:
        self.tree, self.size = tree, size
        self.right = is_right(tree, story)
        self.named = story is not None and bool(story.origin or story.outside)
        self.named_right = story is not None and _named(story) == (tree.origin or None, tree.outside)
        members = set(story.members) if story else set()
        self.whole = len(members & tree.members) / len(tree.members)
        self.strange = len(members - tree.members) / max(1, len(members))


def _by_damage(judged: Sequence[_Judged]) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = defaultdict(list)
    for each in judged:
        for damage in each.tree.damage or {"none"}:
            found[damage].append(each.right)
        if not each.tree.damage - _LISTED:
            found["listed"].append(each.right)
    return found


def _figure(name: str, values: Sequence[float]) -> Figure:
    return Figure("origin", name, fmean(values) if values else 1.0, details={"trees": len(values)})


class Named(Protocol):
    """Something that names an origin: a story, or a trace of it."""

    @property
    def origin(self) -> str | None:
        """The id of the source."""

    @property
    def outside(self) -> str | None:
        """The publisher of an origin that could not be read."""

    @property
    def undecided(self) -> tuple[str, ...]:
        """The possible origins, if it cannot be determined which is the first."""


def is_right(tree: Tree, found: Named | None) -> bool:
    """True if the result is right or, if the origin cannot be determined, says so and has it among the possible
    ones."""
    if found is None:
        return False
    if tree.rivals:
        return (tree.origin or f"{UNREAD}{tree.outside}") in found.undecided
    return _named(found) == (tree.origin or None, tree.outside)


def _named(found: Named) -> tuple[str | None, str | None]:
    return found.origin, folded_name(found.outside) if found.outside else None


def main_story(tree: Tree) -> Story | None:
    """The story that holds most of the tree's documents."""
    stories = find_stories([article_of(source, tree.documents[source.id]) for source in tree.sources])
    return max(stories, key=lambda story: len(tree.members & set(story.members)), default=None)


@dataclass(frozen=True)
class Traced:
    """The topic desk's result for a tree."""

    origin: str | None
    outside: str | None
    undecided: tuple[str, ...]


def trace(tree: Tree) -> Traced:
    """The origin as determined by the topic desk: from the sources of a case, with their stories."""
    sources = {source.id: source for source in assign_stories(tree.sources, tree.documents)}
    found = origin_trace(OriginCase(sources, tree.documents, tree.sources[0].retrieved_at))
    undecided = tuple(each if each in sources else f"{UNREAD}{folded_name(each)}" for each in found.candidates)
    return Traced(found.source_id, None if found.readable else folded_name(found.name), undecided)
