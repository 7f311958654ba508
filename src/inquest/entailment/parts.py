"""Whether a statement's figures are of a part of what the claim speaks of: a site, a region, a rival, some months."""

from __future__ import annotations

import re

from inquest.entailment.pair import Pair
from inquest.text.entities import NameKind, names, same_name

__all__ = ["of_a_part", "of_another_body", "of_another_whole", "part_of_the_year", "says_little"]

_PART_OF_YEAR = re.compile(
    r"\b(?:(?:first|second|third|fourth|last)\s+(?:quarter|half|three\s+months|nine\s+months|six\s+months|"
    r"month)|quarter|"
    r"half[\s-]year|H[12]|Q[1-4]|months?)\b",
    re.I,
)
_ANOTHER_WHOLE = re.compile(
    r"\b(?:subsidiar(?:y|ies)|parent(?:\s+company)?|joint\s+venture|suppliers?|competitors?|rivals?|peers?|"
    r"industry|sector|"
    r"industry-wide|on\s+average|nationwide|unlike|divisions?|franchisees?|contractors?|share\s+price|"
    r"shares|stock|prices?|"
    r"customers?|households)\b",
    re.I,
)
_ANOTHER_BODY = re.compile(
    r"\b(?:subsidiar(?:y|ies)|parent\s+company|joint\s+venture|competitors?|rivals?|peers|industry(?:-wide|"
    r"\s+as\s+a\s+whole)|"
    r"(?:the|its|this)\s+(?:[\w-]+\s+){0,2}?(?:industry|sector|trade)\b(?!\s+(?:register|institute|"
    r"association|body|union|press|fair))|on\s+average|unlike)\b",
    re.I,
)
_ONLY_BECAUSE = re.compile(
    r"\b(?:only|largely|mostly|mainly|merely|solely|purely|chiefly|almost\s+entirely)\s+(?:because|"
    r"due\s+to|owing\s+to|as\s+a\s+"
    r"result|thanks\s+to|through|by)\b[^.;]*",
    re.I,
)
_OWNER = re.compile(r"^[\w-]+(?:\s[\w-]+)?['’]s?\s*")
_PLACE_AFTER = re.compile(
    r"\s+(?:plant|works|mill|site|factory|refinery|smelter|furnace|warehouse|depot|branch|stores?|pit|mine|quarry|"
    r"brewery|terminal|yard|hub|campus|power\s+station)\b"
)
_PLACE_BEFORE = re.compile(r"\b(?:at|in|near|from)\s+(?:the\s+)?$")
_SOMEWHERE = re.compile(
    r"\b(?:abroad|overseas|at\s+home|domestic(?:ally)?|locally|internationally|in\s+its\s+home\s+(?:country|market)|"
    r"at\s+(?:one|two|three|four|five|some|several|most)\s+(?:of\s+(?:its|the)\s+)?(?:plants|sites|works|mills|stores|shops)|"
    r"at\s+(?:a|one)\s+(?:single\s+)?(?:plant|site|mill|store|shop)|on\s+average\s+per)\b",
    re.I,
)


def of_a_part(pair: Pair) -> bool:
    """Whether the statement is of a part of the company: of one place, or only of what is done at home or abroad."""
    mine = {" ".join(match.group().lower().split()) for match in _SOMEWHERE.finditer(pair.claim.text)}
    elsewhere = any(
        " ".join(match.group().lower().split()) not in mine for match in _SOMEWHERE.finditer(pair.sentence.text)
    )
    return elsewhere or _of_one_site(pair)


def of_another_whole(claim: str, statement: str) -> bool:
    """Whether the statement is of a part, an owner, a neighbour or the whole trade, of which the claim "
    "does not speak."""
    mine = {match.group().lower() for match in _ANOTHER_WHOLE.finditer(claim)}
    return any(match.group().lower() not in mine for match in _ANOTHER_WHOLE.finditer(statement))


def _of_one_site(pair: Pair) -> bool:
    """Whether the statement is of a place or works that the claim does not name, and so of a part of it."""
    text = re.split(r"\b(?:because|due\s+to|owing\s+to|thanks\s+to|after|when)\b", pair.sentence.text)[0]
    known = [*pair.subject.names, *(name.text for name in names(pair.claim.text))]
    # 'Fell by 4 % at Bexley Mills, by 9 % at Norvane': a list of companies, and no places.
    first = pair.subject.first.split()[0] if pair.subject.first else ""
    listed = bool(first) and any(
        _PLACE_BEFORE.search(text[: one.start()]) for one in re.finditer(re.escape(first), text)
    )
    for name in names(text):
        own = _OWNER.sub("", name.text)
        if not own or any(same_name(own, other) for other in known) or own.startswith("Scope"):
            continue
        end = text.find(own, name.span.start) + len(own)
        if _PLACE_AFTER.match(text[end:]):
            return True
        if _PLACE_BEFORE.search(text[: end - len(own)]) and not (listed and name.kind is not NameKind.PLACE):
            return True
    return False


def of_another_body(claim: str, statement: str) -> str:
    """Why the statement's figures may be another body's: a rival's, a subsidiary's, the trade's; '' "
    "where they are not."""
    if _ANOTHER_BODY.search(claim):
        return ""
    other = _ANOTHER_BODY.search(statement)
    return f"The passage speaks of another body than the claim ('{' '.join(other.group().split())}')." if other else ""


def says_little(claim: str, statement: str) -> str:
    """The words by which a statement grants something and says why it says little ('only because ...'); '' for none."""
    because = _ONLY_BECAUSE.search(statement)
    return "" if because is None or _ONLY_BECAUSE.search(claim) else " ".join(because.group().split())[:90]


def part_of_the_year(text: str) -> bool:
    """Whether it is of a quarter, a half or some months of a year."""
    return bool(_PART_OF_YEAR.search(text))
