"""Foreign markup: text from fragments, trees from feeds, addresses from redirects, rows from indexes."""

from __future__ import annotations

import base64
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.sources.originals import (
    bing_target,
    captures_of_json,
    captures_of_text,
    duckduckgo_target,
    google_news_target,
)
from inquest.text.markup import child_text, children, html_root, plain, xml_root


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<strong>Lara</strong>vel", "Laravel"),
        ("<jats:title>Abstract</jats:title><jats:p>CO<jats:sub>2</jats:sub> fell</jats:p>", "Abstract CO2 fell"),
        ("Q&amp;A &#8211; &quot;yes&quot;&nbsp;!", 'Q&A – "yes" !'),
        ("a < b and c > d", "a < b and c > d"),
        ("x<script>alert('no')</script>y", "x y"),
        ("x<!-- never closed", "x"),
        ("broken \ud83d pair", "broken \ufffd pair"),
        ("&lt;b&gt; is a tag, and &lt;i&gt; is another", "<b> is a tag, and <i> is another"),
        ("x<script>y</script >z<scripture>", "x z"),
        ("İİİİ<script>no</script>yes", "İİİİ yes"),
        ("step\x1b[31mred", "step [31mred"),
        ("نمی\u200cدانم, but a\u200db", "نمی\u200cدانم, but ab"),
        ("tag\U000e0041\U000e0042ged, private \ue000, unassigned \U0003fffd", "tagged, private , unassigned"),
    ],
)
def test_a_fragment_as_plain_text(markup: str, text: str) -> None:
    assert plain(markup) == text


@given(st.text(max_size=200) | st.text("<>!-/abpscrit &;#x=\"'", max_size=200))
def test_no_markup_breaks_it_and_no_script_or_line_break_comes_through(markup: str) -> None:
    text = plain(markup)
    assert "\n" not in text
    assert "\x00" not in text
    assert "<script>" not in text.lower() or "&" in markup
    assert text.isprintable() or set("\u200c\u200d") & set(text)


def test_a_megabyte_of_openings_is_read_in_passing() -> None:
    for opening in ("<!--", "<script", "<", "<a ", "&"):
        assert len(plain(opening * 250_000)) <= 100_000


def test_xml_gives_children_by_local_name() -> None:
    root = xml_root(b'<r xmlns:n="urn:x"><n:a>one <b>two</b></n:a>\x0b<a/></r>')
    assert len(children(root, "a")) == 2
    assert child_text(root, "a") == "one two"
    assert child_text(root, "absent") == ""


@pytest.mark.parametrize(
    "body",
    [b"", b"   ", b"text", b"<a>", b"<a></b>", b"<a/><b/>", b"<a>&undefined;</a>", b'{"a": 1}',
     b'<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', b'<!DOCTYPE a SYSTEM "http://a.example/x.dtd"><a/>', b"\xff\xfe"],
)  # fmt: skip
def test_what_is_not_wellformed_or_declares_a_type_is_a_value_error(body: bytes) -> None:
    with pytest.raises(ValueError):
        xml_root(body)


@given(st.binary(max_size=100))
def test_bytes_are_xml_or_a_value_error(body: bytes) -> None:
    with contextlib.suppress(ValueError):
        xml_root(body)
    with contextlib.suppress(ValueError):
        html_root(body.decode("latin-1"))


def _google(target: str) -> str:
    raw = target.encode()
    length = bytes([len(raw)]) if len(raw) < 128 else bytes([len(raw) & 0x7F | 0x80, len(raw) >> 7])
    message = b"\x08\x13\x22" + length + raw + b"\xd2\x01\x00"
    return "https://news.google.com/rss/articles/" + base64.urlsafe_b64encode(message).decode().rstrip("=") + "?oc=5"


@given(st.text("abc/é-?=&", max_size=250).map(lambda rest: "https://news.example/" + rest))
def test_google_news_old_form_is_decoded_whatever_the_address(target: str) -> None:
    assert google_news_target(_google(target)) == target


def test_redirects_lead_where_they_say_and_nowhere_else() -> None:
    assert google_news_target(_google("AU_yqLinvented")) is None
    assert google_news_target(_google("javascript:alert(1)")) is None
    assert google_news_target("https://news.google.com/rss/articles/%%%") is None
    assert google_news_target("https://a.example/x") == "https://a.example/x"
    assert (
        duckduckgo_target("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F%3Fx%3D1&rut=2")
        == "https://a.example/?x=1"
    )
    assert duckduckgo_target("https://duckduckgo.com/y.js?ad_domain=a.example") is None
    assert duckduckgo_target("https://duckduckgo.com/l/?uddg=javascript:1") is None
    assert duckduckgo_target("https://notduckduckgo.com/l/?uddg=https://a.example/") == (
        "https://notduckduckgo.com/l/?uddg=https://a.example/"
    )
    assert (
        bing_target("http://www.bing.com/news/apiclick.aspx?url=https%3a%2f%2fa.example%2f&c=1") == "https://a.example/"
    )
    assert bing_target("http://www.bing.com/news/apiclick.aspx?c=1") is None
    assert bing_target("https://a.example/") == "https://a.example/"


def test_captures_of_every_form() -> None:
    line = "org,a)/ 20240305101500 https://a.example/ text/html 200 ABC 10"
    assert captures_of_text(f"{line}\n{line}\n\norg%2Ca 2024\n") == captures_of_json(
        [["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"], *[line.split()] * 2]
    )
    assert captures_of_text("") == captures_of_json([]) == captures_of_json({"archived_snapshots": {}}) == []
    with pytest.raises(ValueError):
        captures_of_text("<html>")
    closest = {"url": "http://web.archive.org/web/2024id_/https://a.example/", "timestamp": "2024", "status": "200"}
    assert captures_of_json({"archived_snapshots": {"closest": closest}})[0]["original"] == "https://a.example/"
