"""Grouping of sources: stories, their origins, and independent witnesses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.trees import grow
from inquest.domain.document import Document, Precision, Published
from inquest.domain.source import Category, Source
from inquest.sources.tiers import rating_of
from inquest.stories.crediting import UNREAD, article_of
from inquest.stories.stories import Story, assign_stories, find_stories, independent
from tests.case_parts import document, source

_MAY = datetime(2024, 5, 6, 8, tzinfo=UTC)

REPORT = (
    "The mill at Garrow Bridge let dye into the river Lenn for nine days in April, a log of its own pumps shows. "
    "The log was handed to this newspaper by a former shift leader, Tove Marsh. It lists 41 pumpings between 3 and 12 "
    "April, most of them at night. The county allows none. The owner of the mill, Garrow Textiles, said that it was "
    "looking into the matter. Fishermen at Lennford had complained of red water since Easter. The county's engineer, "
    "Amos Field, said that nobody had told him. He will inspect the works on Friday with two of his staff."
)
REWRITE = (
    "A textile works let dye run into the Lenn on nine days in April, the Lenn Valley Courier reported on Monday. "
    "The paper cites a pump log with 41 entries, handed over by former shift leader Tove Marsh. Garrow Textiles said "
    "it was looking into it. Engineer Amos Field is to inspect the mill at Garrow Bridge on Friday."
)
OTHER = (
    "Parents at the school of Upper Lenn have collected 3,000 signatures for a crossing on the mill road. Traffic has "
    "doubled since the bypass was closed. The county says that it has no money for lights before next spring."
)
PUBLISHERS = {
    "courier": ("lenn-valley-courier.example", "Lenn Valley Courier", "Sand Press", 76),
    "wire": ("northwire.example", "Northwire", "Northwire", 88),
    "post": ("harbour-post.example", "Harbour Post", "Quay Media", 74),
    "echo": ("coast-echo.example", "Coast Echo", "Quay Media", 66),
    "farm": ("quickbrook.example", "QuickBrook", None, 12),
    "mill": ("garrow-textiles.example", "Garrow Textiles", "Garrow Textiles", 45),
}


class Shelf:
    """Sources and their documents, built up page by page."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.documents: dict[str, Document] = {}

    def add(self, publisher: str, text: str, *, hours: float | None = 0, **about: Any) -> str:
        domain, name, owner, score = PUBLISHERS[publisher]
        number = f"S{len(self.sources) + 1}"
        at = None if hours is None else Published(at=_MAY + timedelta(hours=hours), precision=Precision.TIME)
        rating = rating_of(domain, score, [], **{"category": "newspaper", "owner": owner} | about)
        later = _MAY + timedelta(days=400)
        made = source(number, domain=domain, title="", published=at, rating=rating, retrieved_at=later)
        self.sources.append(made)
        self.documents[number] = document(text, snapshot=made.snapshot, url=made.url, title="", publisher=name)
        return number

    @property
    def stories(self) -> list[Story]:
        return find_stories([article_of(each, self.documents[each.id]) for each in self.sources])

    @property
    def assigned(self) -> Mapping[str, Source]:
        return {each.id: each for each in assign_stories(self.sources, self.documents)}


def test_a_copy_belongs_to_the_story_of_the_earlier_one() -> None:
    shelf = Shelf()
    copy, first = shelf.add("post", REPORT, hours=5), shelf.add("courier", REPORT, hours=0)
    (story,) = shelf.stories
    assert (story.members, story.origin) == ((copy, first), first)


def test_a_rewrite_that_names_the_report_goes_back_to_it() -> None:
    shelf = Shelf()
    first, rewrite, other = shelf.add("courier", REPORT), shelf.add("wire", REWRITE, hours=6), shelf.add("post", OTHER)
    (story,) = shelf.stories
    assert (story.members, story.origin) == ((first, rewrite), first)
    assert shelf.assigned[other].story is None


def test_a_copy_that_is_dated_before_the_report_it_names_is_not_the_origin() -> None:
    shelf = Shelf()
    first = shelf.add("courier", REPORT)
    wire = shelf.add("wire", REWRITE, hours=6)
    farm = shelf.add("farm", "EXCLUSIVE. " + REWRITE, hours=-100, category="aggregator")
    (story,) = shelf.stories
    assert (story.origin, story.misdated, set(story.members)) == (first, (farm,), {first, wire, farm})
    assert shelf.assigned[farm].story_notes == (
        "It is dated earlier than a report that it names as its source, so its date cannot be right.",
    )


def test_of_two_equal_texts_of_one_day_neither_is_called_the_first() -> None:
    shelf = Shelf()
    post, echo = shelf.add("post", REPORT, hours=None), shelf.add("courier", REPORT, hours=None)
    (story,) = shelf.stories
    assert (story.members, story.origin) == ((post, echo), None)
    assert set(story.undecided) == {post, echo}
    (note,) = shelf.assigned[post].story_notes
    assert post in note and echo in note
    assert len(independent(shelf.assigned.values())) == 1


def test_shared_facts_own_work_a_quoted_company_and_looking_back_make_no_story() -> None:
    shelf = Shelf()
    shelf.add(
        "post",
        "The regional court of Lennford on Friday ordered Garrow Textiles to pay 240,000 crowns to 41 fishermen. Judge "
        "Ines Aldous held that dye from the mill had ruined their catch in April 2023. Garrow Textiles, for whom Paul "
        "Renner appeared, will appeal. A hearing at Oster is set for 12 September.",
        hours=0,
    )
    shelf.add(
        "courier",
        "Forty-one people who fish the Lenn have won their case: Garrow Textiles owes them 240,000 crowns, Judge Ines "
        "Aldous ruled in Lennford. She found it proven that the dye came from the mill in April 2023. Paul Renner, "
        "lawyer of Garrow Textiles, announced an appeal, which Oster will hear on 12 September.",
        hours=3,
    )
    assert shelf.stories == []
    own = (
        "The Harbour Post has obtained the county's file on the mill, independently of the report in the Lenn Valley "
        "Courier. It shows that the engineer was told of red water in the Lenn on 5 April and went home. Garrow "
        "Textiles, whose 41 pumpings are listed in the file, did not answer. Tove Marsh is named in it too."
    )
    shelf = Shelf()
    shelf.add("courier", REPORT)
    shelf.add("post", own, hours=80)
    assert shelf.stories == []
    statement = (
        "Garrow Textiles rejects reports of dye in the Lenn. The mill at Garrow Bridge kept to its permit in April."
    )
    text = (
        "According to Garrow Textiles, its mill at Garrow Bridge kept to its permit in April, dye in the Lenn or not. "
    )
    shelf = Shelf()
    shelf.add("mill", statement, category="company")
    shelf.add("post", text + OTHER, hours=5)
    assert shelf.stories == []
    shelf = Shelf()
    shelf.add("courier", REPORT)
    shelf.add("wire", REWRITE, hours=24 * 90)
    assert shelf.stories == []


def test_two_that_name_the_same_report_from_outside_are_one_story_without_an_origin() -> None:
    shelf = Shelf()
    first = shelf.add("post", REWRITE.replace("Lenn Valley Courier", "Guardian"))
    second = shelf.add(
        "courier",
        "According to the Guardian, Garrow Textiles let dye into the Lenn on nine days in April. A pump log with 41 "
        "entries came from former shift leader Tove Marsh; engineer Amos Field is to inspect the mill on Friday.",
        hours=4,
    )
    (story,) = shelf.stories
    assert (story.members, story.origin, story.outside) == ((first, second), None, "Guardian")
    assert shelf.assigned[first].story_notes == ("Goes back to a report by Guardian, which is not among the sources.",)
    assert [*independent(shelf.assigned.values()).values()] == [[first, second]]


def test_a_source_without_text_stays_as_it_is() -> None:
    shelf = Shelf()
    number = shelf.add("courier", REPORT)
    assert assign_stories(shelf.sources, {}) == tuple(shelf.sources)
    assert shelf.assigned[number] == shelf.sources[0]


class TestIndependence:
    def test_copies_are_one_witness_named_for_the_origin(self) -> None:
        shelf = Shelf()
        for publisher, hours in (("courier", 0), ("wire", 5), ("post", 6), ("echo", 7)):
            shelf.add(publisher, REPORT, hours=hours)
        ((name, ids),) = independent(shelf.assigned.values()).items()
        assert (name, len(ids)) == ("Sand Press", 4)

    def test_papers_of_one_owner_are_one_witness_and_excluded_sources_none(self) -> None:
        shelf = Shelf()
        shelf.add("post", REPORT)
        shelf.add("echo", OTHER)
        assert [*independent(shelf.assigned.values())] == ["Quay Media"]
        shelf = Shelf()
        shelf.add("courier", REPORT)
        late = [each.model_copy(update={"excluded": "published after"}) for each in shelf.sources]
        assert independent(late) == {}

    def test_releases_of_one_issuer_are_one_witness_wherever_they_are(self) -> None:
        shelf = Shelf()
        for publisher, text in (("post", REPORT), ("wire", OTHER)):
            shelf.add(publisher, text)
        rating = shelf.sources[0].rating.model_copy(update={"owner": None, "press_release": True})
        issued = [
            each.model_copy(
                update={"author": "Garrow Textiles", "rating": rating.model_copy(update={"category": category})}
            )
            for each, category in zip(shelf.sources, (Category.COMPANY, Category.PRESS_RELEASE), strict=True)
        ]
        assert [*independent(issued)] == ["Garrow Textiles"]

    def test_a_copy_does_not_cost_its_owner_a_story_of_its_own(self) -> None:
        shelf = Shelf()
        shelf.add("courier", REPORT)
        copy, own = shelf.add("post", REPORT, hours=5), shelf.add("post", OTHER, hours=6)
        found = independent(shelf.assigned.values())
        assert found == {"Sand Press": ["S1", copy], "Quay Media": [own]}


class TestWhoSaysSo:
    """Credits in other languages, by a link alone, in a circle, out of time."""

    GERMAN = (
        "Eine Textilfabrik hat im April an neun Tagen Farbe in die Lenn geleitet, wie der {} berichtet. Das Protokoll "
        "mit 41 Einträgen kommt von Tove Marsh. Amos Field will das Werk von Garrow Textiles am Freitag besichtigen."
    )

    def test_a_credit_in_another_language_leads_to_the_report(self) -> None:
        shelf = Shelf()
        first = shelf.add("courier", REPORT)
        translated = shelf.add("post", self.GERMAN.format("Lenn Valley Courier"), hours=8)
        (story,) = shelf.stories
        assert (story.origin, set(story.members)) == (first, {first, translated})


def test_stories_of_a_generated_tree_have_no_strangers_and_its_root_as_origin() -> None:
    tree = grow(40, 3)
    stories = find_stories([article_of(each, tree.documents[each.id]) for each in tree.sources])
    assert all(set(story.members) <= tree.members for story in stories)
    main = max(stories, key=lambda story: len(story.members))
    assert (tree.origin or f"{UNREAD}{tree.outside}") in (main.origin, *main.undecided)
