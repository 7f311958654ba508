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
_DIRECTIVE = regex(
    r"(?:(?:please|and|but|also|then|can\s+you)\s+)*"
    r"(?:(?P<add>add|include)(?:\s+(?:the|this|a|another)?\s*claim)?\s*(?::|\s)"
    r"|(?P<drop>(?:(?:keep|check)\s+)?(?:all|everything)(?:\s+(?:claims|but|except))+(?:\s+for)?"
    r"|drop|remove|delete|exclude|skip|omit|leave\s+out|without|except|(?:not|don['’]t\s+check)\b)"
    r"|(?P<limit>max(?:imum)?|at\s+most|no\s+more\s+than|up\s+to|limit\s+to|(?:(?:only|keep|just)\s+)?"
    r"(?:the\s+)?(?:first|top|best)|(?:only|keep|just)(?=\s+\w+\s+claims\b))"
    r"|(?P<only>only|keep(?:\s+only)?|just|select|check\s+only))\s*:?\s*(?P<rest>\S.*)$",
    re.I | re.S,
)
"""A directive of one kind and what it is about."""
_LEAVE_OUT = regex(r"\bleave\s+(.+?)\s+out\b", re.I)
_LINES = regex(r"\s*[;\n]\s*")
_JOINT = regex(r"(\s*[,/+&]\s*|\.\s+|\s+(?:and|or|but)\s+)", re.I)
_LIMIT = regex(r"(\w+)(?:\s+claims?)?(?:\s+please)?$", re.I)
_ID = regex(
    r"(?:the\s+)?(?:claims?\s+|numbers?\s+|#\s*)?(?:c\s?-?)?(\d{1,4})(?:\s*(?:-|–|to)\s*c?\s?-?(\d{1,4}))?$", re.I
)
_POLITE_END = regex(r"(?:\s*\bplease|[\s.!?,])+$", re.I)
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

    @property
    def empty(self) -> bool:
        """Nothing is to be changed, and nothing was asked that was not understood."""
        return self == ClaimChange()


def claim_change(text: str, ids: Iterable[str] = ()) -> ClaimChange:
    """Read what the words ask for. `ids`: those of the list, so that ids which users gave to claims of their own are
    found too; a bare number is the claim of that number ('3' is 'C3'). Never raises; words of approval change nothing.
    """
    known = {each.casefold(): each for each in ids}
    found: dict[str, list[str]] = {"drop": [], "only": [], "add": [], "limit": [], "missed": []}
    for part in _parts(text, known):
        kind, values = _read(part, known)
        found[kind] += values
    limits = [int(each) for each in found["limit"]]
    return ClaimChange(
        drop=tuple(dict.fromkeys(found["drop"])),
        only=tuple(dict.fromkeys(found["only"])),
        add=tuple(dict.fromkeys(found["add"])),
        limit=min(limits, default=None),
        not_understood=tuple(dict.fromkeys(found["missed"])),
    )


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
    ]
    if change.limit is not None:
        kept = kept[: change.limit]
    ids = {claim.id for claim in kept}
    return tuple(kept), tuple(claim for claim in claims if claim.id not in ids)


def unknown_ids(claims: Sequence[Claim], change: ClaimChange) -> tuple[str, ...]:
    """The ids that the user named and the list has not."""
    there = {claim.id.casefold() for claim in claims}
    return tuple(each for each in dict.fromkeys((*change.only, *change.drop)) if each.casefold() not in there)


def _parts(text: str, known: dict[str, str]) -> list[str]:
    """The directives of a text. A part between commas that is no directive belongs to the one before it, where the two
    together are one: 'drop C3' and 'C7', the words of a claim that is added."""
    parts: list[str] = []
    for line in _LINES.split(_LEAVE_OUT.sub(r"drop \1", text)):
        pieces = _JOINT.split(line)
        current = pieces[0]
        for joint, piece in zip(pieces[1::2], pieces[2::2], strict=True):
            together = f"{current}{joint}{piece}"
            kind = _read(current, known)[0]
            inside_a_claim = kind == "add" and joint.strip() not in (",", ".")
            if _read(together, known)[0] != "missed" and (inside_a_claim or _read(piece, known)[0] == "missed"):
                current = together
            else:
                parts.append(current)
                current = piece
        parts.append(current)
    return [stripped for part in parts if (stripped := part.strip(" ,.!"))]


def _read(part: str, known: dict[str, str]) -> tuple[str, list[str]]:
    """The kind of a directive and its ids, number or claim; 'missed' with the part itself for anything else."""
    directive = _DIRECTIVE.match(part.strip(" ,"))
    if directive is None:
        spoken = re.findall(r"\w+", part.lower())
        approving = bool(spoken) and spoken[0] in _APPROVING and len(spoken) <= 2
        return "missed", [] if approving else [shorten(part, 200)]
    kind = next(name for name in ("add", "drop", "limit", "only") if directive[name])
    rest = directive["rest"]
    if kind == "add":
        values = [claim] if (claim := _claim_words(rest)) else []
    elif kind == "limit":
        number = _LIMIT.match(_POLITE_END.sub("", rest))
        values = [str(size)] if number and (size := _size(number[1])) else []
    else:
        values = _ids(rest, known)
    return (kind, values) if values else ("missed", [shorten(part, 200)])


def _size(written: str) -> int:
    return int(written) if written.isdigit() else int(worded_number(written.lower()) or 0)


def _ids(words: str, known: dict[str, str]) -> list[str]:
    """The ids that the words list; none where they are anything but a list of ids."""
    found: list[str] = []
    for item in _JOINT.split(_POLITE_END.sub("", words))[::2]:
        if item.casefold() in known:
            found.append(known[item.casefold()])
            continue
        match = _ID.match(item)
        if match is None:
            return []
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last < first + _MOST_IN_A_RANGE:
            return []
        found += [
            known.get(f"c{number}") or known.get(str(number)) or f"C{number}" for number in range(first, last + 1)
        ]
    return found


def _claim_words(text: str) -> str:
    words = " ".join(text.split()).strip("\"“„«»”'‘’")
    return words if len(re.findall(r"\w+", words)) > 1 else ""
