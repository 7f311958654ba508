"""The statements of a topic as claims, and the sources on each side of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.verification.topic_claims import (
    MOST_CLAIMS,
    Sides,
    beside_the_topic,
    claims_to_check,
    low_credibility,
    main_claims,
    near_first,
    sides_of,
    title_claim,
)
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Precision, Published
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Category, Source
from inquest.domain.topic import Topic
from inquest.sources.tiers import rating_of
from tests import case_parts

DAY = datetime(2025, 3, 11, tzinfo=UTC)
TEXT = "Kestrel Bank lent 40 million euros above its lending limit in Aldport."
TOPIC = Topic(title="Kestrel Bank exceeded its lending limit in Aldport", text=TEXT, event_date=DAY, place="Aldport")
ITSELF, DETAIL = Claim(id="C0", text=TOPIC.title), Claim(id="C1", text=TEXT)
BESIDE = Claim(id="C2", text="Kestrel Bank was founded by two brothers in 1990.")


def source(id: str, *, score: int = 80, at: datetime = DAY, category: str = "newspaper") -> Source:
    rating = rating_of(f"{id.lower()}.example", score, [], category=category)
    return case_parts.source(id, rating=rating, published=Published(at=at, precision=Precision.DAY))


def finding(claim: Claim, of: str, stance: Stance, **details: object) -> Finding:
    quote = str(details.pop("quote", claim.text))
    id = f"F{claim.id}{of}{stance.value}"
    return case_parts.finding(id, of, stance, 0.85, quote, claim_id=claim.id, details=details)


def sides(*findings: Finding, sources: tuple[Source, ...] = (), topic: Topic = TOPIC) -> Sides:
    known = {each.id: each for each in sources or (source("S1"), source("S2"), source("S3"))}
    return sides_of((ITSELF, DETAIL), findings, known, (), topic)


class TestTheMatter:
    def test_the_title_is_a_claim_of_its_own_and_takes_over_who_says_it(self) -> None:
        made = Claim(id="C4", text=f"{TOPIC.title}.", queries=("kestrel lending",))
        claim = title_claim(TOPIC, [BESIDE, made])
        assert claim is not None
        assert (claim.id, claim.text, claim.queries) == ("C0", TOPIC.title, made.queries)
        assert title_claim(TOPIC.model_copy(update={"title": "Did Kestrel Bank lend too much?"}), []) is None
        assert title_claim(TOPIC.model_copy(update={"title": "Kestrel"}), []) is None

    def test_a_headline_and_the_sentence_that_spells_it_out_are_one_claim(self) -> None:
        topic = Topic(title="Three children dead after drinking Haferlin", text="")
        made = Claim(id="C1", text="Three children have died after drinking Haferlin.")
        assert [each.text for each in claims_to_check([made], topic)] == [topic.title]
        fuller = made.model_copy(update={"text": "Three children in Osnabrück have died after drinking Haferlin."})
        assert fuller in claims_to_check([fuller], topic)

    def test_the_main_claim_is_the_title_or_the_claim_nearest_to_it(self) -> None:
        assert main_claims([BESIDE, DETAIL, ITSELF], TOPIC) == (ITSELF, DETAIL)
        assert main_claims([BESIDE], TOPIC) == ()
        topic = Topic(title="Did Kestrel Bank exceed its lending limit in Aldport?")
        assert main_claims([BESIDE, DETAIL], topic) == (DETAIL,)
        assert near_first([BESIDE, DETAIL], TOPIC) == [DETAIL, BESIDE]

    def test_where_no_page_is_found_on_a_headline_the_claim_that_says_it_in_full_stands_for_it(self) -> None:
        topic = Topic(title="Travellers cut off by landslide at Aldport pass")
        headline = Claim(id="C0", text=topic.title)
        full = Claim(
            id="C1", text="Forty-three travellers were cut off for two days by a landslide at the Aldport pass."
        )
        other = Claim(id="C2", text="The travellers at Aldport pass were not cut off by a landslide.")
        on_full = finding(full, "S1", Stance.SUPPORTS)
        assert main_claims([headline, full, other], topic, [on_full]) == (full, headline)
        assert main_claims([headline, full], topic, [on_full, finding(headline, "S2", Stance.SUPPORTS)]) == (headline,)
        assert main_claims([headline, other], topic, [finding(other, "S1", Stance.SUPPORTS)]) == (headline,)

    def test_claims_of_the_topic_s_matter_are_checked_and_those_of_its_own_article(self) -> None:
        mention = Mention(source_id="S1", snapshot="sha256:1", quote="x", start=0, end=1)
        own = BESIDE.model_copy(update={"mentions": (mention,)})
        assert claims_to_check([BESIDE, DETAIL], TOPIC) == (ITSELF.model_copy(update={"importance": 1.0}), DETAIL)
        assert own in claims_to_check([own, DETAIL], TOPIC, own=("S1",))
        many = [Claim(id=f"C{n}", text=f"{TEXT} It was the {n}th time.") for n in range(40)]
        assert len(claims_to_check(many, TOPIC)) == MOST_CLAIMS

    def test_a_page_with_neither_the_names_nor_the_matter_of_the_topic_is_beside_it(self) -> None:
        told = {
            "S1": ("Aldport bank fined for loans", "en"),
            "S2": ("The lender went beyond the limit that the law sets for lending, and exceeded it twice.", "en"),
            "S3": ("Statue of a poet unveiled in the town of Garrow with the face of a film actor.", "en"),
            "S4": ("Ein Denkmal trägt das Gesicht eines Schauspielers.", "de"),
        }
        pages = {id: case_parts.document(text, language=language) for id, (text, language) in told.items()}
        assert beside_the_topic(TOPIC, {id: source(id) for id in told}, pages) == {"S3"}


class TestSides:
    def test_a_source_that_differs_in_a_figure_confirms_and_one_against_the_title_contradicts(self) -> None:
        found = sides(finding(ITSELF, "S1", Stance.SUPPORTS), finding(DETAIL, "S1", Stance.CONTRADICTS))
        assert [vote.source.id for vote in found.confirming] == ["S1"]
        assert ([vote.source.id for vote in found.differing], found.contradicting) == (["S1"], ())
        assert found.contradicted_by == frozenset()
        found = sides(finding(ITSELF, "S1", Stance.CONTRADICTS), finding(DETAIL, "S1", Stance.SUPPORTS))
        assert ([vote.source.id for vote in found.contradicting], found.confirming) == (["S1"], ())

    def test_a_partys_own_word_and_hearsay_confirm_nothing(self) -> None:
        said = {"speaker": {"kind": "party", "name": "Kestrel Bank"}}
        resident = {"speaker": {"kind": "witness", "name": "a resident"}}
        assert sides(finding(ITSELF, "S1", Stance.CONTRADICTS, **said)).contradicting == ()
        assert sides(finding(ITSELF, "S1", Stance.SUPPORTS, **resident)).confirming == ()

    def test_what_appeared_long_before_the_event_confirms_nothing_and_is_counted(self) -> None:
        old = source("S1", at=DAY.replace(year=2016))
        found = sides(finding(ITSELF, "S1", Stance.SUPPORTS), sources=(old,))
        assert (found.confirming, found.before) == ((), 1)
        undated = TOPIC.model_copy(update={"event_date": None})
        again = sides(finding(ITSELF, "S1", Stance.SUPPORTS), sources=(old,), topic=undated)
        assert ([vote.source.id for vote in again.confirming], again.before) == (["S1"], 0)

    def test_every_counted_witness_is_named_and_none_that_dates_from_before_the_event(self) -> None:
        by_council = finding(ITSELF, "S1", Stance.SUPPORTS, speaker={"kind": "witness", "name": "Ada Holt"})
        found = sides(by_council, sources=(source("S1", category="government"),))
        assert [vote.source.id for vote in found.confirming] == ["S1"]
        assert found.confirmed_by == {"S1"}
        dated = Claim(id="C0", text="Kestrel Bank exceeded its lending limit on 11 March 2025.")
        known = {each.id: each for each in (source("S1", at=DAY - timedelta(days=2)), source("S2"))}
        both = [finding(dated, id, Stance.SUPPORTS, quote=f"So {id} reports.") for id in known]
        found = sides_of((dated,), both, known, (), TOPIC)
        assert [vote.source.id for vote in found.confirming] == ["S2"]
        assert found.confirmed_by == {"S2"}

    def test_copies_of_one_story_are_one_witness(self) -> None:
        story = {"story": "T1", "origin_of_story": "S1"}
        known = tuple(source(each).model_copy(update=story) for each in ("S1", "S2", "S3"))
        found = sides(*(finding(ITSELF, each.id, Stance.SUPPORTS) for each in known), sources=known)
        assert len(found.confirming) == 1
        assert found.confirmed_by == {"S1", "S2", "S3"}

    def test_satire_is_suspicious_also_where_it_is_no_evidence_at_all(self) -> None:
        spoof = source("S1", score=10, category=Category.SATIRE).model_copy(update={"excluded": "it is satire"})
        assert low_credibility({"S1": spoof, "S2": source("S2").model_copy(update={"relevance": 1.0})}) == 1
        assert low_credibility({"S1": spoof}, own=("S1",)) == 0

    @given(
        st.lists(
            st.tuples(
                st.sampled_from((ITSELF, DETAIL)),
                st.sampled_from(("S1", "S2", "S3")),
                st.sampled_from((Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL)),
            )
        )
    )
    def test_nobody_stands_on_both_sides_and_the_order_does_not_matter(
        self, told: list[tuple[Claim, str, Stance]]
    ) -> None:
        made = {(claim.id, id, stance): finding(claim, id, stance) for claim, id, stance in told}
        found = sides(*made.values())
        assert not {vote.voter for vote in found.confirming} & {vote.voter for vote in found.contradicting}
        assert not found.confirmed_by & found.contradicted_by
        assert found == sides(*reversed(made.values()))
