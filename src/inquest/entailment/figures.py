"""Compare the figures of a claim with those of a passage: same, another value of the same thing, or not comparable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from inquest.entailment.bases import by_other_method, is_allowed, not_comparable, per_other_unit
from inquest.entailment.changes import (
    RESULT_TERMS,
    changes_in,
    is_change,
    is_margin,
    margins_in,
    moved,
    moves_to,
    moving_terms,
    products_in,
    ratio_of,
    shares_in,
    sign_of_result,
    sums_in,
)
from inquest.entailment.dates import is_of_other_time
from inquest.entailment.direction import compare_direction
from inquest.entailment.parsed_text import ASIDE, YEAR, Statement, share_of
from inquest.text.quantities import LIMITS, Bound, Dimension, Quantity, Relation, compare, shown
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words
from inquest.text.vocabulary import rarity

_MULTIPLE = 1.05
"""Minimum multiple of a limit that is a number; below it are 'within' and 'above' without a number."""
MILLION = 1e6
_M = regex(r"(?<=\d)m\b")
_DIGITS = regex(r"\d[\d.,]*\d|\d")

_MOVED_TO = regex(r"\bto\s+(?:\w+\s+){0,2}$")
_REPLACED = regex(r"\b(?:rather\s+than|instead\s+of|not)\s+(?:the\s+|its\s+|an?\s+)?(?:[€$£]|[A-Z]{3}\s)?$", re.I)
_UP_FROM = regex(
    r"\b(?:(?:up|down)\s+from|compared\s+(?:with|to)|against|versus|(?:having|had)\s+been|(?P<was>was|were))"
    r"\s+(?:(?!than\b)[a-z]+\s+){0,2}$",
    re.I,
)
_AT_THAT_TIME = regex(r"\s+(?:\w+\s+){0,3}?(?:last|until|till|before|previously|earlier|ago)\b", re.I)
_OF_BEFORE = regex(
    r"\b(?:from|than|before\w*|until|till|previous\w*|earlier|had|used|compared|against|versus|last|ago|up|down)\b",
    re.I,
)
_FORESEEN = regex(
    r"\b(?:plan|design|estimat|expect|forecast|foresaw|foresee|budget|original|initial|propos|first)\w*", re.I
)
_IN_THE_END = regex(
    r"\b(?:in\s+the\s+end|as\s+(?:built|completed|delivered)|eventual(?:ly)?|ultimate(?:ly)?|final(?:ly)?|actual(?:ly)?|in\s+(?:fact|reality)"
    r"|turned\s+out|ended\s+up)\b",
    re.I,
)
_WAS = regex(r"\b(?:was|were)\b", re.I)
_EXACTLY = regex(r"\b(?:exactly|precisely)\s+(?:[€$£¥]|[A-Z]{3}\s)?$", re.I)
_HEAD = regex(
    r"([^\W\d_][\w’'-]*)\s+(?:(?:of|at|to|by|worth|about|around|some|nearly|almost|over|an?|the)\s+)*[€$£¥]?\s*$", re.I
)
_NEXT_PART = regex(
    r"[;,]\s+(?:and\s+|but\s+|while\s+)?|\s(?:and|while|but|whereas)\s|\((?=[^)]*\b(?:19|20)\d\d\b)", re.I
)
_ACCOUNT = regex(
    r"\b(?:(?P<revenue>revenues?|turnover|sales)|(?P<result>profits?|earnings|surplus|loss|losses|deficits?|results?)"
    r"|(?P<debt>debts?|liabilities)|(?P<assets>assets))\b(?:[^.;,\d]|\b(?:19|20)\d\d\b){0,40}$",
    re.I,
)
_OF_THE_WHOLE = regex(
    r"(?:^\W*of|\bout\s+of|\bof\s+(?:the|these|those|its|their|his|her))\s+(?:\w+\s+)?[€$£¥]?\s*$", re.I
)
_AWAY = regex(
    r"\s+(?:\w+\s+)?(?:above|below|beyond|short\s+of|over|under)\s+(?:(?:the|an?|its|their)\s+)?(?P<level>[a-z]{3,})(?<!s)\b"
)
"""After an amount above or below a level: '9.8 million over budget', but not 'over ten years'."""
_EXTENT = regex(
    r"\s+(?:(?P<length>long)|(?P<width>wide|broad|across)|(?P<height>tall|high)|(?P<depth>deep)|(?P<thickness>thick)|(?P<age>old))\b",
    re.I,
)
_OF_THE_SAME = 0.5
"""Share of the claim's other words that a sentence must have for its figure to be of the same thing."""


_OF_THE_MATTER = 0.25
"""The same without names, years and words for a rise or fall: the fall of 'water use' and of 'carbon dioxide'."""


@dataclass(frozen=True)
class Met:
    """A figure of the claim. `context`: the share of the claim's other words in the sentence."""

    figure: Quantity
    match: Relation
    context: float = 0.0
    statement: Statement | None = None
    found: Quantity | None = None
    why: str = ""
    """The code of the reason for figures that are not comparable."""
    computed: bool = False
    """Computed from another unit or scale, two levels, or the sign of a profit or loss."""

    @property
    def shown(self) -> tuple[str, str]:
        """Return both figures as written."""
        return shown(self.figure), shown(self.found) if self.found else ""


def compare_figures(claim: Statement, among: Sequence[Statement], around: frozenset[str]) -> tuple[Met, ...]:
    """Compare each figure of the claim with the sentences; a limit without a number only if it is broken, a multiple of
    one also if it is met.

    `around`: the stems of the context, such as a title.
    """
    met = [_met(figure, claim, among, around) for figure in claim.figures]
    return tuple(
        one
        for one in met
        if one.figure.dimension is not Dimension.LIMIT
        or one.match is Relation.DIFFERS
        or (one.match is Relation.SAME and one.found and min(one.figure.low, one.found.low) > _MULTIPLE)
    )


def on_other_matter(claim: Statement, statement: Statement, around: frozenset[str] = frozenset()) -> bool:
    """True if a change in the statement, or its context, is one of something else than the claim's."""
    said = claim.terms - _of_figures(claim)
    aside = " ".join((*YEAR.findall(claim.text), *(name.text for name in claim.names)))
    matter = (said - moving_terms(claim.text) - _words_of(aside)) or said
    return share_of(matter, statement.terms | around) < _OF_THE_MATTER


def _met(figure: Quantity, claim: Statement, among: Sequence[Statement], around: frozenset[str]) -> Met:
    said = claim.terms - _of_figures(claim)
    best = Met(figure, Relation.ABSENT)
    order = (Relation.ABSENT, Relation.NOT_COMPARABLE, Relation.DIFFERS, Relation.SAME)
    millions = figure.dimension is Dimension.COUNT and figure.value >= MILLION
    for statement in among:
        one = _in_sentence(figure, claim, _in_millions(statement) if millions else statement)
        if one.match is Relation.ABSENT:
            continue
        rest = (said - RESULT_TERMS if one.computed else said) or said
        if one.computed and is_change(claim.text, figure):
            signs = _sign_of_change(claim, figure) * _sign_of_change(statement, one.found or figure)
            alike = signs > 0 or compare_direction(claim, statement).agreeing or claim.moves == {moved(statement)}
            rest -= moving_terms(claim.text) if alike else frozenset()
        elif one.found and one.match is Relation.SAME and moves_to(claim, figure, statement, one.found) > 0:
            rest, one = said - moving_terms(claim.text), replace(one, computed=True)
        context = share_of(rest, statement.terms) + 0.5 * share_of(rest, around - statement.terms)
        one = replace(one, context=min(context, 1.0), statement=statement)
        if one.match is Relation.DIFFERS and one.context < _OF_THE_SAME:
            continue
        if (
            one.match is Relation.DIFFERS
            and is_change(claim.text, figure)
            and on_other_matter(claim, statement, around)
        ):
            one = replace(one, match=Relation.NOT_COMPARABLE, why="matter")
        if (order.index(one.match), one.context) > (order.index(best.match), best.context):
            best = one
    return best


def _in_millions(statement: Statement) -> Statement:
    """Read 'm' as million, for a claim of millions: '1,204m (2023)'."""
    return replace(statement, text=_M.sub(" million", statement.text)) if _M.search(statement.text) else statement


def _in_sentence(figure: Quantity, claim: Statement, statement: Statement) -> Met:
    """Compare a figure of the claim with a sentence: the same one if it is there, else the nearest other."""
    comparable = _comparable(figure, claim, statement)
    earlier = [one for one in comparable if one in statement.figures and _is_earlier(claim, statement, one)]
    of_statement = [one for one in comparable if one not in earlier]
    claimed, ratio = figure, ratio_of(claim.text, figure)
    if ratio and (ratios := [one for each in statement.figures if (one := ratio_of(statement.text, each))]):
        figure, of_statement = ratio, ratios
    differs: Quantity | None = None
    limit: Quantity | None = None
    signed = False
    for found in of_statement:
        sign, other = _signs(figure, claim, found, statement)
        signed = signed or (sign * other != 0 and (sign != other or found.value < 0))
        if figure.bound in LIMITS and is_allowed(statement.text, found) and not is_allowed(claim.text, figure):
            limit = limit or found
            continue
        relation = _compare(figure, sign, found, other)
        elided = _elided(figure, found)
        if elided and sign * other < 0:
            differs = differs or found
        elif relation is Relation.SAME or elided:
            counterpart = _counterpart(figure, claim, statement, found)
            if counterpart is None or by_other_method(claim.text, statement.text):
                match = Relation.NOT_COMPARABLE if counterpart else Relation.ABSENT
                return Met(figure, match, found=found, why="method")
            if counterpart is not found or _is_inexact(figure, claim, found):
                is_other = _is_bare(counterpart) or counterpart.value != figure.value
                differs = differs or (counterpart if is_other else None)
            elif not per_other_unit(claim.text, statement.text):
                computed = found.text != figure.text and figure.dimension is not Dimension.SCORE
                return Met(figure, Relation.SAME, found=found, computed=signed or computed)
    sums = [one for one in sums_in(statement) if not one.nouns]
    if alike := next((one for one in (*sums, *earlier) if compare(figure, one) is Relation.SAME), None):
        return Met(figure, Relation.NOT_COMPARABLE, found=figure, why="matter" if alike in sums else "time")
    others = [one for one in claim.figures if one is not claimed]
    free = [
        one
        for one in of_statement
        if not any(compare(other, one) is Relation.SAME or _elided(other, one) for other in others)
    ]
    differs = differs or _other_value(figure, claim, statement, free)
    if differs is None and limit is not None:
        return Met(figure, Relation.NOT_COMPARABLE, found=limit, why="limit")
    if differs is None and _is_replaced(figure, claim, statement):
        differs = next(iter(of_statement), None)
    return _differing(figure, claim, statement, differs, signed=signed) if differs else Met(figure, Relation.ABSENT)


def _other_value(
    figure: Quantity, claim: Statement, statement: Statement, among: Sequence[Quantity]
) -> Quantity | None:
    """Return another value of what the claim's figure measures or counts: of several, the one beside its words."""
    sign = sign_of_result(claim.text, figure)
    others = [
        one
        for one in among
        if figure.bound not in LIMITS or not is_allowed(statement.text, one) or is_allowed(claim.text, figure)
        if _compare(figure, sign, one, sign_of_result(statement.text, one)) is Relation.DIFFERS
        if not _elided(figure, one) and _counts_the_same(figure, claim, one) and one not in products_in(statement)
        if not _is_of_other_kind(figure, claim, statement, one)
    ]
    nearest = _counterpart(figure, claim, statement, others[0]) if others else None
    return nearest if nearest in others else next(iter(others), None)


def _is_of_other_kind(figure: Quantity, claim: Statement, statement: Statement, found: Quantity) -> bool:
    """True for a level that the sentence states beside the claim's change ('410 million' for '120 million more'), for
    a score without the claim's outcome ('1-0 up at half-time' for 'won 3-1'), and beside the claim's number without its
    unit: '90 million euros, of which 40 million went into tracks'."""
    if figure.dimension is not Dimension.COUNT and any(
        one.dimension is Dimension.COUNT and one.value == figure.value for one in statement.figures
    ):
        return True
    if figure.dimension is Dimension.SCORE:
        return not {pole.axis for pole in claim.poles} <= {pole.axis for pole in statement.poles}
    return found in statement.figures and is_change(claim.text, figure) and not is_change(statement.text, found)


def _is_inexact(figure: Quantity, claim: Statement, found: Quantity) -> bool:
    """True if the claim says 'exactly' and the passage has another value, which is the same only when rounded."""
    return found.value != figure.value and bool(_EXACTLY.search(claim.text[: figure.span.start]))


def _is_replaced(figure: Quantity, claim: Statement, statement: Statement) -> bool:
    """True if the sentence has the claim's figure only as one that another replaces: '5.8, not 6.8'."""
    gone = (one for one in statement.figures if _REPLACED.search(statement.text[: one.span.start]))
    return not _REPLACED.search(claim.text) and any(
        compare(figure, one) is Relation.SAME or same_digits(figure, one) for one in gone
    )


def _differing(figure: Quantity, claim: Statement, statement: Statement, other: Quantity, *, signed: bool) -> Met:
    allowed = [is_allowed(claim.text, figure), is_allowed(statement.text, other)]
    if why := "limit" if any(allowed) and not all(allowed) else not_comparable(claim.text, statement.text):
        return Met(figure, Relation.NOT_COMPARABLE, found=other, why=why)
    if is_of_other_time(claim, statement):
        return Met(figure, Relation.NOT_COMPARABLE, found=other, why="time")
    if is_the_rest(figure, other) and compare_direction(claim, statement).negated:
        return Met(figure, Relation.NOT_COMPARABLE, found=other, why="matter")
    return Met(figure, Relation.DIFFERS, found=other, computed=signed or other.text != figure.text)


def is_the_rest(figure: Quantity, found: Quantity | None) -> bool:
    """True for two shares that make up the whole: one in five who cannot swim, 80 per cent who can."""
    if found is None or not (figure.dimension is found.dimension is Dimension.SHARE):
        return False
    return abs(figure.value + found.value - 100) <= max(figure.step, found.step)


def _are_other_accounts(claim: str, figure: Quantity, sentence: str, found: Quantity) -> bool:
    """True for the revenue of one and the profit of the other."""
    before = (claim[: figure.span.start], sentence[: found.span.start])
    named = [match.lastgroup for text in before if (match := _ACCOUNT.search(text))]
    return len(set(named)) == 2


def _counterpart(figure: Quantity, claim: Statement, statement: Statement, found: Quantity) -> Quantity | None:
    """Return the figure that belongs to the claim's words, of several of one kind outside asides: the one after the
    same word ('an investment of'), or of '40,000 in 2020 and 25,000 in 2021' the second for a claim about 2021. A part
    without words before its figure shares those before the first. None if only an earlier part has more of the claim,
    which may be about all of them."""
    asides = [aside.span() for aside in ASIDE.finditer(statement.text)]
    among = [
        one
        for one in statement.figures
        if one.dimension is found.dimension or _elided(one, found) or _is_bare(one)
        if one is found or compare(one, found) is not Relation.SAME
        if _is_bare(one) or compare(figure, one) is not Relation.NOT_COMPARABLE
        if not any(start <= one.span.start < end for start, end in asides) and not _is_foreseen(claim, statement, one)
    ]
    if found not in among or len(among) < 2:
        return found
    heads = [_head(statement.text, one) for one in among]
    if heads.count(own_head := _head(claim.text, figure)) == 1 and all(heads[heads.index(own_head) :]):
        return among[heads.index(own_head)]
    cuts = [_last(_NEXT_PART, statement.text, one.span.end, other.span.start) for one, other in pairwise(among)]
    if None in cuts:
        return found
    starts = [0, *(cut for cut in cuts if cut is not None)]
    wanted = _words_of(_own_part(claim, figure)) - frozenset(figure.nouns)
    lead = _words_of(statement.text[: among[0].span.start])
    scores, marks = [], []
    for one, start, end in zip(among, starts, [*starts[1:], len(statement.text)], strict=True):
        own = _words_of(statement.text[start : one.span.start]) or lead
        shared = wanted & (own | _words_of(statement.text[one.span.end : end]))
        scores.append(round(sum(map(rarity, shared)), 6))
        marks.append(_marks(statement, Span(start, end)))
    place = among.index(found)
    claimed = [one for one, mark in zip(among, marks, strict=True) if mark & wanted]
    if claimed and marks[place]:
        return found if found in claimed else claimed[0]
    best = among[scores.index(max(scores))]
    apart = ";" in statement.text[min(best.span.end, found.span.end) : max(best.span.start, found.span.start)]
    if scores[place] == max(scores) or apart:
        return found
    return best if among.index(best) > place else None


def _own_part(claim: Statement, figure: Quantity) -> str:
    """Return the part of a claim that has the figure; all of it, if it has no other of the kind."""
    if sum(one.dimension is figure.dimension for one in claim.figures) < 2:
        return claim.text
    start = _last(_NEXT_PART, claim.text, 0, figure.span.start) or 0
    end = _NEXT_PART.search(claim.text, figure.span.end)
    return claim.text[start : end.start() if end else len(claim.text)]


def _marks(statement: Statement, part: Span) -> frozenset[str]:
    """The year, or else the last name, of a part of a sentence, which tells it from the other parts."""
    years = frozenset(YEAR.findall(statement.text, part.start, part.end))
    named = [_words_of(name.text) for name in statement.names if name.span.meets(part)]
    return years or (named[-1] if named else frozenset())


def _is_bare(one: Quantity) -> bool:
    """True for a count of nothing in particular: '45,000' of '80,000 pounds in 2020 and 45,000 in 2021'."""
    return one.dimension is Dimension.COUNT and not one.nouns and not one.spelled


def _head(text: str, figure: Quantity) -> str:
    """The stem of the word before a figure: 'invest' of 'an investment of about €31 million'."""
    before = _HEAD.search(text[: figure.span.start])
    return next(iter(content_words(before[1])), "") if before else ""


def _last(pattern: re.Pattern[str], text: str, start: int, end: int) -> int | None:
    """Return the end of the last match between two places."""
    return max((match.end() for match in pattern.finditer(text, start, end)), default=None)


def _words_of(text: str) -> frozenset[str]:
    return frozenset((*content_words(text), *YEAR.findall(text)))


def _has_part(whole: Quantity, statement: Statement) -> bool:
    kinds = (whole.dimension, Dimension.COUNT)
    return any(one is not whole and one.dimension in kinds and one.low < whole.low for one in statement.figures)


def _comparable(figure: Quantity, claim: Statement, statement: Statement) -> Sequence[Quantity]:
    """Return the figures of a sentence of the same kind as the claim's, without those of another account, those that
    another one replaces, distances from a level, and, beside parts of it, a whole: 'of the 6.2 million that it owes, it
    repaid 2.1 million'."""
    is_whole = bool(_OF_THE_WHOLE.search(claim.text[: figure.span.start]))
    return [
        one
        for one in _of_the_kind(figure, claim, statement)
        if not _are_other_accounts(claim.text, figure, statement.text, one)
        if not _is_distance(figure, claim, statement, one)
        if not _is_other_extent(figure, claim, statement, one)
        if is_whole or not (_OF_THE_WHOLE.search(statement.text[: one.span.start]) and _has_part(one, statement))
        if not _REPLACED.search(statement.text[: one.span.start]) or _REPLACED.search(claim.text)
    ]


def _is_earlier(claim: Statement, statement: Statement, found: Quantity) -> bool:
    """True for a level that the sentence calls the one of before, or of a plan, unless the claim is of then: 'up from
    40', 'it was 40 last year', 'the design foresaw 40; as built it is 30'."""
    if _is_foreseen(claim, statement, found):
        return True
    marked = _UP_FROM.search(statement.text[: found.span.start])
    if marked is None or _OF_BEFORE.search(claim.text):
        return False
    if marked["was"] and (_WAS.search(claim.text) or not _AT_THAT_TIME.match(statement.text, found.span.end)):
        return False
    after = _NEXT_PART.split(statement.text[found.span.end :], maxsplit=1)[0]
    return set(YEAR.findall(claim.text)).isdisjoint(YEAR.findall(after))


def _is_foreseen(claim: Statement, statement: Statement, found: Quantity) -> bool:
    """True for a figure of a plan before the one that came of it in the end."""
    after = next((one for one in statement.figures if one.span.start > found.span.end), None)
    if after is None or after.dimension is not found.dimension or _FORESEEN.search(claim.text):
        return False
    cut = _last(_NEXT_PART, statement.text, found.span.end, after.span.start)
    if cut is None or not _FORESEEN.search(statement.text[: found.span.start]):
        return False
    ends = [_IN_THE_END.search(part) for part in (statement.text[:cut], statement.text[cut : after.span.start])]
    return ends[0] is None and ends[1] is not None


def _is_other_extent(figure: Quantity, claim: Statement, statement: Statement, found: Quantity) -> bool:
    """True for the width of one and the length of the other."""
    ends = (_EXTENT.match(claim.text, figure.span.end), _EXTENT.match(statement.text, found.span.end))
    return len({end.lastgroup for end in ends if end}) == 2


def _is_distance(figure: Quantity, claim: Statement, statement: Statement, found: Quantity) -> bool:
    """True for an amount above or below a level, for a claim of a level: '9.8 million over budget' is not a budget."""
    away = _AWAY.match(statement.text, found.span.end) if found.dimension is not Dimension.SHARE else None
    if away is None or _AWAY.match(claim.text, figure.span.end) or is_change(claim.text, figure):
        return False
    return found.value != figure.value or not claim.terms.isdisjoint(content_words(away["level"]))


def _of_the_kind(figure: Quantity, claim: Statement, statement: Statement) -> Sequence[Quantity]:
    """Return the margins, the changes or the levels of a sentence."""
    if is_margin(claim, figure) and (margins := margins_in(statement)):
        return margins
    if is_change(claim.text, figure):
        of_kind = (one for one in statement.figures if one.dimension is figure.dimension)
        return changes_in(statement) or [
            one for one in of_kind if not _MOVED_TO.search(statement.text[: one.span.start])
        ]
    levels = [one for one in statement.figures if not is_change(statement.text, one)]
    if figure.dimension is Dimension.SHARE:
        levels += shares_in(statement)
    levels += [*(one for one in sums_in(statement) if one.nouns), *products_in(statement).values()]
    if levels or _MOVED_TO.search(claim.text[: figure.span.start]):
        return levels
    return [one for one in statement.figures if ratio_of(statement.text, one) in (None, one)]


def _compare(figure: Quantity, sign: int, found: Quantity, other: int) -> Relation:
    """Compare two figures, with the sign of a profit or loss if both are one."""
    if sign and other:
        figure, found = _with_sign(figure, sign), _with_sign(found, other)
    return compare(figure, found)


def _signs(figure: Quantity, claim: Statement, found: Quantity, statement: Statement) -> tuple[int, int]:
    """Return the signs of two results, or of two changes of which one is written with a minus."""
    signs = sign_of_result(claim.text, figure), sign_of_result(statement.text, found)
    if signs[0] or (figure.value < 0) == (found.value < 0):
        return signs
    return _sign_of_change(claim, figure), _sign_of_change(statement, found)


def _sign_of_change(statement: Statement, figure: Quantity) -> int:
    """Return 1 for a rise and -1 for a fall, in words or by a minus; 0 for others."""
    if not is_change(statement.text, figure):
        return 0
    return -1 if figure.value < 0 else sum(statement.moves)


def _with_sign(figure: Quantity, sign: int) -> Quantity:
    low, high = sorted((sign * abs(figure.low), sign * abs(figure.high)))
    return replace(figure, low=low, high=high)


def _elided(claim: Quantity, passage: Quantity) -> bool:
    """True if one leaves out the implied unit: '780 micrograms where the permit allows 250'."""
    bare = [one for one in (claim, passage) if _is_bare(one)]
    worked_out = passage.dimension in (Dimension.FACTOR, Dimension.SHARE) and passage.value != _number(passage)
    return len(bare) == 1 and same_digits(claim, passage) and not worked_out


def _number(figure: Quantity) -> float | None:
    """The number of a share or a multiple as written; None for words."""
    digits = _DIGITS.search(figure.text)
    return float(digits[0].replace(",", "")) if digits and digits[0].count(".") < 2 else None


def same_digits(one: Quantity, other: Quantity) -> bool:
    """True if both are written with the same digits, whatever their signs and units."""
    digits = [_DIGITS.search(each.text) for each in (one, other)]
    return all(digits) and len({match[0] for match in digits if match}) == 1


def has_rival(met: Met, claim: Statement) -> bool:
    """True if the sentence has another value of the same kind, which the claim lacks: the claim's may be the outdated
    one."""
    mine, others = met.figure, _unclaimed(claim, met.statement) if met.statement else []
    same = (one for one in others if one.dimension is mine.dimension and one.unit == mine.unit)
    return any(_counts_the_same(mine, claim, one) for one in same)


def differing(claim: Statement, statement: Statement) -> bool:
    """True if the sentence has a figure of a kind in the claim with another value."""
    pairs = product(claim.figures, _unclaimed(claim, statement))
    return any(compare(mine, one) is Relation.DIFFERS and _counts_the_same(mine, claim, one) for mine, one in pairs)


def _unclaimed(claim: Statement, statement: Statement) -> list[Quantity]:
    """Return the figures of a sentence that are none of the claim's."""
    return [one for one in statement.figures if not any(compare(mine, one) is Relation.SAME for mine in claim.figures)]


def _counts_the_same(figure: Quantity, claim: Statement, passage: Quantity) -> bool:
    """Two counts differ only if both name what they count, and the passage does not count a part of it ('two
    neighbouring counties'), or if one is the difference of two levels."""
    worked_out = _is_bare(figure) and same_digits(figure, passage) and passage.value != figure.value
    part = frozenset(passage.nouns[:-1]) - claim.terms
    return figure.dimension is not Dimension.COUNT or bool(figure.nouns and passage.nouns and not part) or worked_out


def _of_figures(claim: Statement) -> frozenset[str]:
    """Return the stems of the figures, each with the two words before it that may limit it ('never exceeded 40')."""
    found: set[str] = set()
    for figure in claim.figures:
        limiting = claim.text[: figure.span.start].split()[-2:] if figure.bound is not Bound.EXACT else ()
        found.update(content_words(" ".join((*limiting, figure.text))))
    return frozenset(found)
