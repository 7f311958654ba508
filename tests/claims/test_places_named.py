"""Places that a text names, by which a desk for geography is asked."""

from __future__ import annotations

from inquest.claims.press_words import places_of


def test_a_place_is_known_by_what_stands_before_it() -> None:
    assert places_of("The company opened a plant in Odell last year.") == ("Odell",)


def test_where_all_nouns_have_capitals_none_is_taken_for_a_place() -> None:
    said = "In der Kantine hängt ein Plakat, und in Halle sieben stehen die Zertifikate für den Strom aus Texas."
    assert places_of(said) == ()
