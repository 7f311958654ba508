"""Changes of the claim list in a user's words: 'drop C3, C7', 'only C1 and C4', 'add: We cut Scope 1 by 12 %', 'max 5'.

Several changes may be combined; upper and lower case are alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from inquest.domain.claim import Claim
from inquest.domain.value import Value
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.text.units import worded_number

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
    """A requested change of the claim list."""

    drop: tuple[str, ...] = ()
    """Ids as the list spells them: 'C3'."""
    only: tuple[str, ...] = ()
    """Ids to keep; empty for all."""
    add: tuple[str, ...] = ()
    """Claims in the user's words."""
    limit: int | None = None
    """Maximum number of the report's claims; added ones do not count."""
    not_understood: tuple[str, ...] = ()
    """Parts of the text without a known meaning, verbatim."""


def claim_change(text: str, ids: Iterable[str] = ()) -> ClaimChange:
    """Parse a requested change. Never raises; words of approval change nothing. `ids`: those of the list, so that ids
    chosen by the user are recognised; '3' means 'C3'."""
    known = {each.casefold(): each for each in ids}
    text = _LEAVE_OUT.sub(r"drop \1", text)
    drop, only, add, missed = list[str](), list[str](), list[str](), list[str]()
    limits: list[int] = []
    at = 0
    for directive in [*_directives(known).finditer(text), None]:
        for part in _APART.split(text[at : directive.start() if directive else len(text)]):
            rest = part.strip(" ,.!\t\r")
            added = _ADD.match(rest)
            claim = " ".join(rest[added.end() :].split()).strip("\"“„«»”'‘’") if added else ""
            if len(re.findall(r"\w+", claim)) > 1:
                add.append(claim)
            elif (words := re.findall(r"\w+", rest.lower())) and (words[0] not in _APPROVING or len(words) > 2):
                missed.append(shorten(rest, 200))
        if directive is None:
            break
        at = directive.end()
        if written := directive["size"]:
            if size := int(written) if written.isdigit() else int(worded_number(written.lower()) or 0):
                limits.append(size)
            else:
                missed.append(directive[0].strip(" ,."))
        else:
            (drop if directive["drop"] else only).extend(_ids(directive["ids"], known))
    drop, only, add, missed = (list(dict.fromkeys(each)) for each in (drop, only, add, missed))
    limit = min(limits, default=None)
    return ClaimChange(drop=tuple(drop), only=tuple(only), add=tuple(add), limit=limit, not_understood=tuple(missed))


def _directives(known: dict[str, str]) -> re.Pattern[str]:
    """Match complete directives other than 'add'; a partial match belongs to the words of an added claim."""
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


def chosen(claims: Sequence[Claim], change: ClaimChange) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """Split the claims into those kept and those dropped, both in order. Applies `only`, then `drop`, then `limit`,
    which keeps the first. An `only` without known ids keeps all, so that a typing error does not empty the list (see
    `unknown_ids`)."""
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
    """Return the ids in a change that the list does not contain."""
    known = {claim.id.casefold() for claim in claims}
    return tuple(each for each in dict.fromkeys((*change.only, *change.drop)) if each.casefold() not in known)
