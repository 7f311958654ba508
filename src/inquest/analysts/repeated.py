"""Passages that say nothing but what another one says: a story and its copies are put before a model once.

A passage is repeated where each of its sentences is in another one word for word, and so with every figure and
negation. What the model says of that one is said of both, in the words of each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.domain.finding import Stance
from inquest.domain.reading import Reading
from inquest.kit.analyst import Passage
from inquest.text.grounding import ground
from inquest.text.sentences import sentences

__all__ = ["repeated", "shared"]

_MOST = 0.5
"""Share of a passage that another one has at least for it to be its copy: of less the words that decide may be missing,
and it would be judged in a call of its own."""


def repeated(passages: Sequence[Passage]) -> dict[str, str]:
    """By the id of a passage that is repeated, the id of the one that has all its sentences: the longest such."""
    kept: list[tuple[Passage, frozenset[str]]] = []
    found: dict[str, str] = {}
    for passage in sorted(passages, key=lambda each: -len(each.text)):
        said = frozenset(" ".join(span.of(passage.text).split()) for span in sentences(passage.text))
        whole = next((each for each, more in kept if said and said <= more), None)
        if whole is None:
            kept.append((passage, said))
        elif len(passage.text) >= _MOST * len(whole.text):
            found[passage.id] = whole.id
    return found


def shared(
    passages: Sequence[Passage], repeats: Mapping[str, str], judged: Mapping[str, Reading]
) -> dict[str, Reading]:
    """By id, the judgements of the passages that are repeated, each with its own place for the quote. One that has not
    the words its other rests on has none, nor has one whose other could not be judged."""
    found = {}
    for passage in passages:
        if passage.id not in repeats:
            continue
        of_whole = judged[repeats[passage.id]]
        if of_whole.stance is Stance.UNASSESSED:
            continue
        update: dict[str, str | int] = {"passage_id": passage.id}
        if of_whole.stance in (Stance.SUPPORTS, Stance.CONTRADICTS):
            span = ground(passage.text, of_whole.quote)
            if span is None:
                continue
            update |= {"quote": span.of(passage.text), "start": span.start, "end": span.end}
        found[passage.id] = of_whole.model_copy(update=update)
    return found
