"""Whether a paper is still valid, according to its title, its types and the notices about it."""

from __future__ import annotations

import pytest

from inquest.domain.reasons import in_words
from inquest.domain.search import Notice
from inquest.sources.source_worth import worth_of
from inquest.sources.tiers import rating_of
from inquest.sources.works import crossref_notices, linked_notices, made_work, title_mark, typed_kind


@pytest.mark.parametrize(
    ("title", "kind", "is_notice"),
    [
        ("RETRACTED: Foo", "retraction", False), ("Retracted Article: Foo", "retraction", False),
        ("[Retracted] Foo", "retraction", False), ("WITHDRAWN: Foo", "withdrawal", False),
        ("Temporary removal: Foo", "removal", False), ("Retraction: Foo", "retraction", True),
        ("Retraction Note to: Foo", "retraction", True), ("Retraction notice to “Foo” [J 1]", "retraction", True),
        ("Notice of Retraction: Foo", "retraction", True), ("Partial retraction: Foo", "partial_retraction", True),
        ("Expression of Concern: Foo", "expression_of_concern", True), ("Author Correction: Foo", "correction", True),
        ('Corrigendum to "Foo"', "correction", True), ("Erratum to: Foo", "erratum", True),
        ("Erratum", "erratum", True),
    ],
)  # fmt: skip
def test_a_title_that_begins_with_a_mark_says_what_the_document_is(title: str, kind: str, is_notice: bool) -> None:
    mark = title_mark(title)
    assert mark is not None
    assert (mark.kind, mark.is_notice) == (kind, is_notice)


@pytest.mark.parametrize(
    "title",
    [
        "Retraction of the glacier", "Retracted papers: a survey", "Withdrawn from the market: drugs and why",
        "Correction for bias in surveys", "Removal of lead from water", "Withdrawal of Treatment", "Retracted Science",
        "Withdrawal of troops", "",
    ],
)  # fmt: skip
def test_a_title_that_only_speaks_of_such_things_is_no_mark(title: str) -> None:
    assert title_mark(title) is None


def test_types_of_pubmed_tell_the_work_from_the_notice() -> None:
    assert typed_kind(["Journal Article", "Retracted Publication"]) == ("retraction", False)
    assert typed_kind(["Retraction of Publication"]) == ("retraction", True)
    assert typed_kind(["Published Erratum"]) == ("erratum", True)
    assert typed_kind(["Journal Article", "Review"]) == (None, False)


def test_crossrefs_updated_by_is_on_the_work_and_update_to_on_the_notice() -> None:
    item = {
        "DOI": "10.5555/NOTICE",
        "type": "retraction",
        "updated": {"date-parts": [[2024, 3, 5]]},
        "source": "publisher",
    }
    [notice] = crossref_notices([item, None, {"type": 5}, {"type": "comment"}])
    assert (notice.kind, notice.doi, notice.at and notice.at.iso) == ("retraction", "10.5555/notice", "2024-03-05")
    work = made_work("journal-article", title="Foo", doi="10.5555/a", notices=[notice])
    assert work.retracted
    says = made_work(
        "journal-article",
        title="Retraction: Foo",
        doi="10.5555/notice",
        notice_of=[Notice(kind="retraction", doi="10.5555/a")],
    )
    assert not says.retracted, "a notice of retraction has not been retracted"
    assert says.type == "retraction"
    assert says.notice_of[0].doi == "10.5555/a"
    assert says.peer_reviewed is False


def test_a_notice_retracts_the_work_it_is_over_and_not_itself_whatever_its_title() -> None:
    updates = [{"DOI": "10.5555/a", "type": "withdrawal"}, {"DOI": "10.5555/b", "type": "correction"}]
    assert [each.kind for each in crossref_notices(updates, own="10.5555/a", to_self=True)] == ["withdrawal"]
    assert [each.kind for each in crossref_notices(updates, own="10.5555/a")] == ["correction"]
    notice = made_work(
        "journal-article", title="Retracted: Foo", notice_of=[Notice(kind="retraction", doi="10.5555/a")]
    )
    assert not notice.retracted
    assert notice.notices == ()


@pytest.mark.parametrize(
    ("kind", "stands"),
    [
        ("retraction", False), ("withdrawal", False), ("removal", False), ("expression_of_concern", True),
        ("correction", True), ("erratum", True), ("partial_retraction", True), ("new_version", True),
    ],
)  # fmt: skip
def test_only_some_notices_take_a_work_away(kind: str, stands: bool) -> None:
    work = made_work("journal-article", title="Foo", venue="J", notices=[Notice(kind=kind)])
    assert work.retracted is not stands
    assert [notice.kind for notice in work.notices] == [kind]


def test_a_new_version_and_a_reinstated_work_stand() -> None:
    work = made_work("posted-content", title="Foo", notice_of=[Notice(kind="new_version", doi="10.5555/v1")])
    assert (work.type, work.notice_of) == ("preprint", ())
    assert not made_work("journal-article", notices=[Notice(kind="retraction"), Notice(kind="reinstatement")]).retracted


def test_links_are_told_by_their_direction() -> None:
    links = [
        ("Retraction in", None),
        ("Comment in", None),
        ("Erratum for", None),
        ("Expression of concern in", "10.5555/x"),
        ("", None),
    ]
    about, says = linked_notices(links)
    assert [notice.kind for notice in about] == ["retraction", "expression_of_concern"]
    assert [notice.kind for notice in says] == ["erratum"]


PAPER = "Reading tablets and comprehension: a school trial"
NOTICE = f'Retraction notice to "{PAPER}"'
JOURNAL = rating_of("journal.example", 92, (), category="scholarly")
TABLOID = rating_of("paper.example", 92, (), category="newspaper")


@pytest.mark.parametrize(("title", "beside"), [(f"RETRACTED: {PAPER}", ()), (PAPER, (NOTICE, "Other news"))])
def test_a_retracted_work_is_no_evidence(title: str, beside: tuple[str, ...]) -> None:
    worth = worth_of(JOURNAL, None, [title], beside)
    assert worth.excluded and in_words(worth.excluded) == "retracted" and worth.rating.tier == 4


@pytest.mark.parametrize(
    ("title", "beside"),
    [(PAPER, ()), (PAPER, ("Retraction notice to: Chalk and comprehension",)), (NOTICE, (NOTICE,)), (PAPER, (PAPER,))],
)
def test_another_works_notice_and_the_notice_itself_lower_nothing(title: str, beside: tuple[str, ...]) -> None:
    assert worth_of(JOURNAL, None, [title], beside).rating == JOURNAL


def test_a_headline_of_the_press_is_no_mark() -> None:
    assert worth_of(TABLOID, None, ["Removed: statues that nobody misses"]).excluded is None
