"""Where a web page says when it was published, and what it does not mean by a date."""

from __future__ import annotations

import pytest

from bench.dated_pages import RETRIEVED
from inquest.domain.document import Document, Snapshot
from inquest.readers.html.reader import HtmlReader

TEXT = "<p>The bridge over the mill stream is closed to lorries until the autumn, the council said.</p>" * 3


def read(body: str, *, head: str = "", lang: str = "en", url: str = "https://courier.example/bridge") -> Document:
    page = (
        f'<!DOCTYPE html><html lang="{lang}"><head><title>Bridge closed</title>{head}</head><body>{body}</body></html>'
    )
    snapshot = Snapshot(
        hash="sha256:" + "0" * 64, url=url, final_url=url, content_type="text/html", retrieved_at=RETRIEVED, size=9
    )
    return HtmlReader().read(page.encode(), snapshot)


@pytest.mark.parametrize(
    ("lang", "line", "iso"),
    [
        ("en", "<p class='byline'>By Ida Holm,\n5 March\n2024</p>", "2024-03-05"),
        ("fr", "<div>Publié le 5 mars 2024 | Mis à jour le 7 mars 2024</div>", "2024-03-05"),
        ("pl", "<div>Aktualizacja: 7 marca 2024<br>Opublikowano 5 marca 2024</div>", "2024-03-05"),
        ("en-US", "<p>03/05/2024</p>", "2024-03-05"),
        ("fa", "<p>1402/12/15</p>", "2024-03-05"),
        ("en", "<ul><li>Accepted: 2 May 2023</li><li>Published: 5 March 2024</li></ul>", "2024-03-05"),
        (
            "en",
            "<table><tr><th>Received<th>Published</tr><tr><td>2 May 2023<td>5 March 2024</tr></table>",
            "2024-03-05",
        ),
        ("es", "<span>Recibido: 1 de mayo de 2023</span> <span>Publicado: 5 de marzo de 2024</span>", "2024-03-05"),
        ("de", "<ul class='meta'><li>Am 05.03.2024</li></ul>", "2024-03-05"),
        ("it", "<ul><li><a href='/ada'>Ada Riva</a></li><li>5 marzo 2024</li><li>4 minuti</li></ul>", "2024-03-05"),
        ("pl", "<span>5 marca 2024 r.</span>", "2024-03-05"),
        ("ky", "<span>5-март, 2024-ж.</span>", "2024-03-05"),
        ("dsb", "<p>5. měrca 2024</p>", "2024-03-05"),
        ("ces-CZ", "<p>5. března 2024</p>", "2024-03-05"),
        ("en", "<time>Tue Mar 5 07:01:44 2024</time>", "2024-03-05"),
    ],
)
def test_the_line_below_the_heading_dates_the_page(lang: str, line: str, iso: str) -> None:
    document = read(f"<article><h1>Bridge closed</h1>{line}{TEXT}</article>", lang=lang)
    assert document.published and document.published.iso == iso


@pytest.mark.parametrize(
    "beside",
    [
        "<footer><p>© 2019 Courier</p></footer>",
        "<aside><ul><li><a href='/x'>Ferry</a> <time datetime='2025-12-01'>1 December 2025</time></li></ul></aside>",
        "<section id='comments'><div><time datetime='2025-12-01'>1 December 2025</time><p>Shame!</p></div></section>",
        "<p class='updated'>Updated 5 March 2024</p>",
        "<dl><dt>Received</dt><dd>14 June 2022</dd><dt>Accepted</dt><dd>5 March 2023</dd></dl>",
    ],
)
def test_the_dates_of_other_things_are_not_those_of_the_page(beside: str) -> None:
    page = f"<article><h1>Bridge closed</h1>{TEXT}<p>It was last checked on 4 May 2021.</p></article>{beside}"
    assert read(page).published is None


@pytest.mark.parametrize(
    "line",
    [
        "<p>Received: <b><time>5 March 2024</time></b></p>",
        "<dl><dt>Accepted</dt><dd>5 March 2024</dd></dl>",
        "<div><span>Deadline</span><span>5 March 2024</span></div>",
        "<ul><li>5 March 2024</li><li>9 March 2024</li></ul>",
        "<ul><li>Founded: 5 March 1924</li><li>Staff: 12</li></ul>",
        "<ul><li><a href='/ferry'>Ferry sunk</a>, 5 March 2024</li></ul>",
    ],
)
def test_the_date_of_another_event_is_not_that_of_the_page(line: str) -> None:
    assert read(f"<article><h1>Bridge closed</h1>{line}{TEXT}</article>").published is None


def test_a_comment_s_time_is_not_the_article_s_though_it_is_marked() -> None:
    comment = "<div class='comment'><time class='published' datetime='2025-12-01'>1 December</time><p>Shame!</p></div>"
    page = f"<article>{comment}<h1>Bridge closed</h1><p>5 March 2024</p>{TEXT}</article>"
    document = read(page)
    assert document.published and document.published.iso == "2024-03-05"


def test_the_day_on_which_a_site_moved_is_outvoted_by_line_and_address() -> None:
    document = read(
        f"<article><h1>Bridge closed</h1><p>5 mars 2019</p>{TEXT}</article>",
        head='<meta property="article:published_time" content="2024-11-18T09:00:00Z">',
        lang="fr",
        url="https://courier.example/2019/03/05/bridge",
    )
    assert document.published and document.published.iso == "2019-03-05"
    assert any("dates disagree" in note and "2024-11-18" in note for note in document.notes)


def test_of_labelled_times_the_one_of_publication_counts() -> None:
    times = (
        'Submitted <time datetime="2023-05-02">2 May 2023</time>. First published <time datetime="2024-03-05">5 March'
        ' 2024</time>. Last accessed <time datetime="2024-04-01">1 April 2024</time>.'
    )
    document = read(f"<article><h1>Rust in gates</h1><div class='dates'>{times}</div>{TEXT}</article>")
    assert document.published is not None and document.published.iso == "2024-03-05"
