"""Pages that say of themselves that they are satire: a page's own word may lower what it is worth, never raise it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from inquest.text.sentences import shorten

__all__ = ["says_it_is_satire"]

_TAIL, _HEAD = 2_500, 600
"""Characters at both ends of a text, where such notices stand."""
_ESTABLISHED = 70
"""A paper of tier 2 that writes about satire is not satire; only its own label in title or address makes it so."""

_LABEL = re.compile(
    r"^\W*(?:satire|parody|parodie|satira|sátira|humou?r)\s*[:|\])–—-]|[\[(](?:satire|parody|satira)[\])]", re.I
)
_PATH = re.compile(r"/(?:satire|satira|parody|parodie)(?:/|$|-)", re.I)
_NOTICE = re.compile(
    r"\b(?:this|our|all|any|every|diese[rs]?|alle|unsere?|ce|cet|notre|tous les|este|todas? las|todos los|questo|"
    r"tutti gli)\s(?:\w+\s){0,2}(?:site|website|web ?seite|blog|paper|publications?|articles?|story|stories|news|"
    r"contents?|posts?|artikel|inhalte|meldungen|textes?|art[ií]culos?|noticias|sitio|sito|articol[io])\b[^.\n]{0,60}"
    r"\b(?:is|are|contains?|publish(?:es)?|ist|sind|est|sont|es|son|è|sono)\b[^.\n]{0,40}"
    r"\b(?:satir(?:e|ical|ique|isch(?:e[rs]?)?|a|ico|ica)|parod(?:y|ies|ie|ia)|fictional|fictitious|"
    r"entirely (?:invented|made up)|frei erfunden|fictifs?)\b",
    re.I,
)
_TAGLINE = re.compile(
    r"\b(?:satirical (?:news|web)\s?(?:site|paper|website|publication)|satire (?:news ?)?(?:site|website))\b"
    r"[^.\n]{0,60}(?:©|copyright|all rights reserved|for entertainment)|"
    r"\b(?:for entertainment purposes only|not intended to be taken as (?:fact|news))\b",
    re.I,
)


def says_it_is_satire(url: str, *, title: str = "", text: str = "", score: int = 0) -> str:
    """The page's own words for being satire, shortened; '': there are none. `score`: what its publisher is worth."""
    if label := _LABEL.search(title):
        return shorten(label.group().strip(" :|–—-"), 80)
    try:
        path = _PATH.search(urlsplit(url).path)
    except ValueError:
        path = None
    if path:
        return path.group().strip("/-")
    if score >= _ESTABLISHED:
        return ""
    for part in (text[-_TAIL:], text[:_HEAD]):
        if found := _NOTICE.search(part) or _TAGLINE.search(part):
            return shorten(found.group(), 80)
    return ""
