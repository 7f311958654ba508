"""Pages that say of themselves that they are satire: a page's own word may lower what it is worth, never raise it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from inquest.text.lexicon import pattern
from inquest.text.sentences import shorten

_TAIL, _HEAD = 2_500, 600
"""Characters at both ends of a text, where such notices stand."""
_ESTABLISHED = 70
"""A paper of tier 2 that writes about satire is not satire; only its own label in title or address makes it so."""

_LABEL = pattern(__name__, "label")
_PATH = re.compile(r"/(?:satire|satira|parody|parodie)(?:/|$|-)", re.I)
_NOTICE = pattern(__name__, "notice")
_TAGLINE = pattern(__name__, "tagline")


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
