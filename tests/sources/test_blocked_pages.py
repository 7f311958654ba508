"""Paywalls, error pages and stubs, distinguished from articles about them."""

from __future__ import annotations

import pytest

from inquest.domain.reasons import Reason, in_words
from inquest.sources.noise import looks_blocked, looks_paywalled

ARTICLE = (
    "The coast road between Tolley and Marl was blocked on Monday after a landslide, and access was denied to all but "
    "rescue workers. The county said that the service was unavailable to commuters until further notice. "
    "Checking your browser before accessing the county's page helps, an official joked; the page showed 404 not found, "
    "captcha requests and '403 Forbidden' for hours because of too many requests. "
) * 4


def page(title: str = "", body: str = "") -> str:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


@pytest.mark.parametrize("status", [401, 404, 429, 451, 500, 418])
def test_the_status_decides_first(status: int) -> None:
    assert looks_blocked(status, {}, page("News", ARTICLE), ARTICLE)


@pytest.mark.parametrize(
    "title",
    [
        "Access denied: how the county shut its road",
        "Coast road blocked",
        "404 not found, said the page",
        "Página perdida no encontrada",
    ],
)
def test_an_article_about_a_blocked_road_is_an_article(title: str) -> None:
    assert looks_blocked(200, {"server": "cloudflare"}, page(title, ARTICLE), ARTICLE) is None


@pytest.mark.parametrize("title", ["500 jobs lost at the mill", "502 homes without power"])
def test_a_short_report_of_500_jobs_is_no_failed_server(title: str) -> None:
    assert looks_blocked(200, {}, page(title, "The mill closes."), "The mill closes.") is None


def test_an_ordinary_page_of_a_protected_site_is_not_blocked() -> None:
    markup = page("Coast road", ARTICLE + "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>")
    assert looks_blocked(200, {}, markup, ARTICLE) is None
    form = page("Coast road", ARTICLE + '<form><div class="g-recaptcha"></div><input type="password"></form>')
    assert looks_blocked(200, {}, form, ARTICLE) is None


@pytest.mark.parametrize(
    ("title", "body", "text", "reason"),
    [
        (
            "Just a moment...",
            "<script>window._cf_chl_opt={}</script>",
            "Enable JavaScript and cookies to continue",
            "automated",
        ),
        ("Access Denied", "", "You don't have permission to access http://a.example/ on this server.", "automated"),
        ("a.example", "<script src='https://ct.captcha-delivery.com/c.js'></script>", "", "robot check"),
        ("Page not found | The Echo", "", "We looked everywhere. Try the search.", "no such page"),
        ("Página no encontrada | El Eco", "", "La página que busca no existe.", "no such page"),
        ("Fehler 404: Seite nicht gefunden", "", "Hier ist nichts.", "no such page"),
        ("503 Service Temporarily Unavailable", "", "nginx", "server failed"),
        ("Before you continue to Search", "", "We use cookies and data.", "consent"),
        ("Log in to Echo", "", "Forgot your password?", "login"),
        ("Echo", '<form><input type="password" name="p"></form>', "Your name Your password", "login"),
    ],
)
def test_walls_and_error_pages_are_known_by_structure_and_length(title: str, body: str, text: str, reason: str) -> None:
    why = looks_blocked(200, {}, page(title, body), text)
    assert why and reason in in_words(why)


def test_a_wall_may_say_so_in_its_headers_and_documents_without_markup_are_none() -> None:
    assert looks_blocked(200, {"Cf-Mitigated": "challenge"}, page("x"), "x") == Reason(code="pages.robot_check")
    assert looks_blocked(200, {}, "", "Access to the beach is free.") is None


def test_a_stub_before_a_paywall_is_known_by_two_signs() -> None:
    start = (
        "The river authority closed the footbridge at Tolley on Monday, after divers had found cracks in two piers and"
    )
    not_free = '<script type="application/ld+json">{"isAccessibleForFree": "False"}</script>'
    assert looks_paywalled(page("x", not_free), start)
    assert looks_paywalled(page("x"), start + " …\n\nSubscribe to continue reading. Already a subscriber?")
    assert looks_paywalled(page("x", not_free), start + " so on.\n\nAlready a subscriber? Log in to continue.")
    assert looks_paywalled(page("x"), start) is None
    assert looks_paywalled(page("x", not_free), start + " so it was.") is None
    invites = page("x", not_free).replace("</body>", "<div class=paywall>Subscribe to continue reading</div></body>")
    assert looks_paywalled(invites, start + " so it was.")
    assert looks_paywalled(page("x", '<div class="o-paywall"><h2>Weiterlesen mit Abo</h2>'), start + " so it was.")
    assert looks_paywalled(page("x", '<div class="paywall"><p>The rest of the article'), start + " so it was.") is None
    assert looks_paywalled(page("x", not_free), ARTICLE * 3 + start) is None
    assert (
        looks_paywalled(page("x", not_free), start + " so it was.\n\nReporting by Ida Holm; editing by Per Aas") is None
    )
    assert looks_paywalled(page("x", f"{not_free}<p class='subscriber-only'>"), start + " so it was.") is None
    assert looks_paywalled(page("x", not_free), start + " so it was.", "More stories from the coast " * 20) is None
