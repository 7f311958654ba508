"""Which wording counts as shared: not what a site puts on all its pages, nor what a digest prints of many reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from inquest.stories.copies import COPY, Overlap
from inquest.stories.crediting import Article, Credit
from inquest.stories.likeness import alike
from inquest.text.sentences import content_words
from inquest.text.shingles import overlap, runs

_PAGES = 3
"""Pages of a site, on different things, on which a line must stand to be the site's and not theirs."""
_OTHER_THINGS = 0.25
"""Titles that share less of their words (Dice) are of different things."""
_TITLE_LOOKED_FOR = 300
_APART = 0.2
"""Texts that share less of their words (Dice) are different reports."""
_KNOWN_PARTS = 8


def compared_texts(articles: Sequence[Article]) -> list[str]:
    """What is compared of each: the title, where the text does not begin with it, and the text without the lines that
    its site prints on pages about different things."""
    sites: dict[str, list[int]] = defaultdict(list)
    for place, article in enumerate(articles):
        sites[article.domain].append(place)
    texts = [article.text for article in articles]
    for places in sites.values():
        if len(places) >= _PAGES:
            everywhere = _furniture([articles[place] for place in places])
            for place in places if everywhere else ():
                texts[place] = _without(texts[place], everywhere)
    return [
        text if not article.title or article.title in text[:_TITLE_LOOKED_FOR] else f"{article.title}\n{text}"
        for article, text in zip(articles, texts, strict=True)
    ]


def _furniture(pages: Sequence[Article]) -> frozenset[str]:
    """The lines of a site: on three pages or more whose titles speak of different things. Versions of one report have
    titles that are alike, so that what they share stays."""
    on: dict[str, list[int]] = defaultdict(list)
    titles = [frozenset(content_words(page.title)) for page in pages]
    for number, page in enumerate(pages):
        for line in {line.strip() for line in page.text.split("\n")} - {""}:
            if len(on[line]) < 4 * _PAGES:
                on[line].append(number)
    return frozenset(line for line, numbers in on.items() if _different(titles, numbers))


def _different(titles: Sequence[frozenset[str]], numbers: Sequence[int]) -> bool:
    kept: list[frozenset[str]] = []
    for number in numbers:
        title = titles[number]
        if title and all(2 * len(title & other) < _OTHER_THINGS * (len(title) + len(other)) for other in kept):
            kept.append(title)
    return len(kept) >= _PAGES


def _without(text: str, lines: frozenset[str]) -> str:
    return "\n".join(line for line in text.split("\n") if line.strip() not in lines)


def without_digests(
    pairs: Sequence[Overlap], articles: Sequence[Article], credits: Sequence[Credit] = ()
) -> list[Overlap]:
    """Without the pairs by which a digest would tie the different reports it prints into one.

    What stands in a longer text is a report of its own, and the longer text a digest, where it shares nothing with
    another part and is of another event, or does not begin as the longer text does. A part that says that it has it
    from the longer one is what is left of it.
    """
    named = {(credit.article, credit.origin) for credit in credits}
    parts: dict[int, list[Overlap]] = defaultdict(list)
    for pair in pairs:
        if pair.alike < COPY:
            first, second = pair.first, pair.second
            hub, end = (first, second) if len(articles[first].text) >= len(articles[second].text) else (second, first)
            if (articles[end].id, articles[hub].id) not in named:
                parts[hub].append(pair)
    dropped: set[Overlap] = set()
    for hub, spokes in parts.items():
        if _is_digest(articles[hub], [articles[pair.first + pair.second - hub] for pair in spokes]):
            best = max(spokes, key=lambda spoke: (spoke.contained, -spoke.first, -spoke.second))
            dropped.update(spoke for spoke in spokes if spoke is not best)
    return [pair for pair in pairs if pair not in dropped]


def _is_digest(hub: Article, ends: Sequence[Article]) -> bool:
    head = " ".join(hub.text.split())[:_TITLE_LOOKED_FOR]
    kept: list[tuple[Article, frozenset[str], bool]] = []
    for end in ends:
        shared, begins = runs(end.text), " ".join(end.text.split())[:40] in head
        apart = all(not overlap(shared, other)[0] for _, other, _ in kept)
        if not apart:
            continue
        for other, _, other_begins in kept:
            if alike(end.particulars, other.particulars) < _APART or not (begins and other_begins):
                return True
        kept.append((end, shared, begins))
        if len(kept) > _KNOWN_PARTS:
            return True
    return False
