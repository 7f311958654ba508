"""The numbers that Word shows before paragraphs (ECMA-376, 17.9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lxml.etree import _Element as Element

from inquest.readers.numerals import numeral
from inquest.readers.office.package import child, value, whole
from inquest.text.regex import regex

_PLACE = regex(r"%([1-9])")


class _Level(NamedTuple):
    start: int
    form: str
    text: str
    style: str | None
    restarts: bool
    is_legal: bool


class _List(NamedTuple):
    levels: dict[int, _Level]
    begins: dict[int, int]
    """The first numbers with which this list begins again."""
    counts: dict[int, int]
    """The last number of each level; lists of one definition share it."""


class Numbering:
    """The lists of a document and how far each of them has been counted."""

    def __init__(self, root: Element | None, styles: Mapping[str, Mapping[str, str]]) -> None:
        found = list(root.iterchildren("{*}abstractNum", "{*}num")) if root is not None else []
        abstract = {value(each, "abstractNumId"): each for each in found}
        numbered = {value(each, "numId"): each for each in found}
        counts: dict[str | None, dict[int, int]] = {}
        self._lists: dict[str | None, _List] = {}
        for number, given in numbered.items():
            key = value(child(given, "abstractNumId"))
            if linked := value(child(abstract.get(key), "numStyleLink")):
                key = value(child(numbered.get(styles.get(linked, {}).get("numId")), "abstractNumId"))
            levels, begins = _levels(abstract.get(key)), {}
            for each in given.iterchildren("{*}lvlOverride"):
                levels |= _levels(each)
                if (start := child(each, "startOverride")) is not None:
                    begins[whole(value(each, "ilvl"), 0)] = whole(value(start), 1) - 1
            self._lists[number] = _List(levels, begins, counts.setdefault(key, {}))

    def label(self, number: str, level: str | None, style: str) -> str:
        """Count a paragraph of a list and return its number as shown; '' for a bullet, no number, or one of unknown
        form. Without a level, it has that of its style."""
        levels, begins, counts = self._lists.get(number) or _List({}, {}, {})
        at = whole(level, next((at for at, each in levels.items() if each.style == style), 0))
        if at not in levels:
            return ""
        counts |= begins
        begins.clear()
        counts[at] = counts.get(at, levels[at].start - 1) + 1
        for deeper in [other for other in counts if other > at and other in levels and levels[other].restarts]:
            del counts[deeper]

        def shown(used: int) -> str:
            form = "decimal" if levels[at].is_legal else levels[used].form
            return numeral(counts.get(used, levels[used].start), form)

        used = {int(place) - 1 for place in _PLACE.findall(levels[at].text)}
        if levels[at].form == "bullet" or not all(each in levels and shown(each) for each in used):
            return ""
        return _PLACE.sub(lambda place: shown(int(place[1]) - 1), levels[at].text).strip()


def _levels(holder: Element | None) -> dict[int, _Level]:
    return {
        whole(value(each, "ilvl"), 0): _Level(
            start=whole(value(child(each, "start")), 0),
            form=value(child(each, "numFmt")) or "decimal",
            text=value(child(each, "lvlText")) or "",
            style=value(child(each, "pStyle")),
            restarts=value(child(each, "lvlRestart")) != "0",
            is_legal=child(each, "isLgl") is not None,
        )
        for each in (holder.iterchildren("{*}lvl") if holder is not None else ())
    }
