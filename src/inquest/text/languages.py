"""The language of a text, by the small words that every text in it is full of, or by its script."""

from __future__ import annotations

import re
from collections import Counter

__all__ = ["detect_language", "language_of"]

_STOP_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the of and to in is that for was on with as it be by this are from at an have not which they were has "
        "had his her said will would been their more than but its who he she we you or also about",
        "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus "
        "er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor "
        "zur bis mehr durch man sein wurde",
        "fr": "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son "
        "aux d l cette ses mais comme ou si leur y dont été ont c être fait elle nous",
        "es": "de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí "
        "porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante fue ha son",
        "it": "di e il la che in a per un è del non sono le con si da una dei nel al come ha della i gli più lo anche "
        "alla ma delle ed su o se questo dal nella dalla degli hanno stato essere loro",
        "nl": "de van een het en in is dat op te zijn met voor niet aan er om ook als dan maar bij of uit nog naar "
        "heeft worden door over ze tot hij deze wordt hebben wel werd meer geen",
        "pt": "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à "
        "seu sua ou ser quando muito há nos já está eu também só pelo pela até isso são",
        "sv": "och i att det som en på är av för med till den har de inte om ett han men var jag från vi så kan när "
        "man nu ska under där eller sig sin också efter än blir",
        "da": "og i at det er en til af på som med for den de ikke der har et om var han men jeg fra vi så kan når "
        "man nu skal under hvor eller sig sin også efter end bliver blev",
        "no": "og i det som er en til av på med for den de ikke har et om var han men jeg fra vi så kan når man nå "
        "skal under hvor eller seg sin også etter enn blir ble",
        "fi": "ja on ei se että oli hän mutta ovat joka kun myös ole niin kuin mukaan sen ollut sekä jos voi tai vain "
        "vuoden nyt jo siitä",
        "pl": "i w na z do się nie że jest o to a jak po co od za przez dla są jego ale czy już tym także tylko przy "
        "które który która oraz może będzie był",
        "cs": "a v se na je že s z do o i to za by ve pro jako ale po jsou od podle jeho které který která také jen "
        "před však už byl při",
        "tr": "ve bir bu da de için ile çok olarak daha olan gibi en ne kadar var sonra ama o ya değil oldu her göre "
        "ise olduğu",
        "ro": "de și în a la cu pe care o un din că nu este pentru au mai fi sunt sau ca se prin dar după fost lui",
        "hu": "a az és hogy nem is egy ez de meg volt csak mint el már van azt még vagy szerint ezt kell után lesz",
        "id": "yang dan di dengan untuk dari ini pada tidak dalam itu akan ke juga adalah oleh telah sebagai bisa "
        "mereka karena",
    }.items()
}
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),  # before Chinese: Japanese is written with both
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
)
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_UKRAINIAN = re.compile("[іїєґІЇЄҐ]")
_RUSSIAN = re.compile("[ыэъёЫЭЪЁ]")
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 20_000
_MIN_HITS = 4
_MIN_SHARE = 0.08
"""Share of stop words among the words; running text in these languages has 0.25 to 0.5, a list of names hardly any."""
_LEAD = 1.15


_ENOUGH_TO_OVERRULE = 250
"""Characters of text from which what is detected weighs more than what is declared."""


def language_of(text: str, declared: str | None) -> str | None:
    """The language of a text for which one is declared: pages of an edition abroad often declare the wrong one, so a
    text of some length speaks for itself, and a shorter one, or one that cannot be told, is what it is declared to be.
    """
    detected = detect_language(text)
    if detected and (declared is None or len(text) >= _ENOUGH_TO_OVERRULE):
        return detected
    return declared


def detect_language(text: str) -> str | None:
    """ISO 639-1 of the text's language; None where it is too short, mixed or unlike any language known here.

    Own method: shares of stop words (lists by hand, 17 languages), scripts for those that a script tells.
    """
    sample = text[:_SAMPLE]
    letters = sum(1 for char in sample if char.isalpha())
    if not letters:
        return None
    for language, script in _SCRIPTS:
        share = len(script.findall(sample)) / letters
        if share > (0.1 if language == "ja" else 0.3):
            return language
    if len(_CYRILLIC.findall(sample)) > 0.5 * letters:
        ukrainian, russian = len(_UKRAINIAN.findall(sample)), len(_RUSSIAN.findall(sample))
        if ukrainian == russian:
            return None
        return "uk" if ukrainian > russian else "ru"
    counts = Counter(word.lower() for word in _WORD.findall(sample))
    total = counts.total()
    scores = sorted(
        ((sum(counts[word] for word in words), language) for language, words in _STOP_WORDS.items()), reverse=True
    )
    (best, language), (second, _) = scores[0], scores[1]
    if best < _MIN_HITS or best < _MIN_SHARE * total or best < _LEAD * second:
        return None
    return language
