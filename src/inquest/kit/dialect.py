"""Write queries in the syntax of search services: one line of words, `site:`, days, addresses."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from urllib.parse import quote_plus, urlencode

from inquest.domain.search import Query
from inquest.kit.exchange import Request
from inquest.text.dates import utc
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS

_HOST = regex(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?")
_MOST_SITES = 10
"""Most services refuse or silently cut longer lists."""
_INVISIBLE = regex(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")

# The country of the edition to search, if a service requires language and country: the largest edition per language.
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
    """Return the query's text on one line of at most `limit` characters, cut between words; exact phrases in quotes."""
    text = " ".join(_INVISIBLE.sub(" ", query.text).split())
    if query.exact:
        text = text.replace('"', " ").strip()
    if len(text) > limit:
        cut = text[:limit]
        text = (cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut).rstrip()
    if query.exact:
        return f'"{" ".join(text.split())}"' if text else ""
    # A single quotation mark would turn the rest of the query into a phrase.
    return text if text.count('"') % 2 == 0 else " ".join(text.replace('"', " ").split())


def keywords(query: Query, *, most: int = 20) -> list[str]:
    """Return the content words, for services that expect terms and operators; one phrase in quotes if the query is
    exact. Punctuation and words of one or two letters, which some services refuse, are left out."""
    text = words(query)
    if query.exact:
        return [text] if text else []
    found = re.findall(r"\w+(?:[-'’.]\w+)*", text)
    return ([word for word in found if len(word) > 2 and word.lower() not in STOP_WORDS] or found)[:most]


def quoted_keywords(query: Query, *, plain: bool = True, most: int = 20) -> list[str]:
    """Return the `keywords` in quotation marks, except plain ones if `plain`; none is an operator (AND, OR, NOT)."""
    found = keywords(query, most=most)
    quoted = (word if word[0] == '"' or (plain and word.isalnum()) else f'"{word}"' for word in found)
    return [word.lower() if word in ("AND", "OR", "NOT") else word for word in quoted]


def site_operators(query: Query, operator: str) -> list[str]:
    """Return the domain filters as one alternative of the wanted domains and a negation per unwanted one."""
    wanted = [f"{operator}{domain}" for domain in hosts(query.domains)]
    either = [f"({' OR '.join(wanted)})"] if len(wanted) > 1 else wanted
    return [*either, *(f"-{operator}{domain}" for domain in hosts(query.exclude_domains))]


def hosts(domains: tuple[str, ...]) -> list[str]:
    """Return the valid domains in lower case; anything else is dropped, so that it cannot become an operator."""
    return [host for host in (domain.strip().lower() for domain in domains) if _HOST.fullmatch(host)][:_MOST_SITES]


def spoken(query: Query, *, limit: int = 400) -> str:
    """Return the `words` and the domain filters as operators, the input for most web engines:
    `solar cells (site:a.org OR site:b.org) -site:c.com`."""
    return " ".join((words(query, limit=limit), *site_operators(query, "site:"))).strip()


def address(base: str, parameters: Mapping[str, object]) -> str:
    """Return the URL with its query string; parameters that are None or '' are left out."""
    sent = {name: value for name, value in parameters.items() if value not in (None, "")}
    return f"{base}?{urlencode(sent, errors='replace')}" if sent else base


def count(query: Query, most: int) -> int:
    """Return the number of results to request: the query's limit, within the service's."""
    return max(1, min(query.limit, most))


def day(moment: datetime | None) -> str | None:
    """Return `2024-03-05`, in UTC."""
    return utc(moment).date().isoformat() if moment else None


def stamp(moment: datetime | None) -> str | None:
    """Return `20240305101500`, in UTC."""
    return utc(moment).strftime("%Y%m%d%H%M%S") if moment else None


def instant(moment: datetime | None) -> str | None:
    """Return `2024-03-05T10:15:00Z`."""
    return utc(moment).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def secrets(key: str | None) -> tuple[str, ...]:
    """Return the forms in which the key may occur in a request: plain and URL-encoded."""
    return tuple(dict.fromkeys((key, quote_plus(key)))) if key else ()


def with_key(request: Request, key: str | None, header: str = "authorization") -> Request:
    """Add the key to a header (to `authorization` as a bearer token), marked as a secret; unchanged without a key."""
    if not key:
        return request
    added = (header, f"Bearer {key}" if header == "authorization" else key)
    marked = tuple(dict.fromkeys((*request.secrets, *secrets(key))))
    return replace(request, headers=(*request.headers, added), secrets=marked)


def json_post(url: str, body: Mapping[str, object]) -> Request:
    """Build a POST request of a JSON object; fields that are None or empty lists are left out."""
    sent = {name: value for name, value in body.items() if value is not None and value != []}
    headers = (("content-type", "application/json"),)
    return Request(url=url, method="POST", headers=headers, body=json.dumps(sent).encode("ascii"))


def google_range(query: Query) -> str | None:
    """Return Google's form of a time range, `cdr:1,cd_min:03/05/2024,cd_max:`; None without one."""
    since, until = (f"{utc(moment):%m/%d/%Y}" if moment else "" for moment in (query.since, query.until))
    return f"cdr:1,cd_min:{since},cd_max:{until}" if since or until else None


def country_of(language: str | None) -> tuple[str, str]:
    """Return (language, country) of the edition to search: ('de', 'DE'); ('en', 'US') for an unknown language."""
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
