"""The tiers of publishers: by domain and path, never by substring, and never by their own statements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import InputError
from inquest.domain.source import Category
from inquest.sources.ratings_table import built_in_patterns, built_in_ratings, load_ratings
from inquest.sources.tiers import RELEASE_SCORE, UNKNOWN_SCORE, rate, rate_document, stars_of, tier_of


@pytest.mark.parametrize(
    ("url", "tier"),
    [
        ("https://www.propublica.org/article/x", 1),
        ("https://www.reuters.com/investigates/special-report/x", 1),
        ("https://www.sec.gov/litigation/litreleases/x", 1),
        ("https://www.justice.gov/opa/pr/x", 1),
        ("https://www.courtlistener.com/docket/1/", 1),
        ("https://www.nature.com/articles/s41558-020-0001-1", 1),
        ("https://www.nytimes.com/2024/01/01/x.html", 2),
        ("https://www.bbc.com/news/1", 2),
        ("https://www.ft.com/content/x", 2),
        ("https://www.reuters.com/business/x", 2),
        ("https://www.epa.gov/reports/x", 2),
        ("https://www.dot.state.mn.us/x", 2),
        ("https://www.prnewswire.com/news-releases/x", 3),
        ("https://www.goldmansachs.com/insights/x", 3),
        ("https://medium.com/@somebody/x", 4),
        ("https://x.com/somebody/status/1", 4),
        ("https://www.reddit.com/r/x", 4),
    ],
)
def test_the_examples_of_the_four_tiers(url: str, tier: int) -> None:
    assert rate(url).tier == tier


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.microsoft.com/", "ft.com"),
        ("https://notreuters.com/", "reuters.com"),
        ("https://reuters.com.evil.example/investigates", "reuters.com"),
        ("https://evil.example/reuters.com/investigates", "reuters.com"),
        ("https://reuters.com@evil.example/investigates", "reuters.com"),
        ("https://evil.example/?u=https://reuters.com/investigates", "reuters.com"),
        ("https://gov.uk.evil.example/", "gov.uk"),
        ("https://sec.gov.example.com/litigation", "sec.gov"),
        ("https://mygov.com/", "gov"),
        ("https://go.xy/", "go.*"),
        ("https://state.mn.us.example/", "state.*.us"),
    ],
)
def test_a_name_that_only_contains_a_known_one_is_not_it(url: str, domain: str) -> None:
    assert not any(reason.startswith(f"{domain}:") for reason in rate(url).reasons)


@pytest.mark.parametrize(
    "url",
    [
        "http://REUTERS.com/Investigates/x?y=1#z",
        "https://graphics.reuters.com/investigates",
        "https://www.reuters.com//investigates/x",
        "https://www.reuters.com/world/../investigates/x",
        "https://www.reuters.com/%69nvestigates/x",
    ],
)
def test_a_path_with_a_row_of_its_own_is_known_in_every_spelling(url: str) -> None:
    rating = rate(url)
    assert (rating.tier, rating.category, rating.domain) == (1, "investigative", "reuters.com")
    assert rating.reasons[0] == "reuters.com/investigates: investigations desk (table)"


@pytest.mark.parametrize(
    "path", ["/investigatesomething", "/investigates-not/x", "/x/investigates", "/investigates/../x"]
)
def test_a_path_is_compared_step_by_step(path: str) -> None:
    assert rate("https://www.reuters.com" + path).category == "wire"


def test_a_host_below_a_domain_can_have_a_row_of_its_own() -> None:
    assert rate("https://finance.yahoo.com/news/x").category == "aggregator"
    assert rate("https://factcheck.afp.com/x").category == "fact_check"
    assert rate("https://sites.google.com/view/x").tier == 4


@pytest.mark.parametrize(
    ("url", "category"),
    [
        ("https://www.service.gov.uk/", "government"),
        ("https://apps.des.qld.gov.au/register/", "government"),
        ("https://www.somecounty.gov/", "government"),
        ("https://www.ox.ac.uk/news", "scholarly"),
        ("https://news.stanford.edu/", "scholarly"),
        ("https://ec.europa.eu/commission", "government"),
    ],
)
def test_names_that_only_some_may_register_are_known_without_a_row(url: str, category: str) -> None:
    rating = rate(url)
    assert (rating.known, rating.category, rating.tier) == (True, category, 2)


def test_a_state_without_a_free_press_does_not_gain_by_the_pattern() -> None:
    assert rate("https://www.mfa.gov.cn/").tier == 4


def test_an_archived_copy_is_worth_what_its_original_is() -> None:
    original = rate("https://www.propublica.org/article/x")
    copy = rate("https://web.archive.org/web/20200101000000id_/https://www.propublica.org/article/x")
    assert (copy.score, copy.domain, copy.reasons[-1]) == (
        original.score,
        "propublica.org",
        "a copy in the Internet Archive",
    )
    assert rate("https://web.archive.org/web/2020/http://nobody-knows.example/").known is False


@pytest.mark.parametrize(
    "url", ["https://nobody-knows.example/x", "", "nonsense", "https://", "https://[bad", "http://127.0.0.1/"]
)
def test_what_no_rule_knows_is_of_tier_four_and_says_so(url: str) -> None:
    rating = rate(url)
    assert (rating.known, rating.score, rating.tier) == (False, UNKNOWN_SCORE, 4)
    assert "no rule covers" in rating.reasons[0]


@given(st.text(max_size=60))
def test_every_address_has_a_rating_with_a_reason(url: str) -> None:
    rating = rate(url)
    assert 0 <= rating.score <= 100
    assert rating.reasons


@given(st.integers(0, 99))
def test_a_better_score_is_never_a_worse_tier_or_fewer_stars(score: int) -> None:
    assert tier_of(score + 1) <= tier_of(score)
    assert stars_of(score + 1) >= stars_of(score)


class TestTheTable:
    def test_the_table_is_large_and_every_row_is_complete_with_a_known_category(self) -> None:
        rows = built_in_ratings().rows
        assert len(rows) > 800
        assert not [row.domain for row in rows.values() if not row.reason or row.category == "unknown"]
        meant = set(Category) - {Category.UNKNOWN, Category.LOOK_ALIKE}
        assert {row.category for row in [*built_in_ratings().rows.values(), *built_in_patterns().values()]} == meant

    def test_each_kind_keeps_to_its_range(self) -> None:
        ranges = {
            "satire": (0, 15),
            "fabricator": (0, 25),
            "press_release": (20, RELEASE_SCORE + 20),
            "social": (0, 60),
            "court": (78, 100),
            "regulator": (85, 100),
        }
        wrong = [
            row.domain
            for row in built_in_ratings().rows.values()
            if row.category in ranges and not ranges[row.category][0] <= row.score <= ranges[row.category][1]
        ]
        assert wrong == []


class TestRatingsOfTheUser:
    def test_they_outrank_the_table_and_are_named(self) -> None:
        mine = load_ratings("domain,score,category,owner,reason\nft.com,12,blog,Me,I disagree\n", "mine.csv")
        rating = rate("https://www.ft.com/content/x", extra=[mine])
        assert (rating.score, rating.tier, rating.owner) == (12, 4, "Me")
        assert rating.reasons == ("ft.com: I disagree (your ratings, mine.csv)",)

    def test_two_columns_are_enough(self) -> None:
        mine = load_ratings("\ufeffdomain,score\n# my own\n\nhttps://www.Alder.example/News/,91\n", "mine.csv")
        assert rate("http://alder.example/news/1", extra=[mine]).stars == 5
        assert not rate("http://alder.example/", extra=[mine]).known

    def test_the_first_table_that_knows_the_source_speaks(self) -> None:
        tables = [
            load_ratings(f"domain,score\n{text}", name)
            for text, name in (("a.example,80", "a"), ("b.example,20\na.example,10", "b"))
        ]
        assert rate("https://a.example", extra=tables).score == 80
        assert rate("https://b.example", extra=tables).score == 20

    @pytest.mark.parametrize(
        ("text", "score"),
        [
            ("Domain,SCORE\nalder.example,72", 72),
            ("score\tdomain\n72\talder.example", 72),
            ("\ufeffdomain;score\nalder.example;72,4", 72),
            ("domain,pc1\nalder.example,0.72", 72),
            (",domain,pc1\n1,alder.example,1\n2,b.example,0", 100),
            ("domain,rating\nalder.example,0.72\nb.example,1", 72),
            ("domain,score\nalder.example,72\nalder.example,72", 72),
            ('domain,score,reason\nalder.example,72,"a, b"', 72),
        ],
    )
    def test_the_forms_in_which_such_lists_are_passed_around(self, text: str, score: int) -> None:
        assert rate("https://alder.example", extra=[load_ratings(text, "f.csv")]).score == score

    def test_a_leaning_is_shown_and_changes_nothing(self) -> None:
        plain, leaning = (
            rate("https://alder.example", extra=[load_ratings(text, "f.csv")])
            for text in ("domain,score\nalder.example,72", "domain,score,Bias\nalder.example,72,left-center")
        )
        assert leaning == plain.model_copy(update={"leaning": "left-center"})

    def test_a_category_in_another_spelling_is_ours(self) -> None:
        mine = load_ratings(
            "domain,score,category\na.example,72,Fact-Check\nb.example,70,academic\nc.example,9,press", "f"
        )
        assert [mine.rows[f"{name}.example"].category for name in "abc"] == ["fact_check", "scholarly", "press"]

    @given(st.text(max_size=200))
    def test_any_text_is_a_table_or_one_sentence(self, text: str) -> None:
        for body in (text, "domain,score\n" + text):
            try:
                load_ratings(body, "f.csv")
            except InputError as error:
                assert "f.csv" in str(error)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "f.csv is empty"),
            ("domain,score\n# only words\n", "has a header but no ratings"),
            ("PK\x03\x04\x00\x00binary", "is not a text file"),
            ("name,score\nft.com,1", "does not begin with the columns"),
            ("domain\nft.com", "does not begin with the columns"),
            ("domain,pc1\nft.com,1.2", "Line 2 of f.csv has no score from 0 to 1:"),
            ("domain,score\nft.com,nan", "Line 2 of f.csv has no score"),
            ("domain,score\nft.com,1\nwww.ft.com,2", "Line 3 of f.csv gives ft.com a second score, 2 besides 1"),
            ('domain,score\n"ft.com,1\nbbc.com,2', "cannot be read as CSV"),
            ("domain,score\n" + "a.example,1\n" * 200_001, "f.csv has 200001 rows; the limit is 200000"),
            ("domain,score\nft.com", "Line 2 of f.csv has no score"),
            ("domain,score\n\n# x\nft.com,101", "Line 4 of f.csv has no score"),
            ("domain,score\nft,1", "Line 2 of f.csv has no domain"),
            ("domain,score\nft.com,1,blog", "Line 2 of f.csv has 3 columns"),
        ],
    )
    def test_what_cannot_be_used_is_said_with_its_line(self, text: str, says: str) -> None:
        with pytest.raises(InputError, match=says):
            load_ratings(text, "f.csv")


class TestPressReleases:
    ARTICLE = "The regulator fined the company on Tuesday, according to a ruling seen by this newspaper. " * 20

    def test_a_distributor_s_page_is_one(self) -> None:
        rating = rate_document("https://www.prnewswire.com/x", title="X", text=self.ARTICLE)
        assert (rating.press_release, rating.tier) == (True, 3)

    @pytest.mark.parametrize(
        ("title", "start", "author"),
        [
            ("Alder Corp announces", "FOR IMMEDIATE RELEASE\n", None),
            ("Press release: Alder Corp", "", None),
            ("", "OSLO, May 1, 2024 /PRNewswire/ -- Alder", None),
            ("", "BERGEN--(BUSINESS WIRE)--Alder", None),
            ("", "", "Alder Corp Press Office"),
        ],
    )
    def test_wording_or_author_mark_it_and_cap_what_it_is_worth(
        self, title: str, start: str, author: str | None
    ) -> None:
        rating = rate_document("https://www.latimes.com/x", title=title, text=start + self.ARTICLE, author=author)
        assert (rating.press_release, rating.score, rating.tier) == (True, RELEASE_SCORE, 3)
        assert rating.reasons[-1].startswith("press release: ")

    def test_two_weak_signs_mark_it_and_one_does_not(self) -> None:
        end = "\n\nAbout Alder Corp\nAlder makes boats.\n"
        assert not rate_document("https://www.latimes.com/x", text=self.ARTICLE + end).press_release
        both = rate_document(
            "https://www.latimes.com/x", text=self.ARTICLE + end + "\nMedia contact:\nalder@alder.example"
        )
        assert both.press_release
        assert len(both.reasons) == 3

    def test_a_page_cannot_raise_itself(self) -> None:
        for text in ("FOR IMMEDIATE RELEASE\n", "This source is tier 1. Reuters wire. ", ""):
            rating = rate_document("https://nobody-knows.example/x", title="Tier 1", text=text + self.ARTICLE)
            assert rating.score <= UNKNOWN_SCORE

    def test_an_article_about_a_release_is_none_and_the_newsroom_of_a_company_is_one(self) -> None:
        text = (
            self.ARTICLE
            + "The company said so in a press release, which was marked for immediate release. "
            + self.ARTICLE
        )
        assert not rate_document("https://www.latimes.com/news/x", title="Company fined", text=text).press_release
        assert rate_document("https://www.apple.com/newsroom/2024/x").press_release
        assert not rate_document("https://www.nytimes.com/press-releases/x", text=self.ARTICLE).press_release

    def test_the_company_concerned_speaks_for_itself_whatever_its_rating(self) -> None:
        rating = rate("https://www.bloomberg.com/company", own_domains=["bloomberg.com"])
        assert (rating.score, rating.tier, rating.category) == (RELEASE_SCORE, 3, "company")
        assert rate("https://www.bloomberg.com/company", own_domains=["berg.com"]).tier == 2


def test_a_public_bodys_release_is_its_official_word() -> None:
    rating = rate_document("https://www.somecounty.gov/sheriff/news/x", text="PRESS RELEASE\nThe road is closed.")
    assert (rating.press_release, rating.tier) == (False, 2)
