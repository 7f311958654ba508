"""Topics are stored once; an investigation is stored with its effect on the topic; decisions are never changed."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection, text

from inquest.domain.errors import Busy, InputError, NotFound, StorageError
from inquest.domain.investigation import (
    FoundSource,
    Investigation,
    InvestigationResult,
    InvestigationStatus,
    Review,
    ReviewDecision,
    Watch,
)
from inquest.domain.report import OutageNote
from inquest.domain.topic import Priority, ReviewFlag, Success, Topic, Upgrade, VerificationLevel
from inquest.store.database import Database
from inquest.store.topics import GIVEN_UP_AFTER, Investigations, Reviews, Topics, Watches
from tests.store.conftest import SetClock

_AT = datetime(2024, 5, 1, 9, 30, 15, 250_000, tzinfo=UTC)
UNVERIFIED, VERIFIED, CERTIFIED = VerificationLevel


def a_topic(url: str | None = "https://quayside.example/strike", **more: object) -> Topic:
    fields: dict[str, object] = {
        "title": "Dockers at Quayside walk out\x00",
        "url": url,
        "text": "They left at noon: “enough”.",
        "newsworthiness_score": 72.5,
        "discovery_date": _AT,
        "place": "Quayside",
        "source_plan": {"primary": ["wire"], "note": "a\x00b"},
    }
    return Topic.model_validate(fields | more)


def a_result(level: VerificationLevel = VERIFIED, before: VerificationLevel = UNVERIFIED) -> InvestigationResult:
    return InvestigationResult(
        topic_id=1,
        investigation_date=_AT,
        additional_sources=(FoundSource(id="S1", url="https://port.example/1", name="Port Times", credibility_tier=2),),
        credibility_assessment=70,
        consistency_score=88,
        context_richness=20,
        additional_context="An earlier strike in 2019 [S1].",
        recommended_verification_level=level,
        confidence_level=64,
        investigation_notes="One paper confirms it [S1].",
        requires_human_review=False,
        upgrade=Upgrade(
            before=before, new_level=level, upgraded=level is not before, independent_credible=1, reasons=("one",)
        ),
    )


def ended(begun: Investigation, **more: object) -> Investigation:
    fields: dict[str, object] = {
        "case_id": f"case-{begun.id}",
        "status": InvestigationStatus.COMPLETED,
        "finished_at": _AT + timedelta(minutes=3),
        "seconds": 180.0,
        "sources_found": 1,
        "confidence_level": 64.0,
        "verification_level_after": VERIFIED,
        "sources": a_result().additional_sources,
        "verified_claims": ("The dockers left at noon.\x00",),
        "success": (Success.ORIGIN,),
        "review_flags": (ReviewFlag.SERIOUS_ALLEGATION,),
        "requires_human_review": True,
        "review_reason": "A serious accusation.",
        "outages": (OutageNote(what="engine", where="x", why="X has no key.", at=_AT),),
        "cost_usd": 0.02,
    }
    return begun.model_copy(update=fields | more)


@pytest.fixture
def topics(database: Database, clock: SetClock) -> Topics:
    return Topics(database, clock)


@pytest.fixture
def investigations(database: Database) -> Investigations:
    return Investigations(database)


class TestTopics:
    async def test_what_is_added_is_what_is_loaded(self, topics: Topics) -> None:
        kept, is_new = await topics.add(a_topic(priority=Priority.HIGH))
        assert is_new
        assert kept.id == 1
        assert await topics.get(1) == kept
        assert kept.source_plan == {"primary": ["wire"], "note": "a\x00b"}
        assert kept.discovery_date == _AT
        assert kept.title == "Dockers at Quayside walk out\ufffd"

    async def test_another_spelling_of_its_address_is_the_same_topic_and_changes_nothing(self, topics: Topics) -> None:
        first, _ = await topics.add(a_topic())
        again, is_new = await topics.add(a_topic("http://www.QUAYSIDE.example/strike/?utm_source=x", title="Other"))
        assert (again, is_new) == (first, False)

    async def test_without_an_address_title_and_day_decide(self, topics: Topics) -> None:
        await topics.add(a_topic(None))
        assert not (await topics.add(a_topic(None, title="DOCKERS at  Quayside walk out\x00", text="")))[1]
        assert (await topics.add(a_topic(None, discovery_date=_AT + timedelta(days=1))))[1]

    async def test_of_many_that_add_it_at_once_one_makes_it(self, topics: Topics) -> None:
        done = await asyncio.gather(*(topics.add(a_topic()) for _ in range(8)))
        assert [is_new for _, is_new in done].count(True) == 1
        assert len({topic.id for topic, _ in done}) == 1

    async def test_they_are_listed_in_the_order_in_which_they_were_added(self, topics: Topics) -> None:
        await topics.add(a_topic())
        await topics.add(a_topic("https://b.example/", verification_status=VERIFIED, investigated=True))
        assert [topic.id for topic in await topics.list()] == [1, 2]

    async def test_a_topic_that_is_not_there(self, topics: Topics) -> None:
        assert await topics.find(a_topic()) is None
        with pytest.raises(NotFound, match="There is no topic 7"):
            await topics.get(7)
        with pytest.raises(NotFound):
            await topics.save(a_topic(id=7))
        with pytest.raises(InputError, match="is not stored"):
            await topics.save(a_topic())


class TestInvestigations:
    async def test_every_field_is_kept(self, topics: Topics, investigations: Investigations) -> None:
        await topics.add(a_topic())
        begun = await investigations.start(1, at=_AT, priority=Priority.HIGH, estimated=_AT + timedelta(minutes=5))
        assert await investigations.get(begun.id) == begun
        done = await investigations.finish(ended(begun), a_result())
        kept = await investigations.get(begun.id)
        assert kept == done
        assert await investigations.of_case(f"case-{begun.id}") == kept
        assert await investigations.of_case("other") is None

    async def test_the_topic_has_what_was_found(self, topics: Topics, investigations: Investigations) -> None:
        await topics.add(a_topic())
        begun = await investigations.start(1, at=_AT, priority=Priority.NORMAL)
        await investigations.finish(ended(begun), a_result())
        topic = await topics.get(1)
        assert (topic.verification_status, topic.source_count, topic.investigated) == (VERIFIED, 1, True)
        assert (topic.investigation_date, topic.investigation_confidence) == (_AT, 64)
        assert topic.source_plan["primary"] == ["wire"]
        assert topic.source_plan["investigatory_sources"] == [
            {
                "url": "https://port.example/1",
                "name": "Port Times",
                "credibility_tier": 2,
                "found_by": "investigatory_journalist",
            }
        ]
        assert topic.verified_facts["investigation_context"] == "An earlier strike in 2019 [S1]."

    async def test_one_without_a_result_leaves_the_topic_as_it_is(
        self, topics: Topics, investigations: Investigations
    ) -> None:
        before, _ = await topics.add(a_topic())
        begun = await investigations.start(1, at=_AT, priority=Priority.NORMAL)
        await investigations.finish(
            begun.model_copy(update={"status": InvestigationStatus.FAILED, "why": "No network."}), None
        )
        assert await topics.get(1) == before

    async def test_of_several_that_begin_at_once_one_does(self, topics: Topics, investigations: Investigations) -> None:
        await topics.add(a_topic())
        tries = (investigations.start(1, at=_AT, priority=Priority.NORMAL) for _ in range(6))
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(each, Investigation) for each in results) == 1
        assert sum(isinstance(each, Busy) for each in results) == 5

    async def test_one_that_was_cut_off_long_ago_does_not_bar_the_next(
        self, topics: Topics, investigations: Investigations
    ) -> None:
        await topics.add(a_topic())
        first = await investigations.start(1, at=_AT, priority=Priority.NORMAL)
        with pytest.raises(Busy, match="since 2024-05-01 09:30 UTC"):
            await investigations.start(1, at=_AT + GIVEN_UP_AFTER / 2, priority=Priority.NORMAL)
        second = await investigations.start(1, at=_AT + GIVEN_UP_AFTER, priority=Priority.NORMAL)
        cut_off = await investigations.get(first.id)
        assert (cut_off.status, cut_off.why) == (InvestigationStatus.FAILED, "It was interrupted and started again.")
        assert (await investigations.get(second.id)).status is InvestigationStatus.STARTED

    async def test_a_result_is_never_written_over(self, topics: Topics, investigations: Investigations) -> None:
        await topics.add(a_topic())
        begun = await investigations.start(1, at=_AT, priority=Priority.NORMAL)
        first = await investigations.finish(ended(begun, case_id="one"), a_result())
        again = ended(begun, case_id="one", sources_found=9)
        assert await investigations.finish(again, a_result()) == first, "whoever ran the case was there before"
        with pytest.raises(InputError, match="has already ended"):
            await investigations.finish(ended(begun, case_id="two", sources_found=9), a_result())
        assert (await investigations.get(begun.id)).sources_found == 1

    async def test_of_cases_that_end_at_once_each_has_an_investigation_of_its_own(
        self, topics: Topics, investigations: Investigations
    ) -> None:
        await topics.add(a_topic())
        waiting = await investigations.start(1, at=_AT, priority=Priority.NORMAL)
        found = await asyncio.gather(
            *(
                investigations.for_case(1, case, at=_AT + timedelta(minutes=1), priority=Priority.NORMAL)
                for case in ("one", "two", "three")
            )
        )
        assert {each.case_id for each in found} == {"one", "two", "three"}
        assert len({each.id for each in found}) == 3, "nobody finishes what another one finishes"
        assert waiting.id in {each.id for each in found}, "the one that waited for its case is taken once"
        kept = [await investigations.get(each.id) for each in found]
        assert [each.case_id for each in kept] == [each.case_id for each in found]

    async def test_those_of_a_topic_come_newest_first_and_those_since_a_moment_oldest_first(
        self, topics: Topics, investigations: Investigations
    ) -> None:
        await topics.add(a_topic())
        for days in range(3):
            begun = await investigations.start(1, at=_AT + timedelta(days=days), priority=Priority.NORMAL)
            await investigations.finish(ended(begun), a_result())
        assert [each.id for each in await investigations.of_topic(1)] == [3, 2, 1]
        assert [each.id for each in await investigations.since(_AT + timedelta(days=1))] == [2, 3]
        assert [each.id for each in await investigations.since(None)] == [1, 2, 3]


class TestReviews:
    @pytest.fixture
    async def done(self, topics: Topics, investigations: Investigations) -> Investigation:
        await topics.add(a_topic())
        begun = await investigations.start(1, at=_AT, priority=Priority.NORMAL)
        return await investigations.finish(ended(begun), a_result())

    def decision(self, done: Investigation, level: VerificationLevel, **more: object) -> Review:
        fields: dict[str, object] = {
            "case_id": done.case_id,
            "investigation_id": done.id,
            "topic_id": done.topic_id,
            "by": "the night desk",
            "at": _AT + timedelta(hours=1),
            "decision": ReviewDecision.OVERRULE,
            "level_found": done.verification_level_after,
            "level_decided": level,
            "why": "One post stands behind both.\x00",
        }
        return Review.model_validate(fields | more)

    async def test_the_topic_has_the_level_that_was_decided_and_the_investigation_says_who(
        self, done: Investigation, topics: Topics, investigations: Investigations, database: Database
    ) -> None:
        kept, follows = await Reviews(database).add(self.decision(done, UNVERIFIED))
        assert follows
        assert (await topics.get(1)).verification_status is UNVERIFIED
        found = await investigations.get(done.id)
        assert (found.reviewed_by, found.reviewed_at) == ("the night desk", _AT + timedelta(hours=1))
        assert found.verification_level_after is VERIFIED
        assert await Reviews(database).of_case("case-1") == [kept]

    async def test_of_an_earlier_investigation_it_leaves_the_level_alone(
        self, done: Investigation, topics: Topics, investigations: Investigations, database: Database
    ) -> None:
        later = await investigations.start(1, at=_AT + timedelta(days=40), priority=Priority.NORMAL)
        result = a_result(CERTIFIED, before=VERIFIED)
        await investigations.finish(ended(later, verification_level_after=CERTIFIED), result)
        _, follows = await Reviews(database).add(self.decision(done, UNVERIFIED))
        assert not follows
        assert (await topics.get(1)).verification_status is CERTIFIED

    async def test_an_investigation_that_ends_after_a_decision_does_not_undo_it(
        self, done: Investigation, topics: Topics, investigations: Investigations, database: Database
    ) -> None:
        later = await investigations.start(1, at=_AT + timedelta(days=40), priority=Priority.NORMAL)
        await Reviews(database).add(self.decision(done, UNVERIFIED))
        await investigations.finish(ended(later), a_result(CERTIFIED, before=VERIFIED))
        assert (await topics.get(1)).verification_status is UNVERIFIED

    async def test_those_since_a_moment_are_of_investigations_begun_since(
        self, done: Investigation, database: Database
    ) -> None:
        kept, _ = await Reviews(database).add(self.decision(done, UNVERIFIED))
        assert await Reviews(database).since(_AT) == [kept]
        assert await Reviews(database).since(_AT + timedelta(seconds=1)) == []

    async def test_what_was_reviewed_cannot_be_taken_away(self, done: Investigation, database: Database) -> None:
        await Reviews(database).add(self.decision(done, UNVERIFIED))

        def remove(connection: Connection) -> None:
            connection.execute(text("DELETE FROM investigations"))

        with pytest.raises(StorageError):
            await database.write(remove)


class TestWatches:
    def watch(self, topic_id: int, at: datetime = _AT) -> Watch:
        return Watch(topic_id=topic_id, every=timedelta(hours=6), added_at=_AT, added_by="the desk", next_at=at)

    async def test_a_topic_is_watched_once(self, topics: Topics, database: Database) -> None:
        await topics.add(a_topic())
        watches = Watches(database)
        assert await watches.put(self.watch(1))
        again = self.watch(1).model_copy(update={"every": timedelta(days=1), "added_by": "somebody else"})
        assert not await watches.put(again)
        assert [(each.every, each.added_by) for each in await watches.list()] == [(timedelta(days=1), "the desk")]
        assert await watches.remove(1)
        assert not await watches.remove(1)
        assert await watches.get(1) is None

    async def test_each_of_several_schedules_takes_another(self, topics: Topics, database: Database) -> None:
        for number in range(1, 4):
            await topics.add(a_topic(f"https://quayside.example/{number}"))
            await Watches(database).put(self.watch(number, _AT + timedelta(minutes=number)))
        now = _AT + timedelta(minutes=2)
        tries = (Watches(database).take_due(f"runner {n}", now, lease=timedelta(hours=1)) for n in range(5))
        taken = [each.topic_id for each in await asyncio.gather(*tries) if each]
        assert set(taken) == {1, 2} and len(taken) == 2
        assert await Watches(database).take_due("late", now, lease=timedelta(hours=1)) is None

    async def test_one_whose_runner_is_gone_can_be_taken_again(self, topics: Topics, database: Database) -> None:
        await topics.add(a_topic())
        watches = Watches(database)
        await watches.put(self.watch(1))
        assert await watches.take_due("one", _AT, lease=timedelta(hours=1))
        assert await watches.take_due("two", _AT + timedelta(minutes=59), lease=timedelta(hours=1)) is None
        assert await watches.take_due("two", _AT + timedelta(hours=1), lease=timedelta(hours=1))

    async def test_what_a_run_came_to_is_kept_and_it_is_free_again(self, topics: Topics, database: Database) -> None:
        await topics.add(a_topic())
        watches = Watches(database)
        await watches.put(self.watch(1))
        due = await watches.take_due("one", _AT, lease=timedelta(hours=1))
        assert due is not None
        ran = due.model_copy(
            update={"next_at": _AT + due.every, "last_at": _AT, "last_case": "case-1", "changes": ("A new source.",)}
        )
        await watches.ran(ran)
        assert await watches.get(1) == ran
        assert await watches.take_due("two", _AT + due.every, lease=timedelta(hours=1))
