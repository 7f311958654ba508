"""The sentences that come nearest to a claim in what was read, for a person to judge where nobody else could.

On undecided claims of simulated webs that were read without a language model (`bench.quality nearest`): where a page
that decides the claim had been read, the sentence that does so is among the three shown for 83 of 102 claims of three
webs that were looked at, and for 26 of 34 of one that was not.
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
"""Sentences shown for a claim, each of a story of its own."""
_COMPARED = 60
"""Sentences of which the meaning is compared: those with most of the claim's words."""
_SHORTEST, _LONGEST = 25, 600
"""Characters of a sentence that says something by itself; what is longer is a table or a list."""
_NEAR, _NEAR_BY_WORDS = 0.5, 0.35
"""Share of the claim's words plus likeness, from which a sentence is near; the share alone, where there is no encoder.
Of what is shown from 0.5 on nearly half decides the claim; from 0.7 on one in twenty deciding sentences is lost."""


class PageSentence(NamedTuple):
    """A sentence that a page states. `page`: the key of the page; `story`: of the story it tells, or of itself."""

    page: str
    story: str
    span: Span
    text: str
    terms: frozenset[str]


def page_sentences(pages: Mapping[str, Document], stories: Mapping[str, str]) -> list[PageSentence]:
    """What the pages state, sentence by sentence: no comments, share bars or second articles. `pages` by any key;
    `stories`: the story of those that tell one, by the same keys."""
    return [
        PageSentence(key, stories.get(key, key), span, text, frozenset(content_words(text)))
        for key, document in pages.items()
        for span in (without_mark(document.text, each) for each in evidence_sentences(document))
        if _SHORTEST <= len(text := span.of(document.text)) <= _LONGEST
    ]


def nearest(
    claim: str, stated: Sequence[PageSentence], likeness: Likeness | None, *, about: str = ""
) -> list[PageSentence]:
    """The sentences nearest to the claim in words and meaning, nearest first, at most three, no two of one story or in
    the same words. `likeness`: None where no encoder is available. `about`: whom all claims of the case are about; that
    name brings no sentence nearer."""
    wanted = {term: rarity(term) for term in {*content_words(claim)} - {*content_words(about)}}
    whole = sum(wanted.values()) or 1.0
    # Rounded, because the order in which a set is added up is another in every process.
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
