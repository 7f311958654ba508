"""The report of a topic's investigation in all formats: its contents, and that foreign text stays text."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from importlib.resources import files
from typing import Any

import pypdfium2
import pytest
from lxml.html import document_fromstring

from inquest.domain.case import Case, CaseKind
from inquest.domain.claim import Mention
from inquest.domain.document import Precision
from inquest.domain.finding import Finding
from inquest.domain.investigation import (
    ActorProfile,
    ClaimSupport,
    ConsistencyCell,
    ConsistencyRow,
    ConsistencyTable,
    CredibilityReport,
    Detail,
    FoundSource,
    InvestigationResult,
    LocalContext,
    LocalSource,
    MatchOfDetail,
    OriginHop,
    OriginTrace,
    RelatedEvent,
    Review,
    ReviewDecision,
    StatementMade,
    TopicContext,
)
from inquest.domain.search import (
    AccountStanding,
    Engagement,
    EyewitnessReading,
    EyewitnessSign,
    MentionBucket,
    MentionTimeline,
    PostKind,
    Pushed,
    SocialEvidence,
    SocialSource,
)
from inquest.domain.topic import ReviewFlag, Success, Topic, Upgrade, VerificationLevel
from inquest.reports.case_json import case_json
from inquest.reports.html import html
from inquest.reports.markdown import markdown
from inquest.reports.pdf import pdf
from inquest.reports.view import ReportView
from tests.reports.made_case import HOSTILE, NOON
from tests.reports.report_cases import bare, rich
from tests.reports.schema_check import problems, undocumented

SCHEMA: dict[str, Any] = json.loads(files("inquest.reports").joinpath("case.schema.json").read_text("utf-8"))
PARTS = {
    "level": "The verification level",
    "origin": "Where it comes from",
    "consistency": "Details side by side",
    "posts": "Posts",
    "context": "Background",
    "review": "Human review",
}


def mention_of(finding: Finding) -> Mention:
    return Mention(
        source_id=finding.source_id, snapshot=finding.snapshot, quote=finding.quote, start=finding.start,
        end=finding.end,
    )  # fmt: skip


def a_post(words: str, number: int, **more: Any) -> SocialSource:
    values: dict[str, Any] = {
        "platform": "mastodon",
        "url": f"https://social.example/@ada/{number}",
        "author": "ada",
        "author_credibility": 62.4,
        "timestamp": NOON + timedelta(hours=number),
        "content": words,
        "engagement_metrics": {"likes": 1200, "replies": 0},
        "verification_status": AccountStanding.COMMUNITY_MEMBER,
        "reasons": ("The account is four years old.",),
    }
    return SocialSource(**values | more)


def result_of(case: Case, words: str) -> InvestigationResult:
    """A result with every possible part; `words` are used wherever a page or a person is quoted."""
    first, other = mention_of(case.findings[0]), mention_of(case.findings[1])
    seen = EyewitnessReading(
        likely=True, score=0.8, signs=(EyewitnessSign(quote="I am", start=0, end=4, kind="first person"),)
    )
    posts = (
        a_post(words, 1, independent=True, eyewitness=seen),
        a_post(words, 2, kind=PostKind.REPOST, copy_of="https://social.example/@ada/1", author="", timestamp=None),
        a_post(words, 3, url="javascript:alert(3)", passes_on="javascript:alert(4)"),
    )
    cell = {"source_id": "S1", "witness": "inspectorate.example", "mention": first}
    found = FoundSource(
        id="S1", url="https://inspectorate.example/1", name="Inspectorate", credibility_tier=1, confirms=True
    )
    flags = (ReviewFlag.CONTRADICTION, ReviewFlag.SERIOUS_ALLEGATION)
    raised = Upgrade(
        before=VerificationLevel.UNVERIFIED, new_level=VerificationLevel.VERIFIED, upgraded=True,
        independent_credible=2, reasons=("2 independent sources of tier 1 or 2 confirm it.",), review_flags=flags,
    )  # fmt: skip
    return InvestigationResult(
        topic_id=3,
        investigation_date=NOON,
        additional_sources=(found, found.model_copy(update={"id": "S2", "name": words, "confirms": False})),
        social_media_evidence=posts,
        original_source=found,
        credibility_assessment=81.0,
        consistency_score=66.7,
        context_richness=70.0,
        recommended_verification_level=VerificationLevel.VERIFIED,
        confidence_level=71.0,
        investigation_notes=words,
        requires_human_review=True,
        review_reason=f"Details differ: {words}",
        upgrade=raised,
        success=(Success.ORIGIN,),
        review_flags=flags,
        social=SocialEvidence(
            posts=posts, originals=1, reposts=1, copies=1, verified_accounts=(words,), independent_accounts=1,
            eyewitnesses=(posts[0].url,), credibility=62.4, reasons=("Three posts about it.",),
            timeline=MentionTimeline(
                first=NOON, first_url=posts[0].url, last=NOON + timedelta(hours=3),
                buckets=(MentionBucket(start=NOON, posts=3, accounts=2),),
            ),
            engagement=Engagement(likes=2400, shape=Pushed.PUSHED),
        ),
        origin=OriginTrace(
            source_id="S1", name="Inspectorate", earliest_source_id="S2", confidence=0.8,
            reasons=("Others credit it.",),
            chain=(
                OriginHop(source_id="S2", credits="S1", quote=other.quote, snapshot=other.snapshot, start=other.start,
                          end=other.end),
                OriginHop(source_id="S3", credits=words, how="by-line"),
            ),
            credibility=CredibilityReport(source_id="S1", score=85, tier=1, category="regulator", credible=True,
                                          reasons=(words,)),
        ),
        consistency=ConsistencyTable(
            rows=(
                ConsistencyRow(
                    claim_id="C1", detail=Detail.NUMBER, claimed="412 kg", agreeing=1, deviating=1,
                    cells=(ConsistencyCell(**cell, match=MatchOfDetail.AGREES, value="412 kg"),
                           ConsistencyCell(**cell | {"source_id": "S2"}, match=MatchOfDetail.DEVIATES, value=words)),
                ),
                ConsistencyRow(claim_id="C1", detail=Detail.PLACE, claimed="Haverley", cells=(), agreeing=0,
                               deviating=0),
            ),
            claims=(ClaimSupport(claim_id="C1", text=words, confirming=("S1",), party=("S5",)),),
            score=66.7,
        ),
        context=TopicContext(
            events=(
                RelatedEvent(date="2019-06", precision=Precision.MONTH, text=words, actors=("Norvane",),
                             mentions=(first, first.model_copy(update={"source_id": "S2"}))),
            ),
            actors=(
                ActorProfile(name=words, kind="organisation", described_as=(first,), sources=("S1",), statements=(
                    StatementMade(mention=other, said="2023-06", manner="says", earlier=True),)),
            ),
            local=LocalContext(place=words, sources=(LocalSource(source_id="S1", reason=words),), passages=(other,)),
            details=5,
            richness=70.0,
        ),
    )  # fmt: skip


def a_topic(words: str = "What was said", *, decided: bool = False) -> ReportView:
    view = rich()
    case = view.case
    topic = Topic(id=3, title=case.summary.title if case.summary else "")
    case = case.model_copy(
        update={
            "kind": CaseKind.TOPIC,
            "investigation": result_of(case, words),
            "brief": case.brief.model_copy(update={"topic": topic}),
        }
    )
    decisions = (
        Review(
            case_id=case.id, investigation_id=1, topic_id=3, by=words, at=NOON, decision=ReviewDecision.OVERRULE,
            level_found=VerificationLevel.VERIFIED, level_decided=VerificationLevel.UNVERIFIED, why=words,
        ),
    )  # fmt: skip
    return ReportView(case, view.contexts, decisions if decided else ())


PLAIN, TRICKY = a_topic(), a_topic(HOSTILE, decided=True)


def printed(view: ReportView) -> str:
    with pypdfium2.PdfDocument(pdf(view)) as document:
        text = "".join(page.get_textpage().get_text_range() for page in document)
    return re.sub(r"[\s\u200b\u0002\ufffe]+", "", text)


def test_every_part_is_in_every_form_and_the_contents_name_it() -> None:
    text, tree, paper = markdown(PLAIN), document_fromstring(html(PLAIN)), printed(PLAIN)
    for name, heading in PARTS.items():
        assert f"\n## {heading}\n" in text
        assert tree.get_element_by_id(name) is not None
        assert heading.replace(" ", "") in paper
    parts = [str(section.get("id")) for section in tree.iter("section")]
    links = [str(link.get("href")) for link in tree.get_element_by_id("contents").iter("a")]
    assert [link.removesuffix("-top") for link in links] == [f"#{part}" for part in parts]
    assert parts[0] == "level"
    assert [each for each in parts if each in PARTS] == list(PARTS)


def test_what_hangs_together_stands_together() -> None:
    text = markdown(PLAIN)
    assert "Level: **verified** (previously unverified)" in text
    assert "| C1 | number | 412 kg | S1 | **What was said** S2 |" in text
    assert "Haverley" not in text[text.index("## Details side by side") : text.index("## Posts")], "nobody speaks of it"
    assert "| S3 echo.example | What was said | (its by-line) |" in text
    assert re.search(r"S2 ledger\.example \| S1 inspectorate\.example \| “", text)
    assert "S1, S2 |" in text[text.index("June 2019") :], "the same words of two sources are quoted once"
    assert "first person: “I am”" in text and "likes: 1,200" in text
    assert "No decision has been made yet." in text


def test_the_last_decision_of_a_person_stands_before_the_level_that_was_found() -> None:
    overruled = Review(
        case_id=PLAIN.case.id, investigation_id=1, topic_id=3, by="Duty editor", at=NOON,
        decision=ReviewDecision.OVERRULE, level_found=VerificationLevel.VERIFIED,
        level_decided=VerificationLevel.UNVERIFIED, why="Both rest on one post",
    )  # fmt: skip
    accepted = overruled.model_copy(
        update={
            "decision": ReviewDecision.ACCEPT,
            "level_decided": VerificationLevel.VERIFIED,
            "why": "",
            "by": "Chief",
        }
    )
    for decisions, words in (
        ((overruled,), "**unverified**, not as found: Duty editor, "),
        ((overruled, accepted), "**verified**, as found: Chief, "),
    ):
        text = markdown(ReportView(PLAIN.case, PLAIN.contexts, decisions))
        decided = text.index(f"Decided by a person: {words}")
        assert decided < text.index("Level found: **verified** (previously unverified)")
        assert "Duty editor" in text[text.index("## Human review") :], "every decision stands below"
    assert "Decided by a person" not in markdown(PLAIN)


def test_words_of_others_are_text_in_every_form() -> None:
    shown = html(TRICKY)
    assert "<script" not in shown and "onerror=alert(1)>" not in shown
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufeff\x00]", shown)
    assert 'href="javascript' not in shown
    text = markdown(TRICKY)
    assert not re.search(r"(?<!\\)(?:<script>|<javascript|\]\(javascript)", text)
    assert "#panic()" in printed(TRICKY)


@pytest.mark.parametrize("view", [PLAIN, TRICKY], ids=["plain", "tricky"])
def test_the_json_has_the_whole_result_and_fits_its_schema(view: ReportView) -> None:
    found = case_json(view.case)
    assert list(problems(found, SCHEMA)) == []
    assert list(undocumented(found, SCHEMA)) == []
    assert InvestigationResult.model_validate(found["investigation"]) == view.case.investigation


def test_what_is_missing_from_a_result_is_missing_from_the_report() -> None:
    nothing = result_of(PLAIN.case, "").model_copy(
        update={
            "social": SocialEvidence(), "origin": None, "consistency": ConsistencyTable(), "context": TopicContext(),
            "requires_human_review": False, "review_reason": None, "review_flags": (), "additional_sources": (),
            "credibility_assessment": 0.0,
        }
    )  # fmt: skip
    text = markdown(ReportView(PLAIN.case.model_copy(update={"investigation": nothing}), PLAIN.contexts))
    assert PARTS["level"] in text and "not rated: no source addresses it" in text and "0 out of 100" not in text
    for name in ("origin", "consistency", "posts", "context", "review"):
        assert f"## {PARTS[name]}" not in text


@pytest.mark.parametrize("view", [rich(), bare()], ids=["rich", "bare"])
def test_an_inquiry_has_none_of_it(view: ReportView) -> None:
    assert case_json(view.case)["investigation"] is None
    for heading in PARTS.values():
        assert f"## {heading}" not in markdown(view)
