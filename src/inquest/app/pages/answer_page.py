"""The market desk's answer as a page shows it: parts of paragraphs and lists, points with what stands below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from inquest.desks.market.summary import AnswerLine, AnswerSection, parts_of
from inquest.domain.market import MarketAnswer


@dataclass
class AnswerPoint:
    """A point of a list and the points below it."""

    line: AnswerLine
    below: list[AnswerLine] = field(default_factory=list)


@dataclass
class AnswerBlock:
    """A paragraph, or a list where there is none."""

    paragraph: AnswerLine | None = None
    points: list[AnswerPoint] = field(default_factory=list)


@dataclass(frozen=True)
class ShownAnswerPart:
    """A part under its heading."""

    heading: str
    numbered: bool
    of_the_work: bool
    """It says how the answer was made."""
    blocks: Sequence[AnswerBlock]


def answer_parts(answer: MarketAnswer) -> tuple[ShownAnswerPart, ...]:
    """All parts that have anything to say, in their order."""
    return tuple(_part(each) for each in parts_of(answer))


def _part(section: AnswerSection) -> ShownAnswerPart:
    blocks: list[AnswerBlock] = []
    for line in section.lines:
        if line.level == 0:
            blocks.append(AnswerBlock(paragraph=line))
            continue
        if not blocks or blocks[-1].paragraph is not None:
            blocks.append(AnswerBlock())
        points = blocks[-1].points
        if line.level > 1 and points:
            points[-1].below.append(line)
        else:
            points.append(AnswerPoint(line))
    return ShownAnswerPart(section.heading, section.numbered, section.of_the_work, blocks)
