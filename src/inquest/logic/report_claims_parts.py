"""A claim that asserts several things, taken apart: each assertion as the words that stand in the quote."""

from __future__ import annotations

import re

from inquest.domain.claim import Stretch
from inquest.logic.claim_words import ACTIONS
from inquest.logic.phrases import numeral
from inquest.logic.quantities import Quantity, quantities
from inquest.logic.text import Span

__all__ = ["assertions", "how_many"]

_JOINT = re.compile(
    r"\s*;\s+(?:and\s+|but\s+)?|,?\s+(?:as\s+well\s+as|while|whereas|but)\s+|,?\s+(?:and|und)\s+(?:also\s+|then\s+)?|,\s+",
    re.I,
)
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|will|does|did|wurde|wurden|ist|sind|hat|haben)\b", re.I)
_DOING = re.compile(
    r"^(?:\w+ly\s+)?(?:[a-z]{3,}(?:s(?<!ions)(?<!ments)|ed)|began|took|made|set|cut|put|led|brought|held)\s+(?!(?:of|for)\b)(?=\w)",
    re.I,
)
_SUBORDINATE = re.compile(r"\b(?:that|which|who|where|whose)\b", re.I)
_STEPPED_IN = re.compile(
    r"^(?:including|such|mostly|mainly|by|with|in|at|as|e\.g|especially|thereby|compared|from|according|up|down|versus|onwards|excluding|of)\b",
    re.I,
)
_NOUNS = re.compile(r"^[a-z]{3,}s\s+(?:in|at|and|or|with|from|to|on|by|under|between|as)\b", re.I)
"""'suppliers in ...': a plural, no verb."""
_SHORT = 3
"""Words."""


def assertions(quote: str, start: int) -> tuple[Stretch, ...]:
    """The assertions of a quote that begins at `start`; none where it asserts one thing only.

    A joint parts two assertions where what follows has a verb of its own, or where there is a figure on either side.
    """
    figures = [each for each in quantities(quote) if not each.spelled and not _inside_brackets(quote, each.span.start)]
    cuts: list[Span] = []
    begin = 0
    for joint in _JOINT.finditer(quote):
        if any(each.span.start < joint.end() and joint.start() < each.span.end for each in figures):
            continue
        if _inside_brackets(quote, joint.start()):
            continue
        following = _SUBORDINATE.split(_JOINT.split(quote[joint.end() :], maxsplit=1)[0], maxsplit=1)[0]
        if _STEPPED_IN.match(following) or not _asserts(quote[begin : joint.start()], figures, begin):
            continue
        both = _has_figure(figures, begin, joint.start() - begin) and _has_figure(figures, joint.end(), len(following))
        if both or (joint.group().strip() != "," and _is_clause(following)):
            cuts.append(Span(begin, joint.start()))
            begin = joint.end()
    if not cuts:
        return ()
    cuts.append(Span(begin, len(quote)))
    return tuple(
        Stretch(quote=each.of(quote), start=start + each.start, end=start + each.end) for each in _trimmed(quote, cuts)
    )


def how_many(parts: tuple[Stretch, ...]) -> str:
    """'three assertions'; '' for one."""
    return f"{numeral(len(parts))} assertions" if len(parts) > 1 else ""


def _asserts(part: str, figures: list[Quantity], at: int) -> bool:
    if len(part.split()) < _SHORT:
        return False
    return _has_figure(figures, at, len(part)) or bool(_VERB.search(part) or ACTIONS.match(part.lstrip()))


def _is_clause(part: str) -> bool:
    """Whether it begins with a verb that goes on from the subject, or has a subject and a verb of its own."""
    if len(part.split()) < _SHORT:
        return False
    return bool(_VERB.search(part) or ACTIONS.match(part) or (_DOING.match(part) and not _NOUNS.match(part)))


def _has_figure(figures: list[Quantity], at: int, length: int) -> bool:
    return any(at <= each.span.start < at + length for each in figures)


def _inside_brackets(quote: str, place: int) -> bool:
    before = quote[:place]
    return before.count("(") > before.count(")") or before.count("“") > before.count("”")


def _trimmed(quote: str, cuts: list[Span]) -> list[Span]:
    return [Span(each.start, each.start + len(each.of(quote).rstrip(" .;,"))) for each in cuts]
