"""Noise in hits and pages: recognised by its form, with a reason; things that only look like noise are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import Document
from inquest.domain.reasons import Reason, in_words, noted, sentences
from inquest.domain.search import Hit
from inquest.sources.noise import noise_of, noise_of_page
from inquest.sources.source_worth import too_noisy

ARTICLE = (
    "The regulator fined the mill 640,000 euros on Tuesday for releasing dye into the river Veldra. Inspectors had "
    "taken samples below the weir on four nights in May, and found solvent at three times the permitted limit. "
    '"We regret what happened," a spokeswoman said. The company has thirty days to appeal to the tribunal in Haverley. '
    "Residents had complained for years about the colour of the water, and about the smell near the bathing place. "
    "The county closed two wells in July, after tests by its health office. Neither has been opened since. "
)


def a_hit(url: str, **more: object) -> Hit:
    return Hit.model_validate({"url": url, "rank": 1, "engine": "one", "title": "Dye in the river"} | more)


def a_page(text: str, title: str = "Mill fined over dye in the river", **more: object) -> Document:
    fields = {"snapshot": "sha256:0", "url": "https://a.example/2024/05/dye", "title": title, "text": text}
    return Document.model_validate(fields | more)


@pytest.mark.parametrize(
    ("hit", "noisy"),
    [
        (a_hit("https://a.example/"), True),
        (a_hit("https://a.example/tag/river"), True),
        (a_hit("https://a.example/search?q=dye"), True),
        (a_hit("https://a.example/x", title="You won’t believe what the mill did"), True),
        (a_hit("https://a.example/x", details={"sponsored": True}), True),
        (a_hit("https://a.example/x", title="", snippet=""), True),
        (a_hit("https://a.example/2024/05/dye-in-the-river"), False),
        (a_hit("https://a.example/", snapshot="sha256:1"), False),
        (a_hit("https://a.example/topics/water/2024/dye-in-the-river"), False),
        (a_hit("https://a.example/x", title="Why the county did not believe its engineer"), False),
        (a_hit("http://[bad"), False),
    ],
)
def test_noise_of_a_hit_is_known_by_its_form_and_says_why(hit: Hit, noisy: bool) -> None:
    noise = noise_of(hit)
    assert (noise.share > 0) == noisy == bool(noise.reasons)


def test_an_article_is_no_noise() -> None:
    assert noise_of_page(a_page(ARTICLE)) == (0.0, (), False)


TEASERS = "\n".join(
    f"{name} council debates the new harbour road\nRead more"
    for name in "Tolley Marl Stennick Haverley Weirlane Plumb Brook Ashcombe".split()
)


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (a_page("Nothing here."), "hardly any text"),
        (a_page(ARTICLE[:300]), "little text"),
        (a_page(TEASERS), "list of teasers"),
        (a_page(ARTICLE, "23 Rivers That Will Make You Cry"), "its title reads like clickbait"),
        (a_page(ARTICLE, url="https://a.example/"), "a front page"),
        (a_page("Try the search.", "Page not found | The Echo"), "no such page"),
        (a_page("Sorry, we can't find the page you are looking for. Here are our latest stories."), "no such page"),
        (
            a_page("We and our 812 partners store data. Accept all. Manage preferences. Legitimate interest applies."),
            "a consent form",
        ),
        (
            a_page(ARTICLE, **noted([Reason.of("pages.not_page", why=Reason(code="pages.robot_check"))])),
            "a robot check",
        ),
    ],
)
def test_noise_of_a_page_says_why(page: Document, reason: str) -> None:
    noise = noise_of_page(page)
    assert noise.share >= 0.19
    assert any(reason in each for each in sentences(noise.reasons))


@pytest.mark.parametrize(
    "text",
    [
        # Reports about noise are not noise.
        ARTICLE + "The company's site showed 'page not found' for hours, and its banner read 'accept all cookies'.",
        "A lawyer says cookie banners with a single button to accept all break the law. " + ARTICLE,
        # A register also consists of figures in rows, with little prose.
        "\n".join(
            f"{year}: {year % 7}.{year % 9} milligrams of solvent a litre at the weir." for year in range(1990, 2024)
        ),
    ],
)
def test_what_is_about_noise_or_looks_like_it_is_left_alone(text: str) -> None:
    assert noise_of_page(a_page(text)).share == 0.0


def test_a_japanese_notice_is_as_long_as_what_it_says() -> None:
    notice = "学校は休校していません。九日は大雪のため、給食後に下校としました。通学路の除雪は終わっています。"
    assert (
        noise_of_page(a_page(notice)).share
        < noise_of_page(a_page("The school is open today, and all buses run.")).share
    )


def test_a_stub_before_a_paywall_is_marked_and_is_no_noise() -> None:
    stub = ARTICLE[:380].rsplit(" ", 1)[0] + " and the… Already a subscriber? Subscribe now to continue reading."
    noise = noise_of_page(a_page(stub))
    assert (noise.share, noise.paywalled) == (0.0, True)
    assert "subscribers" in in_words(noise.reasons[0])


@pytest.mark.parametrize("kind", ["pdf", "row", "feed", "text", "markdown"])
def test_short_or_repetitive_text_that_is_no_web_page_is_no_noise(kind: str) -> None:
    assert noise_of_page(a_page("Fine: 640,000", kind=kind)).share == 0.0
    assert noise_of_page(a_page(TEASERS, kind=kind)).share == 0.0


@given(st.text(max_size=2000), st.text(max_size=100), st.lists(st.text(max_size=40), max_size=5))
def test_any_page_has_a_share_between_nothing_and_one(text: str, title: str, links: list[str]) -> None:
    noise = noise_of_page(a_page(text, title, links=tuple(links)))
    assert 0 <= noise.share < 1
    assert bool(noise.reasons) == (noise.share > 0 or noise.paywalled)


def test_a_short_page_is_not_left_out_for_its_title_alone() -> None:
    title = "23 Rivers That Will Make You Cry"
    assert noise_of(a_hit("https://a.example/rivers", title=title)).share > 0.4
    assert too_noisy(noise_of_page(a_page(ARTICLE[:300], title)), own=False) is None
    assert too_noisy(noise_of_page(a_page(ARTICLE[:70], title)), own=False)
