"""The sentences nearest to a claim in the pages that were read, for a person to judge if no verdict was possible.

On undecided claims of simulated webs that were read without a language model (`bench.quality nearest`): where a page
that decides the claim had been read, the sentence that does so is among the three shown for 83 of 102 claims of the
three webs used for tuning, and for 26 of 34 of another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from inquest.domain.document import Document
from inquest.entailment.windows import Likeness
from inquest.text.blocks import evidence_sentences, without_mark
from inquest.text.sentences import Span, content_words
from inquest.text.vocabulary import rarity

MOST = 3
"""Sentences shown for a claim, each from another story."""
_COMPARED = 60
"""Sentences that are compared by meaning: those with most of the claim's words."""
_SHORTEST, _LONGEST = 25, 600
"""Characters of a sentence that is informative by itself; a longer one is a table or a list."""
_NEAR, _NEAR_BY_WORDS = 0.5, 0.35
"""Minimum share of the claim's words plus similarity; minimum share alone, if there is no encoder.
Of the sentences shown from 0.5 on nearly half decide the claim; from 0.7 on one in twenty deciding ones is lost."""


class PageSentence(NamedTuple):
    """A sentence of a page. `page`: the key of the page; `story`: of its story, or of itself."""

    page: str
    story: str
    span: Span
    text: str
    terms: frozenset[str]


def page_sentences(pages: Mapping[str, Document], stories: Mapping[str, str]) -> list[PageSentence]:
    """Return the sentences of pages, without comments, share bars or second articles. `pages` by any key; `stories`:
    the stories of pages that have one, by the same keys."""
    return [
        PageSentence(key, stories.get(key, key), span, text, frozenset(content_words(text)))
        for key, document in pages.items()
        for span in (without_mark(document.text, each) for each in evidence_sentences(document))
        if _SHORTEST <= len(text := span.of(document.text)) <= _LONGEST
    ]


def nearest(
    claim: str, stated: Sequence[PageSentence], likeness: Likeness | None, *, about: str = ""
) -> list[PageSentence]:
    """Return up to three sentences nearest to the claim in words and meaning, nearest first, of different stories and
    wordings.

    `likeness`: None if no encoder is available. `about`: the subject of all claims of the case, whose name does not
    count.
    """
    wanted = {term: rarity(term) for term in {*content_words(claim)} - {*content_words(about)}}
    whole = sum(wanted.values()) or 1.0
    # Rounded, because the order of summation over a set differs between processes.
    shares = [round(sum(wanted[term] for term in wanted.keys() & each.terms) / whole, 6) for each in stated]
    compared = sorted(range(len(stated)), key=lambda place: (-shares[place], place))[:_COMPARED]
    alike = likeness(claim, [stated[place].text for place in compared]) if likeness else [0.0 for _ in compared]
    scores = {place: shares[place] + like for place, like in zip(compared, alike, strict=True)}
    found: list[PageSentence] = []
    taken: set[str] = set()
    for place in sorted(scores, key=lambda each: (-scores[each], each)):
        one = stated[place]
        marks = {one.story, " ".join(one.text.split())}
        if len(found) == MOST or scores[place] < (_NEAR if likeness else _NEAR_BY_WORDS):
            break
        if not marks & taken:
            taken |= marks
            found.append(one)
    return found
