"""A user's changes to the list of claims before the desks run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.claims.claim_choice import ClaimChange, chosen, claim_change, unknown_ids
from inquest.domain.claim import Claim


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("please leave out claims 2, 4 and 9.", {"drop": ("C2", "C4", "C9")}),
        ("don't check C2", {"drop": ("C2",)}),
        ("everything except C3 and C4", {"drop": ("C3", "C4")}),
        ("only C1 and C4", {"only": ("C1", "C4")}),
        ("only the first 4", {"limit": 4}),
        ("drop C1, only the first five", {"drop": ("C1",), "limit": 5}),
        ("add: We cut Scope 1 by 12 % in 2023", {"add": ("We cut Scope 1 by 12 % in 2023",)}),
        ("add: one claim here; add: another one there", {"add": ("one claim here", "another one there")}),
        ("yes", {}),
        ("focus on water", {"not_understood": ("focus on water",)}),
        ("max 0", {"not_understood": ("max 0",)}),
        ("drop C1-C99999", {"not_understood": ("drop C1-C99999",)}),
    ],
)
def test_one_directive(said: str, expected: dict[str, object]) -> None:
    assert claim_change(said).model_dump(exclude_defaults=True) == expected


def test_several_directives_at_once_and_what_is_inside_an_added_claim() -> None:
    change = claim_change("Drop C3, only the first 5, add: We cut Scope 1 by 12 % in 2023, drop C4")
    assert change == ClaimChange(drop=("C3", "C4"), limit=5, add=("We cut Scope 1 by 12 % in 2023",))
    text = "We recycle 80 %, and at most 5 t of waste, no more, go to landfill"
    assert claim_change(f"add: {text}, max 6") == ClaimChange(add=(text,), limit=6)


def test_ids_that_users_gave_are_found() -> None:
    change = claim_change("drop Water-2 and 7", ["water-2", "7"])
    assert change.drop == ("water-2", "7")


CLAIMS = tuple(Claim(id=f"C{number}", text=f"Claim {number}.") for number in range(1, 7))


def ids(claims: tuple[Claim, ...]) -> list[str]:
    return [claim.id for claim in claims]


def test_only_then_drop_then_limit() -> None:
    kept, dropped = chosen(CLAIMS, claim_change("only C1-C5, drop C2, max 3"))
    assert ids(kept) == ["C1", "C3", "C4"]
    assert ids(dropped) == ["C2", "C5", "C6"]


def test_ids_that_the_list_has_not_are_told_and_empty_nothing() -> None:
    change = claim_change("only C44")
    kept, dropped = chosen(CLAIMS, change)
    assert (ids(kept), dropped) == (ids(CLAIMS), ())
    assert unknown_ids(CLAIMS, change) == ("C44",)


@given(st.text(max_size=300))
def test_any_words_are_taken_and_no_claim_is_lost(words: str) -> None:
    change = claim_change(words, ids(CLAIMS))
    kept, dropped = chosen(CLAIMS, change)
    assert sorted(ids(kept) + ids(dropped)) == ids(CLAIMS)
    assert change.limit is None or len(kept) <= change.limit
