"""Searching by words and by meaning at once: what either finds is judged by both.

Words win where they are exact: a document that holds a rare name of letters and digits ('XK-4471') from the question
comes before those that are merely alike, and a phrase is left to the index alone.
"""

from __future__ import annotations

from inquest.collection.analysis import terms
from inquest.collection.entry import USUAL, FoundEntry, SearchFilter
from inquest.collection.index import Index, Stored
from inquest.collection.likeness import Alike, VectorTable
from inquest.collection.snippet import best_window, window_around
from inquest.kit.small_models import SentenceEncoder
from inquest.text.meaning_search import LEAST_LIKENESS, fused
from inquest.text.regex import regex
from inquest.text.sentences import Span

_CANDIDATES = 100
# From either side: what is in neither hundred is not among the first ten by both together.
_RARE = 10
# Documents: a name that more of them hold no longer picks one out.
_SIGN = regex(r"(?=\S*\d)(?=\S*[^\W\d_])\w[\w./-]*\w|\d{5,}")
# A token of letters and digits, or a long number: an account, a docket, a chemical, a gene, a part.


def search_by_both(
    index: Index,
    vectors: VectorTable,
    encoder: SentenceEncoder,
    text: str,
    wanted: SearchFilter = USUAL,
) -> list[FoundEntry]:
    """The documents that fit the question best by words and meaning together, best first; scores from 0 to 1 (a rare
    exact name adds 1).

    A document that shares no word with the question must be alike in meaning to be found. Raises ModelUnavailable.
    """
    limit = wanted.limit
    if limit < 1 or not text.strip():
        return []
    [asked] = encoder.encode([text])
    likenesses = vectors.to(asked)
    wide = max(_CANDIDATES, limit)
    weights = index.weights(text)
    alike = likenesses.best(wide, LEAST_LIKENESS)
    candidates = index.candidates(weights, limit=wide, also=list(alike), since=wanted.since, until=wanted.until)
    meanings = [alike.get(one.snapshot) or likenesses.of(one.snapshot) for one in candidates]
    scores = fused([one.words for one in candidates], [each.score if each else None for each in meanings])
    named = _holders_of_rare_names(index, text)
    ranked = sorted(
        zip(
            [s + (c.snapshot in named) for s, c in zip(scores, candidates, strict=True)],
            candidates,
            meanings,
            strict=True,
        ),
        key=lambda item: (-item[0], item[1].snapshot),
    )
    return [one.found(score, _snippet(one, each, weights)) for score, one, each in ranked[:limit]]


def _holders_of_rare_names(index: Index, text: str) -> frozenset[str]:
    """The documents that hold a name of letters and digits in the question, by its rarest part, where few do."""
    found: frozenset[str] = frozenset()
    for match in _SIGN.finditer(text):
        parts = terms(match.group())
        rarest = min(parts, key=index.holding, default="")
        if rarest and 0 < index.holding(rarest) <= _RARE:
            found |= index.holders(rarest, _RARE)
    return found


def _snippet(one: Stored, alike: Alike | None, weights: dict[str, float]) -> str:
    text = one.text()
    if one.words > 0 or alike is None:
        return best_window(text, weights)
    return window_around(text, Span(alike.start, alike.start))
