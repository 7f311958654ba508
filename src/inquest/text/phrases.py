"""Small pieces of English: capitals, full stops, quotation marks and dates as a reader says them; with the grammar of
`inquest.domain.english`."""

from __future__ import annotations

import re
from datetime import datetime

from inquest.domain.document import Precision
from inquest.domain.english import capitalised, count, listed, numeral

__all__ = ["capitalised", "count", "day", "ended", "language_name", "listed", "numeral", "quoted", "uncapitalised"]


def uncapitalised(text: str) -> str:
    """With its first letter small, unless the first word may be a name.

    Small are determiners and the like, adverbs in -ly ('Recently'), and plurals before a small letter ('Samples were
    taken'); what is left is taken for a name, because a name written small is the worse mistake.
    """
    first, _, rest = text.partition(" ")
    word = first.lower().rstrip(",;:")
    plural = len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in _NAMES_IN_S
    adverb = len(word) > 5 and word.endswith("ly") and word not in _NAMES_IN_LY
    if word in _SMALL or (adverb and rest[:1].islower()) or (plural and word.isalpha() and rest[:1].islower()):
        return text[:1].lower() + text[1:]
    return text


_NAMES_IN_S = frozenset(
    "brussels athens reuters mercedes siemens philips starbucks barclays thales wales netherlands texas illinois "
    "kansas naples cannes james charles thomas hughes jones williams davies".split()
)
_NAMES_IN_LY = frozenset("beverly kimberly sicily thessaly grizzly waverly".split())
_SMALL = frozenset(
    (
        "a an the this that these those its it their his her they he she our your in on at by from after before since "
        "under over within without during between around about until more most less fewer some many all no none both "
        "each every nearly almost only what when where who there whether because although while if as with for to one "
        "two three four five six seven eight nine ten eleven twelve according neither either nobody somebody at least "
        "following despite once then now people water staff effective due prior such much several further additional "
        "other another total average annual overall current based compared given together today yesterday meanwhile "
        "through throughout towards upon via per how why whose whatever even just still yet so thus therefore however "
        "starting beginning including using along among above below behind beyond"
    ).split()
)


def ended(text: str) -> str:
    """As a sentence, with a full stop if nothing ends it yet."""
    text = text.rstrip()
    return text if _ENDED.search(text) else text + "."


_ENDED = re.compile(r"[.!?…][\"'”’)\]]*$")
_LAST_STOP = re.compile(r"(?<!\.)\.(?=[\"'”’]*$)")


def quoted(text: str) -> str:
    """In quotation marks, with any inside turned into single ones, and without the full stop at its end, which belongs
    to the sentence that quotes."""
    inside = _LAST_STOP.sub("", text.strip()).replace("“", "‘").replace("”", "’")
    return f"“{inside.replace(chr(34), chr(39))}”"


def day(at: datetime, precision: Precision = Precision.DAY) -> str:
    """'14 March 2024', 'March 2024', '2024'."""
    match precision:
        case Precision.YEAR:
            return f"{at.year}"
        case Precision.MONTH:
            return f"{at:%B} {at.year}"
        case _:
            return f"{at.day} {at:%B} {at.year}"


_LANGUAGES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch",
    "pt": "Portuguese", "sv": "Swedish", "da": "Danish", "no": "Norwegian", "fi": "Finnish", "pl": "Polish",
    "cs": "Czech", "tr": "Turkish", "ro": "Romanian", "hu": "Hungarian", "id": "Indonesian", "ja": "Japanese",
    "ko": "Korean", "zh": "Chinese", "ar": "Arabic", "he": "Hebrew", "el": "Greek", "th": "Thai", "hi": "Hindi",
    "ru": "Russian", "uk": "Ukrainian",
}  # fmt: skip


def language_name(code: str) -> str:
    """The English name of a language by its ISO 639-1 code; the code itself where it is not in the list."""
    return _LANGUAGES.get(code, code)
