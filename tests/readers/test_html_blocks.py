"""A page in blocks: the article, the kind of each block, and other parts that are not evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import Element

from inquest.domain.document import BlockKind, Document
from inquest.domain.errors import PageError
from inquest.readers.html.leaves import Leaf
from inquest.readers.html.reader import HtmlReader
from inquest.text.blocks import evidence_sentences

Read = Callable[..., Document]

FIRST = (
    "The port authority said on Tuesday that the sale of its eastern basin to a private operator had been called off."
)
SECOND = "Two members of its board had voted against the deal, which was worth 140 million euros, minutes of May show."
THIRD = "Neither side would say whether talks will go on, and the basin's 310 workers have been given no date."
BODY = f"<p>{FIRST}</p><p>{SECOND}</p><p>{THIRD}</p>"
OTHER = "The council of a town far inland voted to close its only swimming pool because the boiler is beyond repair."


@pytest.fixture
def read(snapshot_of: Any) -> Read:
    def reading(body: str, head: str = "", url: str = "https://gazette.example/news/port-deal") -> Document:
        page = f'<html lang="en"><head><title>Port deal is off | Gazette</title>{head}</head><body>{body}</body></html>'
        return HtmlReader().read(page.encode(), snapshot_of(page.encode(), url, content_type="text/html"))

    return reading


def said(document: Document, *kinds: BlockKind) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if block.kind in kinds]


@pytest.mark.parametrize(
    "around",
    [
        "<div class='byline'>By A. Writer</div><div class='share-tools'>Share <a href='#'>Post</a></div>{}",
        "{}<section id='comments'><article class='comment'><b>reader7</b><p>" + OTHER + "</p></article></section>",
        "{}<div class='newsletter-box'><h4>The morning letter</h4><p>Sign up and never miss a story of ours.</p></div>",
        "<div id='cookie-banner' role='dialog'><p>We and our 842 partners store data on your device.</p></div>{}",
        "{}<aside><h3>More</h3><ul><li><a href='/pool'>" + OTHER + "</a></li></ul></aside>",
        "<div class='ad'><p>In partnership with</p><p>Trade now with Brokerly.</p></div>{}",
        "<div class='c-advertising'><p>A short word from the makers of Brokerly.</p></div>{}",
        "{}<p><b>More on this:</b> <a href='/pool'>A town closes its pool</a></p>",
        "<p class='kicker'>Analysis of the day in the port.</p>{}<footer><p>© 2019 Gazette. Founded 1868.</p></footer>",
        "{}<div class='x-article-next'><h1><a href='/pool'>A town closes its pool</a></h1><p>" + OTHER + "</p></div>",
        "{}<article><h2><a href='/pool'>A town closes its pool</a></h2><p>"
        + OTHER
        + "</p><p>"
        + OTHER
        + "</p></article>",
    ],
)
def test_what_stands_around_an_article_is_not_in_its_text(read: Read, around: str) -> None:
    article = f"<div class='wrap'><h1>Port deal is off</h1>{BODY}</div>"
    document = read(around.format(article))
    assert document.text == "\n\n".join((FIRST, SECOND, THIRD))


def test_a_time_of_update_and_a_link_to_edit_are_no_part_of_the_text(read: Read) -> None:
    stamp = "<p>Updated 11:59 AM EDT, Wed May 3, 2024</p>"
    heading = "<h2>Cranes<span class='mw-editsection'>[<a href='/edit'>edit</a>]</span></h2>"
    document = read(f"<article><h1>Port deal is off</h1>{stamp}<p>{FIRST}</p>{heading}<p>{SECOND}</p></article>")
    assert said(document, BlockKind.HEADING) == ["Cranes"]
    assert not said(document, BlockKind.UPDATE_NOTE) and not document.notes


def test_a_summary_beside_the_heading_is_read(read: Read) -> None:
    head = "<header><h1>Port deal is off</h1><p class='head__subtitle'>Basin to stay public</p><p>3 likes</p></header>"
    assert read(f"<article>{head}<div>{BODY}</div></article>").text.startswith(f"Basin to stay public\n\n{FIRST}")


@pytest.mark.parametrize("around", ["main", "article"])
def test_short_paragraphs_below_a_long_lead_are_read(read: Read, around: str) -> None:
    lead = f"{FIRST[:-1]}, and its 310 workers will be told by letter."
    hero = f"<section class='hero'><h1>Port deal is off</h1><p>{lead}</p></section>"
    short = ("The letters go out on Monday.", "Two unions of the basin's workers have asked for talks.")
    body = f"<section class='text'><div><p>{short[0]}</p><p>{short[1]}</p></div></section>"
    assert read(f"<{around}>{hero}{body}</{around}>").text == "\n\n".join((lead, *short))


@pytest.mark.parametrize("part", ["class='par'", "data-component='text'"])
def test_a_short_last_paragraph_in_an_element_of_its_own_is_read(read: Read, part: str) -> None:
    last = "It later took that back."
    body = f"<div {part}><p>{FIRST}</p></div><figure><img></figure><div {part}><p>{last}</p></div>"
    assert read(f"<article><h1>Port deal is off</h1>{body}</article>").text == f"{FIRST}\n\n{last}"


def test_a_short_lead_between_heading_and_body_is_read(read: Read) -> None:
    lead = "The basin stays with the town."
    text = read(f"<div><div><h1>Port deal is off</h1><p>{lead}</p><div>{BODY}</div></div></div>").text
    assert text.startswith(f"{lead}\n\n{FIRST}")


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("<ul class='article-body__list'><li>Berths: 14</li></ul>", "- Berths: 14"),
        ("<ul class='story-list'><li><a href='/b'>Berths: 14</a></li></ul>", None),
        ("<p><b>The berths</b></p>", "The berths"),
    ],
)
def test_a_short_block_within_the_body_is_read(read: Read, block: str, line: str | None) -> None:
    body = f"<div class='article-body'><p>{FIRST}</p><p>{SECOND}</p>{block}<p>{THIRD}</p></div>"
    text = read(f"<article><h1>Port deal is off</h1>{body}</article>").text
    assert text == "\n\n".join([FIRST, SECOND, *([line] if line else []), THIRD])


def test_an_entry_of_a_live_report_keeps_its_heading(read: Read) -> None:
    entry = (
        "<li><article><header><time datetime='2024-05-03T12:05'>12.05</time><h2>Cranes</h2></header><p>{}</p></article>"
    )
    document = read(f"<main><h1>Port deal is off</h1><p>{FIRST}</p><ol>{entry.format(SECOND)}</ol></main>")
    assert document.text == f"{FIRST}\n\nCranes\n\n{SECOND}" and said(document, BlockKind.HEADING) == ["Cranes"]


def test_replies_left_out_of_a_discussion_are_noted(read: Read) -> None:
    post = (
        f"<div itemprop='text'>{BODY}</div><div itemprop='comment' class='comment'><p>It was the same here.</p></div>"
    )
    kind = "itemscope itemtype='http://schema.org/DiscussionForumPosting'"
    document = read(f"<h1>Port deal is off</h1><div {kind}>{post}</div>")
    data = '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>'
    declared = read(f"<h1>Port deal is off</h1><div>{post.replace('itemprop', 'data-part')}</div>", data)
    assert document.notes == declared.notes == ("replies of the discussion left out",)


def test_a_label_and_a_link_between_paragraphs_are_left_out(read: Read) -> None:
    label = "<div><span>Lees ook:</span><a href='/b'>Storm closes the basin</a></div>"
    page = f"<article><h1>Port deal is off</h1><div><p>{FIRST}</p><p>{SECOND}</p>{label}<p>{THIRD}</p></div></article>"
    assert read(page).text == "\n\n".join((FIRST, SECOND, THIRD))


@pytest.mark.parametrize("name", ["<h2><a href='/m'>{}</a></h2>", "<div><a href='/m'><div>{}</div></a></div>"])
def test_the_names_above_the_speeches_of_a_transcript_are_read(read: Read, name: str) -> None:
    speech = f"<div class='speech'>{name}<div class='words'><p>{{}}</p></div></div>"
    speeches = speech.format("Una Brack (Chair)", FIRST) + speech.format("The Mayor", "Who will tell the workers?")
    text = read(f"<main><h1>Port deal is off</h1>{speeches}</main>").text
    assert text == f"Una Brack (Chair)\n\n{FIRST}\n\nThe Mayor\n\nWho will tell the workers?"


LEAD = "The basin stays with the town, the mayor says"


@pytest.mark.parametrize(
    ("head", "lead"),
    [
        (f"<header>{{}}<p>{LEAD}</p></header>", LEAD),
        ("{}<div class='price'>€39,90</div><button>Buy</button>", "€39,90"),
        (f"<header>{{}}<h2 class='sub-title'>{LEAD}</h2></header>", LEAD),
        ("<header>{}<h2>Ships and Tides</h2></header>", None),
        (f"<header>{{}}</header><div><span>{LEAD}.</span></div>", f"{LEAD}."),
        (f"<header>{{}}<ul><li>{LEAD}</li></ul></header>", f"- {LEAD}"),
        (f"<header>{{}}<div>By <a href='/a'>Una Brack</a></div><ul><li>{LEAD}</li><li>Save</li></ul></header>", None),
        (f"<header>{{}}</header><div><img src='a.png'><p>{LEAD}</p></div>", None),
        ("<header>{}<p>posted by the port on 3 May 2024, 11:59</p></header>", None),
    ],
)
def test_prose_between_the_heading_and_a_body_of_a_known_class_is_read(read: Read, head: str, lead: str | None) -> None:
    page = f"<article>{head}<div class='article-body'>{BODY}</div></article>"
    expected = [*([lead] if lead else []), FIRST, SECOND, THIRD]
    assert read(page.format("<h1>Port deal is off</h1>")).text == "\n\n".join(expected)


def test_a_list_below_the_only_sentence_is_read(read: Read) -> None:
    page = "<main><h1>Port deal is off</h1><p>{}</p><ul><li>Berths: 14<li>Cranes: 6</ul></main>"
    assert read(page.format(FIRST)).text == f"{FIRST}\n\n- Berths: 14\n- Cranes: 6"


def test_pairs_of_a_description_list_are_read_whole_and_in_each_part_of_a_notice(read: Read) -> None:
    pairs = (
        "<dt>Issuer</dt><dd>WENBY PORT HOLDINGS LIMITED</dd><dt>Delisted</dt><dd>No</dd>",
        f"<dt>Filed by</dt><dd>Ida Holm</dd><dt>Reference</dt><dd>WP2411</dd><dt>Event</dt><dd>{FIRST}</dd>",
    )
    parts = "".join(f"<div class='group'><h2>Part</h2><dl>{each}</dl></div>" for each in pairs)
    last = "<h2>Measures taken</h2><ul><li>Recall of the notes from holders (from 12 June)</li></ul>"
    lines = read(f"<div><h1>Port deal is off</h1>{parts}{last}</div>").text.split("\n\n")
    assert lines[:6] == ["Part", "Issuer", "WENBY PORT HOLDINGS LIMITED", "Delisted", "No", "Part"]
    assert lines[6:10] == ["Filed by", "Ida Holm", "Reference", "WP2411"]
    assert lines[-2:] == ["Measures taken", "- Recall of the notes from holders (from 12 June)"]


def test_an_empty_line_parts_preformatted_text(read: Read) -> None:
    lines = FIRST.replace(" of its", "\nof its")
    assert read(f"<h1>Port deal is off</h1><pre>\n{lines}\n\n{SECOND}\n</pre>").text == f"{FIRST}\n\n{SECOND}"


def test_each_block_says_what_it_is(read: Read) -> None:
    table = "<table><tr><th>Basin</th><th>Area (ha)</th></tr><tr><td>East</td><td>41</td></tr></table>"
    document = read(
        "<article><h1>Port deal is off</h1>"
        f"<p>HARLOW, May 3 (Agency) - {FIRST}</p><h2>What the minutes show</h2><p>{SECOND}</p>"
        f"<ul><li>East basin: closed</li><li>West basin: open</li></ul>{table}<p>{THIRD}</p>"
        "<p>Correction: An earlier version gave the wrong number of workers.</p></article>"
    )
    kinds = [block.kind.value for block in document.blocks]
    assert kinds == ["dateline", "paragraph", "heading", "paragraph", "list", "table", "paragraph", "update note"]
    assert said(document, BlockKind.DATELINE) == ["HARLOW, May 3 (Agency) -"]
    assert said(document, BlockKind.LIST) == ["- East basin: closed\n- West basin: open"]
    assert said(document, BlockKind.TABLE) == ["Basin | Area (ha)\nEast | 41"]
    evidence = [span.of(document.text) for span in evidence_sentences(document)]
    assert evidence[0] == FIRST and "What the minutes show" not in evidence
    assert not any("Correction" in sentence for sentence in evidence)
    assert any("wrong number of workers" in note for note in document.notes)


@pytest.mark.parametrize(
    "table", ["<table class='infobox'>{}</table>", "<figure><figcaption>Tonnes</figcaption><table>{}</table></figure>"]
)
def test_a_table_of_an_article_is_read_with_its_caption(read: Read, table: str) -> None:
    rows = "<tr><th>Berths</th><td>14</td></tr><tr><th>Cranes</th><td>6<ul><li>of iron</li></ul></td></tr>"
    text = read(f"<article><h1>Port deal is off</h1>{table.format(rows)}{BODY}</article>").text
    assert "Cranes | 6 of iron" in text
    assert ("Tonnes" in text) == ("Tonnes" in table)


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        ("<tr><td>East<td>{}<td>41</tr><tr><td>West<td>no<td>7</tr>", "East | Cranes 6 ; Quays 2 | 41\nWest | no | 7"),
        ("<tr><td>East basin{}</td></tr><tr><td>The west has none.</td></tr>", "East basin\n\nCranes | 6\nQuays | 2"),
    ],
    ids=["of data", "of the layout"],
)
def test_a_table_with_a_table_in_a_cell_keeps_its_rows(read: Read, rows: str, shown: str) -> None:
    inner = "<table><tr><td>Cranes</td><td>6</td></tr><tr><td>Quays</td><td>2</td></tr></table>"
    assert shown in read(f"<h1>Port deal is off</h1>{BODY}<table>{rows.format(inner)}</table><p>{THIRD}</p>").text


CRANES = "Six of the cranes of the port are more than forty years old, an inspector found in spring."


@pytest.mark.parametrize(
    ("part", "taken"),
    [
        (f"<section><h2>Cranes</h2><p>{CRANES}</p></section>", ["Cranes", CRANES]),
        ("<h2>Size</h2><table><tr><th>Basin</th><th>ha</th></tr><tr><td>East</td><td>41</td></tr></table>",
         ["Size", "Basin | ha\nEast | 41"]),
        ("<section><div>-38% ships since May</div><div>72 ha sold</div></section>",
         ["-38% ships since May", "72 ha sold"]),
        ("<section><div>38</div><div>%</div><p>of ships</p><div>72 ha sold</div></section>",
         ["38%", "of ships", "72 ha sold"]),
        (f"<section class='toc-section'><h2>Cranes</h2><p>{CRANES}</p></section>", ["Cranes", CRANES]),
        (f"<section><p>{SECOND}</p></section>", []),
        ("<section><h2>More</h2><ul><li><a href='/pool'>A town closes its pool.</a></li></ul></section>", []),
    ],
)  # fmt: skip
def test_parts_beside_the_body_are_read_if_they_state_something(read: Read, part: str, taken: list[str]) -> None:
    above = read(f"<main><h1>Port deal is off</h1>{part}<div>{BODY}</div></main>").text
    assert above.split("\n\n") == [*taken, FIRST, SECOND, THIRD]
    below = read(f"<main><h1>Port deal is off</h1><div>{BODY}</div>{part}</main>").text
    assert below.split("\n\n") == [FIRST, SECOND, THIRD, *taken]


def test_every_row_of_a_letter_in_a_layout_table_is_read(read: Read) -> None:
    row = "<tr><td><p>The crew of the tug was thanked with a dinner in the customs house, as every year.</p></td></tr>"
    page = f"<center><table><tr><td><h1>Port deal is off</h1>{BODY}</td></tr>{row}</table></center>"
    assert read(page).text.endswith("as every year.")


@pytest.mark.parametrize(("heading", "is_read"), [("", True), ("<h2>References</h2>", False)])
def test_notes_right_below_the_text_are_read_if_its_marks_lead_to_them(read: Read, heading: str, is_read: bool) -> None:
    mark = "<a href='#_ftn1' name='_ftnref1'>[1]</a>"
    note = f"{heading}<hr><div id='_ftn1'><p><a href='#_ftnref1'>[1]</a> Cranes were sold in 1911.</p></div>"
    text = read(f"<div><h1>Port deal is off</h1><p>{FIRST}{mark}</p><p>{SECOND}</p></div><div>{note}</div>").text
    assert text == "\n\n".join((FIRST, SECOND, *["[1] Cranes were sold in 1911."] * is_read))


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ("<table><tr><td>All<td>7<tfoot><tr><td>East<td>4<tr><td colspan=2>Without the mill.</table>",
         "All | 7\nEast | 4\n\nWithout the mill."),
        ("<p>The fine was 7,500 crowns.<sup><a href='#n1'>1</a></sup></p>", "The fine was 7,500 crowns."),
        ("<h2 id='a'><a href='#a'>Cranes</a></h2>", "Cranes"),
        ("<pre><code>berths = 14\ncranes = 6\n</code></pre>", "berths = 14\ncranes = 6"),
        ("<div><a href='#toc'>Contents</a></div><div><span style='font-weight:700'>Item 1A</span></div>", "Item 1A"),
        ("<div><span>- Advertisement -</span></div>", ""),
        ("<table><tr><th>Basin<th>ha<tr><td>East<td>41</table><ol class='footnotes'><li>Without the mill.</li></ol>",
         "Basin | ha\nEast | 41\n\n1. Without the mill."),
        ("<div role='tabpanel' hidden><p>The basin is 9 metres deep.</p></div>",
         "The basin is 9 metres deep."),
        ("<ul><li><div>A crane of the port, comprising: <div>a hook; and</div><div>2 ropes.</div></div></li></ul>",
         "- A crane of the port, comprising:\n- a hook; and\n- 2 ropes."),
        ("<dl><dt>Sold on</dt><dd><time datetime='2024-05-03'>2024-05-03</time></dd><dt>Size</dt><dd>9 ha</dd></dl>",
         "Sold on\n\n2024-05-03\n\nSize\n\n9 ha"),
        ("<h2><button aria-expanded='false'>Who pays?</button></h2><div><p>The town pays for all of it.</p></div>",
         "Who pays?\n\nThe town pays for all of it."),
        ("<h2 id='a'>Cranes <a href='#a'>¶</a></h2>", "Cranes"),
        ("<p><a href='/letters/7.PDF?v=2'>The letter of the board</a></p>", "The letter of the board"),
        ("<ul><li><a href='/1.pdf'>Letter of May</a></li></ul>", "- Letter of May"),
        ("<figure><blockquote><p>We never wanted it.</p></blockquote><figcaption>Ann Voss</figcaption></figure>",
         "We never wanted it.\n\nAnn Voss"),
        ("<figure><img src='a.png'><figcaption>Figure 2. Ships in May</figcaption></figure>", "Figure 2. Ships in May"),
        ("<aside class='callout'><h4>Key figure</h4><p>The basin is 9 metres deep.</p></aside>",
         "Key figure\n\nThe basin is 9 metres deep."),
        ("<aside><h4>More</h4><p>A town has closed <a href='/pool'>its only pool</a>.</p></aside>", ""),
        ("<div><h3>Our letter</h3><form><input type='email'></form><p>We sell no data.</p></div>", ""),
    ],
)  # fmt: skip
def test_a_block_within_the_body_is_read(read: Read, block: str, shown: str) -> None:
    text = read(f"<main><article><h1>Port deal is off</h1><p>{FIRST}</p>{block}<p>{SECOND}</p></article></main>").text
    assert text == "\n\n".join(filter(None, (FIRST, shown, SECOND)))


def test_a_page_of_a_table_and_labels_is_read_whole(read: Read) -> None:
    pairs = (
        "<div><div class='head'>Sold on</div><div>2024-05-03</div><div class='head'>Basin</div><div>East</div></div>"
    )
    rows = "".join(f"<tr><td>{at}<td>The letter of the board of {at} May<td>letter{at}.pdf" for at in range(1, 5))
    page = f"<div><p>Form 7, sale of a basin to a private operator</p>{pairs}<table><tr><th>No.<th>Letter<th>File{rows}"
    text = read(f"<div><ul><li><a href='/a'>Home</a></li></ul></div>{page}</table></div>").text
    assert text.startswith("Form 7, sale") and "Sold on\n\n2024-05-03\n\nBasin\n\nEast\n\nNo. | Letter" in text


def test_a_post_that_is_only_shown_without_scripts_is_read(read: Read) -> None:
    shell = (
        f"<div id='app'></div><noscript><p>Scripts are needed here.</p></noscript><noscript><p>{OTHER}</p></noscript>"
    )
    assert read(shell, f"<meta property='og:description' content='{OTHER}'>").text == OTHER
    with pytest.raises(PageError):
        read(shell, "<meta property='og:description' content='Our gazette'>")


@pytest.mark.parametrize(("about", "is_doubted"), [("Our pool is closed", False), ("Ships and tides", True)])
def test_a_text_with_words_of_the_description_is_no_notice(read: Read, about: str, is_doubted: bool) -> None:
    document = read(f"<div><p>{OTHER}</p></div>", f"<meta property='og:description' content='{about}'>")
    assert document.text == OTHER and any("may be a notice" in str(note) for note in document.notes) == is_doubted


def test_a_heading_above_a_part_of_the_body_is_read(read: Read) -> None:
    parts = f"<h2>Facts</h2><div class='n'><p>{FIRST}</p></div><h2>Grounds</h2><div class='n'><p>{SECOND}</p></div>"
    text = read(f"<div><h1>Port deal is off</h1>{parts}<div class='n'><p>{THIRD}</p></div></div>").text
    assert text == "\n\n".join(("Facts", FIRST, "Grounds", SECOND, THIRD))


def test_a_part_below_the_body_without_a_word_of_the_title_is_left_out(read: Read) -> None:
    author = "<section><h2>Anna Berg</h2><p>She has written for this paper since the spring.</p></section>"
    text = read(f"<main><h1>Port deal is off</h1><div>{BODY}</div>{author}</main>").text
    assert text == "\n\n".join((FIRST, SECOND, THIRD))


def test_the_interests_stated_below_a_paper_are_read(read: Read) -> None:
    stated = "<div><h2>Conflict of interest statement</h2><p>AB has received fees from Quay AS.</p></div>"
    head = "<meta name='citation_title' content='Port deal is off'>"
    text = read(f"<main><h1>Port deal is off</h1><div>{BODY}</div>{stated}</main>", head=head).text
    assert text.endswith("Conflict of interest statement\n\nAB has received fees from Quay AS.")


def test_a_sentence_ends_before_the_marks_of_its_notes() -> None:
    assert Leaf(BlockKind.PARAGRAPH, "It closed in May. [1] [b]", Element("p")).is_sentence


def test_a_link_in_brackets_is_left_out(read: Read) -> None:
    edit = "<div><h2>Votes</h2>[<a href='/edit'>edit</a>]</div>"
    text = read(f"<main><h1>Port deal is off</h1><p>{FIRST}</p>{edit}<p>{SECOND}</p></main>").text
    assert text == f"{FIRST}\n\nVotes\n\n{SECOND}"


def test_a_link_below_its_label_is_left_out(read: Read) -> None:
    text = "<p>Dredging of the basin stopped on Tuesday after tests showed mercury at 3.8 milligrams per kilogram.</p>"
    text += "<p>About 14,000 cubic metres of silt are already on the heap.</p>"
    cell = "<td><b>Most read</b><br><a>Goat elected to the council</a></td>"
    assert (
        "Goat"
        not in read(f"<table><tr><td><b>Dredging halted</b><br>By Ida Holmberg{text}</td>{cell}</tr></table>").text
    )


def test_a_list_is_read_as_a_whole(read: Read) -> None:
    facts = "<ul><li>Berths: 14</li><li>Owner: the town of Wenby and its mill</li><li>Cranes: 6</li></ul>"
    text = read(f"<article><h1>Port deal is off</h1>{facts}<p>{FIRST}</p></article>").text
    assert "- Berths: 14\n" in text
    assert "- Cranes: 6\n" in text


def test_items_have_the_numbers_that_a_browser_shows(read: Read) -> None:
    inner = "<ol type=a><li>of iron</li><li>of wood</li></ol>"
    items = f"<li><p>Berths: 14</p><p>All in use.</p></li><li>Cranes: 6{inner}</li><li value=7>Sheds: 3</li>"
    bare = "<ol style='list-style: none'><li>Owner: the town of Wenby</li></ol>"
    text = read(f"<article><h1>Port deal is off</h1><p>{FIRST}</p><ol>{items}</ol>{bare}<p>{SECOND}</p></article>").text
    lines = (
        "1. Berths: 14\n- All in use.\n2. Cranes: 6\na. of iron\nb. of wood\n7. Sheds: 3\n- Owner: the town of Wenby"
    )
    assert lines in text


def test_a_minus_sign_ends_no_dateline(read: Read) -> None:
    rows = ("Turnover (real) -1.7% on the month.", "Net result (EUR million) -48.2 in 2023.")
    document = read(f"<article><h1>Port deal is off</h1><p>{rows[0]}</p><p>{rows[1]}</p>{BODY}</article>")
    assert said(document, BlockKind.PARAGRAPH)[:2] == [*rows]


@pytest.mark.parametrize("part", ["class='cmp-text'", "class='teaser-text' itemprop='description'"])
def test_a_name_of_the_page_s_components_makes_no_part_foreign(read: Read, part: str) -> None:
    lead = "The port council of Wenby will not sell the quay."
    assert lead in read(f"<main><h1>Port deal is off</h1><div {part}><p>{lead}</p></div>{BODY}</main>").text


@pytest.mark.parametrize(
    "sentence",
    [
        "Паром вышел из порта в 14:20 и вернулся поздно вечером из-за шторма.",
        "המעבורת יצאה מהנמל בשעה 14:20 וחזרה מאוחר בערב בגלל הסערה.",
    ],
)
def test_a_time_in_the_first_sentence_ends_no_dateline(read: Read, sentence: str) -> None:
    document = read(f"<article><h1>Port deal is off</h1><p>{sentence}</p>{BODY}</article>")
    assert said(document, BlockKind.PARAGRAPH)[0] == sentence


def test_a_label_with_a_colon_further_down_is_no_dateline(read: Read) -> None:
    row = "Harlow (Alder Works): 16,400 megawatt hours, after 21,400 megawatt hours in the year before."
    document = read(f"<article><h1>Large users</h1><p>HARLOW (Agency): {FIRST}</p><p>{row}</p><p>{THIRD}</p></article>")
    assert said(document, BlockKind.DATELINE) == ["HARLOW (Agency):"]
    assert row in said(document, BlockKind.PARAGRAPH)


def test_a_link_in_the_running_text_is_told_from_one_beside_it(read: Read) -> None:
    linked = SECOND.replace("minutes of May", "<a href='/minutes'>minutes of <i>May</i></a>")
    document = read(
        f"<article><h1>Port deal is off</h1><p>{FIRST}</p><p>{linked}</p><p>{THIRD}</p></article>"
        "<aside class='related'><a href='/pool'>A town closes its pool</a></aside>"
    )
    (link,) = document.text_links
    assert link.url == "https://gazette.example/minutes"
    assert document.text[link.start : link.end] == "minutes of May"
    assert document.text[document.blocks[link.block].start : document.blocks[link.block].end] == SECOND
    assert "https://gazette.example/pool" in document.links


def test_times_of_a_live_page_are_not_part_of_its_entries(read: Read) -> None:
    entries = "".join(
        f"<div class='entry'><time datetime='2025-05-20T{hour}:15:00Z'>{hour}:15</time> Share<p>{text}</p></div>"
        for hour, text in (("14", FIRST), ("12", SECOND), ("09", THIRD))
    )
    document = read(f"<main><h1>Port deal is off</h1><div class='entries'>{entries}</div></main>")
    assert document.text == "\n\n".join((FIRST, SECOND, THIRD))


def test_the_times_of_the_entries_of_a_live_report_are_read(read: Read) -> None:
    entry = "<div class='entry'><time datetime='2025-05-20T14:15'>14:15</time><h3>Cranes</h3><p>{}</p></div>"
    head = '<script type="application/ld+json">{"@type": "LiveBlogPosting"}</script>'
    page = f"<main><h1>Port deal is off</h1><p>{FIRST}</p>{entry.format(SECOND)}{entry.format(THIRD)}</main>"
    text = read(page, head).text
    assert text == "\n\n".join((FIRST, "14:15", "Cranes", SECOND, "14:15", "Cranes", THIRD))


def test_an_article_on_several_pages_names_the_pages_that_follow(read: Read) -> None:
    pager = (
        "<nav><b>1</b> <a href='?page=2' rel='next'>2</a> <a href='?page=3'>3</a> <a href='/other?page=2'>2</a></nav>"
    )
    article = f"<article><h1>Port deal is off</h1>{BODY}</article>"
    address = "https://gazette.example/news/port-deal"
    assert read(article + pager).more_pages == (f"{address}?page=2", f"{address}?page=3")
    last = "<nav><a href='?page=1'>1</a> <a href='?page=2'>2</a> <b>3</b></nav>"
    assert read(article + last, url=f"{address}?page=3").more_pages == ()
    assert read(article).more_pages == ()


def test_the_time_of_another_article_is_not_this_one_s(read: Read) -> None:
    other = (
        "<div class='scroll'><h1><a href='/pool'>A town closes its pool</a></h1>"
        f"<time datetime='2025-01-09T08:00:00Z'>9 January</time><p>{OTHER}</p></div>"
    )
    tag = "<meta property='article:published_time' content='2025-05-20T10:00:00Z'>"
    document = read(f"<div><h1>Port deal is off</h1>{BODY}</div>{other}", head=tag)
    assert document.published is not None and document.published.iso == "2025-05-20T10:00:00Z"
    assert [each.iso for each in document.dates] == ["2025-05-20T10:00:00Z"]


def test_of_ten_articles_the_first_is_read(read: Read) -> None:
    more = "".join(
        f"<article><h1><a href='/{number}'>Another story, number {number}</a></h1><p>{OTHER} {number}.</p></article>"
        for number in range(9)
    )
    document = read(f"<article><h1>Port deal is off</h1>{BODY}</article>{more}")
    assert document.text == "\n\n".join((FIRST, SECOND, THIRD))
    assert any("9 other articles" in note for note in document.notes)


def test_a_list_of_articles_is_said_to_be_one(read: Read) -> None:
    stories = "".join(
        f"<article><h2><a href='/{number}'>Story number {number}</a></h2><p>{OTHER} {number}.</p></article>"
        for number in range(10)
    )
    document = read(f"<main><h1>Port deal is off</h1>{stories}</main>")
    assert document.text.count(OTHER) == 10
    assert any("list of articles" in note for note in document.notes)


@pytest.mark.parametrize("level", ["h1", "h2"])
def test_articles_side_by_side_under_no_heading_are_all_read(read: Read, level: str) -> None:
    stories = "".join(
        f"<article><{level}>Something else, number {number}</{level}><p>By Reporter {number}</p>"
        f"<p>{OTHER} {number}.</p></article>"
        for number in range(10)
    )
    document = read(f"<header>Menu</header>{stories}")
    assert document.text.count(OTHER) == 10


def test_articles_below_the_page_s_heading_are_its_sections(read: Read) -> None:
    parts = "".join(
        f"<article><h2>Part {n}</h2><p>{text}</p></article>" for n, text in enumerate((BODY, OTHER, CRANES))
    )
    text = read(f"<main><h1>Port deal is off</h1>{parts}</main>").text
    assert OTHER in text and CRANES in text


def test_a_page_of_nothing_but_what_stands_around_articles_is_told_from_a_shell(read: Read) -> None:
    links = "".join(f"<a href='/{number}'>Section {number} of the paper</a> " for number in range(14))
    around = f"<nav>{links}</nav><aside class='related'><h3>Most read</h3>{links}</aside><footer>{links}</footer>"
    with pytest.raises(PageError, match="no text of its own: only navigation"):
        read(around)


def test_a_page_of_nothing_but_links_says_so(read: Read) -> None:
    rows = "".join(f"<li><a href='/{number}'>A story about the number {number}</a></li>" for number in range(30))
    document = read(f"<main><h1>All stories</h1><ul>{rows}</ul></main>")
    assert evidence_sentences(document) == []
    assert any("list of links" in note for note in document.notes)


@pytest.mark.parametrize(
    "shell",
    [
        "<div id='root'></div><noscript>You need to enable JavaScript to run this app.</noscript><script>1</script>",
        "<div id='cookie-banner' role='dialog'><p>We and our 842 partners store information on your device.</p></div>",
    ],
)
def test_a_shell_without_text_is_no_document(read: Read, shell: str) -> None:
    with pytest.raises(PageError, match="no readable text"):
        read(shell)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("ar", "أعلنت سلطة الميناء يوم الثلاثاء إلغاء صفقة بيع الحوض الشرقي إلى شركة خاصة بعد تصويت المجلس."),
        (
            "ja",
            "港湾局は火曜日、東側の岸壁を民間企業に売却する契約を取りやめたと発表した。議会の採決を受けた決定だという。",
        ),
    ],
)
def test_other_scripts_are_read_in_the_same_blocks(read: Read, lang: str, text: str) -> None:
    document = read(
        f"<header><nav><a href='/'>⌂</a></nav></header><article lang='{lang}'><h1>Port deal is off</h1>"
        f"<p>{text}</p><p>2 {text}</p><p>3 {text}</p></article><aside><a href='/x'>{text}</a></aside>"
    )
    assert document.text == "\n\n".join((text, f"2 {text}", f"3 {text}"))
    assert [block.kind for block in document.blocks] == [BlockKind.PARAGRAPH] * 3


_TAGS = ("div", "p", "h2", "ul", "li", "article", "aside", "a", "b", "table", "tr", "td", "blockquote", "time", "span")
_TREES = st.recursive(
    st.text("abc déمرحبا 港. \u200b\u00a0", max_size=30),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag} class='x' href='/a'>{''.join(parts)}</{tag}>",
        st.sampled_from(_TAGS),
        st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)


@given(_TREES)
def test_blocks_and_links_of_any_page_lie_in_its_text_in_order(snapshot_of: Any, tree: str) -> None:
    page = f"<html><head><title>t</title></head><body><h1>t</h1>{tree}<p>{FIRST}</p></body></html>".encode()
    document = HtmlReader().read(page, snapshot_of(page, content_type="text/html"))
    edge = 0
    for block in document.blocks:
        assert edge <= block.start < block.end <= len(document.text)
        assert document.text[block.start : block.end].strip() == document.text[block.start : block.end]
        edge = block.end
    for link in document.text_links:
        block = document.blocks[link.block]
        assert block.start <= link.start < link.end <= block.end
