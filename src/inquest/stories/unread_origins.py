"""Reports that tellings name and that are not among them: deleted, behind a wall, or never found.

Such a report stands in the tree like any other. What it told is not known but through those who have it from there, so
that it can be the origin of the story, or a telling between the origin and the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from inquest.stories.credit_words import ON_THEIR_OWN
from inquest.stories.credits import Credit, Telling
from inquest.stories.matter import Matter
from inquest.stories.origin_names import credited_press, folded_name, head_of, names_in_domain, said
from inquest.text.sentences import Span
from inquest.text.urls import registrable_domain

__all__ = ["UNREAD", "outside_credits", "publisher_named", "publisher_of", "spoken_of", "with_unread"]

UNREAD = "unread "
"""How the ids of such tellings begin; what follows is the name."""


def outside_credits(tellings: Sequence[Telling]) -> dict[str, Credit]:
    """By id of the teller: its credit to an agency or newspaper that is not among the tellings.

    What no text says is no report: a by-line or a link counts where another telling names the same publisher in words.
    """
    inside = {name for telling in tellings for name in telling.names}
    found: dict[str, Credit] = {}
    for telling in tellings:
        for sentence in head_of(telling.text):
            name = credited_press(sentence)
            if name and name not in inside and name not in telling.names and not ON_THEIR_OWN.search(sentence.folded):
                found[telling.id] = _credit(telling, name, "words", sentence.text, sentence.span)
                break
    named = sorted({publisher_of(credit) for credit in found.values()})
    for telling in tellings:
        if named and telling.id not in found and (credit := _pointed_at(telling, named)):
            found[telling.id] = credit
    return found


def publisher_of(credit: Credit) -> str:
    """The publisher, folded, of the report that is not there."""
    return credit.origin.removeprefix(UNREAD)


def spoken_of(telling: str) -> str:
    """How a telling is spoken of by its id: the id, or the publisher of a report that is not there."""
    return f"{publisher_named(telling)} (not readable)" if telling.startswith(UNREAD) else telling


def publisher_named(telling: str) -> str:
    """The publisher of a report that is not there, as a name, by the id of its telling."""
    return telling.removeprefix(UNREAD).title()


def _pointed_at(telling: Telling, named: Sequence[str]) -> Credit | None:
    by_line = said(telling.author)
    for name in named:
        if telling.author and by_line.names(name):
            return _credit(telling, name, "by-line", telling.author, None)
    for link in sorted(telling.links):
        names = [folded_name(name) for name in names_in_domain(registrable_domain(link))]
        if found := next((name for name in named if name in names), None):
            return _credit(telling, found, "link", link, None)
    return None


def _credit(telling: Telling, name: str, how: str, quote: str, span: Span | None) -> Credit:
    reason = f"it says that it has it from {name!r}" if how == "words" else f"its {how} names {name!r}"
    return Credit(telling.id, f"{UNREAD}{name}", reason, 1.0, how, quote, *(span or (0, 0)))


def with_unread(
    members: Sequence[Telling], parents: Mapping[str, Credit], outside: Mapping[str, Credit]
) -> tuple[list[Telling], dict[str, Credit]]:
    """The members and one telling for each report that they name and that is not there; the credits with those to it.

    `outside`: by teller, its credit to such a report. Who credits a member as well has it from there.
    """
    tellers: dict[str, list[Telling]] = defaultdict(list)
    credits = dict(parents)
    for member in members:
        if member.id in outside and member.id not in parents:
            credits[member.id] = outside[member.id]
            tellers[publisher_of(outside[member.id])].append(member)
    # Nothing is held against a publisher of whom nothing is known but the name.
    best = max(member.score for member in members)
    return [*members, *(_unread(name, known, best) for name, known in tellers.items())], credits


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
