"""The words in which one publisher says that it has a story from another, in the larger European languages.

All of them are looked for in folded text: lower case, no accents, 'ue' as 'u', hyphens as spaces, no leading 'the'.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["ON_THEIR_OWN", "PRESS", "WELL_KNOWN", "as_word", "credits_name"]

WELL_KNOWN = (
    "reuters",
    "associated press",
    "agence france presse",
    "bloomberg",
    "dow jones",
    "press association",
    "new york times",
    "wall street journal",
    "washington post",
    "financial times",
    "guardian",
    "sunday times",
    "bbc",
    "cnn",
    "nbc news",
    "abc news",
    "cbs news",
    "fox news",
    "politico",
    "axios",
    "propublica",
    "spiegel",
    "suddeutsche zeitung",
    "frankfurter allgemeine zeitung",
    "handelsblatt",
    "bild",
    "le monde",
    "mediapart",
    "el pais",
    "corriere della sera",
    "la repubblica",
    "kyodo",
    "nikkei",
    "xinhua",
    "tass",
    "al jazeera",
    "haaretz",
    "afp",
    "dpa",
    "ap",
)
"""Publishers whose reports others take over, as they are named in texts, folded."""

PRESS = re.compile(
    r"agency|agentur|anzeiger|argus|blatt|bote|broadcast|bulletin|chronicle|courier|daily|diario|dispatch|echo|examiner|"
    r"express|gazette|globe|guardian|herald|independent|inquirer|journal|kurier|ledger|mail|mercury|monitor|nachrichten|"
    r"news|observer|post|press|radio|record|register|reporter|review|sentinel|standard|star|sun|telegraph|television|"
    r"times|tribun|tv|wire|weekly|zeitung"
)
"""How the names of newspapers and broadcasters sound."""

ON_THEIR_OWN = re.compile(
    r"\bindependent(?:ly)? of\b|\bindependently (?:confirmed|verified|obtained)\b|\bunabhangig von\b"
)

_ARTICLE = (
    r"(?:(?:the|der|die|das|den|dem|des|le|la|les|el|los|il|lo|gli|de|het|o|a|do|da|al|au|del|della|en|et)\s+|"
    r"[ld]\W\s?)"
)
_BEFORE = (
    # English
    r"(?:first |originally )?(?:reported|revealed|published|disclosed) (?:\w+ ){0,2}?(?:by|in)|"
    r"(?:in |to |from |of )?(?:a |an |the )?(?:report|article|story|investigation|account|interview)s? "
    r"(?:\w+ )?(?:by|in|from|of|with)|according to|citing|via|(?:told|telling|speaking to|as told to)|"
    # German
    r"(?:nach|laut|zufolge) (?:einem |dem )?(?:bericht(?:en|s)? )?(?:des|der|von)?|(?:wie|das) (?:der|die|das)|"
    r"unter berufung auf|gegenuber|(?:sagte|sagten)|"
    # French
    r"selon|d.apres|rapporte|revele|a rapporte|a revele|ecrit|(?:rapportee?|revelee?) par|citant|a declare a|dit a|"
    # Spanish and Portuguese
    r"segun(?: (?:informo|informa|publico|publica|revelo|reporto|cuenta|senala))?|(?:informo|reporto|publico|revelo)|"
    r"dijo a|segundo|de acordo com|conforme|(?:informou|noticiou|revelou)|"
    # Italian
    r"secondo(?: quanto (?:riporta|scrive|riferisce))?|(?:lo |come )?(?:riporta|riferisce|scrive|rivela)(?:to da)?|"
    r"ha detto a|"
    # Dutch, Scandinavian, Polish
    r"volgens|aldus|(?:dat )?(?:meldt|bericht|schrijft)|zei tegen|enligt|ifolge|"
    r"(?:rapporterar|rapporterer|skriver|uppger|melder|oplyser)|(?:jak )?(?:podaje|podal|podala|informuje|pisze)|wedlug"
)
_AFTER = (
    r"(?:first |exclusively |had |has |have )*(?:report(?:s|ed)|reveal(?:s|ed)|wrote|writes|disclosed|broke the story)|"
    r"(?:berichtet(?:e)?|meldet(?:e)?|schreibt|schrieb)|(?:a |ont )?(?:rapporte|revele|ecrit)(?:nt)?|"
    r"(?:informo|informa|reporto|revelo|informou|noticiou|revelou)|(?:riporta|riferisce|scrive|ha rivelato)|"
    r"(?:meldt|schrijft)|(?:rapporterar|rapporterer|skriver|melder)|(?:podaje|podal|podala|pisze)"
)
_GERMAN = r"(?:berichtet(?:e)?|meldet(?:e)?|schreibt|schrieb)"


def as_word(name: str) -> str:
    """The pattern of a folded name as words of their own."""
    return rf"(?<!\w)(?:the )?{re.escape(name)}(?!\w)"


_NAME = "qqnameqq"
"""Stands for the publisher's name, so that one pattern does for all names."""
_WORD = as_word(_NAME)
_CREDITS = re.compile(
    rf"{_WORD}(?: \w+){{0,2}}? (?:{_AFTER})(?!\w)|(?<!\w)(?:{_BEFORE})\s*{_ARTICLE}?{_WORD}|"
    rf"{_GERMAN} (?:\w+ ){{0,2}}?{_WORD}|^[^.]{{0,60}}\({_NAME}\)"
)


@lru_cache(maxsize=4096)
def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def credits_name(sentence: str, name: str) -> bool:
    """Whether a folded sentence says that its matter comes from the publisher so called."""
    if name not in sentence:
        return False
    marked = _named(name).sub(_NAME, sentence)
    return _NAME in marked and bool(_CREDITS.search(marked))
