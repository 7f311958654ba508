"""Splitting of a text into statements and the sources that they cite."""

from __future__ import annotations

import pytest

from inquest.claims.citations import citations_of
from inquest.domain.audit import CitedText
from inquest.domain.document import Document, NoteMark

LIST = """

## References

1. Air Authority, decision 4. https://air.example/d/4
2. Smith, J. (2020). Deaths in Norway. https://doi.org/10.5555/s.2020
3. [Closing](<https://c.example/3>)

## Annex

The annex counts 412 residents of Haverley in 2024.
"""


def apart(text: str) -> CitedText:
    return citations_of(Document(snapshot="s", url="file:///x.md", text=text, kind="markdown"))


@pytest.mark.parametrize(
    ("sentence", "said", "urls"),
    [
        ("The fine was 150,000 euros in 2023 [1].", "The fine was 150,000 euros in 2023.", ["https://air.example/d/4"]),
        ("The fine was 150,000 euros in 2023.[1, 3]", "The fine was 150,000 euros in 2023.",
         ["https://air.example/d/4", "https://c.example/3"]),
        ("The fine was 150,000 euros in 2023. [Gazette](https://a.example/x).", "The fine was 150,000 euros in 2023.",
         ["https://a.example/x"]),
        ("The fine was 150,000 euros in 2023.¹", "The fine was 150,000 euros in 2023.", ["https://air.example/d/4"]),
        ("The fine was 150,000 euros (Smith, 2020).", "The fine was 150,000 euros.", ["https://doi.org/10.5555/s.2020"]),
        ("The fine was 150,000 euros (Smith 2020, S. 4 f.).", "The fine was 150,000 euros.",
         ["https://doi.org/10.5555/s.2020"]),
        ("The fine was 150,000 euros (Guide to fines, p. 14, https://a.example/x).", "The fine was 150,000 euros.",
         ["https://a.example/x"]),
        ("The fine was 150,000 euros (Source: Reuters, 16 Nov 2026).", "The fine was 150,000 euros.", [""]),
        ("Smith et al. (2020) found 30 % more deaths in Norway.", "Smith found 30 % more deaths in Norway.",
         ["https://doi.org/10.5555/s.2020"]),
        ("The agency [measured 28 %](https://a.example/x_(y)) in 2022.", "The agency measured 28 % in 2022.",
         ["https://a.example/x_(y)"]),
        ("A trial found 40 % fewer cases in 2022 (doi:10.1234/abc.5).", "A trial found 40 % fewer cases in 2022.",
         ["https://doi.org/10.1234/abc.5"]),
        (r"The fine was 150,000 euros in 2023 (\url{https://a.example/x}).", "The fine was 150,000 euros in 2023.",
         ["https://a.example/x"]),
        ("Emissions fell 12 % [1].\n\n", "Emissions fell 12 %.", ["https://air.example/d/4"]),
    ],
)  # fmt: skip
def test_a_mark_of_citation_belongs_to_its_sentence(sentence: str, said: str, urls: list[str]) -> None:
    text = f"It opened in Lund in 1994.\n\n{sentence} Sales rose by 7 % in Lund in 2020.{LIST}"
    found = apart(text)
    named = {each.id: each.url for each in found.sources}
    (one,) = [each for each in found.statements if each.sources]
    assert one.text == said
    assert [named[each] for each in one.sources] == urls
    assert text[one.start : one.end].startswith(sentence[:3])


@pytest.mark.parametrize(
    "listed",
    [
        "References[edit]\n\n1. ^ Levels. https://air.example/d/4\n2. Other. https://c.example/2",
        "[1] Levels. https://air.example/d/4\n\n[2] Other. https://c.example/2",
        "Bibliografía\n\n1. Levels. https://air.example/d/4",
    ],
)
def test_numbered_lines_with_addresses_are_a_list_whatever_its_heading(listed: str) -> None:
    found = apart(f"The fine was 150,000 euros in 2023.[1]\n\n{listed}")
    (one,) = found.statements
    (name,) = one.sources
    assert next(each.url for each in found.sources if each.id == name) == "https://air.example/d/4"


def test_marks_that_are_no_part_of_the_text_cite_their_notes() -> None:
    text = "The fine was 150,000 euros in 2023. The works opened in 1994.\n\n1 Levels. https://air.example/d/4"
    marks = (
        NoteMark(at=35, label="1"),
        NoteMark(at=61, label="a", note="Board: Levels", url="https://board.example/x"),
    )
    found = citations_of(Document(snapshot="s", url="file:///x.pdf", text=text, kind="pdf", note_marks=marks))
    urls = {each.id: each.url for each in found.sources}
    assert [[urls[name] for name in each.sources] for each in found.statements] == [
        ["https://air.example/d/4"], ["https://board.example/x"],
    ]  # fmt: skip


def test_the_list_of_sources_is_no_statement_and_a_number_that_it_lacks_is_kept() -> None:
    found = apart(f"The fine was 150,000 euros in 2023 [1].{LIST}")
    assert [each.text[:9] for each in found.statements] == ["The fine ", "The annex"]
    (one, _) = apart(f"The fine was 150,000 euros in 2023 [9].{LIST}").statements
    assert (one.sources, one.unlisted) == ((), ("9",))


def test_a_sentence_without_a_citation_knows_what_its_paragraph_cites_later() -> None:
    found = apart(f"The fine was 150,000 euros in 2023. The works closed in May 2024 [1].{LIST}")
    assert found.statements[0].later == found.statements[1].sources


def test_a_marked_entry_without_address_or_year_is_listed_and_one_without_a_mark_takes_no_number() -> None:
    listed = "## References\n\n1. The fine. https://a.example/fine\n2. Jobs in Lund\n- Smith, J. (2021)\n"
    found = apart(f"The fine was 150,000 euros in 2023 [2]. It was 90,000 euros in 2021 [3].\n\n{listed}")
    first, second = found.statements
    (name,) = first.sources
    assert next(each.entry for each in found.sources if each.id == name) == "Jobs in Lund"
    assert (second.sources, second.unlisted) == ((), ("3",))


def test_an_entry_without_a_mark_after_a_blank_line_is_no_part_of_the_one_before() -> None:
    listed = "## Sources\n\n1. The fine. https://a.example/fine\n\n   Read in May.\n\nAune, J. (2023). Kelp. https://b.example/k\n"
    found = apart(f"Kelp fell by 31 percent in 2023 [1]. It was the largest fall since 1990 (Aune, 2023).\n\n{listed}")
    named = {each.id: each for each in found.sources}
    first, second = (named[each.sources[0]] for each in found.statements)
    assert first.entry == "The fine. https://a.example/fine Read in May."
    assert second.url == "https://b.example/k"


def test_a_number_of_four_digits_is_a_mark_only_if_it_is_listed() -> None:
    listed = "## References\n\n[1000] The fine. https://a.example/fine\n"
    found = apart(f"The fine was 150,000 euros in Lund [1000]. The works closed in May [2024] in Lund.\n\n{listed}")
    first, *others = found.statements
    assert [each.url for each in found.sources if each.id in first.sources] == ["https://a.example/fine"]
    assert not any(each.sources or each.unlisted for each in others)


BIBLIOGRAPHY = r"""% the references of a report
@string{jour = "Journal of River Hydrology"}
@comment{kept by a reference manager}

@article{tolvanen2019,
  author  = {Tolvanen, Maria and {\"O}berg, Jon and Garc{\'\i}a, Luc{\'i}a and others},
  title   = {{Sediment} Loads of the {Kestrel} River},
  journal = jour # " (online)", month = mar, year = 2019,
  doi     = {10.5555/kestrel.2019},
  abstract = {The Kestrel carried 41 million tonnes in 2018. Loads fell by 12\% after 2015.},
}
@online{brenholt2022,
  author = {{Brenholt and Lund Town Council}}, title = "Electric buses", date = {2022-05-04},
  url = {https://town.example/buses},
}
@misc{online2016, author = {Eva Lind}, title = {Tides}, howpublished = {\url{https://town.example/a\_b}}}
@misc{broken2016, author = {Eva Lind},
  title = {Unclosed {braces,
  year = {2016}, howpublished = {\url{https://town.example/a_b}}
@book{falk2015, author = "Ines Falk", title = "Dams", year = "2015"}
"""


def test_the_entries_of_a_bibliography_are_statements_on_works_and_their_notes_are_statements_of_them() -> None:
    found = citations_of(Document(snapshot="s", url="file:///x.bib", text=BIBLIOGRAPHY, kind="text", title="% the"))
    assert [each.text for each in found.statements] == [
        "Sediment Loads of the Kestrel River (Tolvanen, Öberg, García, 2019)",
        "The Kestrel carried 41 million tonnes in 2018.",
        "Loads fell by 12% after 2015.",
        "Electric buses (Brenholt and Lund Town Council, 2022)",
        "Tides (Lind)",
        "broken2016",
        "Dams (Falk, 2015)",
    ]
    assert [each.work.fault for each in found.statements if each.work] == ["", "", "", "premature end of file", ""]
    assert [(each.label, each.url) for each in found.sources] == [
        ("tolvanen2019", "https://doi.org/10.5555/kestrel.2019"),
        ("brenholt2022", "https://town.example/buses"),
        ("online2016", "https://town.example/a_b"),
        ("broken2016", ""),
        ("falk2015", ""),
    ]
    assert found.title == ""
    first = found.statements[0]
    assert BIBLIOGRAPHY[first.start : first.end] == "{Sediment} Loads of the {Kestrel} River"


@pytest.mark.parametrize(
    ("mark", "cited"),
    [
        ("[@brenholt2022]", ["brenholt2022"]),
        ("[see @brenholt2022, p. 3; @tolvanen2019]", ["brenholt2022", "tolvanen2019"]),
        (r"\citep[p.~3]{tolvanen2019,falk2015}", ["tolvanen2019", "falk2015"]),
        (r"\cite{falk2015}", ["falk2015"]),
    ],
)
def test_a_text_cites_the_entries_of_its_bibliography_by_key(mark: str, cited: list[str]) -> None:
    found = apart(f"# Report\n\nSales rose by 7 % in Lund in 2020 {mark}.\n\n## References\n\n{BIBLIOGRAPHY}")
    labels = {each.id: each.label for each in found.sources}
    assert found.statements[0].text == "Sales rose by 7 % in Lund in 2020."
    assert [labels[each] for each in found.statements[0].sources] == cited
    assert len([each for each in found.statements if each.work]) == 5


def test_a_key_without_an_entry_is_kept() -> None:
    found = apart(f"Sales rose by 7 % in Lund in 2020 [@nobody].\n\n{BIBLIOGRAPHY}")
    assert found.statements[0].unlisted == ("nobody",)


@pytest.mark.parametrize(
    ("sentence", "is_audited"),
    [
        ("“Never before such a harvest of the sea,” per the keeper [1].", True),
        ("Best practice for small farms in wet years [1].", True),
        ("Why did sales of buses fall in Lund? [1]", False),
        ("A new method for cleaning rivers [1]", False),
    ],
)
def test_a_sentence_with_a_citation_is_always_audited(sentence: str, is_audited: bool) -> None:
    found = apart(f"{sentence}\n\n## Sources\n\n[1] https://a.example/fine\n")
    assert bool(found.statements) is is_audited


def test_entries_by_author_and_year_are_a_list_whatever_its_heading() -> None:
    entry = "Junta de Aragón. (2026). El horno sigue quemando gas. https://junta.example/horno"
    found = apart(f"El gas aporta el 14 % del calor (Junta de Aragón, 2026).\n\nBibliografía\n\n{entry}")
    (one,) = found.statements
    assert one.text == "El gas aporta el 14 % del calor."
    assert [each.url for each in found.sources if each.id in one.sources] == ["https://junta.example/horno"]


def test_notes_of_marks_are_no_statements() -> None:
    text = "The fine was 150,000 euros in 2023.\n\n† River festival draws 3,000 people a day (Herald)"
    note = NoteMark(
        at=35, label="†", note="† River festival draws 3,000 people a day (Herald)", url="https://h.example/r"
    )
    found = citations_of(Document(snapshot="s", url="file:///x.html", text=text, note_marks=(note,)))
    assert [each.text for each in found.statements] == ["The fine was 150,000 euros in 2023."]


def test_the_page_that_a_citation_names_is_kept() -> None:
    text = "The fine was 150,000 euros in 2023 [1, p. 14]. It rose to 12 % (Guide, pp. 3–5, https://a.example/x)."
    found = apart(text + LIST)
    assert [list(each.pages.values()) for each in found.statements if each.sources] == [[(14, 14)], [(3, 5)]]
