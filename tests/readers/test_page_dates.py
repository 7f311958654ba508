"""Places where a web page gives its date of publication, and dates that mean something else."""

from __future__ import annotations

import pytest

from bench.dated_pages import RETRIEVED
from inquest.domain.document import Document, Snapshot
from inquest.domain.reasons import Reason
from inquest.readers.html.reader import HtmlReader

TEXT = "<p>The bridge over the mill stream is closed to lorries until the autumn, the council said.</p>" * 3


def read(body: str, *, head: str = "", lang: str = "en", url: str = "https://courier.example/bridge") -> Document:
    head = head if "<title>" in head else f"<title>Bridge closed</title>{head}"
    page = f'<!DOCTYPE html><html lang="{lang}"><head>{head}</head><body>{body}</body></html>'
    snapshot = Snapshot(
        hash="sha256:" + "0" * 64, url=url, final_url=url, content_type="text/html", retrieved_at=RETRIEVED, size=9
    )
    return HtmlReader().read(page.encode(), snapshot)


@pytest.mark.parametrize(
    ("lang", "line", "iso"),
    [
        ("en", "<p class='byline'>By Ida Holm,\n5 March\n2024</p>", "2024-03-05"),
        ("en", "<p>By Ida Born, 5 March 2024</p>", "2024-03-05"),
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
        ("de", "<ul class='meta'><li>Am 05.03.2024</li></ul>", "2024-03-05"),
        ("nl", "<ul><li>dinsdag 5 maart 2024, 13:45</li><li>Aangepast 6 maart 2024</li></ul>", "2024-03-05"),
        ("it", "<ul><li><a href='/ada'>Ada Riva</a></li><li>5 marzo 2024</li><li>4 minuti</li></ul>", "2024-03-05"),
        ("it", "<p>Quarrowby, lì 5 marzo 2024</p>", "2024-03-05"),
        ("ky", "<span>5-март, 2024-ж.</span>", "2024-03-05"),
        ("en", "<time>Tue Mar 5 07:01:44 2024</time>", "2024-03-05"),
        ("en", "<p>For release 10:00 a.m. (ET) Tuesday, March 5, 2024 &nbsp; QUARRY-24-0196</p>", "2024-03-05"),
        ("en", "<p>No. 22-9917. Argued December 5, 2023—Decided March 5, 2024</p>", "2024-03-05"),
        ("cs", "<p class='byline'>Ida Holm <b>5. 3. 2024</b> Quarrowby</p>", "2024-03-05"),
        ("hu", f"<div><span>{'Ida Holm, ' * 5}</span> <i>2024. márc. 5., 8:15</i></div>", "2024-03-05"),
        ("en", "<div><span>Updated</span> <i>7 March 2024</i> <b>Posted</b> <i>5 March 2024</i></div>", "2024-03-05"),
        (
            "en",
            "<ul><li><p>Received<i>: </i><i><time>2 May 2023</time></i></p></li><li><p>Published<i>: </i><i><time>"
            "5 March 2024</time></i></p></li></ul>",
            "2024-03-05",
        ),
        ("th", "<time>5 มี.ค. 67 เวลา 10:22</time>", "2024-03-05"),
        ("en", "<p>By Ida Holm-Vikander on Tuesday, March 5th, 2024 at 11:04:30 a.m.</p>", "2024-03-05"),
        ("fr", "<p>Par Ida Holm, correspondante à Lyon, le 5 mars 2024</p>", "2024-03-05"),
        ("en", "<figure><figcaption>The mill, 2 May 1998</figcaption></figure><p>5 March 2024</p>", "2024-03-05"),
        ("en", "<p>Reference day: 31 December 2023. Release date: 5 March 2024. Next: 4 June 2024.</p>", "2024-03-05"),
        ("nl", "<p class='small'>Uitgeprint op 10 juni 2024</p><p>5 maart 2024</p>", "2024-03-05"),
        ("da", "<p>Opgjort: 31. januar 2024</p><p>5. marts 2024</p>", "2024-03-05"),
        ("da", "<p>Dato: 5. marts 2024</p>", "2024-03-05"),
        ("da", "<dl><dt>Dato</dt><dd>5. marts 2024</dd><dt>Type</dt><dd>Bro</dd></dl>", "2024-03-05"),
        ("de", "<p class='date'>Pressemitteilung Nr. 38 vom 05.03.2024</p>", "2024-03-05"),
        ("de", "<p>Pressemitteilung Nr. 23/2024 vom 05.03.2024</p>", "2024-03-05"),
        ("en", "<dl><dt>Date received<dd>2 May 2023<dt>Date published<dd>5 March 2024</dl>", "2024-03-05"),
        ("pl", "<footer class='meta'><p>Opublikowano: 5 marca 2024 r.</p></footer>", "2024-03-05"),
        ("ar", "الثلاثاء 24 شعبان 1445هـ الموافق 5 مارس 2024م", "2024-03-05"),
    ],
)
def test_the_line_below_the_heading_dates_the_page(lang: str, line: str, iso: str) -> None:
    document = read(f"<article><h1>Bridge closed</h1>{line}{TEXT}</article>", lang=lang)
    assert document.published and document.published.iso == iso


@pytest.mark.parametrize(
    ("lang", "head", "below", "url", "iso"),
    [
        ("en", "<meta property='og:locale' content='en_US'>", "", "courier.example", "2024-03-05"),
        ("en", "", "<p>Last modified at 6/14/2024</p>", "courier.example", "2024-03-05"),
        ("en", "", "<p>Last modified at 14/6/2024</p>", "courier.example", "2024-05-03"),
        ("en", "", "", "courier.ie", "2024-05-03"),
        ("en-US", "", "<p>Last modified at 14/6/2024</p>", "courier.example", "2024"),
        ("en", "", "", "courier.example", "2024"),
    ],
)
def test_a_date_in_numbers_follows_the_page_s_region_and_its_other_dates(
    lang: str, head: str, below: str, url: str, iso: str
) -> None:
    page = f"<main><div class='date-line'>3/5/2024</div><h1>Bridge closed</h1>{TEXT}{below}</main>"
    published = read(page, head=head, lang=lang, url=f"https://{url}/bridge").published
    assert published and published.iso == iso


def test_of_a_date_in_numbers_that_may_begin_with_the_month_the_day_is_not_guessed() -> None:
    assert read(f"<article><h1>Bridge closed</h1>{TEXT}</article><div class='date'>3/5/2024</div>").published is None


@pytest.mark.parametrize(
    ("above", "iso"),
    [
        ("<header><ul><li>Ida Holm</li><li>Mar 5, 2024</li><li>3 min read</li></ul>{}</header>", "2024-03-05"),
        ("<div><p>5 March 2024</p></div><div>{}</div>", "2024-03-05"),
        ("<p>Posted on 5 March 2024</p>{}<p>Quarrowby, 2 March 2024</p>", "2024-03-05"),
        ("{}<p>In its ruling on 2 March 2024, it said no to all of the lorries.</p>", None),
        ("<h2>Ferry sunk</h2><p>5 March 2024</p><h2>Mill sold</h2>{}", None),
        ("<ul><li><a href='/ferry'>Ferry sunk</a> 5 March 2024</li></ul>{}", None),
        ("<div>令和６年３月5日<br>Quarrowby</div>{}<table><tr><td>令和５年度<td>235</tr></table>", "2024-03-05"),
    ],
)
def test_a_line_above_the_heading_dates_the_page(above: str, iso: str | None) -> None:
    published = read(f"<main>{above.format('<h1>Bridge closed</h1>')}{TEXT}</main>").published
    assert (published and published.iso) == iso


@pytest.mark.parametrize(
    "beside",
    [
        "<footer><p>© 2019 Courier</p></footer>",
        "<article><a href='/x'><h2>Ferry sunk</h2></a><time datetime='2025-12-01'>1 December 2025</time></article>",
        "<section><h2>Ferry sunk</h2><b>Per Aas</b> <time datetime='2025-12-01'>1 December 2025</time></section>",
        "<aside><ul><li><a href='/x'>Ferry</a> <time datetime='2025-12-01'>1 December 2025</time></li></ul></aside>",
        "<section id='comments'><div><time datetime='2025-12-01'>1 December 2025</time><p>Shame!</p></div></section>",
        "<script>window.__STATE__={latest:[{title:'Ferry sunk',date_published:'2022-01-01'}]}</script>",
        "<script type='application/json'>{'related': [{'publishedAt': '2022-01-01T00:00:00Z'}]}</script>",
        "<p class='updated'>Updated 5 March 2024</p>",
        "<div><span>Updated</span> <span>5 March 2024</span></div>",
        "<p>The winter fair opens <b>5 March 2024</b> in the hall</p>",
        "<div><span>From</span> <b>5 March 2024</b> <span>to</span> <b>7 March 2024</b></div>",
        f"<p class='lead'>The hall opened its doors <b>5 March 2020</b> {'after repairs to the roof ' * 3}.</p>",
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
        "<p class='meta'>Figures as of 31 December 2023</p>",
        "<p class='meta'>Data as of: 31 December 2023</p>",
        "<p>Printed from the site on 10 June 2024</p>",
        "<p>Next release: 5 March 2024</p>",
        "<p>A rockfall killed 7 men on 5 March 1936.</p>",
        "<p>2. On 4 June 2017 she published an article about the sale of a municipal forest in the north.</p>",
        "<p class='meta'>5–9 March 2024</p>",
        "<div><img src='/mill.jpg' alt=''><p class='image-caption'>The mill, 2 May 1998</p></div>",
        "<div><span>Deadline</span><span>5 March 2024</span></div>",
        "<ul><li>5 March 2024</li><li>9 March 2024</li></ul>",
        "<p class='meta'>For the year ended 31 December 2023</p>",
        "<time datetime='2024-03-05T19:00'>at 7</time>"
        '<script type="application/ld+json">{"@type": "Event", "startDate": "2024-03-05T19:00"}</script>',
        "<ul><li>Founded: 5 March 1924</li><li>Staff: 12</li></ul>",
        "<ul><li><a href='/ferry'>Ferry sunk</a>, 5 March 2024</li></ul>",
        "<p>公開日：令和５年度</p>",
        "<table><tr><td>令和５年度<td>235</tr><tr><td>2024年<td>231</tr></table>",
    ],
)
def test_the_date_of_another_event_is_not_that_of_the_page(line: str) -> None:
    assert read(f"<article><h1>Bridge closed</h1>{line}{TEXT}</article>").published is None


def test_a_line_below_a_lesser_heading_that_is_the_title_dates_the_page() -> None:
    page = f"<div><h2>Mill sold to town</h2></div><div>Posted On: 12 MAR 2024 5:35PM by the press office</div>{TEXT}"
    head = "<title>Press release</title><meta property='og:title' content='Mill sold to town'>"
    (date,) = read(f"<div class='box'>{page}</div>", head=head).dates
    assert (date.iso, date.where_code) == ("2024-03-12", Reason(code="pages.where_below_heading"))


def test_the_end_of_a_filing_s_year_in_its_name_and_title_is_not_its_date() -> None:
    assert read(f"<p>Form 10-K</p>{TEXT}", head="<title>corv-20231231</title>").published is None
    filing = (
        '<div style="display:none"><ix:nonNumeric name="dei:DocumentFiscalYearFocus">2023</ix:nonNumeric></div>'
        '<p><ix:nonNumeric name="dei:DocumentPeriodEndDate">December 31, 2023</ix:nonNumeric></p>'
    )
    assert read(f"<h1>Form 10-K</h1>{filing}{TEXT}", url="https://filer.example/corv-20231231.htm").published is None
    current = filing.replace("FiscalYearFocus", "Type").replace("2023</", "8-K</", 1).replace("December", "January")
    assert (date := read(f"<h1>Form 8-K</h1>{current}{TEXT}").published) and date.iso == "2023-01-31"


@pytest.mark.parametrize(
    ("tags", "line"),
    [
        (
            {"citation_publication_date": "2024/1", "dc.date": "2024-03-05"},
            "Accepted: 2 March 2024 / Published: 5 March 2024",
        ),
        ({"dc.date.created": "2024-03-01"}, "Published on 5 March 2024"),
        ({"citation_date": "2024/03/05", "citation_online_date": "2024/06/19"}, ""),
        ({"article:published_time": "2025-02-20T10:11:12Z"}, "5 March 2024"),
    ],
    ids=["issue", "draft", "revision", "capture"],
)
def test_the_day_of_a_draft_issue_revision_or_capture_is_not_that_of_publication(
    tags: dict[str, str], line: str
) -> None:
    head = "".join(f"<meta name='{name}' content='{value}'>" for name, value in tags.items())
    head += "<link rel='bookmark' href='https://archive.example/20250220101112/https://courier.example/bridge'>"
    published = read(f"<main><h1>Bridge closed</h1><p>{line}</p>{TEXT}</main>", head=head).published
    assert published and published.iso == "2024-03-05"


@pytest.mark.parametrize(
    ("lang", "title", "body", "iso"),
    [
        ("en", "Holm v Wexshire [2024] EWHC 12 (05 March 2024)", "<p>05/03/2024</p>", "2024-03-05"),
        (
            "de",
            "VG Quarrow, Urteil v. 05.03.2024 – 9 K 23.1187",
            "<table><tr><th>Vorinstanz:</th><td>AG Mühlen, Beschluss vom 02.05.2023 – 4 C 12</td></tr></table>",
            "2024-03-05",
        ),
        ("en", "Open day on 5 March 2024", "", None),
    ],
)
def test_a_decision_is_dated_by_its_title(lang: str, title: str, body: str, iso: str | None) -> None:
    published = read(f"<h1>{title}</h1>{body}{TEXT}", head=f"<title>{title}</title>", lang=lang).published
    assert (published and published.iso) == iso


def test_a_video_on_its_own_page_is_what_its_data_date_and_sign() -> None:
    data = (
        "<div itemscope itemtype='https://schema.org/VideoObject'><meta itemprop='name' content='{}'>"
        "<span itemprop='author' itemscope><link itemprop='name' content='Dora Quell'></span>"
        "<meta itemprop='datePublished' content='2024-03-05'></div>"
    )
    page = f"<h1>Bridge closed</h1>{TEXT}"
    own, other = (read(f"{data.format(name)}{page}") for name in ("Bridge closed", "Ferry sunk"))
    assert (own.author, own.published and own.published.iso) == ("Dora Quell", "2024-03-05")
    assert (other.author, other.published) == (None, None)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (
            '<script type="application/ld+json">{"@type": "PodcastEpisode", "author": {"name": "Dora Quell"}}</script>',
            "",
        ),
        (
            "<meta property='og:title' content='Dora Quell (@quell@social.example)'>"
            "<meta property='profile:username' content='quell@social.example'>",
            "",
        ),
        ("", "<dl><dt>Inventor</dt><dd itemprop='inventor'>Dora Quell</dd></dl>"),
    ],
    ids=["episode", "post", "patent"],
)
def test_the_author_is_given_in_the_words_of_the_page_s_form(head: str, body: str) -> None:
    assert read(f"<h1>Bridge closed</h1>{body}{TEXT}", head=head).author == "Dora Quell"


@pytest.mark.parametrize("date", ["on Tue, 03/26/2024 - 09:12", "on <time datetime='2024-03-26'>26 March 2024</time>"])
def test_what_somebody_submits_to_a_page_is_posted_and_what_a_paper_s_editors_get_is_not(date: str) -> None:
    post, paper = (
        read(f"<div><h1>Bridge closed</h1><p class='submitted'>Submitted {by}{date}</p>{TEXT}</div>")
        for by in ("by Dora Quell ", "")
    )
    assert (post.author, post.published and post.published.iso) == ("Dora Quell", "2024-03-26")
    assert paper.published is None


def test_the_time_below_a_post_dates_it_and_that_of_its_change_does_not() -> None:
    times = "<time datetime='2024-03-05'>5 Mar</time> · <time datetime='2024-04-02'>Edited Apr 2</time>"
    document = read(f"<div><h1>Bridge closed</h1><div>{TEXT}</div><div>{times}</div></div>")
    assert document.published and document.published.iso == "2024-03-05"


@pytest.mark.parametrize(
    ("name", "iso"), [("widget_post", "2024-03-05"), ("widget_poll", None), ("comment", None), ("widget", None)]
)
def test_the_one_time_of_a_post_by_its_name_dates_it(name: str, iso: str | None) -> None:
    time = f"<a class='{name}_date'><time datetime='2024-03-05'>5 Mar</time></a>"
    beside = "<div class='comment'>{0}</div>" if name == "comment" else "{0}"
    post = f"<div class='widget_post'><div>{TEXT}</div><div class='widget_footer'>{beside.format(time)}</div></div>"
    published = read(f"<h1>Bridge closed</h1>{post}").published
    assert (published and published.iso) == iso


def test_a_fact_of_a_member_does_not_date_the_post() -> None:
    facts = "<div><h4>quell</h4><dl><dt>Joined</dt><dd>5 March 2011</dd></dl></div>"
    page = f"<h1>Bridge closed</h1><div>{facts}<article>{TEXT}</article></div>"
    assert read(page).published is None


def test_a_post_is_submitted_at_a_second_and_its_forum_founded_at_another() -> None:
    side = "<div class='side'>Founded <time datetime='2011-03-02T00:00:00Z'>12 years ago</time></div>"
    line = "<p>submitted <time datetime='2024-03-05T17:20:33Z'>a year ago</time> by quell</p>"
    published = read(f"{side}<div role='main'><h1>Bridge closed</h1>{line}{TEXT}</div>").published
    assert published and published.iso == "2024-03-05T17:20:33Z"


def test_a_blog_s_post_is_named_dated_and_signed_by_its_microformats() -> None:
    post = (
        "<h1>Mill Notes</h1><div class='widget'><div class='hentry'><h3 class='entry-title'>The weir is dry</h3>"
        f"<div class='entry-content'>{TEXT}</div><div class='post-footer'><span class='post-author vcard'>Kirjoittanut "
        "<span class='fn'>Ida Holm</span></span> <abbr class='published' title='2024-03-05T11:20:00Z'>11.20</abbr>"
        "</div></div></div>"
    )
    document = read(post, head="<title>Mill Notes: The weir is dry</title>")
    assert (document.title, document.author) == ("The weir is dry", "Ida Holm")
    assert document.published and document.published.iso == "2024-03-05T11:20:00Z"


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


@pytest.mark.parametrize(
    "times",
    [
        "Submitted {0}. First published {1}. Last accessed <time datetime='2024-04-01'>1 April 2024</time>.",
        "<p><b>Received:</b> {0}</p><p><b>Published online:</b> {1}</p>",
        "<dl><dt>Received</dt><dd>{0}</dd><dt>Published</dt><dd>{1}</dd></dl>",
        "{0} (received) · {1} (published)",
        "<i>Last updated </i>{0}<div>Published on</div><div>{1}</div>",
    ],
)
def test_of_labelled_times_the_one_of_publication_counts(times: str) -> None:
    two = ("<time datetime='2023-05-02'>2 May 2023</time>", "<time datetime='2024-03-05'>5 March 2024</time>")
    header = f"<div class='has-caption'><h1>Rust in gates</h1><div class='dates'>{times.format(*two)}</div></div>"
    document = read(f"<article>{header}{TEXT}</article>")
    assert document.published is not None and document.published.iso == "2024-03-05"


@pytest.mark.parametrize(
    ("lang", "history"),
    [
        ("en", "<table><tr><th>Received<td>2023-01-09<tr><th>First published online<td>2024-03-05</table>"),
        ("fr", "<p>Reçu le 9 janvier 2023 ; accepté le 2 mai 2023 ; publié en ligne le 5 mars 2024.</p>"),
        (
            "pl",
            "<footer><table><tr><td>Data publikacji:<td>05.03.2024 10:21<tr><td>Autor:<td>Ida Holm</table></footer>",
        ),
        ("en", "<dl><dt>Updated<dd>6 March 2024<dt>Published<dd>5 March 2024</dl>"),
        ("en", "<section><h2>Accepted</h2><p>2 May 2023</p></section><h2>Published</h2><div>2024-03-05</div>"),
        ("zh", "<p>收稿日期：2023年1月9日　修回日期：2023年5月2日　出版日期：2024年3月5日</p>"),
    ],
)
def test_the_history_of_a_paper_below_its_text_dates_it(lang: str, history: str) -> None:
    document = read(f"<article><h1>Bridge closed</h1>{TEXT}{history}</article>", lang=lang)
    assert document.published and document.published.iso == "2024-03-05"


@pytest.mark.parametrize(
    "below",
    [
        "<table><tr><th>Bill published<td>5 March 2024<tr><th>Deadline<td>2 May 2024</table>",
        "<p>Received 9 January 2023, accepted 2 May 2023</p>",
        "</article><footer><p>Published: 5 March 2024</p></footer><article>",
        "<ol class='comments'><li><p>Posted: 5 March 2024</p></li></ol>",
    ],
)
def test_other_dates_below_the_text_do_not_date_the_page(below: str) -> None:
    more = (
        "<p>Its beams are rusty, and the repair will cost more than the county has set aside for the year.</p>"
        "<p>Nobody at the depot wished to comment on the plan, which the clerk had called overdue in the spring.</p>"
    )
    assert read(f"<article><h1>Bridge closed</h1>{TEXT}{more}{below}</article>").published is None


def test_a_date_that_is_struck_out_dates_nothing() -> None:
    old = "<p><s>4 March 2024</s></p><p><del><time datetime='2024-03-04' pubdate>4 March</time></del></p>"
    document = read(f"<article><h1>Bridge closed</h1>{old}<p>5 March 2024</p>{TEXT}</article>")
    assert document.published and document.published.iso == "2024-03-05"


CARD = (
    "<article class='card'><h3><a href='/lottery'>Lottery won</a></h3><a rel='author' href='/s'>Kit Sands</a> "
    "<time datetime='2018-08-08'>8 August 2018</time></article>"
)


@pytest.mark.parametrize(
    ("page", "author"),
    [
        (
            "<section>{card}</section><main><article>{title}<p class='byline'>By Dora Quell</p>{text}</article></main>",
            True,
        ),
        ("<p class='byline'>By Dora Quell</p>{card}<main><article>{title}{text}</article></main>", True),
        ("{card}<main><article>{title}{text}{card}</article></main>{card}", False),
        (
            "{card}<article>{title}<div itemscope itemtype='https://schema.org/NewsArticle'><p>By <b itemprop='author' "
            "itemscope><i itemprop='name'>Dora Quell</i></b></p>{text}</div></article>",
            True,
        ),
        (
            "<article>{title}<ul><li class='author' itemprop='author' itemscope><a itemprop='name'>Dora Quell</a>"
            "<span>Journalist</span></li></ul>{text}</article>",
            True,
        ),
        (
            "<div class='side'>Founded by <a class='author'>Per Aas</a></div><div role='main'>{title}<p>"
            "by <a class='author'>Dora Quell</a></p>{text}<div><p>by <a class='author'>Ida Holm</a></div></div>",
            True,
        ),
        (
            "<div>{title}<p class='author'>Post written by <a>Dora Quell</a> » 12:05</p>{text}</div><p class='author'>"
            "Post written by Ida Holm</p>",
            True,
        ),
        ("{card}<div class='h-entry'>{title}<a class='p-author h-card'>Dora Quell</a>{text}</div>{card}", True),
    ],
)
def test_the_author_is_that_of_the_article_and_not_of_a_teaser(page: str, author: bool) -> None:
    document = read(page.format(card=CARD, title="<h1>Bridge closed</h1>", text=TEXT))
    assert document.author == ("Dora Quell" if author else None)
    assert document.published is None


@pytest.mark.parametrize(("asked", "iso"), [(', "dateCreated": "2024-03-05"', "2024-03-05"), ("", None)])
def test_comments_and_answers_give_neither_author_nor_date_of_the_page(asked: str, iso: str | None) -> None:
    author = '"author": {{"@type": "Person", "name": "{}"}}'
    answer = f'"suggestedAnswer": [{{"@type": "Answer", "datePublished": "2024-05-08", {author.format("Per Aas")}}}]'
    question = f'"@type": "Question", {answer}, "name": "Bridge closed", {author.format("Dora Quell")}{asked}'
    data = f'<script type="application/ld+json">{{"@type": "QAPage", "mainEntity": {{{question}}}}}</script>'
    document = read(f"<h1>Bridge closed</h1>{TEXT}", head=data)
    assert (document.author, document.published and document.published.iso) == ("Dora Quell", iso)

    item = "itemscope itemtype='https://schema.org/{}'"
    name = "<b itemprop='author' itemscope><i itemprop='name'>{}</i></b>"
    comment = f"<div {item.format('Comment')}>{name.format('Per Aas')}<p>Moved by the staff.</p></div>"
    post = f"{comment}<h1>Bridge closed</h1>{name.format('Dora Quell')}<div itemprop='text'>{TEXT}</div>"
    assert read(f"<div {item.format('DiscussionForumPosting')}>{post}</div>").author == "Dora Quell"


ITEM = "<meta itemprop='datePublished' content='{}'>"
DATA = (
    '{{"@type": "NewsArticle", "headline": "{}", "url": "https://courier.example/{}", "datePublished": "{}",'
    ' "author": {{"name": "Dora Quell"}},}}'
)


@pytest.mark.parametrize(
    ("head", "teaser", "own", "iso"),
    [
        ("//<![CDATA[\n{own}\n//]]>", "", "", "2024-03-05"),
        ("<!--\n[{other},\n{own}]\n//-->", "", "", "2024-03-05"),
        ("{other}", "", "", None),
        ("", f"<aside>{ITEM.format('2018-08-08')}</aside>", ITEM.format("2024-03-05"), "2024-03-05"),
        ("", f"<aside>{ITEM.format('2018-08-08').replace('itemprop', 'property')}</aside>", "", None),
        ("", "", f"<div itemscope itemtype='https://schema.org/VideoObject'>{ITEM.format('2018-08-08')}</div>", None),
        (
            "",
            "",
            "<div itemscope><p class='footer'><time itemprop='datePublished' datetime='2024-03-05'></p></div>",
            "2024-03-05",
        ),
        ("{other}", "<article><h1>Lottery won</h1><p>A baker won.</p></article>", "", None),
        ("", f"<article><h3><a href='/won'>Lottery</a></h3>{ITEM.format('2018-08-08')}</article>", "", None),
        ("", "", f"<div typeof='Article'>{ITEM.format('2018-08-08').replace('itemprop', 'property')}</div>", None),
        ("", "", "<section typeof='NewsArticle'><time datetime='2018-08-08'>8 August</time></section>", None),
        (
            '{{"@graph": [{{"@type": "WebSite", "datePublished": "2018-08-08"}}, {{"@type": "JobPosting"}},'
            ' {{"@type": "WebPage", "name": "Bridge closed", "datePublished": "2024-03-05"}}]}}',
            "",
            "",
            "2024-03-05",
        ),
        ('{{"@type": "WebSite", "name": "Courier", "datePublished": "2018-08-08"}}', "", "", None),
    ],
)
def test_the_date_in_another_article_s_data_is_not_the_page_s(
    head: str, teaser: str, own: str, iso: str | None
) -> None:
    other, this = DATA.format("Lottery won", "lottery", "2018-08-08"), DATA.format("Bridge closed", "bridge", iso)
    data = f"<script type='application/ld+json'>{head.format(own=this, other=other)}</script>" if head else ""
    document = read(f"{teaser}<article><h1>Bridge closed</h1>{own}{TEXT}</article>", head=data)
    assert (document.published and document.published.iso) == iso


def test_a_heading_that_links_to_the_front_page_is_not_the_title() -> None:
    head = "<title>Mill Diaries — Bridge closed</title><meta property='og:title' content='Bridge closed'>"
    site, post = "<h1><a href='/'>Mill Diaries</a></h1><p>Since 5 May 2009</p>", "<p>5 March 2024</p>"
    document = read(f"{site}<article><h2>Bridge closed</h2>{post}{TEXT}</article>", head=head)
    assert (document.title, document.published and document.published.iso) == ("Bridge closed", "2024-03-05")


def test_the_title_has_no_words_struck_out() -> None:
    document = read(f"<article><h1>Bridge <del>open</del> closed</h1>{TEXT}</article>")
    assert document.title == "Bridge closed"


@pytest.mark.parametrize("hidden", ["hidden", "style='display:none'", "style='opacity:0'"])
def test_the_main_part_behind_a_notice_is_read_with_a_note(hidden: str) -> None:
    notice = "<div><p>We and our partners store cookies on this device, and you may agree.</p><button>OK</button></div>"
    document = read(f"<div {hidden}><article><h1>Bridge closed</h1>{TEXT}</article></div>{notice}")
    assert "closed to lorries" in document.text
    assert any("hidden" in note for note in document.notes)
