"""Hits are untrusted leads: addresses that can be followed, dates in range, text that is only text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import Precision, Published
from inquest.domain.search import Account, ClaimReview, Figure, Hit, Post, PostKind, Query, Work
from inquest.kit.engine import in_time
from inquest.net.searcher import in_domains, plain, tidy


def hit(url: str = "https://a.example/", **parts: Any) -> Hit:
    return Hit(**{"url": url, "engine": "alpha", "rank": 1, **parts})


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://a.example/x?q=1#part", True),
        (" http://a.example/ ", True),
        ("collection://docs/17", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        ("data:text/html,hi", False),
        ("file:///etc/passwd", False),
        ("ftp://a.example/", False),
        ("//a.example/", False),
        ("a.example", False),
        ("https://", False),
        ("", False),
        ("https://a.example/\u0000x", False),
        ("https://reuters\u200b.example/", False),
        ("https://moc.elpmaxe\u202e.example/", False),
        ("https://a.example/\ud800", False),
        ("https://пример.example/", True),
        ("https://a.example/" + "x" * 2048, False),
    ],
)
def test_only_addresses_that_can_be_followed_are_kept(url: str, kept: bool) -> None:
    assert bool(tidy([hit(url)], Query(text="a"))) is kept


def test_what_no_address_holds_is_escaped() -> None:
    [kept] = tidy([hit('https://a.example/my file"><script>')], Query(text="a"))
    assert kept.url == "https://a.example/my%20file%22%3E%3Cscript%3E"


def test_what_nobody_sees_in_an_address_is_escaped() -> None:
    [kept] = tidy([hit("https://a.example/fine\u202egpj.exe?q=\u200b&naïve")], Query(text="a"))
    assert kept.url == "https://a.example/fine%E2%80%AEgpj.exe?q=%E2%80%8B&naïve"


MAY = Published(at=datetime(2024, 5, 1, tzinfo=UTC), precision=Precision.MONTH)


@pytest.mark.parametrize(
    ("since", "until", "kept"),
    [
        (None, None, True),
        (datetime(2024, 5, 31, tzinfo=UTC), None, True),
        (datetime(2024, 6, 1, tzinfo=UTC), None, False),
        (None, datetime(2024, 5, 1, tzinfo=UTC), True),
        (None, datetime(2024, 4, 30, tzinfo=UTC), False),
        (datetime(2024, 5, 10), datetime(2024, 5, 12), True),  # noqa: DTZ001 - without a zone: taken as UTC
    ],
)
def test_a_date_counts_as_exactly_as_it_is_known(since: datetime | None, until: datetime | None, kept: bool) -> None:
    assert in_time(hit(published=MAY), since, until) is kept
    assert in_time(hit(), since, until)  # without a date, there is nothing against it


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a<script>steal()</script>b", "a b"),
        ("line\none\ttwo\r\n three\x00\x1b[31m", "line one two three [31m"),
        ("نمی\u200cدانم", "نمی\u200cدانم"),
    ],
)
def test_text_is_only_text(text: str, shown: str) -> None:
    assert plain(text, 300) == shown


def test_names_that_are_nothing_are_none() -> None:
    [kept] = tidy([hit(author="<br>", publisher=" The  <i>Gazette</i> ", title="x" * 999)], Query(text="a"))
    assert (kept.author, kept.publisher, len(kept.title)) == (None, "The Gazette", 300)


@given(st.text(max_size=300), st.integers(1, 60))
def test_nothing_unseen_and_nothing_too_long_gets_through(text: str, limit: int) -> None:
    shown = plain(text, limit)
    assert len(shown) <= limit
    assert all(unicodedata.category(char) not in ("Cc", "Cs", "Co", "Cn") for char in shown)
    assert not set(shown) & set("\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


def test_what_an_engine_says_beside_address_and_words_is_held_to_the_same() -> None:
    said = hit(
        "https://a.example/post",
        post=Post(
            network="x\u200b",
            id="17",
            kind=PostKind.REPOST,
            account=Account(handle="ada", name="<b>Ada</b> \u202eelpmaxE", url="javascript:alert(1)"),
            original="https://a.example/first",
            links=("data:text/html,hi", "https://b.example/", ""),
        ),
        work=Work(venue="Tides &amp; Law", open_access_url="javascript:alert(1)", notices=()),
        review=ClaimReview(claim="The fine was <i>2.4</i> million", rating="Mostly\u2066 true", url="ftp://a.example/"),
        figures=(Figure(subject="VLM", name="grade", text="<b>Buy</b>", value=1.5),),
    )
    [kept] = tidy([said], Query(text="a"))
    assert kept.post is not None
    assert kept.post.account == Account(handle="ada", name="Ada elpmaxE")
    assert (kept.post.network, kept.post.kind, kept.post.links) == ("x", PostKind.REPOST, ("https://b.example/",))
    assert kept.post.original == "https://a.example/first"
    assert kept.work == Work(venue="Tides & Law")
    assert kept.review == ClaimReview(claim="The fine was 2.4 million", rating="Mostly true", url=kept.url)
    assert kept.figures == (Figure(subject="VLM", name="grade", text="Buy", value=1.5),)
    assert Hit.model_validate_json(kept.model_dump_json()) == kept, "what is kept can be stored"


@pytest.mark.parametrize(
    ("url", "domains", "excluded", "kept"),
    [
        ("https://www.a.example/x", ("a.example",), (), True),
        ("https://news.a.example/x", ("A.example ",), (), True),
        ("https://nota.example/x", ("a.example",), (), False),
        ("https://a.example.evil.test/x", ("a.example",), (), False),
        ("https://a.example/x", (), ("a.example",), False),
        ("https://sub.a.example/x", ("a.example",), ("sub.a.example",), False),
        ("https://b.example/x", ("not a domain", ""), (), True),
        ("collection://docs/17", ("a.example",), (), True),
    ],
)
def test_only_the_domains_that_were_asked_for_are_kept(
    url: str, domains: tuple[str, ...], excluded: tuple[str, ...], kept: bool
) -> None:
    query = Query(text="a", domains=domains, exclude_domains=excluded)
    assert bool(tidy([hit(url)], query)) is kept


def test_a_redirect_is_of_its_publishers_domain() -> None:
    redirect = hit("https://news.example/rss/articles/x", details={"publisher_domain": "a.example"})
    assert in_domains(redirect, Query(text="a", domains=("a.example",)))
    assert not in_domains(redirect, Query(text="a", domains=("news.example",)))


def test_ten_thousand_hits_are_read_no_further_than_asked() -> None:
    taken = []

    def endless() -> Iterator[Hit]:
        for rank in range(1, 10_001):
            taken.append(rank)
            yield hit(f"https://a.example/{rank}", rank=rank)

    assert [each.rank for each in tidy(endless(), Query(text="a", limit=10))] == list(range(1, 11))
    assert len(taken) <= 11
