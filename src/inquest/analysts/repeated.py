"""Passages contained in another passage: a model reads a story and its copies only once.

A passage is repeated if another one has each of its sentences word for word, and so every figure and negation. The
assessment of that one applies to both, with the quote located in each.
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
"""Least share of a longer passage that its copy must contain; a shorter copy may lack the deciding words and need a
call of its own."""


def repeated(passages: Sequence[Passage]) -> dict[str, str]:
    """Map each repeated passage to the longest passage that has all its sentences, by id."""
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
    """Return assessments of the repeated passages by id, each with its own position of the quote. Without an entry:
    passages without the quoted words, or whose longer passage could not be assessed."""
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
