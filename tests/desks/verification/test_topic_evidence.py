"""What a topic's main matter is, who confirms it, who contradicts it, and who only tells a detail otherwise."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.verification.topic_evidence import (
    Sides,
    denies_the_matter,
    main_claims,
    near_first,
    says_the_matter,
    sides_of,
    suspicious_sources,
    title_claim,
)
from inquest.domain.claim import Claim
from inquest.domain.document import Precision, Published
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Category, Source
from inquest.domain.topic import Topic
from inquest.sources.tiers import rating_of

DAY = datetime(2025, 3, 11, tzinfo=UTC)
TOPIC = Topic(title="Kestrel Bank exceeded its lending limit in Aldport", event_date=DAY, place="Aldport")
ITSELF = Claim(id="C0", text=TOPIC.title)
HIGH = Claim(id="C1", text="Kestrel Bank was fined 4.2 million euros for lending above the limit in Aldport.")
DENIAL = Claim(id="C2", text="Kestrel Bank did not exceed its lending limit in Aldport.")


def source(id: str, *, score: int = 80, at: datetime = DAY, category: str = "newspaper") -> Source:
    domain = f"{id.lower()}.example"
    return Source(
        id=id, url=f"https://{domain}/1", title="", domain=domain, snapshot=f"sha256:{id}", retrieved_at=at,
        rating=rating_of(domain, score, ["given"], category=category),
        published=Published(at=at, precision=Precision.DAY),
    )  # fmt: skip


def finding(claim: Claim, of: str, quote: str, stance: Stance, **details: object) -> Finding:
    return Finding(
        id=f"F{claim.id}{of}{stance.value}", claim_id=claim.id, source_id=of, agent="inquiry", stance=stance,
        confidence=0.85, quote=quote, snapshot=f"sha256:{of}", start=0, end=len(quote), details=details,
    )  # fmt: skip


def sides(*findings: Finding, sources: tuple[Source, ...] = (), topic: Topic = TOPIC) -> Sides:
    known = {each.id: each for each in sources or (source("S1"), source("S2"), source("S3"))}
    return sides_of((ITSELF, HIGH, DENIAL), findings, known, topic=topic)


def test_another_sum_is_a_difference_and_no_contradiction_of_the_topic() -> None:
    said = "Kestrel Bank was fined 2.4 million euros for lending above the limit in Aldport."
    found = sides(
        finding(HIGH, "S1", HIGH.text, Stance.SUPPORTS),
        finding(HIGH, "S2", said, Stance.CONTRADICTS),
        finding(ITSELF, "S2", said, Stance.SUPPORTS),
    )
    assert {vote.source.id for vote in found.confirming} == {"S1", "S2"}
    assert ([vote.source.id for vote in found.differing], found.contradicting) == (["S2"], ())
    assert found.contradicted_by == frozenset()


def test_who_bears_out_the_denial_contradicts() -> None:
    found = sides(finding(DENIAL, "S1", DENIAL.text, Stance.SUPPORTS))
    assert [vote.source.id for vote in found.contradicting] == ["S1"]
    assert not found.confirming and found.contradicted_by == {"S1"}


def test_who_contradicts_the_denial_has_not_said_that_it_is_so() -> None:
    found = sides(finding(DENIAL, "S1", "That is too simple.", Stance.CONTRADICTS))
    assert (found.confirming, found.contradicting) == ((), ())


def test_a_number_that_the_title_gives_is_no_detail() -> None:
    topic = TOPIC.model_copy(update={"title": "Kestrel Bank was fined 4.2 million euros for lending above the limit"})
    said = "Kestrel Bank was fined 2.4 million euros for lending above the limit in Aldport."
    found = sides(finding(HIGH, "S2", said, Stance.CONTRADICTS), topic=topic)
    assert [vote.source.id for vote in found.contradicting] == ["S2"]


def test_a_partys_own_denial_contradicts_nothing() -> None:
    said = "We have always kept within our lending limit in Aldport."
    found = sides(finding(ITSELF, "S1", said, Stance.CONTRADICTS, party=True, attributed_to="Kestrel Bank"))
    assert (found.contradicting, found.contradicted_by) == ((), frozenset())


def test_what_appeared_long_before_the_event_confirms_nothing_and_is_counted() -> None:
    old = source("S1", at=DAY.replace(year=2016))
    found = sides(finding(ITSELF, "S1", TOPIC.title, Stance.SUPPORTS), sources=(old,))
    assert (found.confirming, found.before) == ((), 1)
    undated = TOPIC.model_copy(update={"event_date": None})
    again = sides(finding(ITSELF, "S1", TOPIC.title, Stance.SUPPORTS), sources=(old,), topic=undated)
    assert ([vote.source.id for vote in again.confirming], again.before) == (["S1"], 0)


def test_a_notice_of_some_weeks_before_counts_since_what_is_known_late_began_earlier() -> None:
    notice = source("S1", at=DAY.replace(month=1))
    assert sides(finding(ITSELF, "S1", TOPIC.title, Stance.SUPPORTS), sources=(notice,)).confirming


def test_words_that_name_nobody_are_the_word_of_who_prints_them() -> None:
    found = sides(
        finding(ITSELF, "S1", TOPIC.title, Stance.SUPPORTS, attributed_to="which its lending had always kept to"),
        finding(HIGH, "S1", HIGH.text, Stance.SUPPORTS),
    )
    assert len(found.confirming) == 1


@pytest.mark.parametrize(
    ("title", "text", "says"),
    [
        (TOPIC.title, "Kestrel Bank lent more than twice the permitted amount in Aldport.", True),
        (TOPIC.title, "A licence to lend in Aldport was issued to Kestrel Bank in 2019.", False),
        (TOPIC.title, DENIAL.text, False),
        ("Dockers at Garrow walk out over night shifts", "About 300 dockers walked out at Garrow.", True),
        ("Fire destroyed a warehouse in Marlow", "The warehouse in Marlow was founded in 1990.", False),
    ],
)
def test_to_be_about_the_same_is_not_to_say_the_same(title: str, text: str, says: bool) -> None:
    assert says_the_matter(title, text) is says


def test_a_denial_is_told_both_ways_round() -> None:
    assert denies_the_matter(TOPIC.title, DENIAL.text)
    assert denies_the_matter(DENIAL.text, TOPIC.title)
    assert not denies_the_matter(TOPIC.title, TOPIC.title)


INJURED = "The explosion at Norvale quarry injured 12 miners."
UNHURT = "The explosion at Norvale quarry injured nobody."


@pytest.mark.parametrize(
    ("title", "text", "denied"),
    [
        (INJURED, UNHURT, True),
        (UNHURT, INJURED, True),
        (UNHURT, UNHURT, False),
        (UNHURT, "No one was injured in the explosion at Norvale quarry.", False),
        ("Explosion at Norvale quarry hurts 12", UNHURT, True),
        ("The audit of Norvale quarry found 12 faults", "The audit of Norvale quarry found next to nothing.", True),
        ("The audit of Norvale quarry found 12 faults", "The audit of Norvale quarry found nothing new.", False),
        ("Explosion at Norvale quarry injured its owner", "The explosion injured nobody but the owner.", False),
        ("Police confirm an explosion at Norvale", "Police at Norvale confirmed nobody in the houses was hurt.", False),
        ("Norvale quarry settles with its miners", "The settlement cost Norvale quarry nothing.", False),
        ("Explosion wrecks the kiln at Norvale", "The explosion wrecked the kiln at Norvale, injuring nobody.", False),
    ],
)
def test_what_was_done_to_nobody_was_not_done(title: str, text: str, denied: bool) -> None:
    assert denies_the_matter(title, text) is denied


def test_who_says_that_it_was_done_confirms_although_another_claim_says_to_nobody() -> None:
    topic = Topic(title=INJURED, event_date=DAY, place="Norvale")
    itself, other = Claim(id="C0", text=INJURED), Claim(id="C1", text=UNHURT)
    found = [finding(itself, "S1", INJURED, Stance.SUPPORTS), finding(other, "S1", INJURED, Stance.CONTRADICTS)]
    mains = main_claims([itself, other], topic)
    made = sides_of(mains, found, {"S1": source("S1")}, topic=topic)
    assert ([vote.source.id for vote in made.confirming], made.contradicting) == (["S1"], ())


class TestOnePersonsWordInTwoPapers:
    """Hearsay confirms nothing; which paper has it right decides whether it contradicts."""

    SO = "The mayor told the council that Kestrel Bank exceeded its lending limit in Aldport."
    NOT_SO = "The mayor told the council that Kestrel Bank kept within its lending limit in Aldport."

    def told(self, *, against: int = 20, so: str = SO, not_so: str = NOT_SO, by: str = "mayor") -> Sides:
        known = (source("S1"), source("S2"), source("S3", score=against))
        return sides(
            finding(ITSELF, "S1", TOPIC.title, Stance.SUPPORTS),
            finding(ITSELF, "S2", so, Stance.SUPPORTS, attributed_to=by, hearsay=True),
            finding(ITSELF, "S3", not_so, Stance.CONTRADICTS, attributed_to=by, hearsay=True),
            sources=known,
        )

    def test_the_lesser_paper_alone_differs(self) -> None:
        found = self.told()
        assert [vote.source.id for vote in found.confirming] == ["S1"]
        assert ([vote.source.id for vote in found.differing], found.contradicting) == (["S3"], ())

    def test_a_credible_paper_contradicts(self) -> None:
        assert [vote.source.id for vote in self.told(against=80).contradicting] == ["S3"]

    def test_a_resident_may_be_another_resident(self) -> None:
        so, not_so = (each.replace("The mayor", "A resident") for each in (self.SO, self.NOT_SO))
        assert [vote.source.id for vote in self.told(so=so, not_so=not_so, by="resident").contradicting] == ["S3"]

    def test_where_no_better_paper_has_it_otherwise_it_contradicts(self) -> None:
        found = sides(
            finding(ITSELF, "S1", TOPIC.title, Stance.SUPPORTS),
            finding(ITSELF, "S3", self.NOT_SO, Stance.CONTRADICTS, attributed_to="mayor", hearsay=True),
            sources=(source("S1"), source("S3", score=20)),
        )
        assert [vote.source.id for vote in found.contradicting] == ["S3"]


class TestASlipIsNoContradiction:
    """A body has said one thing, and a story says what its origin says, on whichever claim of the matter."""

    SUM = Claim(id="C3", text="Kestrel Bank was fined 2.4 million euros for exceeding its lending limit in Aldport.")
    OTHER = "Kestrel Bank was fined 4.2 million euros for exceeding its lending limit in Aldport."
    FINED = TOPIC.model_copy(update={"title": "Kestrel Bank fined 2.4 million euros for exceeding its lending limit"})

    def told(self, against: Finding, *known: Source, by: str = "") -> Sides:
        words = {"attributed_to": by} if by else {}
        title = Claim(id="C0", text=self.FINED.title)
        found = (finding(self.SUM, "S1", self.SUM.text, Stance.SUPPORTS, **words), against)
        return sides_of((title, self.SUM), found, {each.id: each for each in known}, topic=self.FINED)

    def against(self, **words: object) -> Finding:
        return finding(Claim(id="C0", text=self.FINED.title), "S2", self.OTHER, Stance.CONTRADICTS, **words)

    def test_what_a_lesser_paper_has_of_a_body_differs_from_what_the_better_has(self) -> None:
        word = self.against(attributed_to="Bank Inspectorate")
        found = self.told(word, source("S1", score=95), source("S2", score=72), by="Bank Inspectorate")
        assert [vote.source.id for vote in found.confirming] == ["S1"]
        assert (found.contradicting, [vote.source.id for vote in found.differing]) == ((), ["S2"])
        assert (found.confirmed_by, found.contradicted_by) == (frozenset({"S1"}), frozenset())

    def test_of_two_papers_of_one_rank_neither_is_known_to_be_wrong(self) -> None:
        word = self.against(attributed_to="Bank Inspectorate")
        found = self.told(word, source("S1"), source("S2"), by="Bank Inspectorate")
        assert ([vote.source.id for vote in found.contradicting], found.confirming) == (["S2"], ())
        assert found.confirmed_by == frozenset(), "who is outweighed is not named as confirming"

    def test_a_copy_that_changes_what_its_origin_says_is_no_witness(self) -> None:
        first = source("S1").model_copy(update={"story": "1", "origin_of_story": "S1"})
        copy = source("S2", score=20).model_copy(update={"story": "1", "origin_of_story": "S1"})
        found = self.told(self.against(), first, copy)
        assert ([vote.source.id for vote in found.confirming], found.contradicting) == (["S1"], ())

    def test_who_says_that_another_sum_is_false_contradicts_nothing_and_who_bears_it_out_does(self) -> None:
        other = Claim(id="C4", text=self.OTHER)
        known = {each: source(each) for each in ("S1", "S2", "S3")}
        found = sides_of(
            (Claim(id="C0", text=self.FINED.title), self.SUM, other),
            (
                finding(self.SUM, "S1", self.SUM.text, Stance.SUPPORTS),
                finding(other, "S2", "The claim: it was fined 4.2 million. Our finding: false.", Stance.CONTRADICTS),
                finding(other, "S3", self.OTHER, Stance.SUPPORTS),
            ),
            known,
            topic=self.FINED,
        )
        assert [vote.source.id for vote in found.confirming] == ["S1"]
        assert [vote.source.id for vote in found.contradicting] == ["S3"]
        assert (found.confirmed_by, found.contradicted_by) == (frozenset({"S1"}), frozenset({"S3"}))

    def test_another_story_contradicts(self) -> None:
        found = self.told(self.against(), source("S1"), source("S2"))
        assert [vote.source.id for vote in found.contradicting] == ["S2"]


def test_the_title_is_a_claim_of_its_own_and_takes_over_who_says_it() -> None:
    made = Claim(id="C4", text=f"{TOPIC.title}.", queries=("kestrel lending",))
    claim = title_claim(TOPIC, [HIGH, made])
    assert claim is not None
    assert (claim.id, claim.text, claim.queries) == ("C0", made.text, made.queries)
    assert title_claim(TOPIC.model_copy(update={"title": "Did Kestrel Bank lend too much?"}), []) is None
    assert title_claim(TOPIC.model_copy(update={"title": "Kestrel"}), []) is None


def test_the_main_matter_is_the_title_and_what_says_or_denies_it() -> None:
    beside = Claim(id="C3", text="Kestrel Bank was founded in Aldport in 1990.")
    assert main_claims([beside, DENIAL, HIGH, ITSELF], TOPIC)[0] == ITSELF
    assert beside not in main_claims([beside, DENIAL, HIGH, ITSELF], TOPIC)
    assert near_first([beside, HIGH], TOPIC) == [HIGH, beside]


def test_the_same_verb_of_the_same_company_is_not_the_same_matter() -> None:
    topic = Topic(title="Kestrel Bank to open a branch in the port of Aldport with 900 new jobs")
    other = Claim(id="C1", text="Kestrel Bank wished to end the proceedings opened by notice 41/2023 in Aldport.")
    assert main_claims([other], topic) == ()
    same = Claim(id="C2", text="In Aldport Kestrel Bank opened a branch with some 900 jobs.")
    assert main_claims([other, same], topic) == (same,)


def test_satire_is_suspicious_also_where_it_is_no_evidence_at_all() -> None:
    spoof = source("S1", score=10, category=Category.SATIRE).model_copy(update={"excluded": "it is satire"})
    assert suspicious_sources({"S1": spoof, "S2": source("S2")}) == 1
    assert suspicious_sources({"S1": spoof}, own=("S1",)) == 0


_STANCES = st.sampled_from((Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL))


@given(st.lists(st.tuples(st.sampled_from((ITSELF, HIGH, DENIAL)), st.sampled_from(("S1", "S2", "S3")), _STANCES)))
def test_nobody_stands_on_both_sides_and_the_order_does_not_matter(told: list[tuple[Claim, str, Stance]]) -> None:
    made = {(c.id, s, stance): finding(c, s, f"{c.text}", stance) for c, s, stance in told}
    found = sides(*made.values())
    voters = {vote.voter for vote in found.confirming}
    assert not voters & {vote.voter for vote in found.contradicting}
    assert not found.confirmed_by & found.contradicted_by
    assert found == sides(*reversed(made.values()))
