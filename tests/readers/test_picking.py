"""The choice of a reader, and that no reader raises untyped errors."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from inquest.domain.document import Document
from inquest.domain.errors import PageError, PageUnreadable
from inquest.readers import _MODULES, _reader, pick

HTML = b"<!doctype html><html><body><p>Hello there.</p></body></html>"


@pytest.mark.parametrize(
    ("content_type", "body", "url", "name"),
    [
        ("text/html", b"%PDF-1.7 ...", "https://a.example/r", "pdf"),
        ("application/pdf", HTML, "https://a.example/r.pdf", "html"),
        ("application/pdf", b"cut", "https://a.example/r.pdf", "pdf"),
        (
            "",
            gzip.compress(HTML, mtime=0),
            "https://a.example/x.html.gz",
            "html",
        ),  # otherwise each worker collects a different test
        ("", b"# Heading", "file:///notes/x.md", "markdown"),
        ("", b"Some words", "file:///notes/x.html", "html"),
        ("text/markdown", b"<div>in Markdown</div>", "https://a.example/x", "markdown"),
        ("application/xml", b"<?xml version='1.0'?><rss version='2.0'>", "https://a.example/rss", "feed"),
        ("application/xhtml+xml", b"<?xml version='1.0'?><html xmlns='x'>", "https://a.example/", "html"),
        ("application/vnd.inquest.row+json", b'{"text": "<html>"}', "file:///r.csv", "row"),
        ("", "<html><p>wide</p>".encode("utf-16"), "https://a.example/", "html"),
        ("text/html", b"\x89PNG\r\n\x1a\n", "https://a.example/x.png", "image"),
    ],
)
def test_the_bytes_and_then_the_declaration_decide(content_type: str, body: bytes, url: str, name: str) -> None:
    assert pick(content_type, body, url).name == name


@pytest.mark.parametrize(
    ("content_type", "body", "named"),
    [
        ("image/webp", b"RIFF0000WAVEfmt ", "an audio or video file"),
        ("text/html", b"PK\x03\x04....", "a ZIP archive without documents"),
        ("video/mp4", b"....", "of the type video/mp4"),
        ("", b"\x00\x01\x02\x03" * 20 + b"\x80", "an unknown type"),
    ],
)
def test_what_no_reader_takes_is_named_in_one_sentence(content_type: str, body: bytes, named: str) -> None:
    with pytest.raises(PageUnreadable) as caught:
        pick(content_type, body, "https://a.example/x")
    assert named in str(caught.value) and str(caught.value).count(".") == 2  # one in the address, one at the end
    assert caught.value.advice


PIECES = st.sampled_from(
    [
        *(b"<p> </div> <table><tr><td> <!-- --> <script> <![CDATA[ &#0; &amp; '> endobj <feed> <entry>".split()),
        *(b"%PDF-1.4", b"1 0 obj", b"trailer <</Root 1 0 R>>", b"<rss><channel><item><title>", b"---\n", b"title: x\n"),
        *(
            b'{"text": "',
            b'"}',
            b"\x1f\x8b\x08",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"<meta charset='",
            b"utf-7",
            b"words here ",
        ),
        *(b"<time datetime='9999-99-99'>", b"\xe2\x80\xae", b"<a href='http://["),
        b'<script type="application/ld+json">{"@type":"Article","author":',
    ]
)
ANY_BYTES = st.one_of(
    st.binary(max_size=300), st.lists(st.one_of(PIECES, st.binary(max_size=8)), max_size=25).map(b"".join)
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    body=ANY_BYTES,
    content_type=st.sampled_from(["", "text/html", "text/html; charset=utf-16", "text/plain; charset=x"]),
)
@example(body=b"", content_type="")
@example(body=b"<title>%s</title>%s" % (2 * (b"The weir at Ornby was shut in May. " * 6,)), content_type="text/html")
def test_any_bytes_give_a_document_or_a_page_error(snapshot_of: Any, body: bytes, content_type: str) -> None:
    for reader in map(_reader, _MODULES):
        try:
            document = reader.read(body, snapshot_of(body, content_type=content_type))
        except PageError as error:
            assert str(error)
        else:
            assert isinstance(document, Document)
            assert any(char.isalnum() for char in document.text)
    try:
        pick(content_type, body, "https://a.example/x")
    except PageError as error:
        assert str(error)
