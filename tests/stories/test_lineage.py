"""The origin of a story: what counts as a credit, what cannot be first, and when it cannot be determined."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bench.trees import grow
from inquest.domain.document import Precision, Published, TextLink
from inquest.sources.tiers import rating_of
from inquest.stories.crediting import UNREAD, Article, Credits, article_of, credits_among
from inquest.stories.lineage_model import Background, Doubt, Lineage, best_credits, lineage_of
from tests.case_parts import document, source

_MAY = datetime(2024, 5, 6, 8, tzinfo=UTC)
_FACTS = (
    "The mill at Garrow Bridge let 41 loads of dye into the river Lenn, a log of its pumps shows. Tove Marsh led a "
    "shift there until 2019. Engineer Amos Field will inspect the works with 3 of his staff. Lennford saw red water."
)
COURIER, POST, ECHO = "Lenn Courier", "Harbour Post", "Coast Echo"


def article(
    name: str,
    text: str = _FACTS,
    hours: float | None = 0.0,
    *,
    links: dict[str, str] | None = None,
    source_links: tuple[str, ...] = (),
    page_links: tuple[str, ...] = (),
    **about: Any,
) -> Article:
    """An article by a publisher of that name, which is also its id. `links`: linked words of the text with their
    targets; `page_links`: links of the page around it."""
    category, precision = about.pop("category", "newspaper"), about.pop("precision", Precision.TIME)
    author: str | None = about.pop("author", None)
    language: str | None = about.pop("language", None)
    assert not about, about
    domain = name.lower().replace(" ", "-") + ".example"
    at = None if hours is None else Published(at=_MAY + timedelta(hours=hours), precision=precision)
    rating, later = rating_of(domain, 60, [], category=category), _MAY + timedelta(days=400)
    told: dict[str, Any] = {
        "author": author,
        "published": at,
        "language": language,
        "rating": rating,
        "retrieved_at": later,
    }
    made = source(name, domain=domain, url=f"https://{domain}/a", title="Dye in the Lenn", **told)
    found = [(text.index(words), words, url) for words, url in (links or {}).items()]
    page = document(
        text,
        snapshot=made.snapshot,
        url=made.url,
        title=made.title,
        publisher=name,
        links=(*page_links, *source_links, *(links or {}).values()),
        text_links=tuple(TextLink(url=url, start=at, end=at + len(words), block=0) for at, words, url in found),
        source_links=source_links,
    )
    return article_of(made, page)


def url_of(name: str) -> str:
    return f"https://{name.lower().replace(' ', '-')}.example/a"


def credits_of(*articles: Article) -> dict[str, str]:
    """The credits, including those to missing reports."""
    found = credits_among(articles)
    return {id: credit.origin for id, credit in (best_credits(found.inside, {}) | dict(found.outside)).items()}


def captured(one: Article, hours: float) -> Article:
    return replace(one, seen=_MAY + timedelta(hours=hours))


def lineage(*articles: Article, event: datetime | None = None, denying: tuple[str, ...] = ()) -> Lineage:
    credits: Credits = credits_among(articles)
    return lineage_of(articles, best_credits(credits.inside, {}), credits, Background(event=event, denying=denying))


class TestCredits:
    def test_a_sentence_with_words_of_credit_around_a_publisher_s_name_is_one(self) -> None:
        first, second = article(COURIER), article(POST, "The Lenn Courier first reported it. " + _FACTS, 3)
        (credit,) = credits_among([first, second]).inside
        assert (credit.article, credit.origin, credit.how) == (POST, COURIER, "words")
        assert second.text[credit.start : credit.end] == credit.quote == "The Lenn Courier first reported it."

    def test_a_link_is_a_credit_in_a_sentence_of_credit_alone(self) -> None:
        assert credits_of(article(COURIER), article(POST, hours=3, page_links=(url_of(COURIER),))) == {}
        text = _FACTS + " More on the works stands in an earlier piece."
        assert credits_of(article(COURIER), article(POST, text, 3, links={"an earlier piece": url_of(COURIER)})) == {}
        text = "According to a report, nobody had been told. " + _FACTS
        assert credits_of(article(COURIER), article(POST, text, 3, links={"a report": url_of(COURIER)})) == {
            POST: COURIER
        }

    def test_a_line_of_one_source_is_a_credit_and_of_several_none(self) -> None:
        assert credits_of(article(COURIER), article(POST, hours=3, source_links=(url_of(COURIER),))) == {POST: COURIER}
        both = article(ECHO, hours=6, source_links=(url_of(COURIER), url_of(POST)))
        assert ECHO not in credits_of(article(COURIER), article(POST, hours=3), both)

    def test_what_is_linked_to_in_words_of_origin_is_one_in_another_language_as_well(self) -> None:
        joke = article("Velm Kiri", "Riik maksustab leili: 2,40 eurot kulbi kohta.", language="et")
        text = "The tale of the ladles comes from Velm Kiri, a site that two carpenters run."
        for language, found in (("en", {POST: "Velm Kiri"}), (None, {})):
            told = article(POST, text, 30, links={"Velm Kiri": url_of("Velm Kiri")}, language=language)
            assert credits_of(joke, told) == found

    def test_checking_or_confirming_a_report_or_doing_ones_own_work_credits_nobody(self) -> None:
        text = _FACTS + " The Lenn Courier reports the same."
        assert credits_of(article(COURIER), article(POST, text, 3)) == {}
        text = "The Harbour Post has obtained the log, independently of the report in the Lenn Courier. " + _FACTS
        assert credits_of(article(COURIER), article(POST, text, 3)) == {}
        check = article(ECHO, "The Lenn Courier reported it. " + _FACTS, 30, category="fact_check")
        assert credits_of(article(COURIER), check) == {}

    def test_a_name_is_found_in_another_spelling_and_not_in_a_longer_or_similar_one(self) -> None:
        live = article("LennLive")
        assert credits_of(live, article(POST, "Lenn Live reports it. " + _FACTS, 3)) == {POST: "LennLive"}
        other = article(POST, "The Harbour Courier reported it. " + _FACTS, 3)
        assert credits_of(article(COURIER), other) == {POST: f"{UNREAD}harbour courier"}
        second = article(ECHO, "The Washington Post reported it. " + _FACTS, 3)
        assert credits_of(article("Washington Times"), second) != {ECHO: "Washington Times"}

    def test_an_agency_is_credited_by_byline_or_dateline_under_all_its_names(self) -> None:
        wire = article("Northwire")
        assert credits_of(wire, article(POST, hours=3, author="Northwire")) == {POST: "Northwire"}
        dateline = article(POST, "LENNFORD, May 6 (Northwire) - " + _FACTS, 3)
        assert credits_of(wire, dateline) == {POST: "Northwire"}
        one = article(POST, "According to AFP, it is so. " + _FACTS, 3)
        two = article(ECHO, "Agence France-Presse (AFP) reported it. " + _FACTS, 4)
        assert len(set(credits_of(one, two).values())) == 1

    def test_an_unread_publisher_is_known_by_its_words_its_address_or_by_being_called_one(self) -> None:
        text = "According to the Velm Lamp, nobody had been told. " + _FACTS
        (credit,) = credits_among(
            [article(POST, text, 3, links={"Velm Lamp": "https://velmlamp.example/1"})]
        ).outside.values()
        assert (credit.name, credit.url) == ("velm lamp", "https://velmlamp.example/1")
        beside = article(POST, "The local website Velm Lamp first reported it. " + _FACTS)
        after = article(
            ECHO, "According to the Velm Lamp, dye ran into it. The paper says that 41 loads did. " + _FACTS
        )
        nobody = article(COURIER, "According to Garrow Mill, no dye ran into the river Lenn. " + _FACTS)
        assert credits_of(beside, after, nobody) == {POST: f"{UNREAD}velm lamp", ECHO: f"{UNREAD}velm lamp"}


class TestOrigin:
    def test_the_line_of_credits_is_followed_to_its_end(self) -> None:
        found = lineage(
            article(ECHO, "According to the Harbour Post, it is so. " + _FACTS, 5),
            article(POST, "The Lenn Courier first reported it. " + _FACTS, 3),
            article(COURIER),
        )
        assert (found.origin, found.doubts) == (COURIER, ())
        assert found.confidence > 0.8

    def test_what_is_dated_before_the_event_is_not_the_first(self) -> None:
        credited = article(COURIER, hours=12), article(ECHO, "The Lenn Courier reported it. " + _FACTS, 20)
        backdated = article("Velm Files", "I was first. " + _FACTS, -40, category="blog")
        assert lineage(*credited, backdated, event=_MAY).origin == COURIER
        assert lineage(backdated, event=_MAY).origin is None

    def test_a_blog_s_own_date_does_not_put_it_before_a_credited_report(self) -> None:
        credited = article(COURIER, hours=12), article(ECHO, "The Lenn Courier reported it. " + _FACTS, 20)
        assert lineage(*credited, article("Velm Files", hours=-40, category="blog")).origin == COURIER

    def test_a_short_post_that_an_article_links_to_as_its_source_is_credited(self) -> None:
        text = "So 41 trucks went past last night and now look. My dog will not drink. I feel sick and sad"
        post = article("Tove on X", text, category="social")
        told = article(COURIER, hours=7, source_links=(url_of("Tove on X"),))
        assert credits_of(post, told) == {COURIER: "Tove on X"}

    def test_of_an_agency_s_report_its_earliest_print_stands_for_it(self) -> None:
        prints = article(COURIER, author="AFP"), article(POST, hours=2, author="AFP")
        found = lineage(*prints, article(ECHO, "According to AFP, it is so. " + _FACTS, 4))
        assert found.origin == COURIER
        local = article(COURIER, author="Velm Gazette"), article(POST, hours=2, author="Velm Gazette")
        outside = lineage(*local, article(ECHO, "According to the Velm Gazette, it is so. " + _FACTS, 4))
        assert outside.origin != COURIER

    def test_a_blog_s_date_is_no_proof_against_a_paper_though_one_credits_it(self) -> None:
        blog = article("Velm Lamp", hours=-2, category="blog")
        credits_it = article(ECHO, "According to the website Velm Lamp, it is so. " + _FACTS, 50)
        found = lineage(blog, article(COURIER, hours=0), credits_it)
        assert found.origin != "Velm Lamp"
        assert lineage(blog, article(COURIER, hours=60), credits_it).origin == "Velm Lamp"

    def test_of_two_that_credit_each_other_the_earlier_is_the_origin_unless_minutes_lie_between(self) -> None:
        one = article(COURIER, _FACTS + " The Harbour Post has the same account.")
        two = article(POST, "The Lenn Courier reports it. " + _FACTS)
        found = lineage(one, two, article(ECHO, "Local media reported it. " + _FACTS, 11))
        assert found.origin is None
        assert set(found.candidates) >= {COURIER, POST}
        one = article(COURIER, "The Harbour Post reported it. " + _FACTS)
        found = lineage(one, article(POST, "The Lenn Courier reported it. " + _FACTS, 0.1))
        assert found.origin is None and set(found.mutual) == {COURIER, POST}
        one = article(COURIER, "The Harbour Post reported it. " + _FACTS, 0)
        two = article(POST, "The Lenn Courier reported it. " + _FACTS, 3)
        assert lineage(one, two, article(ECHO, "The Harbour Post reported it. " + _FACTS, 9)).origin == COURIER

    def test_a_publisher_that_nobody_rated_is_credited_where_a_text_calls_it_one(self) -> None:
        blog = article("Velm Lamp", category="unknown")
        text = "The local website Velm Lamp reported it. " + _FACTS
        assert lineage(blog, article(POST, text, 5), article(ECHO, text, 6)).origin == "Velm Lamp"

    def test_who_denies_a_report_is_not_its_origin(self) -> None:
        denial = article("Garrow Mill", "No dye left the mill at Garrow Bridge, whatever the Lenn shows.", -1)
        assert (
            lineage(denial, article(COURIER), article(POST, hours=5), denying=("Garrow Mill",)).origin != "Garrow Mill"
        )

    def test_what_a_report_was_made_of_is_its_origin_though_it_says_otherwise(self) -> None:
        mild = article(COURIER, "Tove Marsh would welcome it if the mill at Garrow Bridge tested its dye.", -3)
        bent = article(POST, "The Lenn Courier first reported it. " + _FACTS, 2)
        passed_on = article(ECHO, "According to the Harbour Post, it is so. " + _FACTS, 5)
        assert lineage(mild, bent, passed_on, denying=(COURIER,)).origin == COURIER
        check = article("Lenn Facts", "The Lenn Courier said nothing of the kind.", 9)
        assert lineage(mild, bent, check, denying=(COURIER, "Lenn Facts")).origin == COURIER
        assert lineage(mild, check, denying=(COURIER, "Lenn Facts")).origin is None, "only who denies it has it there"

    def test_two_doubts_leave_it_open(self) -> None:
        found = lineage(article(COURIER, hours=None), article(POST, hours=None))
        assert (found.origin, found.confidence) == (None, 0.0)
        assert Doubt.NO_DATE in found.doubts and Doubt.SAME_TIME in found.doubts

    def test_who_gives_a_day_alone_is_not_before_one_of_that_evening(self) -> None:
        alone = article(COURIER, hours=-8, precision=Precision.DAY)
        credited = article(POST, hours=11)
        follower = article(ECHO, "The Harbour Post first reported it. " + _FACTS, 14)
        assert lineage(alone, credited, follower).origin in (POST, None)
        assert Doubt.SAME_TIME in lineage(alone, article(POST, hours=11)).doubts

    def test_a_blog_is_not_believed_its_own_date_alone(self) -> None:
        telling = article(POST, hours=20)
        for category, origin in (("blog", None), ("newspaper", COURIER)):
            found = lineage(article(COURIER, category=category), telling)
            assert found.origin == origin and (Doubt.OWN_DATE in found.doubts) == (category == "blog")
        credit = article(ECHO, "The Lenn Courier first reported it. " + _FACTS, 21)
        assert lineage(article(COURIER, category="blog"), telling, credit).origin == COURIER

    def test_a_capture_after_other_reports_does_not_confirm_a_blog_s_date(self) -> None:
        blog, others = article(COURIER, category="blog"), (article(POST, hours=20), article(ECHO, hours=30))
        assert lineage(captured(blog, 40), *others).origin is None
        assert lineage(captured(blog, 10), *others).origin == COURIER

    def test_a_credited_report_is_not_the_origin_if_an_archive_has_one_as_full_from_before_it(self) -> None:
        text = "The Harbour Post first reported it. " + _FACTS
        credited = (
            article(POST, hours=20),
            *(article(f"{name} Times", text, 21) for name in ("Lenn", "Velm", "Oster")),
        )

        def asked(*articles: Article) -> Lineage:
            credits = credits_among(articles)
            known = Background(asked_about=["Velm Times"])
            return lineage_of(articles, best_credits(credits.inside, {}), credits, known)

        found = asked(captured(article(COURIER, category="blog"), 10), *credited)
        assert found.origin is None and Doubt.BEATEN in found.doubts and set(found.candidates) == {COURIER, POST}
        for hours, less in ((30, _FACTS), (10, "There is red water in the river.")):
            assert asked(captured(article(COURIER, less, category="blog"), hours), *credited).origin == POST

    def test_an_unread_report_is_known_by_name_and_dated_by_an_engine(self) -> None:
        found = lineage(
            article(POST, "The Velm Gazette first reported it. " + _FACTS, 3),
            article(ECHO, "According to the Velm Gazette, it is so. " + _FACTS, 5),
        )
        assert (found.origin, found.outside, found.doubts) == (None, f"{UNREAD}velm gazette", (Doubt.UNREAD,))
        unread = f"{UNREAD}velm gazette"
        texts = article(COURIER), article(ECHO, "According to the Velm Gazette, it is so. " + _FACTS, 9)
        credits = credits_among(texts)
        for hours in (-2, 6):
            at = Published(at=_MAY + timedelta(hours=hours), precision=Precision.TIME)
            found = lineage_of(texts, best_credits(credits.inside, {}), credits, Background(published={unread: at}))
            assert found.times[unread].start == at.at

    def test_an_official_notice_is_the_origin_of_what_authorities_are_said_to_have_announced(self) -> None:
        text = "Warnung: 41 Ladungen Farbe bei Garrow Bridge, Tove Marsh, Amos Field, 2019, 3."
        notice = article("Wasseramt Lenn", text, category="government", precision=Precision.DAY)
        report = article(POST, "Authorities said that dye was found. " + _FACTS, 30)
        linked = article(ECHO, _FACTS, 16, source_links=(url_of("Wasseramt Lenn"),))
        assert lineage(report, linked, notice).origin == "Wasseramt Lenn"


@given(st.integers(0, 400))
def test_the_credits_of_generated_trees_make_no_loop_and_stand_in_the_text(seed: int) -> None:
    tree = grow(8, 4_000_000 + seed)
    articles = {s.id: article_of(s, tree.documents[s.id]) for s in tree.sources if s.id in tree.members}
    found = lineage(*articles.values())
    assert 0 <= found.confidence <= 1
    assert abs(sum(root.share for root in found.roots) - 1) < 1e-9
    for id, credit in found.forest.items():
        here, seen = id, set()
        while here in found.forest:
            assert here not in seen
            seen.add(here)
            here = found.forest[here].origin
        if credit.how == "words":
            assert articles[id].text[credit.start : credit.end] == credit.quote
