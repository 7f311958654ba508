"""Figures of levels and of changes, and the change that follows from 'from A to B'."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from inquest.entailment.parsed_text import YEAR, Statement
from inquest.text.quantities import Bound, Dimension, Quantity, Relation, compare
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words

_NOUN = (
    "rise|increase|decrease|drop|fall|decline|reduction|cut|growth|gain|jump|surge|slump|change|improvement|saving|dip|"
    "climb|slide|rebound|contraction|expansion"
)
_VERB = (
    "rose|rises?|risen|fell|falls?|fallen|grew|grows?|grown|declin\\w+|dropp?\\w*|increas\\w+|decreas\\w+|climb\\w*|"
    "shrank|shrunk|shrinks?|plung\\w+|jump\\w*|surg\\w+|gain\\w*|slipp?\\w*|slid|cut|cuts|reduc\\w+|lower\\w*|rais\\w+|"
    "expand\\w*|contract\\w*|los(?:t|es?|ing)|went|down|up|soar\\w*|tumbl\\w+|edg\\w+|improv\\w+|widen\\w*|narrow\\w*|chang\\w+|swell\\w*"
)
_ABOUT = (
    r"(?:(?:about|around|roughly|nearly|almost|some|approximately|just|over|under|more\s+than|less\s+than|at\s+least|a)"
    r"\s+)*"
)
_BY = regex(rf"\b(?:by|{_VERB}|(?:{_NOUN})s?\s+(?:of|by))\s+{_ABOUT}$", re.I)
_BY_WORD = regex(rf"\b(?:by|(?:{_NOUN})s?\s+(?:of|by))\s+{_ABOUT}(?:[€$£¥₹]|[A-Z]{{2,3}}\s)?$", re.I)
_OF_CHANGE = regex(rf"\b(?:{_NOUN})s?\s+of\s+{_ABOUT}$", re.I)
_THAN = regex(r"\s*\w*\s*(?:higher|lower|more|less|fewer)\s+than\b", re.I)
_THEN = regex(rf"\s*-?(?:{_NOUN}|higher|lower|more|less|fewer|up|down|above|below)\b", re.I)
_AGAINST = regex(
    r"\s*(?:(?P<more>above|(?:high|larg|great|bigg)\w*er\s+than|more\s+than)|(?:below|(?:low|small)er\s+than|(?:less|fewer)\s+than))\b",
    re.I,
)
_OF_LEVEL = regex(
    r"\s+of\s+(?:\w+\s+){0,2}?(?:levels?|values?|averages?|means?|norms?|baselines?|rates?|prices?)\b", re.I
)
_MOVES = regex(rf"\b(?:{_VERB}|{_NOUN})\b", re.I)
_FROM, _TO = regex(rf"\bfrom\s+{_ABOUT}$", re.I), regex(rf"\bto\s+{_ABOUT}$", re.I)
_COMPARED = regex(r"\b(?:against|compared\s+(?:with|to)|versus|up\s+from|down\s+from)\b", re.I)
_EARLIER = regex(r"\s+(?:\w+\s+)?(?:an?|one|the)\s+\w+\s+(?:earlier|before|ago)\b|\s+(?:\w+\s+)?last\s+\w+\b", re.I)
_AFTER = regex(rf"(?:[,(]\s*|\b(?:after|from)\s+){_ABOUT}$", re.I)
_NOW = regex(r"\b(?:(?:is|are)\s+now|now\s+(?:at|is|are))\b", re.I)
_LATER = regex(rf"\b(?:in|on|of|last)\s.*?(?:{_NOW.pattern}|\b(?:{_VERB})\s+(?:back\s+)?(?:at|to))\s+{_ABOUT}$", re.I)
"""Between two levels, of which the first has a date: '12,300 in 2019, rose to 13,100'."""
_TIME = regex(rf"{YEAR.pattern}|\bnow\b|\btoday\b")
"""Of two times that are compared as text, 'now' comes after any year."""
_COMPARES = regex(
    r"\b(?P<how>(?P<more>more|(?:bigg|great|high|larg)er|(?P<long>(?:deep|long|tall|wid)er))"
    r"|less|fewer|(?:low|small)er|(?P<short>(?:narrow|shallow|short)er))\b(?P<what>[^.;]*?)\bthan\b",
    re.I,
)
_EXTENTS = (Dimension.LENGTH, Dimension.DURATION)
_OTHER_PART = regex(r"[;,]\s|\s(?:and|while|but|whereas)\s", re.I)
_FIRST = regex(r"\d[\d.,'’]*")
_OUT_OF = regex(r"\s+(?:out\s+)?of\s+(?:(?:the|its|their|all|[\w.-]+['’]s?)\s+)*", re.I)
_OF = regex(r"\b(?:out\s+)?of\s+(?:(?:the|its|their|all|[\w.-]+['’]s?)\s+)*$", re.I)
_IN_A_ROW = regex(r"\s(?:\w+\s){0,2}?\w+(?:,|,?\sand)\s(?:the\s)?")
_IN_EACH = regex(r"\s[\w-]+\sof\s")
_TO_SIDE = regex(r"(?:\s[a-z]+)?\sto\s")
_MARGIN = regex(rf"\b(?:by|(?:margin|majority|lead)\s+of)\s+{_ABOUT}$", re.I)
_BETWEEN = 60
"""Characters between the figures of 'from 40,000 tonnes in 2019 to 30,000 tonnes in 2023'."""
_POINTS, _SHARE, _OF_DIFFERENCE = 0.05, 0.5, 0.02
"""Precision of computed figures: percentage points, per cent, share of a difference."""
_AMOUNTS_TO = r"(?:[^.;\d]|\b(?:19|20)\d\d\b){0,40}$"
_GAIN = regex(rf"\b(?:profits?|income|earnings|surplus|results?|ebitd?a?)\b{_AMOUNTS_TO}", re.I)
_LOSS = regex(rf"\b(?:loss|losses|lost|deficits?|shortfall)\b{_AMOUNTS_TO}", re.I)

RESULT_TERMS = frozenset(
    content_words(
        "profit net income operating earnings surplus result loss deficit shortfall made booked recorded reported "
        "margin majority"
    )
)
"""Stems that name a profit, a loss or a margin; redundant beside a figure with a known sign."""


def is_change(text: str, figure: Quantity) -> bool:
    """True for the amount of a rise or fall; False for a level."""
    if figure.dimension in (Dimension.POINTS, Dimension.FACTOR):
        return True
    before, share = text[: figure.span.start], figure.dimension is Dimension.SHARE
    if _BY_WORD.search(before) and _MOVES.search(before):
        return True
    return bool(_BY.search(before) if share else _OF_CHANGE.search(before)) or bool(
        _THEN.match(text, figure.span.end) if share else _THAN.match(text, figure.span.end)
    )


def ratio_of(text: str, figure: Quantity) -> Quantity | None:
    """Return a share as per cent of what it is compared with: 120 for '20 per cent above' and '120 per cent of the
    level'; None for others."""
    if figure.dimension is not Dimension.SHARE:
        return None
    if against := _AGAINST.match(text, figure.span.end):
        low, high = sorted(100 + (each if against["more"] else -each) for each in (figure.low, figure.high))
        return replace(figure, low=low, high=high)
    return figure if _OF_LEVEL.match(text, figure.span.end) else None


def moving_terms(text: str) -> frozenset[str]:
    """Return the stems of the words for a rise, a fall or a comparison."""
    compared = (one["how"] for one in _COMPARES.finditer(text))
    return frozenset(content_words(" ".join((*_MOVES.findall(text), *compared))))


def changes_in(statement: Statement) -> tuple[Quantity, ...]:
    """Return the changes that a sentence states or that follow from its 'from A to B': the difference, its share of A,
    and B as a multiple of A; for shares, the difference in percentage points."""
    stated = [one for one in statement.figures if is_change(statement.text, one)]
    return (*stated, *(change for first, last, span in _moves(statement) for change in _worked_out(first, last, span)))


def shares_in(statement: Statement) -> tuple[Quantity, ...]:
    """Return the shares that follow from two counts: 'nine of the 60 trees', 'of 200 members, 151 agreed'."""
    found = []
    for one, other in pairwise(one for one in statement.figures if one.dimension is Dimension.COUNT):
        between = statement.text[one.span.end : other.span.start]
        is_of = bool(_OF.search(statement.text[: one.span.start])) and len(between) < _BETWEEN
        part, whole = (other, one) if is_of else (one, other)
        if (is_of or _OUT_OF.fullmatch(between)) and 0 < part.value <= whole.value:
            share, span = part.value / whole.value * 100, Span(one.span.start, other.span.end)
            text = statement.text[span.start : span.end]
            found.append(Quantity(span, text, Dimension.SHARE, share, share, "%", step=_SHARE))
    return tuple(found)


def sums_in(statement: Statement) -> tuple[Quantity, ...]:
    """Return the sums of counts in a row, each with the nouns that all parts share: 'three skiers and two guides'."""
    rows: list[list[Quantity]] = []
    for one in statement.figures:
        if one.dimension is not Dimension.COUNT or not one.nouns or one.bound is not Bound.EXACT:
            continue
        if rows and _IN_A_ROW.fullmatch(statement.text, rows[-1][-1].span.end, one.span.start):
            rows[-1].append(one)
        else:
            rows.append([one])
    return tuple(_total(statement, row, sum(one.value for one in row)) for row in rows if len(row) > 1)


def products_in(statement: Statement) -> dict[Quantity, Quantity]:
    """Return the totals of a number of things with a number in each, by the latter: '4,000 crates of ten bottles'."""
    pairs = pairwise(one for one in statement.figures if one.dimension is Dimension.COUNT and one.nouns)
    return {
        other: replace(
            other,
            span=Span(one.span.start, other.span.end),
            text=statement.text[one.span.start : other.span.end],
            low=one.low * other.low,
            high=one.high * other.high,
            step=one.step * other.value + other.step * one.value,
        )
        for one, other in pairs
        if _IN_EACH.fullmatch(statement.text, one.span.end, other.span.start)
    }


def margins_in(statement: Statement) -> tuple[Quantity, ...]:
    """Return the differences of the two sides of votes and of a score: '52 votes to 42'."""
    pairs = pairwise(one for one in statement.figures if one.dimension is Dimension.COUNT)
    votes = [pair for pair in pairs if _TO_SIDE.fullmatch(statement.text, pair[0].span.end, pair[1].span.start)]
    scores = [one for one in statement.figures if one.dimension is Dimension.SCORE]
    return (
        *(_total(statement, one[:1], abs(one[0].value - one[1].value)) for one in votes),
        *(_total(statement, [one], one.high - one.low) for one in scores if len(scores) == 1),
    )


def is_margin(statement: Statement, figure: Quantity) -> bool:
    """True for 'by ten votes', but not 'by 52 votes to 42'."""
    return bool(_MARGIN.search(statement.text[: figure.span.start])) and not margins_in(statement)


def _total(statement: Statement, parts: Sequence[Quantity], value: float) -> Quantity:
    span = Span(parts[0].span.start, parts[-1].span.end)
    nouns = tuple(noun for noun in parts[0].nouns if all(noun in one.nouns for one in parts))
    return Quantity(span, span.of(statement.text), Dimension.COUNT, value, value, "", nouns=nouns)


def moved(statement: Statement) -> int:
    """Return 1 for a rise and -1 for a fall from one level to another; 0 for neither, or both."""
    signs = {sign for sign, _ in _signs(statement)}
    return signs.pop() if len(signs) == 1 else 0


def stated_order(claim: Statement) -> set[int]:
    """Return the signs of a claim's rise or fall, or of its first side over its second: 1 for 'longer than'."""
    compares = None if claim.moves or claim.negations else _COMPARES.search(claim.text)
    return {1 if compares["more"] else -1} if compares else claim.moves


def found_order(claim: Statement, statement: Statement) -> int | None:
    """Return the sign of a sentence's move from one level to another, or of its two levels beside the two sides of the
    claim's comparison; None if it has two levels, compares them nowhere, and does not tell whose they are."""
    compares = _COMPARES.search(claim.text)
    if (sign := moved(statement)) or compares is None or len(levels := _two_levels(statement)) != 2:
        return sign
    of_extent = levels[0].dimension in _EXTENTS or not (compares["long"] or compares["short"])
    if not of_extent or not statement.terms.issuperset(content_words(compares["what"])):
        return None
    cut = _OTHER_PART.search(statement.text, levels[0].span.end, levels[1].span.start)
    sides = [_marked(claim.text[: compares.end()]), _marked(claim.text[compares.end() :])]
    only = (sides[0] - sides[1], sides[1] - sides[0])
    parts = (_marked(statement.text[: cut.end()]), _marked(statement.text[cut.end() :])) if cut else (frozenset(),) * 2
    places = [[bool(part & own) for own in only] for part in (parts[0] - parts[1], parts[1] - parts[0])]
    if sorted(places) == [[False, True], [True, False]]:
        mine, theirs = levels if places[0][0] else levels[::-1]
        return (mine.value > theirs.value) - (mine.value < theirs.value)
    return 0 if statement.moves or _COMPARES.search(statement.text) else None


def _marked(text: str) -> frozenset[str]:
    return frozenset((*content_words(text), *YEAR.findall(text)))


def _two_levels(statement: Statement) -> Sequence[Quantity]:
    """Return the levels of a sentence if they are two of one kind; else none."""
    levels = [one for one in statement.figures if not is_change(statement.text, one) and one.bound is Bound.EXACT]
    kinds = {each.dimension for each in levels if each.dimension is not Dimension.COUNT or each.nouns}
    return levels if len(levels) == 2 and len(kinds) < 2 else ()


def _signs(statement: Statement) -> Iterator[tuple[int, Span]]:
    """Yield 1, -1 or 0 for each change of a level, and the place of the level after it."""
    for first, last, _ in _moves(statement):
        yield (last.value > first.value) - (last.value < first.value), last.span


def moves_to(claim: Statement, figure: Quantity, statement: Statement, found: Quantity) -> int:
    """Return 1 if the claim's rise or fall to a level is the statement's move to it, -1 if it is the opposite; else
    0."""
    wanted = claim.moves
    if not _TO.search(claim.text[: figure.span.start]) or len(wanted) != 1:
        return 0
    return next((sign for sign, place in _signs(statement) if place == found.span), 0) * wanted.pop()


def _by_year(statement: Statement) -> Iterator[tuple[Quantity, Quantity, Span]]:
    """Yield two levels of one kind that each have a year beside them, the earlier one first: '14 million in 2020 and 28
    million in 2023', '28 million in 2023 (2020: 14 million)'."""
    levels, years = _two_levels(statement), list(_TIME.finditer(statement.text))
    if not levels or len(years) != 2 or years[0][0] == years[1][0]:
        return
    figures, dates = [each.span.start for each in levels], [each.start() for each in years]
    if max(figures[0], dates[0]) < min(figures[1], dates[1]):
        first, last = levels if years[0][0] < years[1][0] else levels[::-1]
        yield first, last, Span(levels[0].span.start, levels[1].span.end)


def _moves(statement: Statement) -> Iterator[tuple[Quantity, Quantity, Span]]:
    """Yield the figures before and after each change of a level."""
    yield from _by_year(statement)
    text = statement.text
    if not any(form.search(text) for form in (_MOVES, _COMPARED, _NOW, _EARLIER)):
        return
    for one in statement.figures:
        if one.bound is Bound.RANGE and _FROM.search(text[: one.span.start]) and (first := _first_of(one)):
            last = one.low if first == one.high else one.high
            yield replace(one, low=first, high=first), replace(one, low=last, high=last), one.span
    for one, other in pairwise(statement.figures):
        before, between = text[: one.span.start], text[one.span.end : other.span.start]
        if len(between) > _BETWEEN or one.bound is Bound.RANGE or other.bound is Bound.RANGE:
            continue
        dated = one.dimension is other.dimension and _LATER.search(between)
        if dated or (_FROM.search(before) and _TO.search(between)):
            yield one, other, Span(one.span.start, other.span.end)
        elif (_TO.search(before) and _FROM.search(between)) or _COMPARED.search(between) or _is_later(one, other, text):
            yield other, one, Span(one.span.start, other.span.end)


def _is_later(one: Quantity, other: Quantity, text: str) -> bool:
    """True for a level right before the same one of an earlier time: '412 men, after 390 a year earlier'."""
    beside = _AFTER.search(text, one.span.end, other.span.start) and _EARLIER.match(text, other.span.end)
    return bool(beside) and not is_change(text, one) and compare(one, other) is not Relation.NOT_COMPARABLE


def _first_of(figure: Quantity) -> float | None:
    """Return the end of a range that is written first."""
    written = [float(each.replace(",", "").rstrip(".")) for each in _FIRST.findall(figure.text) if each.count(".") < 2]
    if len(written) != 2 or written[0] == written[1]:
        return None
    return figure.low if written[0] < written[1] else figure.high


def _worked_out(first: Quantity, last: Quantity, span: Span) -> Iterator[Quantity]:
    bare = Dimension.COUNT in (first.dimension, last.dimension) and not (first.nouns and last.nouns)
    dimension = last.dimension if first.dimension is Dimension.COUNT else first.dimension
    if first.dimension is not last.dimension and not bare:
        return
    if first.unit != last.unit and not bare:
        return
    common = replace(last, span=span, bound=Bound.EXACT, spelled=False)
    difference = abs(last.value - first.value)
    if dimension is Dimension.SHARE:
        yield replace(common, dimension=Dimension.POINTS, low=difference, high=difference, unit="pp", step=_POINTS)
    else:
        step = min(first.step + last.step, _OF_DIFFERENCE * difference)
        yield replace(common, low=difference, high=difference, step=step)
    if first.value > 0:
        share, times = difference / first.value * 100, last.value / first.value
        times_step = times * (first.step / first.value + last.step / max(last.value, last.step, 1e-9))
        yield replace(common, dimension=Dimension.SHARE, low=share, high=share, unit="%", step=_SHARE, nouns=())
        yield replace(common, dimension=Dimension.FACTOR, low=times, high=times, unit="x", step=times_step, nouns=())


def sign_of_result(text: str, figure: Quantity) -> int:
    """Return 1 for a profit, -1 for a loss, whatever the written sign, and 0 for neither."""
    before = text[: figure.span.start]
    loss, gain = _LOSS.search(before), _GAIN.search(before)
    if loss and (not gain or loss.start() > gain.start()):
        return -1
    return (-1 if figure.value < 0 else 1) if gain else 0
