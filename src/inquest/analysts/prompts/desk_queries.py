"""Desk queries: the searches of one desk for a batch of claims. Only the requested claims and angles count, and only
plain words: an operator of one engine is noise to another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from inquest.analysts.marking import PromptBlock, message, one_line
from inquest.analysts.prompts import instructions
from inquest.analysts.replies import AnswerPart, Line, Listed, Unusable, kept, parse
from inquest.domain.claim import Claim
from inquest.text.regex import regex
from inquest.text.sentences import shorten

Drafted = dict[str, dict[str, str]]
"""Claim id -> angle -> words."""
LONGEST = 120
"""Characters of a query: some engines reject longer ones, and long ones find less."""
_CLAIM_AT_MOST = 600
_FIELD = regex(
    r"(?<!\w)(?:all)?(?:site|filetype|ext|inurl|intitle|intext|inanchor|related|cache|link|info|after|before|daterange"
    r'|lang|language|loc|location|source|domain|url|title|host):(?:"[^"]*"|\S*)',
    re.IGNORECASE,
)
_ADDRESS = regex(r"\b(?:[a-z][a-z0-9+.-]*://|www\.)\S*", re.IGNORECASE)
_BOOLEAN = regex(r"\b(?:OR|AND(?: NOT)?|NOT|NEAR(?:/\d+)?)\b|[|&]{2}|[|()\[\]{}<>*~^\\]")
_SIGN = regex(r'(?<!\S)[-+!@#]+(?=[\w"])')
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»″", '"'))


class _WrittenQuery(AnswerPart):
    claim: str
    angle: Line
    text: Line


class Answer(AnswerPart):
    """The searches of a desk."""

    queries: Listed[_WrittenQuery]


def ask(desk: str, angles: Mapping[str, str], again: str = "") -> str:
    """The instructions. `angles` and the desk's name come from its declaration, so they are our own words."""
    listed = "\n".join(f"- {name}: {after}" for name, after in angles.items())
    return instructions("desk_queries", again, desk=desk, angles=listed, limit=LONGEST, example=next(iter(angles), ""))


def question(claims: Sequence[Claim], company: str, industry: str) -> str:
    """The message. Blocks are numbered: a claim's id may be a user's own words."""
    blocks = [PromptBlock("company", company, fields=(("industry", industry),))]
    blocks += [
        PromptBlock("claim", shorten(claim.text, _CLAIM_AT_MOST), name, (("type", claim.type.value),))
        for name, claim in _named(claims).items()
    ]
    return message(blocks)


def answer(text: str, angles: Mapping[str, str], claims: Sequence[Claim]) -> Drafted:
    """The usable queries, the first for each claim and angle. Raises Unusable without any."""
    given, _ = kept(parse(text, Answer).queries)
    named, known = _named(claims), {name.lower(): name for name in angles}
    found: Drafted = {}
    for each in given:
        claim = named.get(each.claim.upper())
        angle = known.get(each.angle.lower().replace(" ", "_")) or known.get(each.angle.lower())
        words = plain(each.text)
        if claim is not None and angle and words:
            found.setdefault(claim.id, {}).setdefault(angle, words)
    if not found:
        raise Unusable("it had no query for a claim and an angle of the message")
    return found


def plain(text: str) -> str:
    """The query in words that every engine understands, on one line of at most `LONGEST` characters: operators,
    addresses, invisible characters and unpaired quotation marks are left out. '' if no word is left."""
    words, rest = one_line(text), None
    while words != rest:  # the remainder may contain an operator again; every pass shortens it
        rest, words = words, _without_operators(words)
    return words if re.search(r"\w\w", words) else ""


def _without_operators(words: str) -> str:
    words = words.translate(_QUOTES)
    for pattern in (_FIELD, _ADDRESS, _BOOLEAN, _SIGN):
        words = pattern.sub(" ", words)
    words = shorten(words, LONGEST).removesuffix("…").replace('""', " ")
    if words.count('"') % 2:
        words = words.replace('"', " ")
    return " ".join(words.strip(" ,;:.?!-–").split())


def _named(claims: Sequence[Claim]) -> dict[str, Claim]:
    return {f"K{number}": claim for number, claim in enumerate(claims, 1)}
