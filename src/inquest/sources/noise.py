"""Noise: the probability that a lead or page is not worth reading, with reasons. It lowers a rank and deletes nothing.

Noise is recognised by form: the address, a clickbait title, walls and error pages, too little text, lists of teasers.
Every threshold lies well above the values of articles.

Words alone never decide that a page is a wall or an error page (PRODUCT.md, decision 5): an article about a blocked
road, a captcha or a 404 is an article. The status decides first; then headers that walls send; then a whole title,
marks in the markup and sentences addressed to the visitor, and these only if there is too little text for an article.

Clickbait (spec 003, noise filters) is scored by a dozen features of a title's words: it addresses the reader, points at
what it leaves out, exaggerates, announces a list, and uses the small words of conversation; a headline names who did
what, where. Features and weights are set by hand (`words.toml`), in English: titles in other languages show none of
them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from statistics import median
from typing import NamedTuple
from unicodedata import east_asian_width
from urllib.parse import urlsplit

from inquest.domain.document import Document
from inquest.domain.reasons import Catalogue, Reason
from inquest.domain.search import Hit
from inquest.text.lexicon import compiled, entries, pattern, word_lists, word_set
from inquest.text.regex import regex

_reason = Catalogue("pages")
_TITLE_TEXT = 2_000
"""Characters up to which a whole title such as 'Page not found' decides; many such pages show teasers below it."""
_CONSENT_TEXT, _WALL_TEXT, _FORM_TEXT = 1_200, 600, 300
"""Characters of a consent form, a wall and a password form at most; articles that mention one are longer."""
_STUB_TEXT = 3_000
_STATUSES = {
    401: "asks_login",
    402: "asks_payment",
    404: "no_such_page",
    407: "proxy_login",
    410: "page_gone",
    429: "too_many_requests",
    451: "withheld",
}
NOT_TECHNICAL = frozenset(
    f"pages.{name}" for name in ("asks_login", "asks_payment", "proxy_login", "withheld", "login_form")
)
"""Codes of blocks that apply to people too, so that no copy may be read instead."""
_CHALLENGES = {reason: marks.split("|") for reason, marks in entries(__name__, "blocked_challenges").items()}
_TITLES = {reason: compiled(titles) for reason, titles in entries(__name__, "blocked_titles").items()}
_TITLE = regex(r"(?i)<title[^>]*>\s*([^<]{1,300}?)\s*</title")
_SITE_BEHIND = regex(r"\s+[|–—·-]\s")
_WORDS = regex(r"[\w']+")
_WALL_SENTENCES = pattern(__name__, "wall_sentences")
_GONE_SENTENCES = pattern(__name__, "gone_sentences")
_COOKIE_SENTENCES = pattern(__name__, "cookie_sentences")
_COOKIE_MARKS = 3  # Different phrases of a consent form; an article about such forms has one or two, and more text
_PASSWORD = regex(r"(?i)<input[^>]{0,300}type=[\"']?password")
_PAYWALL_MARK = pattern(__name__, "paywall_mark")
_PAYWALL_HINTS = ("isAccessibleForFree", "aywall", "piano-offer", "egwall", "meteredContent", "content_tier")
"""Substrings of every match of the pattern, which are found far faster."""
_SUBSCRIBE = pattern(__name__, "subscribe")
_TAG = regex(r"<[A-Za-z/][^<>]*>")  # Its attributes name blocks: 'subscriber-only'.
_OFFER = regex(r"[^<>]*>(?:\s*<div[^<>]*>)*\s*<h[1-6]")
"""The rest of the tag of a block marked as a paywall, which opens with a heading, unlike the rest of an article."""
_BROKEN_OFF = regex(r"(?:\.\.\.|…|\[…\]|(?<![^\n])[^|\n]{80,}[a-z,])\s*$")


def looks_blocked(status: int, headers: Mapping[str, str], markup: str, text: str) -> Reason | None:
    """Return why this is not the page that was asked for, as the end of a sentence; None if it looks like the page.
    `headers` by name in any case; `markup` is the HTML ('' for other kinds); `text` is the reader's."""
    if status >= 500:
        return _reason("server_failed", number=status)
    if status >= 400:
        return _reason(_STATUSES.get(status, "refuses"), number=status)
    sent = {name.lower(): value.lower() for name, value in headers.items()}
    if sent.get("cf-mitigated") == "challenge" or sent.get("x-amzn-waf-action") in ("challenge", "captcha"):
        return _reason("robot_check")
    title = _TITLE.search(markup[:200_000])
    if why := looks_walled(title[1] if title else "", text):
        return why
    # A comment form may have a captcha too; with a few paragraphs of text this is not a wall.
    size = len(text.strip())
    for name, marks in _CHALLENGES.items() if size < _WALL_TEXT else ():
        if any(mark in markup for mark in marks):
            return _reason(name)
    return _reason("login_form") if size < _FORM_TEXT and _PASSWORD.search(markup) else None


def looks_walled(title: str, text: str) -> Reason | None:
    """Like `looks_blocked`, for a document without markup and status: by its title and text alone."""
    size = len(text.strip())
    # A whole title, with or without the name of the site after it.
    words = " ".join(_WORDS.findall(_SITE_BEHIND.split(title.replace("’", "'"))[0]))
    named = next((reason for reason, known in _TITLES.items() if known.fullmatch(words)), None)
    if named and size <= _TITLE_TEXT:
        return _reason(named)
    plain = text.replace("’", "'") if size <= _CONSENT_TEXT else ""
    if size < _WALL_TEXT and _WALL_SENTENCES.search(plain):
        return _reason("wall")
    if size < _WALL_TEXT and _GONE_SENTENCES.search(plain):
        return _reason("error_no_page")
    if len({mark.group().lower() for mark in _COOKIE_SENTENCES.finditer(plain)}) >= _COOKIE_MARKS:
        return _reason("consent_form")
    return None


def looks_paywalled(markup: str, text: str, below: str = "") -> Reason | None:
    """Return why only the beginning of the article is here; None if it seems complete. Two of three signs are needed:
    the page declares itself not free (schema.org) or marks a paywall; its text ends with an invitation to subscribe, or
    is short and the page has one; it is short and its last paragraph, unlike a line of credits, breaks off in the
    middle of a sentence. `below` is what the page shows below the text."""
    stripped = text.strip()
    if not stripped or len(stripped) > _STUB_TEXT:
        return None
    declared = _PAYWALL_MARK.search(markup) if any(hint in markup for hint in _PAYWALL_HINTS) else None
    shown = f"{stripped}\n\n{below}".strip()[: len(stripped) + 400].replace("’", "'")
    invitation = _SUBSCRIBE.search(shown, max(0, len(shown) - 400))
    article = stripped[: invitation.start()] if invitation else stripped
    short = len(article) < _STUB_TEXT / 2
    invites = bool(invitation)
    if declared and short and not invites:
        invites = bool(_OFFER.match(markup, declared.end()) or _SUBSCRIBE.search(_TAG.sub(" ", markup)))
    if bool(declared) + invites + (short and bool(_BROKEN_OFF.search(article))) >= 2:
        return _reason("paywall")
    return None


_SURE_BAIT = 0.8  # Minimum score that counts as noise: explanations and features often read a little like clickbait
_BAIT, _BAIT_READ = 0.5, 0.3
"""Noise of a certain clickbait title, of a lead and of a page that was read: the story below it may be true."""
_LENGTHS = ((80, 0.6, "hardly_text"), (200, 0.4, "very_little_text"), (500, 0.2, "little_text"))
"""Characters of text, and the noise below them. Below 200 it is not an article of the press (spec 003, noise filters),
but it may be a statement, a notice or an entry in a register."""
_NOT_THE_PAGE, _PAYWALL = "pages.not_page", "pages.paywall"
"""Codes of a reader's notes on a wall or an error page, and on an article of which only the beginning is here."""
_LIST_PATHS = word_set(__name__, "list_paths")
_FEATURES = {name: frozenset(words) for name, words in word_lists(__name__, "clickbait_signs").items()}
_WEIGHTS = {name: float(weight) for name, weight in entries(__name__, "clickbait_weights").items()}
_REASONS = entries(__name__, "clickbait_reasons")
_REPEATED = frozenset(("talk", "articles"))
"""Features of which up to three occurrences count; of the others only the first does."""
_CONTRACTIONS = ("n't", "'ll", "'ve", "'re", "'d", "'m")
_TOKEN = regex(r"[$£€]?\w+(?:[-'.&]\w+)*%?")
_SITE_NAME = regex(r"\s+(?:[|·»]\s*|[-–—]\s+)(?=[^|·»]{2,40}$)(?:\S+\s*){1,4}$")
_QUOTED = regex(r"\"[^\"]+ [^\"]+ [^\"]+\"|(?<!\w)'[^'\"]+ [^'\"]+ [^'\"]+'(?!\w)")
_PLAIN = str.maketrans("’‘“”„", '\'\'"""')


class Noise(NamedTuple):
    """Probability, 0 to 1, that something is not worth reading, with a reason for each part of it."""

    share: float
    reasons: tuple[Reason, ...] = ()
    paywalled: bool = False
    """Only the beginning is here. This is not noise, because quotes from it are true, but readers must know it."""


_Part = tuple[float, Reason]


def noise_of(hit: Hit) -> Noise:
    """Noise of a hit, by its address, its title and the engine's data on it."""
    # A snapshot no longer changes, so that its address does not matter.
    parts = [] if hit.snapshot is not None else _of_address(hit.url, read=False)
    parts += _of_title(hit.title, read=False)
    if hit.details.get("sponsored") is True:
        parts.append((0.8, _reason("advertisement")))
    if not hit.title.strip() and not hit.snippet.strip():
        parts.append((0.3, _reason("no_title")))
    return _combined(parts)


def noise_of_page(document: Document) -> Noise:
    """Noise of a page that was read, by its title, its text and the reader's notes. Walls and error pages weigh most.
    Only web pages are tested for the other forms: a register or a feed may well have the same words in every line."""
    noted = {note.code: note for note in document.note_codes}
    paywalled = _PAYWALL in noted or bool(looks_paywalled("", document.text))
    parts = _of_title(document.title, read=True) if document.language in (None, "en") else []
    if document.kind != "html":
        return _combined(parts)._replace(paywalled=paywalled)
    why = noted[_NOT_THE_PAGE].parts["why"][0] if _NOT_THE_PAGE in noted else None
    if why := why or looks_walled(document.title, document.text):
        return _combined([(0.95, _reason("not_the_page", why=why))])
    parts += _of_address(document.url, read=True)
    text = document.text.strip()
    # A Chinese or Japanese character says as much as two or three letters.
    size = len(text) + sum(east_asian_width(char) == "W" for char in text[: _LENGTHS[-1][0]])
    short = next(((share, _reason(name, number=len(text))) for bound, share, name in _LENGTHS if size < bound), None)
    if short and not paywalled:
        parts.append(short)
    lines = [line.strip() for line in document.text.split("\n") if line.strip()]
    ended = sum(line.rstrip("\"'”’»)]").endswith((".", "!", "?", "…")) for line in lines)
    # Short lines without full stops, as in headlines and teasers.
    if len(lines) >= 10 and ended < 0.15 * len(lines) and median(map(len, lines)) < 100 and max(map(len, lines)) < 400:
        parts.append((0.35, _reason("only_teasers")))
    noise = _combined(parts)
    only = (Reason(code=_PAYWALL),) if paywalled else ()
    return Noise(noise.share, noise.reasons + only, paywalled)


def _of_address(url: str, *, read: bool) -> list[_Part]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    if parts.path in ("", "/") and not parts.query:
        return [(0.3 if read else 0.5, _reason("front_page"))]
    if _LIST_PATHS & set(parts.path.lower().rstrip("/").split("/")[-2:]):
        return [(0.3 if read else 0.4, _reason("list_or_form"))]
    return []


def _of_title(title: str, *, read: bool) -> list[_Part]:
    bait = clickbait_of(title)
    if bait.share < _SURE_BAIT:
        return []
    return [((_BAIT_READ if read else _BAIT) * bait.share, _reason("clickbait", names=[*bait.reasons]))]


def _combined(parts: Iterable[_Part]) -> Noise:
    """Combine independent probabilities."""
    parts = sorted(parts, key=lambda part: -part[0])
    return Noise(1 - math.prod(1 - share for share, _ in parts), tuple(reason for _, reason in parts))


def clickbait_of(title: str) -> Noise:
    """The probability that a title is clickbait, 0 for one without words, and up to three reasons, weightiest first,
    from 0.5 on."""
    text = " ".join(title[:400].translate(_PLAIN).split()).lower()
    text = _SITE_NAME.sub("", text) or text
    # Quoted words are not the title's own: 'You have failed us', says the mayor.
    words = _TOKEN.findall(_QUOTED.sub(" ", text))
    words = words if len(words) > 1 else _TOKEN.findall(text)
    if not words:
        return Noise(0.0)
    weights = sorted(((_WEIGHTS[name] * times, name) for name, times in _features(words).items()), reverse=True)
    score = 1 / (1 + math.exp(-_WEIGHTS["prior"] - math.fsum(weight for weight, _ in weights)))
    reasons = dict.fromkeys(_REASONS[name] for weight, name in weights if weight > 0 and score >= 0.5)
    return Noise(score, tuple(_reason(f"bait_{name}") for name in reasons)[:3])


def _features(words: list[str]) -> dict[str, int]:
    """The features that a title's words show, and how often each counts."""
    counts = {name: sum(word in listed for word in words) for name, listed in _FEATURES.items()}
    counts["contraction"] = sum(word.endswith(_CONTRACTIONS) for word in words)
    for name in ("opening", "question"):
        counts[name] = int(words[0] in _FEATURES[name])
    opening = words[1:] if words[0] == "the" else words
    counts["list"] = int(bool(opening) and opening[0].isdigit() and len(opening[0]) <= 3)
    counts["figure"] = sum(word[0] in "$£€" or word[-1] == "%" for word in words)
    return {name: min(times, 3 if name in _REPEATED else 1) for name, times in counts.items() if times}
