"""Comparable figures in a text: ranges, averages and limits, with unit, scope, year and divisor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

from inquest.desks.academic.terms import first_named, phrase_table
from inquest.entailment.bases import scopes_named
from inquest.text.lexicon import entries
from inquest.text.quantities import Bound, Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, fold, sentences, stem
from inquest.text.units import SCALE, SCALES, UNITS


class Basis(NamedTuple):
    """The divisor of an intensity. `kind`: 'mass', 'energy', 'money' (revenue), 'length' (transport), 'area', 'volume',
    'head' or 'unit'; '' for the whole. `size` in base units: 1,000,000 for 'per $1M'."""

    kind: str = ""
    of: str = ""
    """The currency's code or the stems of the product ('crude steel', 'vehicl'), or ''."""
    size: float = 1.0
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkFigure(Quantity):
    """Base units of `dimension` (kg, J, m3) per base unit of `basis`. AT_MOST has no lower end, AT_LEAST no upper."""

    sentence: str
    substance: str
    """'CO2e', 'CO2', 'CH4', 'water', 'electricity', 'reduction', ..., or ''."""
    basis: Basis
    kind: str
    """'average', 'median', 'low percentile', 'high percentile', 'range', 'limit', 'theoretical' or 'single'."""
    scopes: frozenset[str]
    year: int | None
    written: str
    """The unit as written: 't CO2e per tonne of steel'."""
    factor: float
    """Base units in one written unit: divide by it to show a value in the written unit."""
    part: frozenset[str] = frozenset()
    """The steps, devices or boundaries that it is limited to ('melting'); empty for the whole process."""

    @property
    def is_intensity(self) -> bool:
        """True for a figure per something, by which companies of any size are comparable."""
        return bool(self.basis.kind) and self.dimension is not Dimension.MONEY

    @property
    def is_change(self) -> bool:
        """True for the share of a decrease or increase."""
        return self.dimension is Dimension.SHARE and self.substance in ("reduction", "increase")


_DIVISORS = (
    Dimension.MASS, Dimension.ENERGY, Dimension.AREA, Dimension.VOLUME, Dimension.LENGTH, Dimension.MONEY,
)  # fmt: skip
_PER = regex(r"\s*/\s*|\s+(?:per|for\s+(?:each|every)|for\s+1|a|each)\s+", re.I)
_REVENUE = regex(
    r"\s*(?:(?:unit\s+)?of\s+)?(?:net\s+|total\s+|in\s+)?(?:revenues?|turnover|sales|value\s+added|GDP)\b", re.I
)
_HEADS = regex(r"(?:employee|FTE|full[\s-]time\s+(?:employee|equivalent)|head|capita|person|worker)s?\b", re.I)
_TRANSPORT = regex(
    r"(?P<what>passenger|pax|person|p|tonne|ton|t|vehicle|v|seat)[\s.-]?(?:kilomet(?:re|er)s?|km|(?P<mile>miles?))\b"
)
_MOVED = {"p": "passenger", "t": "tonne", "v": "vehicle", "s": "seat"}
"""By the first letter."""
_SHORT_MONEY = regex(
    r"(?P<currency>[$€£])(?P<after>k|m|M|bn)\b|(?P<before>k|m|M|bn)\s?(?P<symbol>[$€£]|EUR\b|USD\b|GBP\b)"
)
_SHORT_SCALES = {"k": "thousand", "m": "million", "M": "million", "bn": "billion"}
_OF_WHAT = regex(r"\s+(?:of\s+)?(?P<what>(?:[a-z][\w-]*\s+)?[a-z][\w-]*)")
_NOUN = regex(r"(?P<noun>[a-z][\w-]*)(?:\s+(?:produced|sold|manufactured|made))?", re.I)
_NO_PRODUCT, _NO_UNIT = (
    frozenset(words.split()) for name, words in entries(__name__, "benchmark").items() if name != "changing"
)
_GENERAL = frozenset(("unit", "units", "product", "products", "item", "piece"))
_TAIL = 60
"""Characters after 'per' that may hold its unit."""
_SUBSTANCE = regex(
    r"[\s.-]*(?:of\s+)?(?:(?:primary|final|total|thermal|purchased|grid)\s+)?(?P<what>(?:CO[2₂]|carbon\s+dioxide)"
    r"(?P<equivalent>[\s-]?e(?:q|quivalents?)?\b)?|CH[4₄]|methane|N[2₂]O|NOx|SOx|water|waste|GHGs?|"
    r"greenhouse\s+gas(?:es)?(?:\s+emissions)?|electricity|power|heat|steam|fuels?|energy)(?!\w)",
    re.I,
)
_GLUED = regex(r"CO[2₂](?P<e>e?)$")
_SUBSTANCES = {
    "co₂": "CO2", "co2": "CO2", "carbon dioxide": "CO2", "methane": "CH4", "ch4": "CH4", "ch₄": "CH4", "n2o": "N2O",
    "n₂o": "N2O", "nox": "NOx", "sox": "SOx", "power": "electricity", "energy": "",
}  # fmt: skip
_YEAR = regex(r"(?<![\d-])(?:19[89]\d|20[0-4]\d)(?![\d])")
_NO_MEASURE = frozenset((Dimension.COUNT, Dimension.FACTOR, Dimension.TEMPERATURE, Dimension.DURATION))
_CLAUSE = regex(r"[,;:]|\b(?:and|but|while|whereas|against|versus|compared)\b", re.I)
_NAMES = sorted(UNITS, key=len, reverse=True)


def benchmark_figures(text: str) -> tuple[BenchmarkFigure, ...]:
    """Return the comparable figures of a text in order, without years and counts without a unit."""
    # `basis_after` reads the slash after a unit.
    every = quantities(text.replace("/", " "))
    measured = [each for each in every if not each.spelled and each.dimension not in _NO_MEASURE]
    found: list[BenchmarkFigure] = []
    for around in sentences(text):
        end, mine = around.start, list[BenchmarkFigure]()
        for each in measured:
            if end <= each.span.start < around.end:
                mine.append(_figure(text, around, each))
                end = mine[-1].span.end
        found += _in_clauses(text, around, mine)
    return tuple(found)


def _in_clauses(text: str, around: Span, figures: Sequence[BenchmarkFigure]) -> Iterator[BenchmarkFigure]:
    """Yield the figures of a sentence with the part of the process that their clause names, else that of the clause
    before."""
    words, start, part = phrase_table("process"), around.start, frozenset[str]()
    for place, figure in enumerate(figures):
        end = around.end
        if place + 1 < len(figures):
            cut = _CLAUSE.search(text, figure.span.end, figures[place + 1].span.start)
            end = cut.start() if cut else figure.span.end
        clause = f"{text[start : figure.span.start]} {text[figure.span.end : end]}"
        named = frozenset(fold(each.group()) for each in words["part"].finditer(clause))
        part = named if named or words["whole"].search(clause) else part
        kind = "theoretical" if words["theoretical"].search(clause) else figure.kind
        yield replace(figure, part=part, kind=kind)
        start = end


def _figure(text: str, around: Span, measured: Quantity) -> BenchmarkFigure:
    start, place = measured.span
    unit = "" if measured.dimension is Dimension.MONEY else next((x for x in _NAMES if measured.text.endswith(x)), "")
    start_of_unit = place - len(unit)
    share = measured.dimension is Dimension.SHARE
    scale = None if share else SCALE.search(measured.text.removesuffix(unit))
    factor = (SCALES[scale["scale"].lower()] if scale else 1.0) * (UNITS[unit].factor if unit else 1.0)
    substance, place = _substance(text, place)
    basis, place = basis_after(text, place)
    if not substance and measured.dimension is Dimension.MASS:
        substance, place = _substance(text, place)
    sentence = around.of(text)
    if share and not substance:
        substance = first_named("changes", sentence)
    span = Span(start, place)
    years = [
        (min(abs(match.start() - span.end), abs(span.start - match.end())), int(match.group()))
        for match in _YEAR.finditer(text, around.start, around.end)
        if not (span.start <= match.start() < span.end)
    ]
    scaled = {name: getattr(measured, name) / basis.size for name in ("low", "high", "step")}
    return BenchmarkFigure(
        **asdict(measured) | scaled | {"span": span, "text": span.of(text)},
        sentence=sentence,
        substance=substance,
        basis=basis,
        kind=_kind(text[around.start : start], text[place : around.end], measured.bound),
        scopes=scopes_named(sentence),
        year=min(years)[1] if years else None,
        written=" ".join(text[start_of_unit:place].split()),
        factor=factor / basis.size,
    )


def _substance(text: str, place: int) -> tuple[str, int]:
    # The gas in 'tCO2e' is before the place.
    if glued := _GLUED.search(text[max(0, place - 6) : place]):
        return ("CO2e" if glued["e"] else "CO2"), place
    found = _SUBSTANCE.match(text, place)
    if found is None:
        return "", place
    name = " ".join(found["what"].lower().split())
    if found["equivalent"] or name.startswith(("ghg", "greenhouse")):
        return "CO2e", found.end()
    return _SUBSTANCES.get(name, name.removesuffix("s")), found.end()


def basis_after(text: str, start: int) -> tuple[Basis, int]:
    """Return the divisor of the figure that ends at `start`, and its end; `Basis()` if absent."""
    per = _PER.match(text, start)
    if per is None:
        return Basis(), start
    place = per.end()
    if bare := _REVENUE.match(text, place):
        found, end = Basis("money"), bare.end()
    elif moved := _TRANSPORT.match(text, place):
        size = UNITS["mile"].factor if moved["mile"] else 1000.0
        found, end = Basis("length", _MOVED[moved["what"][0]], size), moved.end()
    else:
        found, end = _measured(text, place)
        if not found.kind:
            found, end = _counted(text, place)
    return (found._replace(text=text[place:end].strip()), end) if found.kind else (found, start)


def _measured(text: str, place: int) -> tuple[Basis, int]:
    """Return the measure at a place, with an optional number before it: 'tonne of steel', '$1M revenue'."""
    tail = text[place : place + _TAIL]
    measured, end = None, place
    if short := _SHORT_MONEY.match(tail):
        scale = _SHORT_SCALES[short["after"] or short["before"]]
        measured = next(iter(quantities(f"1 {scale} {short['currency'] or short['symbol']}")), None)
        end = place + short.end()
    for lead in ("", "1 ") if measured is None else ():
        first = next(iter(quantities(lead + tail)), None)
        if measured is None and first is not None and first.span.start == 0 and first.dimension in _DIVISORS:
            measured, end = first, place + first.span.end - len(lead)
    if measured is None or measured.low <= 0:
        return Basis(), place
    kind = measured.dimension.value
    if measured.dimension is Dimension.MONEY:
        more = _REVENUE.match(text, end)
        return Basis(kind, measured.unit, measured.low), more.end() if more else end
    what, end = _product(text, end)
    return Basis(kind, what, measured.low), end


def _product(text: str, place: int) -> tuple[str, int]:
    """Return the stems of a product: 'of crude steel' -> 'crude steel'; '' if absent."""
    kept: list[str] = []
    if found := _OF_WHAT.match(text, place):
        for word in re.finditer(r"[a-z][\w-]*", found["what"]):
            if (folded := fold(word.group())) in _NO_PRODUCT:
                break
            kept.append(stem(folded))
            place = found.start("what") + word.end()
    return " ".join(kept), place


def _counted(text: str, place: int) -> tuple[Basis, int]:
    if heads := _HEADS.match(text, place):
        return Basis("head"), heads.end()
    found = _NOUN.match(text, place)
    noun = fold(found["noun"]) if found else ""
    if found is None or noun in _NO_UNIT | _NO_PRODUCT - {"product"}:
        return Basis(), place
    return Basis("unit", "" if noun in _GENERAL else stem(noun)), found.end()


def _kind(before: str, after: str, bound: Bound) -> str:
    """Return the kind by the nearest word: before the figure, or in brackets or directly after it."""
    if bound is Bound.RANGE:
        return "range"
    clause = re.split(r"[;]|,\s(?=\w+\s\w+)|\band\b(?=[^,;]*$)", before)[-1]
    following = after[:25] if re.match(r"\s*\(|,?\s+on\s+", after) else ""
    near: list[tuple[int, str]] = []
    for kind, words in phrase_table("figure_kinds").items():
        near += [(len(clause) - each.end(), kind) for each in words.finditer(clause)]
        near += [(2 * each.start(), kind) for each in words.finditer(following)]
    return min(near)[1] if near else "limit" if bound in (Bound.AT_LEAST, Bound.AT_MOST) else "single"
