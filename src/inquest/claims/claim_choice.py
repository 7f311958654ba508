"""What a user says of the list of claims before the desks run: 'drop C3, C7', 'only C1 and C4', 'add: We cut Scope 1 by
12 % in 2023', 'max 5', several at once and in any case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from inquest.domain.claim import Claim
from inquest.domain.value import Value
from inquest.text.numerals import worded_number
from inquest.text.regex import regex
from inquest.text.sentences import shorten

_MOST_IN_A_RANGE = 200
_DROP = (
    r"(?:(?:keep|check)\s+)?(?:all|everything)(?:\s+claims)?\s+(?:but|except)(?:\s+for)?|"
    r"drop|remove|delete|exclude|skip|omit|leave\s+out|without|except|not|don['’]t\s+check"
)
_LIMIT = (
    r"max(?:imum)?|at\s+most|no\s+more\s+than|up\s+to|limit\s+to|(?:(?:only|keep|just)\s+)?(?:the\s+)?(?:first|top)|"
    r"(?:only|keep|just)(?=\s+\w+\s+claims\b)"
)
_ID = r"(?:the\s+)?(?:claims?\s+|numbers?\s+|#\s*)?(?:c\s?-?)?\d{1,4}(?:\s*(?:-|–|to)\s*c?\s?-?\d{1,4})?"
_NUMBERS = regex(r"(\d+)(?:\s*(?:-|–|to)\s*c?\s?-?(\d+))?$", re.I)
_JOINT = r"\s*(?:[,/+&]|\band\b|\bor\b)\s*"
_LEAVE_OUT = regex(r"\bleave\s+(.+?)\s+out\b", re.I)
_APART = regex(r"[;\n]|,\s*(?=add\s*:)", re.I)
_ADD = regex(r"(?:and\s+)?(?:please\s+)?(?:add|include)(?:\s+(?:the|this|a|another))?(?:\s+claim)?(?:\s*:|\s)\s*", re.I)
_APPROVING = frozenset("yes ok okay go fine good approve approved start continue proceed all thanks please".split())


class ClaimChange(Value):
    """What the user wants of the list."""

    drop: tuple[str, ...] = ()
    """Ids, as the list spells them: 'C3'."""
    only: tuple[str, ...] = ()
    """Where given, no others."""
    add: tuple[str, ...] = ()
    """Claims in the user's words."""
    limit: int | None = None
    """At most so many of the report's claims; those added are besides."""
    not_understood: tuple[str, ...] = ()
    """Parts of what was said that are none of these, as they were said."""


def claim_change(text: str, ids: Iterable[str] = ()) -> ClaimChange:
    """Read what the words ask for. `ids`: those of the list, so that ids which users gave to claims of their own are
    found too; a bare number is the claim of that number ('3' is 'C3'). Never raises; words of approval change nothing.
    """
    known = {each.casefold(): each for each in ids}
    text = _LEAVE_OUT.sub(r"drop \1", text)
    drop: list[str] = []
    only: list[str] = []
    add: list[str] = []
    limits: list[int] = []
    missed: list[str] = []
    at = 0
    for found in [*_directives(known).finditer(text), None]:
        for part in _APART.split(text[at : found.start() if found else len(text)]):
            said = part.strip(" ,.!\t\r")
            added = _ADD.match(said)
            claim = " ".join(said[added.end() :].split()).strip("\"“„«»”'‘’") if added else ""
            if len(re.findall(r"\w+", claim)) > 1:
                add.append(claim)
            elif not _approves(said):
                missed.append(shorten(said, 200))
        if found is None:
            break
        at = found.end()
        if written := found["size"]:
            size = int(written) if written.isdigit() else int(worded_number(written.lower()) or 0)
            if size:
                limits.append(size)
            else:
                missed.append(found[0].strip(" ,."))
        else:
            (drop if found["drop"] else only).extend(_ids(found["ids"], known))
    return ClaimChange(
        drop=tuple(dict.fromkeys(drop)),
        only=tuple(dict.fromkeys(only)),
        add=tuple(dict.fromkeys(add)),
        limit=min(limits, default=None),
        not_understood=tuple(dict.fromkeys(missed)),
    )


def _directives(known: dict[str, str]) -> re.Pattern[str]:
    """Whole directives but those that add: what only begins like one belongs to the words of a claim that is added."""
    one = "|".join((*(re.escape(each) for each in sorted(known, key=len, reverse=True)), _ID))
    return re.compile(
        rf"(?:^|(?<=[;,.\n])|\b(?:and|but|then)\b)\s*(?:(?:please|also|then|and)\s+)*"
        rf"(?:(?:{_LIMIT})\s+(?P<size>\d+|[a-z]+)(?:\s+claims?)?|"
        rf"(?:(?P<drop>{_DROP})|only|keep(?:\s+only)?|just|select|check\s+only)\s*:?\s+"
        rf"(?P<ids>(?:{one})(?:{_JOINT}(?:{one}))*))(?=\s*(?:please\b)?\s*(?:[;,.!?\n]|and\b|but\b|then\b|$))",
        re.IGNORECASE,
    )


def _ids(words: str, known: dict[str, str]) -> list[str]:
    found: list[str] = []
    for item in re.split(_JOINT, words, flags=re.I):
        if item.casefold() in known:
            found.append(known[item.casefold()])
        elif numbers := _NUMBERS.search(item):
            first, last = int(numbers[1]), int(numbers[2] or numbers[1])
            reach = range(first, min(last, first + _MOST_IN_A_RANGE) + 1)
            found += [known.get(f"c{number}") or known.get(str(number)) or f"C{number}" for number in reach]
    return found


def _approves(said: str) -> bool:
    spoken = re.findall(r"\w+", said.lower())
    return not spoken or (spoken[0] in _APPROVING and len(spoken) <= 2)


def chosen(claims: Sequence[Claim], change: ClaimChange) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """The claims that are kept and those that are not, each in the list's order.

    `only` first, then `drop`, then `limit`, which keeps those that come first. An `only` that meets no claim of the
    list keeps all: a slip of the pen must not empty the list (`unknown_ids` tells of it).
    """
    wanted = {each.casefold() for each in change.only} & {claim.id.casefold() for claim in claims}
    unwanted = {each.casefold() for each in change.drop}
    kept = [
        claim
        for claim in claims
        if claim.id.casefold() not in unwanted and (not wanted or claim.id.casefold() in wanted)
    ][: change.limit]
    ids = {claim.id for claim in kept}
    return tuple(kept), tuple(claim for claim in claims if claim.id not in ids)


def unknown_ids(claims: Sequence[Claim], change: ClaimChange) -> tuple[str, ...]:
    """The ids that the user named and the list has not."""
    there = {claim.id.casefold() for claim in claims}
    return tuple(each for each in dict.fromkeys((*change.only, *change.drop)) if each.casefold() not in there)
