"""Where a story comes from, hop by hop, each with the words that credit; and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inquest.stories.credits import Credit, Telling, credits_among
from inquest.stories.lineage import following, lineage_of, untold
from inquest.stories.origin_marks import first_hand_words
from inquest.stories.unread_origins import outside_credits, publisher_of

__all__ = ["Hop", "Origin", "chain_of", "origin_of"]


@dataclass(frozen=True, slots=True)
class Hop:
    """One telling says whom it has the matter from."""

    teller: str
    credited: str | None
    """Id of the credited telling; None: it is not among those that could be read."""
    name: str
    """Domain of the credited, or its name as it is written where it could not be read."""
    how: str
    """words, by-line or link."""
    quote: str
    """For words: `text[start:end]` of the teller; for a by-line or a link, that itself."""
    start: int
    end: int

    @property
    def readable(self) -> bool:
        """Whether the credited report itself is among the tellings."""
        return self.credited is not None


@dataclass(frozen=True, slots=True)
class Origin:
    """What can be said of where a story comes from."""

    source_id: str | None
    """None: it cannot be told, or its report is not among those that could be read."""
    outside: str | None
    """Who published it, as the tellings name them, where that report could not be read."""
    chain: tuple[Hop, ...]
    """The longest line of credits that leads to it, from its last teller on."""
    confidence: float
    """0 to 1; 0 where it cannot be told."""
    reasons: tuple[str, ...]
    candidates: tuple[str, ...] = ()
    """Ids of those that can each be the first, likeliest first, where it cannot be told which; of a report that could
    not be read, how it stands in the tree (stories.unread_origins)."""


def origin_of(tellings: Sequence[Telling]) -> Origin:
    """The origin of tellings that all tell one report (the members of a story). Raises ValueError for none at all."""
    if not tellings:
        raise ValueError("there are no tellings to find the origin of")
    by_id = {telling.id: telling for telling in tellings}
    found = lineage_of(tellings, following(credits_among(tellings), {}), outside_credits(tellings))
    best = found.roots[0]
    reasons = [
        f"{teller} and others name each other round; the credit of {teller} is left out." for teller in found.cut
    ]
    chain = chain_of(best.id, found.forest, by_id)
    behind = sum(credit.origin == best.id for credit in found.forest.values())
    said = (
        f"{behind} of the others say that they have it from"
        if behind > 1
        else "One of the others says that it has it from"
    )
    if found.undecided:
        reasons.append(untold(found.undecided))
        return Origin(None, None, (), 0.0, tuple(reasons), found.undecided)
    if found.outside:
        reasons.append(f"{said} {found.outside.title()}, whose report is not readable.")
        return Origin(None, found.outside, chain, best.share, tuple(reasons))
    first = best.id
    if behind:
        reasons.append(f"{said} {first}.")
    if words := first_hand_words(by_id[first].text):
        reasons.append(f"It says that it has it at first hand: {words[0]!r}.")
    if len(found.roots) > 1:
        reasons.append(
            f"Of {len(found.roots)} that can be the first, it best explains the dates, details and wording of the rest."
        )
    return Origin(first, None, chain, best.share, tuple(reasons))


def chain_of(origin: str, forest: Mapping[str, Credit], by_id: Mapping[str, Telling]) -> tuple[Hop, ...]:
    """The longest line of credits that ends at the origin, its last teller first; the earliest by id of equal ones."""
    lines: list[tuple[Hop, ...]] = [()]
    for teller in forest:
        line, here = [], teller
        while here in forest:
            credit = forest[here]
            known = by_id.get(credit.origin)
            name = known.domain if known else publisher_of(credit)
            line.append(
                Hop(here, known.id if known else None, name, credit.how, credit.quote, credit.start, credit.end)
            )
            here = credit.origin
        if here == origin:
            lines.append(tuple(line))
    return min(lines, key=lambda line: (-len(line), line[0].teller if line else ""))
