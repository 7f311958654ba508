"""The outcome of a source for the statement that cites it: verbatim sentences, other figures, credits to others."""

from __future__ import annotations

import pytest

from inquest.domain.audit import CitedWork, Outcome
from inquest.domain.document import Document, TextLink
from inquest.domain.finding import Reading, Stance
from inquest.sources.credits import credits_at
from inquest.text.sentences import Span
from inquest.verdicts.cited import Found, Judged, of_work, outcome, reason

JOBS = "Norvane employed 640 people at its works in Lund in 2024"


def found(text: str, statement: str = f"{JOBS}.", **more: object) -> Found:
    document = Document.model_validate({"snapshot": "s", "url": "https://paper.example/a", "text": text, **more})
    return outcome(statement, document, [], by_model=False)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (f"According to Reuters, {JOBS}.", {}),
        (f"{JOBS}, Reuters reported.", {}),
        (f"Reuters reported on the valley on Monday. {JOBS}.", {}),
        (f"LUND, May 4 (Reuters) - Rain fell on the valley.\n\n{JOBS}.", {}),
        (f"{JOBS}.", {"author": "Reuters"}),
        (f"{JOBS}.", {"source_links": ("https://gazette.example/jobs",)}),
    ],
)
def test_a_source_that_credits_another_publisher_for_the_statement_is_second_hand(text: str, more: object) -> None:
    assert isinstance(more, dict)
    assert found(text, **more).outcome is Outcome.SECOND_HAND


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (f"Reuters reported on the weather.\n\n{JOBS}.", {}),
        (f"{JOBS}. According to Reuters, a choir sang for the visitors.", {}),
        (f"{JOBS}.", {"source_links": ("https://gazette.example/jobs", "https://office.example/jobs")}),
        (f"{JOBS}.", {"source_links": ("https://paper.example/earlier",)}),
        (f"LUND, May 4 (Reuters) - Rain fell.\n\n{JOBS}.", {"publisher": "Reuters"}),
    ],
)
def test_a_credit_for_something_else_or_to_itself_leaves_the_statement_its_own(text: str, more: object) -> None:
    assert isinstance(more, dict)
    assert found(text, **more).outcome is Outcome.HOLDS


def test_a_statement_that_names_the_credited_publisher_holds() -> None:
    said = f"According to Reuters, {JOBS}."
    assert found(said, said).outcome is Outcome.HOLDS


def test_a_sentence_with_other_figures_is_named_only_where_none_has_the_figures_of_the_statement() -> None:
    other = f"{JOBS.replace('640', '460')}."
    differs = found(other)
    assert differs.outcome is Outcome.PARTLY and "“640” instead of “460”" in differs.reason
    assert found(f"{other}\n\n{JOBS}.").outcome is Outcome.HOLDS


def test_a_link_is_a_credit_of_its_own_sentence_alone() -> None:
    text = f"The ferry has a new page. {JOBS}, as this page has it."
    links = [text.index("new page"), text.index("this page")]
    document = Document(
        snapshot="s",
        url="https://paper.example/a",
        text=text,
        text_links=tuple(
            TextLink(url=f"https://other.example/{n}", start=start, end=start + 8, block=0)
            for n, start in enumerate(links)
        ),
    )
    begin = text.index(JOBS)
    credited = credits_at(document, Span(begin, begin + len(JOBS)))
    assert [each.url for each in credited] == ["https://other.example/1"]


WORK = CitedWork(title="Electric Buses for Brenholt", authors=("Öberg", "Lind"), year="2022")
PAGE = "By Jon Öberg and Eva Lind, 4 May 2022.\n\nThe town bought buses."


@pytest.mark.parametrize(
    ("title", "text", "record", "outcome_"),
    [
        ("Electric buses for Brenholt: a year on", PAGE, None, Outcome.HOLDS),
        ("Herald", f"Electric buses for Brenholt\n\n{PAGE}", None, Outcome.HOLDS),
        ("Harbours and their keepers", PAGE, None, Outcome.NOT_THERE),
        ("Electric buses for Lund", PAGE, None, Outcome.SAYS_OTHERWISE),
        (WORK.title, PAGE.replace("2022", "2019"), None, Outcome.PARTLY),
        (WORK.title, PAGE.replace("Lind", "Berg"), None, Outcome.PARTLY),
        (WORK.title, PAGE, CitedWork(title="Salt in soil", authors=("Bo Skar",), year="2018"), Outcome.SAYS_OTHERWISE),
        (WORK.title, PAGE, CitedWork(title=WORK.title, authors=("Jon Öberg, Eva Lind",), year="2022"), Outcome.HOLDS),
    ],
)  # fmt: skip
def test_an_entry_of_a_bibliography_holds_if_its_title_authors_and_year_are_those_of_the_source(
    title: str, text: str, record: CitedWork | None, outcome_: Outcome
) -> None:
    document = Document(snapshot="s", url="https://paper.example/a", title=title, text=text)
    assert of_work(WORK, document, record).outcome is outcome_


def test_an_entry_whose_page_could_not_be_read_is_wrong_only_by_its_record() -> None:
    unread = reason("no_text")
    other = CitedWork(title="Salt in the soil", year="2018")
    assert of_work(WORK, None, WORK, unread=unread).outcome is Outcome.COULD_NOT_BE_READ
    assert of_work(WORK, None, other, unread=unread).outcome is Outcome.SAYS_OTHERWISE


@pytest.mark.parametrize(
    ("text", "statement", "expected"),
    [
        (
            "Judge Carla Whitfield dismissed the case against Norbank.",
            "Judge Carla Whitfield dismissed the case of Norbank.",
            Outcome.HOLDS,
        ),
        (
            "Judge Carla Whitfield dismissed the case against Norbank.",
            "Judge Carla Whitmore dismissed the case of Norbank.",
            Outcome.PARTLY,
        ),
        (
            "Norvane runs 136 works across South Africa, Botswana and Namibia.",
            "Norvane runs over 130 works in South Africa.",
            Outcome.PARTLY,
        ),
        (
            "Norvane runs 136 works across South Africa, Botswana and Namibia.",
            "Norvane runs over 130 works in South Africa, Botswana and Namibia.",
            Outcome.HOLDS,
        ),
    ],
)
def test_without_a_language_model_no_statement_holds_on_words_about_others(
    text: str, statement: str, expected: Outcome
) -> None:
    document = Document(snapshot="s", url="https://paper.example/a", text=text)
    reading = Reading(passage_id="p", stance=Stance.SUPPORTS, quote=text, confidence=0.9, start=0, end=len(text))
    judged = [Judged(reading, Span(0, len(text)))]
    assert outcome(statement, document, judged, by_model=False).outcome is expected


@pytest.mark.parametrize(
    ("statement", "words", "more"),
    [
        ("The works took 4,270 million gallons in 2025.", "2024: 4,390. 2025: 4,270.", {}),
        ("It describes cracks on three of the stays.", "Elle décrit des fissures sur trois haubans du pont.", {}),
        ("An average of 30,800 crossings a day was counted.", "Comptage : 30 800 passages par jour.", {}),
        ("The works is registered since 12 June 2014.", "Das Werk ist seit dem 12.06.2014 eingetragen.", {}),
        ("The plant drew less in 2025 than in 2018.", "The plant drew less last year than in 2018.",
         {"published": {"at": "2026-05-02T00:00:00Z", "precision": "day"}}),
    ],
)  # fmt: skip
def test_what_a_model_reads_as_support_is_held_against_the_numbers_as_written(
    statement: str, words: str, more: dict[str, object]
) -> None:
    document = Document.model_validate(
        {"snapshot": "s", "url": "https://a.example/", "text": f"{words} More follows.", **more}
    )
    reading = Reading(passage_id="P1", stance=Stance.SUPPORTS, confidence=0.9, quote=words, start=0, end=len(words))
    judged = [Judged(reading, Span(0, len(words)))]
    assert outcome(statement, document, judged, by_model=True).outcome is Outcome.HOLDS
    wrong = statement.replace("4,270", "4,370").replace("30,800", "38,000").replace("2025 than", "2023 than")
    if wrong != statement:
        assert outcome(wrong, document, judged, by_model=True).outcome is Outcome.PARTLY


def test_another_date_in_the_words_of_support_is_named() -> None:
    words = "The plant closed on Nov. 14, 2022, and opened again in March 2023."
    document = Document(snapshot="s", url="https://a.example/", text=words)
    judged = [
        Judged(
            Reading(passage_id="P1", stance=Stance.SUPPORTS, confidence=0.9, quote=words, start=0, end=len(words)),
            Span(0, len(words)),
        )
    ]
    for date, expected in (("14 November 2022", Outcome.HOLDS), ("16 November 2022", Outcome.PARTLY),
                           ("November 2022", Outcome.HOLDS)):  # fmt: skip
        found_ = outcome(f"The plant closed in {date}.", document, judged, by_model=True)
        assert found_.outcome is expected, found_.reason


def test_without_a_language_model_words_of_two_clauses_make_no_statement() -> None:
    said = "A new main along Mill Street was approved in March 2026 and is to be laid in 2027."
    document = Document(snapshot="s", url="https://a.example/", text=said)
    reading = Reading(passage_id="P1", stance=Stance.SUPPORTS, confidence=0.9, quote=said, start=0, end=len(said))
    for statement, expected in (
        ("A new main along Mill Street was laid in March 2026.", Outcome.PARTLY),
        ("A new main along Mill Street was approved in March 2026.", Outcome.HOLDS),
    ):
        found_ = outcome(statement, document, [Judged(reading, Span(0, len(said)))], by_model=False)
        assert found_.outcome is expected, found_.reason
