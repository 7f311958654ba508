"""Reports that tellings name and that are not among them: deleted, behind a wall, or never found.

Such a report stands in the tree like any other. What it told is not known but through those who have it from there, so
that it can be the origin of the story, or a telling between the origin and the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from inquest.logic.matter import Matter
from inquest.logic.origin import Credit, Telling
from inquest.logic.origin_names import Said

__all__ = ["UNREAD", "with_unread"]

UNREAD = "unread "
"""How the ids of such tellings begin; what follows is the name."""

def with_unread(
    members: Sequence[Telling], parents: Mapping[str, Credit], sayings: Mapping[str, tuple[str, Said]]
) -> tuple[list[Telling], dict[str, Credit]]:
    """The members and one telling for each report that they name and that is not there; the credits with those to it.

    `sayings`: by teller, the name of the report and the sentence that says it. Who credits a member as well has it
    from there.
    """
    named: dict[str, list[Telling]] = defaultdict(list)
    credits = dict(parents)
    for member in members:
        if member.id in sayings and member.id not in parents:
            named[sayings[member.id][0]].append(member)
    # Nothing is held against a publisher of whom nothing is known but the name.
    best = max(member.score for member in members)
    unread = []
    for name, tellers in named.items():
        unread.append(_unread(name, tellers, best))
        for teller in tellers:
            sentence = sayings[teller.id][1]
            reason = f"it says that it has it from {name!r}"
            credits[teller.id] = Credit(teller.id, unread[-1].id, reason, 1.0, "words", sentence.text, *sentence.span)
    return [*members, *unread], credits


def _unread(name: str, tellers: Sequence[Telling], score: int) -> Telling:
    words = frozenset[str]().union(*(teller.matter.words for teller in tellers))
    particulars = frozenset[str]().union(*(teller.matter.particulars for teller in tellers))
    return Telling(
        id=f"{UNREAD}{name}",
        url="",
        domain="",
        title="",
        text="",
        published=None,
        author="",
        names=(name,),
        links=frozenset(),
        score=score,
        category="",
        press_release=False,
        matter=Matter(words, particulars),
        readable=False,
    )
