"""The Markdown report: well-formed, every number resolves, and it contains no markup from pages."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from inquest.reports.claim_entries import has_entry
from inquest.reports.markdown import markdown
from inquest.reports.view import ReportView
from tests.reports.made_case import HOSTILE
from tests.reports.odd_check_cases import EVERY as ALL

VIEWS = {name: ALL[name] for name in ("rich", "hostile", "bare", "long")}
each_of_all = pytest.mark.parametrize("view", ALL.values(), ids=ALL.keys())
each_case = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())


def parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def inline(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens for child in token.children or ()]


@each_of_all
def test_every_number_in_the_text_is_a_citation_and_every_citation_is_listed(view: ReportView) -> None:
    body, _, listed = markdown(view).partition("\n## Citations\n")
    used = {int(number) for number in re.findall(r"(?<!\\)\[(\d+)\](?!\()", body)}
    numbers = [int(number) for number in re.findall(r"^(\d+)\. “", listed, re.MULTILINE)]
    assert used == set(numbers) == {citation.n for citation in view.case.citations}
    assert numbers == sorted(numbers)


@each_of_all
def test_there_is_no_html_no_image_and_no_link_but_to_web_addresses(view: ReportView) -> None:
    tokens = parsed(markdown(view))
    assert not {"html_block", "html_inline", "image", "s_open"} & {t.type for t in (*tokens, *inline(tokens))}
    links = [str(token.attrs["href"]) for token in inline(tokens) if token.type == "link_open"]
    assert bool(links) == bool(view.counted_sources)
    assert all(link.startswith(("http://", "https://")) for link in links)


@each_case
def test_headings_are_the_reports_own(view: ReportView) -> None:
    tokens = parsed(markdown(view))
    levels = [token.tag for token in tokens if token.type == "heading_open"]
    assert levels[0] == "h1" and levels.count("h1") == 1
    shown = sum(has_entry(view, checked) for checked in view.claims)
    assert levels.count("h3") == shown + len(view.summary.sections)
    sections = {"Verdicts", "Evidence", "Timeline", "Sources", "Citations", "How this was done"}
    titles = {t.content for n, t in enumerate(tokens) if n and tokens[n - 1].type == "heading_open"}
    headings = [t.content for n, t in enumerate(tokens) if n and tokens[n - 1].tag == "h2" and t.type == "inline"]
    assert titles >= ({"Sources", "Citations"} if not view.claims else sections - {"How this was done"})
    assert ("How this was done" in titles) == bool(view.case.plan or view.case.markers)
    assert len(headings) == len(set(headings))


@each_of_all
def test_tables_have_as_many_cells_as_their_heads(view: ReportView) -> None:
    for block in re.findall(r"(?:^\|.*\n)+", markdown(view), re.MULTILINE):
        rows = [len(re.findall(r"(?<!\\)\|", row)) for row in block.splitlines()]
        assert len(set(rows)) == 1


def test_hostile_words_read_as_they_are() -> None:
    tokens = parsed(markdown(VIEWS["hostile"]))
    title = next(tokens[n + 1] for n, token in enumerate(tokens) if token.type == "heading_open")
    read = "".join(child.content for child in title.children or ())
    assert read.startswith(HOSTILE[:60]) and read.endswith("gnorw zero wide")


def test_a_partial_report_says_so_at_its_head_and_lists_what_is_missing() -> None:
    text = markdown(VIEWS["rich"])
    assert "**This report is partial.** Could not be queried or read: 1 engine and 1 page." in text
    assert "| Search engine gdelt | gdelt is unavailable (503). |" in text
    assert "- Two pieces of work were left undone when the case ended." in text
    assert "**S8** [Correction](<https://star.example/8>): published 2025-05-22, after 2024-06-01" in text


def test_copies_stand_under_the_story_they_repeat() -> None:
    assert "  - Two copies of the same story, not counted again: S3 echo.example [4], S4 newsfunnel.example [5]" in (
        markdown(VIEWS["rich"])
    )


def test_a_copy_goes_back_to_its_origin_only_on_claims_that_the_origin_speaks_on() -> None:
    case = VIEWS["rich"].case
    (of_origin,) = (each for each in case.findings if each.source_id == "S2" and each.claim_id == "C1")
    without = of_origin.model_copy(update={"claim_id": None})
    assessments = tuple(
        each.model_copy(update={"supporting": tuple(id for id in each.supporting if id != without.id)})
        for each in case.assessments
    )
    findings = tuple(without if each is of_origin else each for each in case.findings)
    alone = case.model_copy(update={"assessments": assessments, "findings": findings})
    assert "Goes back to" not in markdown(ReportView(alone, {}))


@each_of_all
def test_the_same_case_gives_the_same_bytes(view: ReportView) -> None:
    assert markdown(ReportView(view.case.model_copy(deep=True), dict(view.contexts))) == markdown(view)
