"""What kind of question to the market desk it is, by its own words."""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.domain.market import Direction, QuestionKind
from inquest.sources.economic_releases import country_in
from inquest.text.quantities import Dimension, quantities
from inquest.text.sentences import fold

__all__ = ["ADVICE_ASKED", "Kind", "change_in", "direction_in", "kind_of"]

_DOWN = (
    "down|fall|falls|falling|fell|fallen|drop|drops|dropping|dropped|plunge|plunges|plunging|plunged|tank|tanks|tanking|"
    "tanked|sink|sinks|sinking|sank|slide|slides|sliding|slid|slump|slumps|slumping|slumped|tumble|tumbles|tumbling|"
    "tumbled|crash|crashes|crashing|crashed|decline|declines|declining|declined|lower|selloff|sell-off|losing|lost|red"
)
_UP = (
    "up|rise|rises|rising|rose|risen|surge|surges|surging|surged|rally|rallies|rallying|rallied|climb|climbs|climbing|"
    "climbed|jump|jumps|jumping|jumped|soar|soars|soaring|soared|gain|gains|gaining|gained|spike|spikes|spiking|spiked|"
    "higher|skyrocket|skyrockets|skyrocketing|skyrocketed"
)
_MOVES = {
    Direction.DOWN: re.compile(rf"(?<![\w-])(?:{_DOWN})(?![\w-])"),
    Direction.UP: re.compile(rf"(?<![\w-])(?:{_UP})(?![\w-])"),
}
_SET_PHRASE = re.compile(
    r"\b(?:come up|coming up|up to date|set up|up for|look up|catch up|update|up until|sign up|follow up)\b"
)
_WHY = re.compile(r"\b(?:why|what(?:'s| is| has| was)? (?:caus|driv|mov|behind|happen)\w*|reasons? for|explain)\b")
_SHARES = re.compile(r"\b(?:stocks?|shares?|share price|price|trading|ticker|market cap)\b")
_SOON = re.compile(r"\b(?:today|now|yesterday|tonight|this week|after hours|pre-?market)\b")
_FORMS: tuple[tuple[QuestionKind, re.Pattern[str]], ...] = (
    (
        QuestionKind.ANALYST_ACTION,
        re.compile(
            r"\b(?:analysts?|upgrad(?:e|ed|es|ing)|downgrad(?:e|ed|es|ing)|price targets?|target prices?|"
            r"initiat(?:e|ed|es|ion of|ing) coverage|coverage|ratings?|outperform|overweight|underweight)\b"
        ),
    ),
    (
        QuestionKind.GUIDANCE,
        re.compile(
            r"\b(?:on track|guidance|outlook|forecasts?|still (?:expects?|plans?|valid|holds?|on course)|contradict\w*|"
            r"(?:production|delivery|deliveries|sales|revenue|emissions?|growth|cost|margin) (?:targets?|goals?)|"
            r"(?:meet|hit|miss|reach)(?:ing|es)? (?:its|their|the)? ?(?:\w+ ){0,2}(?:targets?|goals?|projections?))\b"
        ),
    ),
    (
        QuestionKind.EARNINGS,
        re.compile(
            r"\b(?:earnings|eps|results|quarterly (?:report|profit|sales|figures)|profit warning|(?:beat|"
            r"miss)(?:es|ed)? "
            r"(?:estimates|expectations|consensus)|revenues?|profits?|net income|dividends?)\b"
        ),
    ),
    (
        QuestionKind.REGULATORY,
        re.compile(
            r"\b(?:regulat\w+|law ?suits?|sued|legal|court|antitrust|anti-trust|probe[sd]?|investigat\w+|fine[sd]?|"
            r"penalt\w+|"
            r"subpoena\w*|settlements?|fda|ftc|doj|ban(?:s|ned)?|sanctions?|tariffs?|compliance|approval|"
            r"export controls?)\b"
        ),
    ),
    (
        QuestionKind.STRATEGY,
        re.compile(r"\b(?:strateg\w+|business model|roadmap|pivots?|long-term plans?|competitive position)\b"),
    ),
    (
        QuestionKind.INDUSTRY_TREND,
        re.compile(r"\b(?:industry|industries|sectors?|trends?|peers|competitors|stocks)\b"),
    ),
)
_ECONOMY = re.compile(
    r"\b(?:cpi|ppi|gdp|pmi|inflation|payrolls?|nfp|unemployment|jobs report|jobless claims|employment (?:report|"
    r"data)|fomc|"
    r"fed(?:eral reserve)?|ecb|central bank|(?:interest|key|policy) rates?|rate (?:cut|hike|decision)s?|"
    r"retail sales data|"
    r"economic (?:calendar|releases?|data)|consumer confidence|trade balance)\b"
)
_NEWS = re.compile(
    r"\b(?:news|latest|breaking|headlines?|developments?|announcements?|updates?|happen(?:ed|ing)?|press releases?)\b"
)
ADVICE_ASKED = re.compile(
    r"\b(?:should (?:i|we|one|you) (?:\w+ )?(?:buy|sell|hold|invest|short|trade)|(?:good|right|"
    r"best) time to (?:buy|sell|invest)|"
    r"worth (?:buying|investing|selling)|(?:is|are) [\w$.' -]{1,40} an? (?:good |strong )?(?:buy|sell|hold|"
    r"investment)\b|"
    r"what (?:stocks?|shares?) (?:should|to) |(?:buy|sell) or (?:sell|hold|buy)|recommend(?:ation)? to (?:buy|sell)|"
    r"price prediction|will [\w$.' -]{1,40} (?:go up|go down|double))"
)


class Kind(NamedTuple):
    """The kind of a question, and why."""

    kind: QuestionKind
    reason: str


def kind_of(text: str, *, about_a_company: bool) -> Kind:
    """The kind of a question. `about_a_company`: whether it names one, or a ticker."""
    plain = fold(text)
    economy = _ECONOMY.search(plain)
    if economy and not about_a_company:
        where = country_in(text)
        return Kind(QuestionKind.ECONOMIC_RELEASE, f"it names {economy.group()!r}{f' of {where}' if where else ''}")
    direction = direction_in(text)
    asks_why = _WHY.search(plain) or _SOON.search(plain) or change_in(text) is not None
    # 'Why is demand for chips falling?' is about an industry, 'why is it down today' about a share.
    if direction and asks_why and (about_a_company or _SHARES.search(plain) or _SOON.search(plain)):
        return Kind(QuestionKind.STOCK_MOVEMENT, f"it asks why a price went {direction.value}")
    if re.search(r"\bwhy\b.*\b(?:halted|volatile|moving|moved)\b", plain):
        return Kind(QuestionKind.STOCK_MOVEMENT, "it asks why a price moved")
    for kind, form in _FORMS:
        if found := form.search(plain):
            return Kind(kind, f"it says {found.group()!r}")
    if found := _NEWS.search(plain):
        return Kind(QuestionKind.LATEST_NEWS, f"it says {found.group()!r}")
    if economy:
        return Kind(QuestionKind.ECONOMIC_RELEASE, f"it names {economy.group()!r}")
    if direction and about_a_company:
        return Kind(QuestionKind.STOCK_MOVEMENT, f"it asks about a price that went {direction.value}")
    return Kind(QuestionKind.LATEST_NEWS, "nothing in it says what kind of news is wanted")


def direction_in(text: str) -> Direction | None:
    """Which way a price went, as the text says; None: it says neither, or both."""
    plain = _SET_PHRASE.sub(" ", fold(text))
    said = [direction for direction, form in _MOVES.items() if form.search(plain)]
    return said[0] if len(said) == 1 else None


def change_in(text: str) -> float | None:
    """By how many percent, as the text says; None where it gives no percentage, or several."""
    shares = [each for each in quantities(text) if each.dimension is Dimension.SHARE and not each.spelled]
    return abs(shares[0].value) if len(shares) == 1 else None
