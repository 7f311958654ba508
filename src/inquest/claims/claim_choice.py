"""What a user says of the list of claims before the desks run: 'drop C3, C7', 'only C1 and C4', 'add: We cut Scope 1 by
12 % in 2023', 'max 5', several at once and in any case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from inquest.domain.claim import Claim
from inquest.domain.value import Value
from inquest.text.lexicon import pattern
from inquest.text.numerals import worded_number
from inquest.text.regex import regex
from inquest.text.sentences import shorten

_I = re.IGNORECASE
_MOST_IN_A_RANGE = 200
_POLITE = r"(?:(?:please|and|but|also|then|i\s+want\s+to|can\s+you|let['’]?s)\b[\s,]*)*"
_DROP = (
    r"(?:drop|remove|delete|exclude|skip|omit|ignore|deselect|leave\s+out|without|except(?:\s+for)?|minus|not|no|"
    r"do\s+not\s+check|don['’]t\s+check)"
)
_ONLY = r"(?:only|just|keep(?:\s+only)?|select(?:\s+only)?|nothing\s+but|check(?:\s+only)?|restrict\s+(?:it\s+)?to)"
_FIRST = r"(?:(?:only\s+|just\s+)?(?:the\s+)?(?:first|top|best))"
_MOST = (
    r"(?:max(?:imum|imal)?(?:\s+of)?|at\s+most|(?:no|not)\s+more\s+than|up\s+to|"
    rf"limit(?:\s+(?:it|them))?(?:\s+to)?|{_FIRST})"
)
_ADDING = (
    r"(?:add|include|plus)(?:\s+(?:the|this|a|another|my)\b)?(?:\s+(?:own|new|following))*(?:\s+claim\b)?(?:\s+that\b)?"
)
_ID = r"(?:claims?\s+|nos?\.?\s*|#\s*)?c?\s?-?\d{1,4}\b(?!\s?%)"

_SPELLED = r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty"

_ADD = regex(rf"^{_POLITE}{_ADDING}\s*(?::|[-–—]\s|\s)\s*(?P<text>\S.*)$", _I | re.S)
_LIMIT = regex(
    rf"^{_POLITE}{_MOST}\s*:?\s*(?P<number>\d{{1,4}}|{_SPELLED})(?:\s+(?:claims?|of\s+them|please))*[.!]?$", _I
)
_ONLY_SO_MANY = regex(
    rf"^{_POLITE}(?:{_ONLY}\s+)?(?:the\s+)?(?:best\s+|first\s+|top\s+)?(?P<number>\d{{1,4}}|{_SPELLED})\s+claims?[.!]?$",
    _I,
)
_ALL_BUT = regex(
    rf"^{_POLITE}(?:(?:keep|check|take)\s+)?(?:all|everything|every\s+claim|the\s+rest)\b\s*(?P<rest>.*)$", _I
)
_DROPPED = regex(rf"^{_POLITE}(?:{_DROP}|but)\b\s*:?\s*(?P<ids>.+)$", _I)
_LEFT_OUT = regex(rf"^{_POLITE}leave\s+(?P<ids>.+?)\s+out[.!]?$", _I)
_KEPT = regex(rf"^{_POLITE}{_ONLY}\b\s*:?\s*(?P<ids>.+)$", _I)
_APPROVING = pattern(__name__, "approving")

_LINES = regex(r"\s*(?:;|\n)\s*")
_JOINED = r"(?:and\s+|but\s+|then\s+|also\s+|please\s+)"
_AFTER_A_CLAIM = regex(
    rf"[,.]?\s+{_JOINED}*(?=(?:{_DROP}|{_ONLY}|leave)\s+(?:claims?\s+c?|c)\d|{_ADDING}\s*:)|"
    rf"[,.]\s+{_JOINED}*(?=(?:max(?:imum)?|at\s+most|{_FIRST})\s*:?\s*\d{{1,4}}(?:\s+claims?)?\s*(?:[,.]|$))",
    _I,
)
"""Where the next directive begins for certain, inside the words of a claim that is added too."""
_NEXT = regex(
    rf"[,.]?\s+{_JOINED}*(?=(?:{_DROP}|{_ONLY}|leave)\s*:?\s+{_ID}|{_ADDING}\s)|"
    rf"(?:[,.]\s+{_JOINED}*|\s+{_JOINED}+)(?={_MOST}\s*:?\s*(?:\d|(?:{_SPELLED})\b))",
    _I,
)
"""Where it begins between directives."""
_BELONGS = regex(r"(?:\b(?:all|everything|don['’]t|do\s+not)|^)$", _I)
"""What goes on with the words after it."""
_QUOTED = regex(r"^[\"“„«'‘](?P<text>.+?)[\"”“»'’][.,]?$", re.S)
_JOINT = regex(r"\s*(?:[,/+&]|\band\b|\bor\b|\bas\s+well\s+as\b)\s*", _I)
_RANGE = pattern(__name__, "range")
_ONE = regex(r"^(?:(?:the\s+)?(?:claims?|nos?\.?|numbers?|#)\s*)?(?:c\s?-?)?(?P<number>\d{1,4})$", _I)
_POLITE_END = regex(r"(?:\s*\bplease|[\s.!?])+$", _I)


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
    """What the words ask for. `ids`: those of the list, so that ids which users gave to claims of their own are found
    too; a bare number is the claim of that number ('3' is 'C3'). Never raises; words of approval change nothing.
    """
    known = {each.casefold(): each for each in ids}
    drop: list[str] = []
    only: list[str] = []
    add: list[str] = []
    limit: int | None = None
    missed: list[str] = []
    for part in _parts(text):
        if _APPROVING.match(part):
            continue
        if (match := _LIMIT.match(part) or _ONLY_SO_MANY.match(part)) and (said := _number(match["number"])):
            limit = said if limit is None else min(limit, said)
        elif found := _dropped(part, known):
            drop += found
        elif found := _ids_after(_KEPT, part, known):
            only += found
        elif (added := _ADD.match(part)) and (words := _claim_words(added["text"])):
            add.append(words)
        else:
            missed.append(shorten(part, 200))
    return ClaimChange(
        drop=tuple(dict.fromkeys(drop)),
        only=tuple(dict.fromkeys(only)),
        add=tuple(dict.fromkeys(add)),
        limit=limit,
        not_understood=tuple(dict.fromkeys(missed)),
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


def _parts(text: str) -> list[str]:
    found: list[str] = []
    for line in _LINES.split(text.strip()):
        for part in _cut(line, _AFTER_A_CLAIM):
            found += [part] if _ADD.match(part.strip(" ,")) else _cut(part, _NEXT)
    return [part.strip(" ,") for part in found if part.strip(" ,.!")]


def _cut(line: str, before: re.Pattern[str]) -> list[str]:
    parts, start = [], 0
    for match in before.finditer(line):
        if not _BELONGS.search(line[start : match.start()]):
            parts.append(line[start : match.start()])
            start = match.end()
    return [*parts, line[start:]]


def _dropped(part: str, known: dict[str, str]) -> list[str]:
    all_but = _ALL_BUT.match(part)
    return _ids_after(_LEFT_OUT, part, known) or _ids_after(_DROPPED, all_but["rest"] if all_but else part, known)


def _ids_after(pattern: re.Pattern[str], part: str, known: dict[str, str]) -> list[str]:
    match = pattern.match(part)
    return _ids(match["ids"], known) if match else []


def _ids(words: str, known: dict[str, str]) -> list[str]:
    """The ids that the words list; none where they are anything but a list of ids."""
    found: list[str] = []
    for item in _JOINT.split(_POLITE_END.sub("", words)):
        if not item:
            continue
        if item.casefold() in known:
            found.append(known[item.casefold()])
        elif spread := _RANGE.fullmatch(item):
            first, last = (int(re.sub(r"\D", "", spread[end])) for end in ("first", "last"))
            if not first <= last < first + _MOST_IN_A_RANGE:
                return []
            found += [_named(number, known) for number in range(first, last + 1)]
        elif one := _ONE.match(item):
            found.append(_named(int(one["number"]), known))
        else:
            return []
    return found


def _named(number: int, known: dict[str, str]) -> str:
    return known.get(f"c{number}") or known.get(str(number)) or f"C{number}"


def _number(said: str) -> int:
    return int(said) if said.isdigit() else int(worded_number(said.lower()))


def _claim_words(text: str) -> str:
    words = " ".join(text.split())
    match = _QUOTED.match(words)
    words = match["text"].strip() if match else words
    return words if len(re.findall(r"\w+", words)) > 1 else ""
