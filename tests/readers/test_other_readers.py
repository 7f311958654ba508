"""Feeds, text, Markdown and rows."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import BlockKind
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers import pick
from inquest.readers.feed import FeedReader
from inquest.readers.html.reader import HtmlReader
from inquest.readers.plain import clean, one_line
from inquest.readers.text import MarkdownReader, RowReader, TextReader

RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Echo News</title>
<language>en-gb</language>
<link>https://echo.example/</link><pubDate>Mon, 03 Mar 2025 08:00:00 GMT</pubDate>
<item><title>Bridge shut</title><link>https://echo.example/bridge</link><dc:creator>Ida Holm</dc:creator>
<pubDate>Sun, 02 Mar 2025 10:00:00 GMT</pubDate>
<description>&lt;p&gt;The bridge is &lt;b&gt;shut&lt;/b&gt;.&lt;/p&gt;&lt;p&gt;For the winter.&lt;/p&gt;</description>
</item>
<item><title>Ferry &amp; bus</title><guid>https://echo.example/ferry</guid>
<description><![CDATA[They run.]]></description></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Notices</title>
<updated>2025-03-04T00:00:00Z</updated>
<entry><title>Notice 7</title><link rel="self" href="/api/7"/><link href="/notices/7"/>
<updated>2025-03-04T00:00:00Z</updated>
<author><name>Water Office</name></author><summary>Wells are closed.</summary></entry></feed>"""


def test_a_feeds_items_are_paragraphs_with_their_links(snapshot_of: Any) -> None:
    document = FeedReader().read(RSS.encode(), snapshot_of(RSS.encode(), "https://echo.example/rss"))
    first, *middle, last, content = document.text.split("\n\n")
    assert first == "Bridge shut\nSun, 02 Mar 2025 10:00:00 GMT · Ida Holm\nhttps://echo.example/bridge"
    assert middle == ["The bridge is shut.", "For the winter."]
    assert (last, content) == ("Ferry & bus\nhttps://echo.example/ferry", "They run.")
    assert document.title == "Echo News"
    assert document.links == ("https://echo.example/bridge", "https://echo.example/ferry")
    assert document.published and document.published.iso == "2025-03-03T08:00:00Z"


def test_atom_is_read_too(snapshot_of: Any) -> None:
    document = FeedReader().read(ATOM.encode(), snapshot_of(ATOM.encode(), "https://office.example/feed"))
    assert document.text.startswith(
        "Notice 7\n2025-03-04T00:00:00Z · Water Office\nhttps://office.example/notices/7\n\nWells"
    )
    assert document.links == ("https://office.example/notices/7",)


def test_a_json_feed_is_read_too(snapshot_of: Any) -> None:
    html, plain = {"content_html": "<p>Wells &amp; pumps are closed.</p>"}, {"content_text": "Levels < 3 m & falling."}
    about = {"url": "https://office.example/7", "date_published": "2025-03-04", "authors": [{"name": "Water Office"}]}
    items = [{"id": "7", "title": "Notice 7", **about, **html}, {"id": "8", **plain}]
    given = {"version": "https://jsonfeed.org/version/1.1", "title": "Notices", "items": items}
    body = json.dumps(given).replace("/", "\\/").encode()
    url = "https://office.example/feed.json"
    document = pick("application/json", body, url).read(body, snapshot_of(body, url))
    notice = "Notice 7\n2025-03-04 · Water Office\nhttps://office.example/7\n\nWells & pumps are closed."
    assert (document.title, document.text) == ("Notices", f"{notice}\n\nLevels < 3 m & falling.")


CONTENT = (
    "<div xmlns='http://www.w3.org/1999/xhtml'><p>It burnt 31<sup>1</sup> sheds in 2023. <del>A clerk smoked.</del></p>"
    "<table><tr><td>Port</td><td>Year</td></tr><tr><td rowspan='2'>Ostrey</td><td>2022</td></tr><tr><td>2023</td></tr>"
    "</table></div>"
)


@pytest.mark.parametrize(
    "entry",
    [
        f"<content type='xhtml'>{CONTENT}</content>",
        f"<content type='html'><![CDATA[{CONTENT}]]></content>",
        f"<encoded xmlns='http://purl.org/rss/1.0/modules/content/'><![CDATA[{CONTENT}]]></encoded>",
    ],
)
def test_an_items_html_is_read_as_that_of_a_page(snapshot_of: Any, entry: str) -> None:
    body = f"<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>Fire</title>{entry}</entry></feed>".encode()
    document = FeedReader().read(body, snapshot_of(body))
    withdrawn = [document.text[each.start : each.end] for each in document.blocks if each.kind is BlockKind.WITHDRAWN]
    assert "burnt 31 [1] sheds" in document.text and withdrawn == ["A clerk smoked."]
    assert "Ostrey | 2022" in document.text and "Ostrey | 2023" in document.text
    assert any("struck out" in note for note in document.notes)


def test_entities_are_not_expanded_and_files_not_read(snapshot_of: Any, tmp_path: Any) -> None:
    (tmp_path / "secret").write_text("the secret")
    entities = (
        f'<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file://{tmp_path}/secret">]>'
    )
    body = f"{entities}<rss><channel><item><title>T &b;&f;</title></item></channel></rss>".encode()
    text = FeedReader().read(body, snapshot_of(body)).text
    assert "secret" not in text and "aaaaaaaaaa" not in text


@pytest.mark.parametrize(
    "body", [b"", b"<rss>", b"<rss><channel/></rss>", b"<html><p>x</p></html>", b"no markup", b'{"items": [7]}']
)
def test_what_is_no_feed_says_so(snapshot_of: Any, body: bytes) -> None:
    with pytest.raises(PageUnreadable):
        FeedReader().read(body, snapshot_of(body))


def test_text_is_kept_as_laid_out(snapshot_of: Any) -> None:
    body = b"Minutes of the council\r\n\r\n  Present:   Holm, Aas\r\n  Absent:    Berg\r\n"
    document = TextReader().read(body, snapshot_of(body, "file:///minutes.txt"))
    assert document.text == "Minutes of the council\n\n  Present:   Holm, Aas\n  Absent:    Berg"
    assert document.title == "Minutes of the council"


@pytest.mark.parametrize(
    ("top", "at", "read"),
    [
        ("Publisher: Echo\nURL: https://echo.example/weir", "file:///1.txt", ("https://echo.example/weir", "Echo")),
        ("Notes\nURL: https://echo.example/weir", "file:///1.txt", ("file:///1.txt", None)),
        ("Publisher: Echo\nURL: https://echo.example/w", "https://x.example/1.txt", ("https://x.example/1.txt", None)),
    ],
)
def test_a_file_of_the_users_own_may_name_its_publisher(snapshot_of: Any, top: str, at: str, read: Any) -> None:
    body = f"{top}\nTitle: The weir\n\nThe weir broke on Monday.".encode()
    document = TextReader().read(body, snapshot_of(body, at))
    assert (document.url, document.publisher) == read
    assert document.text == body.decode()


@pytest.mark.parametrize(
    ("name", "body"),
    [("mill%20ponds.csv", b"Pond;Day\nUpper;2023-03-05\n"), ("ponds.jsonl", b'{"day": "2023-03-05", "pond": "Upper"}')],
)
def test_records_give_a_file_no_title_and_no_date(snapshot_of: Any, name: str, body: bytes) -> None:
    document = TextReader().read(body, snapshot_of(body, f"file:///home/{name}"))
    assert (document.title, document.published) == (name.replace("%20", " "), None)


@pytest.mark.parametrize("body", [b"", b" \n ", b"\x00\x01\x02\x03 some \x00\x07 words \x00\x01"])
def test_what_is_no_text_says_so(snapshot_of: Any, body: bytes) -> None:
    with pytest.raises(PageUnreadable):
        TextReader().read(body, snapshot_of(body))


MARKDOWN = """---
title: "The bridge: a chronology"
author: [Ida Holm, Per Aas]
date: 2025-03-02
url: https://echo.example/chronology
tags:
  - bridge
---
# Chronology

The bridge was **shut** in March, as the [council](https://council.example/7) had said.
"""


def test_front_matter_is_read_and_the_text_is_verbatim(snapshot_of: Any) -> None:
    document = MarkdownReader().read(MARKDOWN.encode(), snapshot_of(MARKDOWN.encode(), "file:///c.md"))
    assert (document.title, document.author) == ("The bridge: a chronology", "Ida Holm, Per Aas")
    assert document.published and (document.published.iso, document.published.how) == ("2025-03-02", "metadata")
    assert document.url == "https://echo.example/chronology"
    assert document.text in MARKDOWN and document.text.startswith("# Chronology")
    assert document.links == ("https://council.example/7",)


def test_without_front_matter_the_first_heading_is_the_title(snapshot_of: Any) -> None:
    body = b"Some words first.\n\n# The heading #\n\n---\nMore: words.\n---\n"
    document = MarkdownReader().read(body, snapshot_of(body, "file:///c.md"))
    assert document.title == "The heading"
    assert document.text.startswith("Some words first.")


def test_what_markdown_strikes_out_is_no_evidence(snapshot_of: Any) -> None:
    body = b"# Toll\n\nIt rose by ~~9~~ 7 crowns. <del>No one pays.</del>\n\n~~~\nkept = ~1\n~~~\n\n~~It is free.~~\n"
    document = MarkdownReader().read(body, snapshot_of(body, "file:///c.md"))
    withdrawn = [document.text[b.start : b.end] for b in document.blocks if b.kind is BlockKind.WITHDRAWN]
    assert withdrawn == ["9", "No one pays.", "It is free."]
    assert "It rose by 7 crowns." in document.text and "kept = ~1" in document.text


def test_a_row_is_read_by_its_columns(snapshot_of: Any) -> None:
    row = {
        "url": "https://echo.example/7",
        "title": "Bridge shut",
        "date": "2025-03-02",
        "text": "The bridge  is shut.\r\n\r\nFor the winter.",
        "author": "Ida Holm",
        "language": "en",
        "other": 7,
    }
    body = json.dumps(row).encode()
    document = RowReader().read(body, snapshot_of(body, "file:///rows.csv"))
    assert (document.url, document.title, document.author) == (row["url"], "Bridge shut", "Ida Holm")
    assert document.text == "The bridge  is shut.\n\nFor the winter."
    assert document.published and document.published.iso == "2025-03-02"


@pytest.mark.parametrize("body", [b"[]", b'{"text": ""}', b'{"title": "only"}', b"[" * 100_000])
def test_a_row_without_text_says_so(snapshot_of: Any, body: bytes) -> None:
    with pytest.raises(PageUnreadable):
        RowReader().read(body, snapshot_of(body))


@pytest.mark.parametrize(
    ("written", "cleaned"),
    [
        (
            "zero\u200bwidth, \u202eover\u202cride, soft\xadhyphen, \ufeffmark, \x07bell, \U000e0041tag",
            "zerowidth, override, softhyphen, mark, bell, tag",
        ),
        ("می\u200cشود, ig\u200cnore", "می\u200cشود, ignore"),
        ("e\u200b\u0301", "é"),
        ("a\u00a0 \u2003b\t c \r\n\r\n\r\n\r\n d\u2028e", "a b c\n\nd\ne"),
    ],
    ids=["unseen", "joiners", "accents", "spaces"],
)
def test_a_text_is_cleaned_of_what_cannot_be_seen(written: str, cleaned: str) -> None:
    assert clean(written) == cleaned


def test_a_layout_by_hand_is_kept_where_asked() -> None:
    assert clean("  a    b\n    c  \n\n\n\nd", keep_spacing=True) == "  a    b\n    c\n\nd"


@given(st.text(alphabet=st.characters()))
def test_clean_text_stays_as_it_is_and_shows_everything(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not [char for char in once if unicodedata.category(char) in ("Cc", "Co", "Cs") and char != "\n"]
    assert "\n\n\n" not in once
    assert "\n" not in one_line(text)


@pytest.mark.parametrize(
    ("reader", "page"),
    [(TextReader(), "{}"), (MarkdownReader(), "{}"), (HtmlReader(), "<article><h1>Bridge</h1><p>{}</p></article>")],
    ids=["text", "Markdown", "HTML"],
)
def test_words_with_a_stroke_over_each_letter_are_struck_out(reader: Reader, page: str, snapshot_of: Any) -> None:
    one, other = ("\u0336".join([*words, ""]) for words in ("nine", "a toll"))
    written = f"The bridge is closed to lorries of {one} eleven tonnes. The town takes {other} a fee. So it says."
    body = page.format(written).encode()
    document = reader.read(body, snapshot_of(body, "file:///c"))
    assert "lorries of eleven tonnes. The town takes a fee. So it says." in document.text
    withdrawn = [document.text[each.start : each.end] for each in document.blocks if each.kind is BlockKind.WITHDRAWN]
    assert withdrawn == ["nine", "a toll"]
    assert "2 passages are struck out: shown, but not used as evidence" in document.notes


def test_struck_out_words_give_a_markdown_file_no_title_and_no_date(snapshot_of: Any) -> None:
    body = b"# Bridge ~~open~~ closed\n\n<del>4 March 2024</del>\n\n5 March 2024\n\nThe bridge is closed to lorries."
    document = MarkdownReader().read(body, snapshot_of(body, "file:///c.md"))
    assert document.title == "Bridge closed"
    assert document.published and document.published.iso == "2024-03-05"
