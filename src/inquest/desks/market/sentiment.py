"""Which way the news leans: tone words in the sentences that were found, counted over independent sources.

A count with its words, and no forecast. Each independent source has one vote, so that twelve copies of one release do
not make a mood. The words are a short list of our own for news of companies; a negated one counts for the other side.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from inquest.domain.market import MarketQuote, Sentiment, SentimentLabel
from inquest.text.phrases import count, listed
from inquest.text.polarity import is_negated, negations
from inquest.text.sentences import Span, fold

__all__ = ["sentiment_of", "tone_of"]

_GOOD = (
    "beat|beats|topped|tops|exceed|exceeds|exceeded|surpass|surpasses|surpassed|upgrade|upgrades|upgraded|raises|raised|"
    "record|strong|stronger|strongest|robust|solid|growth|grew|gain|gains|gained|surge|surges|surged|soar|soars|soared|"
    "jump|jumps|jumped|rally|rallies|rallied|rose|climbs|climbed|win|wins|won|approval|approved|approves|"
    "breakthrough|profitable|improved|improves|improvement|optimistic|upbeat|boost|boosts|boosted|expands|expanded|"
    "outperform|outperformed|accelerated|buyback|rebound|rebounds|rebounded|recovery|settled|cleared|demand is strong"
)
_BAD = (
    "miss|misses|missed|downgrade|downgrades|downgraded|cuts|cut|lowered|lowers|slashed|slashes|weak|weaker|weakness|"
    "decline|declines|declined|fall|falls|fell|fallen|drop|drops|dropped|plunge|plunges|plunged|tumble|tumbles|tumbled|"
    "slump|slumps|slumped|sank|slid|slide|slides|loss|losses|lost|lawsuit|sued|probe|investigation|fraud|recall|recalls|"
    "recalled|delay|delays|delayed|halt|halts|halted|shortage|shortfall|warning|warned|warns|layoffs|bankruptcy|"
    "resigned|resigns|fine|fined|breach|defects|defect|disappoint|disappoints|disappointed|disappointing|concern|"
    "concerns|fears|risk|underperform|slowdown|slowed|sell-off|selloff|suspended|rejected|pressure|headwinds|strike|"
    "scandal|allegations|accused|default|crisis|worse|worst|worsened"
)
_TOGETHER = re.compile(
    r"\b(?:(?P<good>(?:cut|cuts|reduced|narrowed|lowered) (?:its |the )?(?:costs?|debt|loss(?:es)?|emissions)|"
    r"loss(?:es)? "
    r"narrow\w*|record profit\w*)|(?P<bad>record loss\w*|growth slow\w*|slow(?:er|ing) growth|lost ground|raised? "
    r"(?:concerns?|doubts?|questions?|fears)|rose? in (?:costs|defaults)|costs? (?:rose|surged|jumped)|"
    r"strong headwinds))\b"
)
_CLEAR = 0.34
"""From this share of the votes on, one side leads; below it, news of both sides is mixed."""


def tone_of(sentence: str) -> int:
    """Good (+1), bad (-1) or neither (0), by which side has more of the sentence's words."""
    plain = fold(sentence)
    total = 0
    for match in _TOGETHER.finditer(plain):
        total += 1 if match["good"] else -1
    rest = _TOGETHER.sub(lambda match: " " * len(match.group()), plain)
    among = negations(rest)
    for sign, form in _forms():
        for match in form.finditer(rest):
            total += -sign if is_negated(Span(*match.span()), among) else sign
    return (total > 0) - (total < 0)


def sentiment_of(by_witness: Mapping[str, Sequence[MarketQuote]]) -> Sentiment:
    """How the news leans. `by_witness`: of each independent source the words that were found."""
    votes: dict[str, int] = {}
    basis: list[MarketQuote] = []
    for witness, quotes in by_witness.items():
        tones = [(tone_of(quote.quote), quote) for quote in quotes]
        if not tones:
            continue
        total = sum(tone for tone, _ in tones)
        vote = (total > 0) - (total < 0)
        votes[witness] = vote
        if vote:
            basis.append(next(quote for tone, quote in tones if tone == vote))
    if not votes:
        return Sentiment(label=SentimentLabel.UNKNOWN, score=0, reasons=("Nothing was found that could be counted.",))
    good, bad = sum(vote > 0 for vote in votes.values()), sum(vote < 0 for vote in votes.values())
    neutral, score = len(votes) - good - bad, (good - bad) / len(votes)
    if not good and not bad:
        label = SentimentLabel.NEUTRAL
    elif abs(score) >= _CLEAR:
        label = SentimentLabel.POSITIVE if score > 0 else SentimentLabel.NEGATIVE
    else:
        label = SentimentLabel.MIXED if good and bad else SentimentLabel.NEUTRAL
    sides = ((good, "for good news"), (bad, "for bad news"), (neutral, "for neither"))
    told = [f"{count(number, 'vote')} {side}" for number, side in sides if number]
    reasons = [f"{count(len(votes), 'independent source').capitalize()} counted: {listed(told)}."]
    if len(votes) < 3:
        reasons.append("So few sources make no mood.")
    return Sentiment(
        label=label, score=round(score, 4), positive=good, negative=bad, neutral=neutral, basis=tuple(basis),
        reasons=tuple(reasons),
    )  # fmt: skip


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[int, re.Pattern[str]], ...]:
    return (1, re.compile(rf"(?<![\w-])(?:{_GOOD})(?!\w)")), (-1, re.compile(rf"(?<![\w-])(?:{_BAD})(?!\w)"))
