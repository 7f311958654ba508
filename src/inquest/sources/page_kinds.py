"""Marks in a page's own words of a press release (spec 000, section 4.4) or of satire. English only.

A page's own words may lower its rating, never raise it."""

from __future__ import annotations

from urllib.parse import urlsplit

from inquest.text.lexicon import any_of, pattern, word_set
from inquest.text.regex import regex
from inquest.text.sentences import shorten

_HEAD, _TAIL = 800, 2_000
"""Characters at both ends of a text in which a release says what it is."""
_SPEAKS_FOR_ITSELF = frozenset(("company", "ngo", "unknown", "standards"))
"""Categories of publisher whose news pages are their own statements; a newspaper's page of that name is not."""
_RELEASE_PATHS = word_set(__name__, "release_paths")
_OPENINGS = any_of(__name__, "openings")
_HEADINGS = regex(r"(?im)^\W*(?:press|news|media) release\b")
_AUTHOR = any_of(__name__, "author")
_CONTACT = regex(r"(?im)^\W*(?:media|press|investor)s?(?: relations)?(?: enquiries| inquiries| contacts?)?\s*(?::|$)")
_ABOUT = regex(r"(?m)^\W*(?:About|ABOUT)\s+[A-Z][\w&.\- ]{1,60}:?\s*$")
_SATIRE_PATHS = frozenset(("satire", "parody"))
_SATIRE_LABEL = regex(r"(?i)^\W*(?:satire|parody|humou?r)\s*[:|\])–—-]|[\[(](?:satire|parody)[\])]")
_SATIRE_NOTICE = pattern(__name__, "satire_notice")
_ESTABLISHED = 70
"""A paper of tier 2 that writes about satire is not satire; only its own label in title or address makes it so."""


def signs_of_a_release(
    url: str, *, title: str = "", text: str = "", author: str | None = None, category: str = "unknown"
) -> list[str]:
    """The marks of a press release, in words; empty: none.

    One plain sign is enough (a distributor, an address, an opening formula, an author); of what news pages also have
    (a contact, 'About X', a notice on forward-looking statements) it takes two.
    """
    if category == "press_release":
        return ["it stands with a distributor of releases"]
    head, end = text[:_HEAD], text[-_TAIL:]
    opening = next(filter(None, (form.search(part) for part in (title, head) for form in (_OPENINGS, _HEADINGS))), None)
    plain = []
    if category in _SPEAKS_FOR_ITSELF and _RELEASE_PATHS & _steps(url):
        plain.append("its address is that of a company's news")
    if opening:
        plain.append(f"it opens with '{' '.join(opening.group().split())}'")
    if author and _AUTHOR.search(author):
        plain.append(f"its author is '{author}'")
    signs = (
        ("a contact for the press", _CONTACT.search(end)),
        ("a section about the company itself", _ABOUT.search(end)),
        ("a notice on forward-looking statements", "forward-looking statements" in end.lower()),
    )
    weak = [words for words, found in signs if found]
    return plain or (weak if len(weak) >= 2 else [])


def _steps(url: str) -> set[str]:
    """The parts of the path between slashes, in small letters and without hyphens and endings."""
    try:
        path = urlsplit(url).path.lower()
    except ValueError:
        return set()
    return {step.split(".")[0].replace("-", "").replace("_", "") for step in path.split("/")}


def says_it_is_satire(url: str, *, title: str = "", text: str = "", score: int = 0) -> str:
    """The page's own words for being satire, shortened; '': there are none. `score`: of its publisher."""
    if label := _SATIRE_LABEL.search(title):
        return shorten(label.group().strip(" :|–—-"), 80)
    if path := _SATIRE_PATHS & _steps(url):
        return min(path)
    found = _SATIRE_NOTICE.search(text[-_TAIL:]) or _SATIRE_NOTICE.search(text[:_HEAD])
    return shorten(found.group(), 80) if found and score < _ESTABLISHED else ""
