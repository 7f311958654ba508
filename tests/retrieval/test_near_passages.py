"""The passages of many pages that are nearest to a claim."""

from __future__ import annotations

from inquest.kit.analyst import Passage
from inquest.retrieval.near_passages import near_passages

CLAIM = "Harlow opened its 38 million euro school for nurses in June 2025."
FILLER = " ".join(f"The council spoke about drains, kerbs and lamps in ward {n}." for n in range(30))


def passage(number: int, text: str, *, title: str = "") -> Passage:
    return Passage(id=f"P{number}", source_id="", snapshot=f"sha256:{number}", text=text, title=title)


def near(*others: Passage) -> list[str]:
    return [each.id for each in near_passages(CLAIM, [*(passage(n, FILLER) for n in range(30)), *others], None)]


def test_all_passages_are_judged_where_there_are_few() -> None:
    few = [passage(n, FILLER) for n in range(3)]
    assert near_passages(CLAIM, few, None) == few


def test_of_many_passages_the_nearest_are_judged_in_the_order_given() -> None:
    late = passage(40, f"{FILLER} The school for nurses in Harlow cost 52 million euros, not 38 million.")
    assert "P40" in near(late)
    assert len(near(late)) < 20


def test_another_language_is_chosen_by_names_and_figures() -> None:
    bare = [
        passage(50 + n, "Der Rat sprach am Montag lange über die Straßen und die Laternen der Stadt.") for n in range(9)
    ]
    named = passage(70, "Die Schule in Harlow wurde erst im Februar eröffnet und kostete 52 statt 38 Millionen Euro.")
    assert "P70" in near(*bare, named)
