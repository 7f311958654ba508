"""Sentiment of the news, by tone words in the findings, with one vote for each independent source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.desks.market.events import is_denied
from inquest.domain.languages import agreeing
from inquest.domain.market import MarketQuote, Sentiment, SentimentLabel
from inquest.text.lexicon import any_of
from inquest.text.phrases import count, listed, numeral
from inquest.text.polarity import is_negated, negations
from inquest.text.sentences import Span

_CLEAR = 0.34
"""Share of the votes from which one side leads; below it, the news is mixed."""
_WORDS = {1: any_of(__name__, "good"), -1: any_of(__name__, "bad")}


def tone_of(sentence: str) -> int:
    """Good (+1), bad (-1) or neither (0) by the majority of its words; a negated one counts for the other side."""
    among = negations(sentence)
    total = sum(
        -sign if is_negated(Span(*match.span()), among) else sign
        for sign, words in _WORDS.items()
        for match in words.finditer(sentence)
    )
    return (total > 0) - (total < 0)


def sentiment_of(by_witness: Mapping[str, Sequence[MarketQuote]]) -> Sentiment:
    """The sentiment of the news. `by_witness`: the quotes of each independent source."""
    votes: list[int] = []
    basis: list[MarketQuote] = []
    for quotes in filter(None, by_witness.values()):
        # A denial of something bad is not bad news.
        tones = [0 if is_denied(quote.quote) else tone_of(quote.quote) for quote in quotes]
        vote = (sum(tones) > 0) - (sum(tones) < 0)
        votes.append(vote)
        if vote:
            basis.append(quotes[tones.index(vote)])
    if not votes:
        return Sentiment(label=SentimentLabel.UNKNOWN, score=0, reasons=("No source that was read could be counted.",))
    good, bad = votes.count(1), votes.count(-1)
    neutral, score = votes.count(0), (good - bad) / len(votes)
    if abs(score) >= _CLEAR:
        label = SentimentLabel.POSITIVE if score > 0 else SentimentLabel.NEGATIVE
    else:
        label = SentimentLabel.MIXED if good and bad else SentimentLabel.NEUTRAL
    sides = ((good, "good news"), (bad, "bad news"), (neutral, "neither"))
    shown = [f"{numeral(number)} {agreeing(number, 'reports', 'report')} {news}" for number, news in sides if number]
    return Sentiment(
        label=label,
        score=round(score, 4),
        positive=good,
        negative=bad,
        neutral=neutral,
        basis=tuple(basis),
        reasons=(f"Of {count(len(votes), 'independent source')}, {listed(shown)}.",),
    )
