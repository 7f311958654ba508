"""Which way the news leans: tone words in the sentences that were found, counted over independent sources.

A count with its words, and no forecast. Each independent source has one vote, so that twelve copies of one release do
not make a mood. The words stand in `sentiment.toml`; a negated one counts for the other side.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from inquest.desks.market.events import is_denied
from inquest.desks.market.words import Form, Table, Words, table
from inquest.domain.english import agreeing
from inquest.domain.market import MarketQuote, Sentiment, SentimentLabel
from inquest.text.phrases import count, listed, numeral
from inquest.text.polarity import is_negated, negations
from inquest.text.sentences import Span, fold

_CLEAR = 0.34
"""From this share of the votes on, one side leads; below it, news of both sides is mixed."""


class _Table(Table):
    good: Words
    bad: Words
    together: dict[str, Form]


def tone_of(sentence: str) -> int:
    """Good (+1), bad (-1) or neither (0), by which side has more of the sentence's words."""
    plain = fold(sentence)
    words = _table()
    phrases = {1: words.together["good"], -1: words.together["bad"]}
    total = sum(sign * len(form.findall(plain)) for sign, form in phrases.items())
    for form in phrases.values():
        plain = form.sub(lambda match: " " * len(match.group()), plain)
    among = negations(plain)
    for match in re.finditer(r"[\w-]+", plain):
        sign = (match.group() in words.good) - (match.group() in words.bad)
        total += -sign if sign and is_negated(Span(*match.span()), among) else sign
    return (total > 0) - (total < 0)


def sentiment_of(by_witness: Mapping[str, Sequence[MarketQuote]]) -> Sentiment:
    """How the news leans. `by_witness`: of each independent source the words that were found."""
    votes: dict[str, int] = {}
    basis: list[MarketQuote] = []
    for witness, quotes in by_witness.items():
        # That something bad did not happen is no bad news.
        tones = [(0 if is_denied(quote.quote) else tone_of(quote.quote), quote) for quote in quotes]
        if not tones:
            continue
        total = sum(tone for tone, _ in tones)
        vote = (total > 0) - (total < 0)
        votes[witness] = vote
        if vote:
            basis.append(next(quote for tone, quote in tones if tone == vote))
    if not votes:
        return Sentiment(label=SentimentLabel.UNKNOWN, score=0, reasons=("No source that was read could be counted.",))
    good, bad = sum(vote > 0 for vote in votes.values()), sum(vote < 0 for vote in votes.values())
    neutral, score = len(votes) - good - bad, (good - bad) / len(votes)
    if not good and not bad:
        label = SentimentLabel.NEUTRAL
    elif abs(score) >= _CLEAR:
        label = SentimentLabel.POSITIVE if score > 0 else SentimentLabel.NEGATIVE
    else:
        label = SentimentLabel.MIXED if good and bad else SentimentLabel.NEUTRAL
    sides = ((good, "good news"), (bad, "bad news"), (neutral, "neither"))
    shown = [f"{numeral(number)} {agreeing(number, 'reports', 'report')} {news}" for number, news in sides if number]
    reasons = [f"Of {count(len(votes), 'independent source')}, {listed(shown)}."]
    if len(votes) < 3:
        reasons.append("So few sources make no mood.")
    return Sentiment(
        label=label, score=round(score, 4), positive=good, negative=bad, neutral=neutral, basis=tuple(basis),
        reasons=tuple(reasons),
    )  # fmt: skip


@cache
def _table() -> _Table:
    return table("sentiment", _Table)
