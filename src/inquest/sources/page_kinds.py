"""What a page shows itself to be: a press release, by where it stands, how it is worded and who signs it (spec 000,
section 4.4); or satire, by its own words. A page's own word may lower what it is worth, never raise it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import shorten

_HEAD, _TAIL = 800, 2_000
"""Characters at both ends of a text in which a release says what it is."""

# Own statements stand there; at a newspaper the same words head its own notices, which is no matter here.
_SPEAKS_FOR_ITSELF = frozenset(("company", "ngo", "unknown", "standards"))
_PATH = pattern(__name__, "path")
_OPENINGS = pattern(__name__, "openings")
_AUTHOR = pattern(__name__, "author")
_CONTACT = pattern(__name__, "contact")
_ABOUT = regex(r"^\W*(?:About|ABOUT|Über|À propos de?|Acerca de)\s+[A-ZÀ-Þ][\w&.\- ]{1,60}:?\s*$", re.MULTILINE)
_ANNOUNCES = pattern(__name__, "announces")
_FORWARD_LOOKING = regex(r"forward-looking statements", re.IGNORECASE)
_SATIRE_TAIL, _SATIRE_HEAD = 2_500, 600
"""Characters at both ends of a text, where such notices stand."""
_ESTABLISHED = 70
"""A paper of tier 2 that writes about satire is not satire; only its own label in title or address makes it so."""

_LABEL = pattern(__name__, "label")
_SATIRE_PATH = regex(r"/(?:satire|satira|parody|parodie)(?:/|$|-)", re.I)
_NOTICE = pattern(__name__, "notice")
_TAGLINE = pattern(__name__, "tagline")


def signs_of_a_release(
    url: str, *, title: str = "", text: str = "", author: str | None = None, category: str = "unknown"
) -> list[str]:
    """What marks the document as a release, in words; empty: nothing does.

    One plain sign is enough (a distributor, an address, an opening formula, an author); of what news pages also have
    (a contact, 'About X', 'announces', a notice on forward-looking statements) it takes two.
    """
    if category == "press_release":
        return ["it stands with a distributor of releases"]
    plain = []
    if category in _SPEAKS_FOR_ITSELF and _PATH.search(_path(url)):
        plain.append("its address is that of a company's news")
    if opening := _OPENINGS.search(title) or _OPENINGS.search(text[:_HEAD]):
        plain.append(f"it opens with '{' '.join(opening.group().split())}'")
    if author and _AUTHOR.search(author):
        plain.append(f"its author is '{author}'")
    if plain:
        return plain
    end = text[-_TAIL:]
    weak = [
        words
        for words, found in (
            ("a contact for the press", _CONTACT.search(end)),
            ("a section about the company itself", _ABOUT.search(end)),
            ("a title that announces", _ANNOUNCES.search(title) or _ANNOUNCES.search(text[:_HEAD])),
            ("a notice on forward-looking statements", _FORWARD_LOOKING.search(end)),
        )
        if found
    ]
    return weak if len(weak) >= 2 else []


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def says_it_is_satire(url: str, *, title: str = "", text: str = "", score: int = 0) -> str:
    """The page's own words for being satire, shortened; '': there are none. `score`: what its publisher is worth."""
    if label := _LABEL.search(title):
        return shorten(label.group().strip(" :|–—-"), 80)
    if path := _SATIRE_PATH.search(_path(url)):
        return path.group().strip("/-")
    if score >= _ESTABLISHED:
        return ""
    for part in (text[-_SATIRE_TAIL:], text[:_SATIRE_HEAD]):
        if found := _NOTICE.search(part) or _TAGLINE.search(part):
            return shorten(found.group(), 80)
    return ""
