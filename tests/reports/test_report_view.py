"""What is looked up once for every form: who speaks, who repeats, where a quote is used."""

from __future__ import annotations

from inquest.domain.assessment import Verdict
from inquest.reports import wording
from tests.reports.report_cases import bare, rich

VIEW = rich()


def test_a_story_speaks_once_through_its_origin_and_its_copies_follow() -> None:
    first, second = VIEW.claims[0].supporting
    assert (first.source.id, [f.id for f in first.findings], first.copies) == ("S1", ["F1"], ())
    assert (second.source.id, [f.id for f in second.findings]) == ("S2", ["F2"])
    assert [finding.source_id for finding in second.copies] == ["S3", "S4"]
    assert wording.copies_heading(second) == "Two copies of the same story, not counted again"


def test_stories_name_their_origin() -> None:
    (story,) = VIEW.stories
    assert story.origin is not None and story.origin.id == "S2"
    said = [wording.story_words(story, VIEW.sources[each]) for each in ("S2", "S3")]
    assert said == ["Origin of a story that S3 and S4 repeat.", "Repeats the story of S2; not counted again."]
    assert VIEW.story_of(VIEW.sources["S1"]) is None


def test_sources_are_counted_by_who_stands_behind_them_and_later_ones_not_at_all() -> None:
    assert len(VIEW.counted_sources) == 7 and [s.id for s in VIEW.excluded_sources] == ["S8"]
    assert VIEW.independent_sources == 5


def test_a_number_knows_where_it_is_cited() -> None:
    assert VIEW.uses["F1"] == ("summary", "C1")
    assert VIEW.uses["F8"] == ("C3", "timeline")
    assert VIEW.refs(["F1", "F1", "no such finding"]) == [1]


def test_verdicts_are_counted_in_the_order_of_the_scale() -> None:
    assert [verdict for verdict, _, _ in VIEW.verdict_counts] == list(Verdict)


def test_a_verdict_says_how_firm_it_is() -> None:
    said = [wording.standing(checked) for checked in VIEW.claims]
    assert said[0] == "84% confidence"
    assert said[3] == "40% confidence · one passage read that speaks for neither side"
    assert said[4] == ""


def test_dates_are_said_as_exactly_as_they_are_known() -> None:
    assert [wording.date_words(VIEW.sources[s]) for s in ("S1", "S6", "S7", "S4")] == [
        "2 May 2023", "April 2024", "2023", "undated",
    ]  # fmt: skip
    assert [wording.event_date(event) for event in VIEW.case.timeline] == ["2 May 2023", "June 2023", "2024"]


def test_how_it_was_done_names_engines_decisions_and_what_stayed_empty() -> None:
    rows = dict(wording.method(VIEW))
    assert rows["Engines left out"] == ("tavily: no key (TAVILY_API_KEY)",)
    assert rows["Approved"] == ("plan 2 by Ada (prompt), 1 June 2024, 12:00 UTC",)
    assert rows["Left out of the summary"] == ("One sentence that stated a fact and cited nothing.",)
    assert "three model calls (12,000 tokens in, 900 out), 0.0123 USD" in rows["Work done"][0]
    assert dict(wording.method(bare()))["Empty stages"] == ("The sources make no claim that can be checked.",)
