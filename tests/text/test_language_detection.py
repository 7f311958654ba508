"""The language of a text."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from py3langid.langid import LanguageIdentifier

from inquest.text import languages
from inquest.text.languages import detect_language, language_of

TEXTS = {
    "en": "The council said on Monday that the bridge would stay shut until spring because of the cracks in two piers.",
    "de": "Der Rat teilte am Montag mit, dass die Brücke wegen der Risse in den Pfeilern gesperrt bleibt.",
    "fr": "Le conseil a annoncé lundi que le pont restera fermé à cause des fissures dans deux de ses piles.",
    "nl": "De raad zei maandag dat de brug tot het voorjaar gesloten blijft omdat er scheuren in de pijlers zijn.",
    "uk": "Рада повідомила в понеділок, що міст буде закритий, бо у двох опорах є тріщини. Її рішення остаточне.",
    "ja": "評議会は月曜日、二本の橋脚にひび割れが見つかったため、橋は春まで閉鎖されると発表した。",
    "zh": "市议会周一表示，由于两个桥墩出现裂缝，这座桥将一直关闭到春天。",
    "ar": "قال المجلس يوم الاثنين إن الجسر سيبقى مغلقا حتى الربيع بسبب تشققات في اثنين من الأعمدة.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_running_text_is_recognised(language: str) -> None:
    assert detect_language(TEXTS[language]) == language


@pytest.mark.parametrize(
    "text", ["", "12.4 % 2023", "Holm Aas Berg Tolley Marl", "OK", TEXTS["en"] + TEXTS["de"] + TEXTS["fr"]]
)
def test_what_cannot_be_told_is_none(text: str) -> None:
    assert detect_language(text) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [("Die Brücke wurde nie gesperrt.", "de"), ("Museet köpte aldrig tavlan.", "sv"), ("市长没有卖掉公园。", "zh"),
     ("Wages fell in Ghent", None), ("Norn 3%", None), ("", None)],
)  # fmt: skip
def test_a_few_words_are_english_unless_they_cannot_be(text: str, language: str | None) -> None:
    assert languages.other_than_english(text) == language


def test_a_long_text_overrules_its_declaration_and_a_short_one_does_not() -> None:
    assert language_of(TEXTS["en"] * 3, "de") == "en"
    assert language_of("Brug dicht.", "nl") == "nl"
    assert language_of(TEXTS["fr"], None) == "fr"


@given(st.text(max_size=500))
def test_any_text_has_a_language_or_none(text: str) -> None:
    assert detect_language(text) is None or len(detect_language(text) or "") == 2


def test_texts_that_are_looked_at_side_by_side_read_the_table_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    reader = LanguageIdentifier.from_model_file

    def slowly(*args: Any, **options: Any) -> LanguageIdentifier:
        read.append(args)
        sleep(0.05)
        return reader(*args, **options)

    monkeypatch.setattr(LanguageIdentifier, "from_model_file", slowly)
    languages._read_identifier.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(detect_language, ["Der Grenzwert wurde nachts nicht gemessen."] * 4))
    assert found == ["de"] * 4
    assert len(read) == 1
