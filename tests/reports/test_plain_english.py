"""Reports follow the rules of docs/style.md that a machine can check: agreement, articles, headings, spaces and stops.

Quotes, claims, titles and names are other people's words and are taken out first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from inquest.domain.languages import with_article
from inquest.domain.report import Section, Statement, Summary
from inquest.reports.markdown import markdown
from inquest.reports.view import ReportView
from tests.reports import check_cases, report_cases

VIEWS: dict[str, Callable[[], ReportView]] = {
    "rich": report_cases.rich,
    "hostile": report_cases.hostile,
    "long": report_cases.long,
    "bare": report_cases.bare,
    "check": check_cases.company_report,
}
ONE_AND_MANY = re.compile(
    r"\b(?:one|1)(?: \w+)? (?:are|were|have|say|support|contradict|lean|report|speak|confirm|agree|deny)\b", re.I
)
"""'one source support', but not 'one of them are', which another rule finds, nor 'no one'."""
MANY_AND_ONE = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) \w+s (?:is|was|has|says|supports|contradicts)\b",
    re.I,
)
ARTICLE = re.compile(r"(?<![\w.'’])(an?) ([A-Za-z0-9][\w-]*)", re.I)
ODD = re.compile(r"\.\.(?!\.)|,,|\s[,.;:](?=\s|$)|\bthe the\b|\band and\b|\bNone\b")


def own_words(view: ReportView) -> str:
    """The report without text by others."""
    said = markdown(view)
    case = view.case
    others = [each.text for each in case.claims] + [each.quote for each in case.findings]
    others += [each.title for each in case.sources] + [case.brief.text]
    others += [each.text for each in case.timeline]
    if case.summary is not None:
        others += [statement.text for section in case.summary.sections for statement in section.statements]
    for text in sorted(filter(None, others), key=len, reverse=True):
        said = said.replace(text, "…")
    said = re.sub(r"“[^”]*”|`[^`]*`|<[^>]*>|\[[^\]]*\]\([^)]*\)|\S+\.example\S*|\S+://\S+", "…", said)
    said = re.sub(r" *\[\d+\]", "", said)
    return re.sub(r"[*_#|>\[\]]", "", said)


def faults(words: str) -> Iterator[str]:
    for pattern in (ONE_AND_MANY, MANY_AND_ONE, ODD):
        yield from (match.group() for match in pattern.finditer(words))
    for match in ARTICLE.finditer(words):
        article, word = match.group(1).lower(), match.group(2)
        if word.islower() and with_article(word) != f"{article} {word}":
            yield match.group()


@pytest.mark.parametrize("name", VIEWS)
def test_a_report_agrees_with_itself_and_no_two_headings_of_one_level_are_alike(name: str) -> None:
    view = VIEWS[name]()
    assert list(faults(own_words(view))) == []
    headings = re.findall(r"^#+ .+$", markdown(view), re.MULTILINE)
    assert len(headings) == len(set(headings))


@pytest.mark.parametrize(
    "wrong",
    ["One source support it.", "Two sources contradicts it.", "A energy certificate.",
     "Asked , and answered.", "It ended.. Then"],
)  # fmt: skip
def test_the_check_sees_what_is_wrong(wrong: str) -> None:
    assert list(faults(wrong))


def test_parts_of_a_summary_that_have_one_heading_are_one_section() -> None:
    """A case in which a model and the rules each wrote an 'Executive summary'."""
    one, two, three = (Statement(text=text) for text in ("One.", "Two.", "Three."))
    summary = Summary(
        title="T",
        sections=(
            Section(heading="Executive summary", statements=(one,)),
            Section(heading="Findings", statements=(two,)),
            Section(heading="Executive  Summary", statements=(three, one)),
        ),
    )
    assert [(each.heading, each.statements) for each in summary.sections] == [
        ("Executive summary", (one, three)),
        ("Findings", (two,)),
    ]
