"""Write queries in the dialects of search services: one line of words, `site:`, days, addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import quote_plus, urlencode

from inquest.domain.search import Query
from inquest.text.dates import utc
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS

_HOST = regex(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?")
_MOST_SITES = 10
"""Most services refuse or silently cut longer lists."""
_INVISIBLE = regex(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")

# The country whose edition is asked where a service wants a language and a country. Where a language is at home in
# several, the largest edition is taken.
_COUNTRIES = {
    "ar": "EG", "bg": "BG", "bn": "BD", "cs": "CZ", "da": "DK", "de": "DE", "el": "GR", "en": "US", "es": "ES",
    "et": "EE", "fi": "FI", "fr": "FR", "he": "IL", "hi": "IN", "hr": "HR", "hu": "HU", "id": "ID", "it": "IT",
    "ja": "JP", "ko": "KR", "lt": "LT", "lv": "LV", "ms": "MY", "nl": "NL", "no": "NO", "pl": "PL", "pt": "BR",
    "ro": "RO", "ru": "RU", "sk": "SK", "sl": "SI", "sr": "RS", "sv": "SE", "th": "TH", "tr": "TR", "uk": "UA",
    "vi": "VN", "zh": "CN",
}  # fmt: skip
_LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian",
    "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu",
    "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
_CODES = {name.lower(): code for code, name in _LANGUAGES.items()}


def words(query: Query, *, limit: int = 400) -> str:
    """The query's text on one line of at most `limit` characters, cut between words; an exact phrase in quotes."""
    text = " ".join(_INVISIBLE.sub(" ", query.text).split())
    if query.exact:
        text = text.replace('"', " ").strip()
    if len(text) > limit:
        cut = text[:limit]
        text = (cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut).rstrip()
    if query.exact:
        return f'"{" ".join(text.split())}"' if text else ""
    # Half a phrase is none: a quotation mark that is left over would swallow the rest of the query.
    return text if text.count('"') % 2 == 0 else " ".join(text.replace('"', " ").split())


def keywords(query: Query, *, most: int = 20) -> list[str]:
    """The words that carry meaning, for services that want terms and operators instead of a sentence; one phrase in
    quotes where the query is exact. Words of one or two letters and punctuation, which some refuse, are left out."""
    text = words(query)
    if query.exact:
        return [text] if text else []
    found = re.findall(r"\w+(?:[-'’.]\w+)*", text)
    return ([word for word in found if len(word) > 2 and word.lower() not in STOP_WORDS] or found)[:most]


def sites(query: Query) -> str:
    """The domain filters as operators: `(site:a.org OR site:b.org) -site:c.com`; '' if absent."""
    wanted = [f"site:{domain}" for domain in hosts(query.domains)]
    unwanted = [f"-site:{domain}" for domain in hosts(query.exclude_domains)]
    either = f"({' OR '.join(wanted)})" if len(wanted) > 1 else "".join(wanted)
    return " ".join([either, *unwanted]).strip()


def hosts(domains: tuple[str, ...]) -> list[str]:
    """Return the valid domains in lower case; anything else is dropped, so that it cannot become an operator."""
    return [host for host in (domain.strip().lower() for domain in domains) if _HOST.fullmatch(host)][:_MOST_SITES]


def spoken(query: Query, *, limit: int = 400) -> str:
    """`words` and `sites` together: the input for most web engines."""
    return f"{words(query, limit=limit)} {sites(query)}".strip()


def address(base: str, parameters: Mapping[str, object]) -> str:
    """The URL with its query string; parameters that are None or '' are left out."""
    given = {name: value for name, value in parameters.items() if value not in (None, "")}
    return f"{base}?{urlencode(given, errors='replace')}" if given else base


def count(query: Query, most: int) -> int:
    """The number of results to request: the query's limit, within the service's."""
    return max(1, min(query.limit, most))


def day(moment: datetime | None) -> str | None:
    """`2024-03-05`, in UTC."""
    return utc(moment).date().isoformat() if moment else None


def stamp(moment: datetime | None) -> str | None:
    """`20240305101500`, in UTC."""
    return utc(moment).strftime("%Y%m%d%H%M%S") if moment else None


def instant(moment: datetime | None) -> str | None:
    """`2024-03-05T10:15:00Z`."""
    return utc(moment).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def secrets(key: str | None) -> tuple[str, ...]:
    """The forms of the key the door must look for: as it is, and URL-encoded."""
    return tuple(dict.fromkeys((key, quote_plus(key)))) if key else ()


def country_of(language: str | None) -> tuple[str, str]:
    """Return (language, country) of the edition to ask: ('de', 'DE'); for an unknown language, English in the US."""
    code = (language or "en").lower()[:2]
    return (code, _COUNTRIES[code]) if code in _COUNTRIES else ("en", "US")


def language_of(name: object) -> str | None:
    """Return the ISO 639-1 code for a language's English name or code; None: unknown."""
    if not isinstance(name, str):
        return None
    lower = name.strip().lower()
    if lower in _CODES:
        return _CODES[lower]
    code = re.split(r"[-_]", lower, maxsplit=1)[0]
    return code if code in _LANGUAGES else None


def language_name(code: str | None) -> str | None:
    """Return the English name of a language in lower case, as GDELT expects it; None: unknown."""
    name = _LANGUAGES.get((code or "").lower()[:2])
    return name.lower() if name else None
