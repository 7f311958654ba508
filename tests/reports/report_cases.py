"""Cases for reports, built by hand: a rich one, a hostile one, a long one and a bare one."""

from __future__ import annotations

from datetime import UTC, datetime

from inquest.domain.case import Case, CaseStatus
from inquest.domain.claim import ClaimType
from inquest.domain.document import Precision
from inquest.domain.finding import ContradictionType, Stance, Verdict
from inquest.domain.plan import Approval, Brief, Decision, Mode, Plan
from inquest.domain.reasons import Reason, noted, sentence
from inquest.domain.report import (
    Balance,
    Bias,
    Cost,
    Leaning,
    OutageNote,
    Section,
    SourceLeaning,
    Statement,
    Summary,
    TimelineEvent,
)
from inquest.domain.search import EngineKind, Query
from inquest.flow.state import departed
from inquest.reports.view import ReportView
from tests.reports.made_case import HOSTILE, NOON, Desk, claim, numbered, outage, verdict


def rich() -> ReportView:
    """A case with every part that a report can have."""
    desk = Desk()
    notice = desk.source(
        "Notice of violation.\n\nOn 2 May 2023 inspectors measured 412 kg a day at outfall 3. The permit allows 130 kg "
        "a day.\n\nThe operator was told the same day.",
        "inspectorate.example", "Notice of violation 2023-17", "2023-05-02", tier=1, category="regulator",
    )  # fmt: skip
    wire = desk.source(
        "HAVERLEY (Ledger) - Inspectors found more than three times the permitted load in the river, the inspectorate "
        "said on Wednesday. The plant said it had acted at once.",
        "ledger.example", "Solvent in the river: three times the limit", "2023-06-08",
        author="Ada Marsh", story="T1", origin_of_story="S2",
    )  # fmt: skip
    copy = desk.source(
        "Inspectors found more than three times the permitted load in the river, the inspectorate said on Wednesday.",
        "echo.example", "River held three times the limit", "2023-06-08", tier=3, story="T1", origin_of_story="S2",
    )  # fmt: skip
    copy2 = desk.source(
        "Inspectors found more than three times the permitted load in the river, the inspectorate said.",
        "newsfunnel.example", "Three times the limit", None, tier=4, known=False, category="unknown",
        story="T1", origin_of_story="S2",
    )  # fmt: skip
    company = desk.source(
        "Norvane statement. At no time did the discharge exceed the permit. "
        "The works learned of the readings on 6 June.",
        "norvane.example", "Statement on the river", "2023-06-07", tier=4, press_release=True, category="company",
        user_provided=True,
    )  # fmt: skip
    filing = desk.source(
        "Annual report. The group paid a penalty of 2.4 million in January 2024. "
        "A treatment plant was accepted in 2025.",
        "filings.example", "Annual report 2023", "2024-04", tier=1, category="government",
        **noted([sentence(Reason(code="pages.no_text_on", data={"number": 3, "total": 12}))]),
    )  # fmt: skip
    german = desk.source(
        "Die Messung ergab 412 kg am Tag. „Das Werk wusste davon“, sagte ein Chemiker.",
        "anzeiger.example", "Lösungsmittel im Fluss", "2023", language="de",
    )  # fmt: skip
    later = desk.source(
        "The correction came in May 2025.", "star.example", "Correction", "2025-05-22",
        excluded="published 2025-05-22, after 2024-06-01",
        excluded_code=Reason(code="pages.after_as_of", data={"date": "2025-05-22", "then": "2024-06-01"}),
    )  # fmt: skip
    f_load = desk.supports(notice, "inspectors measured 412 kg a day at outfall 3", "C1")
    f_wire = desk.supports(wire, "more than three times the permitted load in the river", "C1", confidence=0.8)
    f_copy = desk.supports(copy, "more than three times the permitted load in the river", "C1", confidence=0.8)
    f_copy2 = desk.supports(copy2, "more than three times the permitted load", "C1", confidence=0.7)
    f_deny = desk.contradicts(company, "At no time did the discharge exceed the permit.", "C1", confidence=0.9)
    f_told = desk.contradicts(
        notice, "The operator was told the same day.", "C2", contradiction_type=ContradictionType.TIMELINE
    )
    f_own = desk.supports(company, "The works learned of the readings on 6 June.", "C2")
    f_paid = desk.supports(filing, "The group paid a penalty of 2.4 million in January 2024.", "C3", page=4)
    f_german = desk.supports(german, "„Das Werk wusste davon“, sagte ein Chemiker.", "C4")
    f_neutral = desk.finding(german, "Die Messung ergab 412 kg am Tag.", "C4", Stance.NEUTRAL)
    f_event = desk.finding(notice, "On 2 May 2023 inspectors measured 412 kg a day", None, Stance.NEUTRAL)
    f_event2 = desk.finding(wire, "the inspectorate said on Wednesday", None, Stance.NEUTRAL)
    claims = (
        claim("C1", "The discharge was more than three times what the permit allows.", notice, wire,
              type=ClaimType.QUANTITATIVE, importance=0.9),
        claim("C2", "The works learned of the readings on 6 June 2023.", company, type=ClaimType.EVENT),
        claim("C3", "Norvane paid a penalty of 2.4 million.", filing, page=4, type=ClaimType.LEGAL_GOVERNANCE),
        claim("C4", "The works knew of the readings before the inspectors came.", german),
        claim("C5", "People in Stennick fell ill because of the water.", copy2, type=ClaimType.ENVIRONMENTAL),
    )  # fmt: skip
    assessments = (
        verdict("C1", Verdict.VERIFIED, supporting=(f_load, f_wire, f_copy, f_copy2), contradicting=(f_deny,)),
        verdict("C2", Verdict.CONTRADICTED, supporting=(f_own,), contradicting=(f_told,), confidence=0.7),
        verdict("C3", Verdict.PARTIALLY_TRUE, supporting=(f_paid,), single_source=True, independent_sources=1,
                reasons=("Sources say 1.9 million.", "This rests on a single independent source.")),
        verdict("C4", Verdict.DISPUTED, supporting=(f_german,), unassessed=2, confidence=0.4),
        verdict("C5", Verdict.UNVERIFIED, confidence=0.0, independent_sources=0,
                reasons=("Nothing was found that supports or contradicts it.",)),
    )  # fmt: skip
    summary = Summary(
        title="What happened at the Norvane works",
        sections=(
            Section(
                heading="What was found",
                statements=(
                    Statement(text="Inspectors measured 412 kg a day; the permit allows 130.", finding_ids=(f_load,)),
                    Statement(text="Norvane says that the permit was kept.", finding_ids=(f_deny,)),
                ),
            ),
            Section(
                heading="What is open",
                statements=(Statement(text="Whether people fell ill could not be told.", about_the_work=True),),
            ),
        ),
        dropped=1,
    )
    timeline = (
        TimelineEvent(date="2023-05-02", precision=Precision.DAY, text="Inspectors measure the outfall.",
                      source_ids=(notice,), finding_ids=(f_event,)),
        TimelineEvent(date="2023-06", precision=Precision.MONTH, text="The readings become known.",
                      source_ids=(wire,), finding_ids=(f_event2,),
                      conflict="norvane.example says 6 June, ledger.example says 7 June."),
        TimelineEvent(date="2024", precision=Precision.YEAR, text="The penalty is paid.",
                      source_ids=(filing,), finding_ids=(f_paid,)),
    )  # fmt: skip
    bias = Bias(
        overall=3.4,
        balance=Balance(favourable=1, neutral=4, critical=2),
        per_source=tuple(
            SourceLeaning(source_id=s.id, leaning=leaning, bias=2.5, reasons=("It quotes both sides.",))
            for s, leaning in zip(
                desk.sources,
                (Leaning.NEUTRAL, Leaning.CRITICAL, Leaning.CRITICAL, Leaning.NEUTRAL, Leaning.FAVOURABLE,
                 Leaning.NEUTRAL, Leaning.NEUTRAL),
                strict=False,
            )
        ),
        reasons=("Of seven sources, four report neutrally.",),
        recommendation="Consider adding official records.",
    )  # fmt: skip
    case = Case(
        id="20240601-7f3a9c21",
        status=CaseStatus.PARTIAL,
        why="Could not be queried or read: 1 engine and 1 page.",
        brief=Brief(
            text="What happened at the Norvane works at Haverley?\nWho knew of it?", mode=Mode.DETAILED,
            collections=("demo",), engines=("collection", "gdelt"), as_of=datetime(2024, 6, 1, 23, 59, 59, tzinfo=UTC),
            urls=("https://norvane.example/5",), budget_usd=2.0, deadline_seconds=300,
        ),
        as_of=datetime(2024, 6, 1, 23, 59, 59, tzinfo=UTC),
        created_at=datetime(2024, 6, 2, 8, 30, 15, 250000, tzinfo=UTC),
        plan=Plan(
            topic="The Norvane works",
            questions=("How far was the permit exceeded?", "Who knew of it?"),
            queries=(Query(text="Norvane Haverley discharge", kinds=(EngineKind.NEWS,), purpose="How far?"),
                     Query(text="Norvane penalty", until=NOON)),
            engines=("collection", "gdelt"),
            left_out=("tavily: no key (TAVILY_API_KEY)",),
            source_kinds=("official records", "local press"),
            mode=Mode.DETAILED,
            notes=("Only your own documents will be searched.",),
            revision=2,
        ),
        approvals=(
            Approval(decision=Decision.REVISE, text="add the penalty", by="Ada", at=NOON, how="prompt"),
            Approval(decision=Decision.APPROVE, by="Ada", at=NOON, how="prompt", revision=2),
        ),
        sources=tuple(desk.sources),
        claims=claims,
        findings=tuple(desk.findings),
        assessments=assessments,
        bias=bias,
        timeline=timeline,
        summary=summary,
        outages=(
            outage("engine", "gdelt", "out_of_order", name="gdelt", number=503),
            outage("page", "https://herald.example/gone", "no_such_page", name="herald.example", number=404),
        ),
        **departed([Reason.of("routing.instead", why="gdelt is used up", rest=Reason(code="routing.none_else"))]),
        cut=("read https://post.example/1", "write"),
        markers=("TIMELINE_SKIPPED",),
        cost=Cost(usd=0.0123, model_calls=3, tokens_in=12_000, tokens_out=900, search_calls=8, page_reads=12),
        timings={"plan": 0.5, "gather": 2.25},
    )  # fmt: skip
    assert later == "S8" and f_neutral
    return desk.view(numbered(case))


def hostile() -> ReportView:
    """A case with hostile markup in every field that is filled by a page, a person or a model."""
    desk = Desk()
    words = [
        HOSTILE,
        "מילים בעברית (2023) and ‏العربية‏ 12%",
        "检查员测得 412 公斤 👩🏽‍🚒 🇩🇪",
        "x" * 400,
        "half \ud83d a character",
        "- not a list", "1. not a list", "# not a heading", "> not a quote", "+ no", "=== no",
    ]  # fmt: skip
    sources = [
        desk.source(
            f"Before it. {word}\n\n\nAfter it.",
            "evil.example",
            word,
            None,
            author=word,
            url=url,
            summary=word,
            notes=(word,),
            language="en\" onclick='x",
        )
        for word, url in zip(
            words,
            [
                "javascript:alert(1)",
                'https://evil.example/a b"><script>alert(1)</script>',
                "data:text/html,<script>alert(1)</script>",
                "file:///etc/passwd",
                "https://evil.example/)](javascript:alert(1))",
                "file:///home/ada/secret%20folder/my%20notes.pdf",
                *(f"https://evil.example/{n}?a=1&b=2" for n in range(20)),
            ],
            strict=False,
        )
    ]
    findings = [
        desk.finding(source, word, "C1", Stance.SUPPORTS if n % 2 else Stance.CONTRADICTS)
        for n, (source, word) in enumerate(zip(sources, words, strict=True))
    ]
    statements = tuple(
        Statement(text=word, finding_ids=(finding,)) for word, finding in zip(words, findings, strict=True)
    )
    case = Case(
        id="20240601-00000bad",
        status=CaseStatus.PARTIAL,
        why=HOSTILE,
        brief=Brief(text=HOSTILE + "\n" + "long " * 300),
        as_of=NOON,
        created_at=NOON,
        plan=Plan(
            topic=HOSTILE, questions=(HOSTILE,), queries=(Query(text=HOSTILE),), engines=("collection",),
            left_out=(HOSTILE,), mode=Mode.QUICK, analyst=HOSTILE,
        ),
        approvals=(Approval(decision=Decision.APPROVE, by=HOSTILE, at=NOON, how="prompt"),),
        sources=tuple(desk.sources),
        claims=tuple(claim(f"C{n}", word, "S1") for n, word in enumerate(words, 1)),
        findings=tuple(desk.findings),
        assessments=(
            verdict("C1", Verdict.DISPUTED, supporting=findings[1::2], contradicting=findings[::2], reasons=(HOSTILE,)),
            *(verdict(f"C{n}", Verdict.UNVERIFIED, reasons=(word,)) for n, word in enumerate(words[1:], 2)),
        ),
        bias=Bias(
            overall=10, balance=Balance(critical=1),
            per_source=(SourceLeaning(source_id="S1", leaning=Leaning.CRITICAL, bias=10, reasons=(HOSTILE,)),),
            reasons=(HOSTILE,), recommendation=HOSTILE,
        ),
        timeline=tuple(
            TimelineEvent(date=date, precision=Precision.DAY, text=word, source_ids=("S1",), finding_ids=(findings[0],),
                          conflict=word)
            for date, word in zip(["2023-01-01", HOSTILE, "", "2023"], words, strict=False)
        ),
        summary=Summary(title=HOSTILE, sections=(Section(heading=HOSTILE, statements=statements),)),
        outages=(OutageNote(what=HOSTILE, where=HOSTILE, why=HOSTILE, at=NOON),),
        departures=(HOSTILE,),
    )  # fmt: skip
    return desk.view(numbered(case))


def bare() -> ReportView:
    """A report from one page, without claims, plan or balance."""
    desk = Desk()
    only = desk.source("The bridge was closed in 2019.", "town.example", "The bridge")
    fact = desk.finding(only, "The bridge was closed in 2019.", None, Stance.NEUTRAL)
    summary = Summary(
        title="The bridge",
        sections=(
            Section(heading="Found", statements=(Statement(text="The bridge was closed.", finding_ids=(fact,)),)),
        ),
    )
    case = Case(
        id="20240601-00000001",
        status=CaseStatus.COMPLETED,
        brief=Brief(text="Is the bridge open?"),
        as_of=NOON,
        created_at=NOON,
        sources=tuple(desk.sources),
        findings=tuple(desk.findings),
        summary=summary,
        markers=("NO_CLAIMS_EXTRACTED",),
    )
    return desk.view(numbered(case))


def long(sources: int = 30, claims: int = 25, per_claim: int = 8) -> ReportView:
    """A case of the maximum length of an inquiry: 30 sources, 25 claims, 200 citations."""
    desk = Desk()
    for number in range(1, sources + 1):
        sentences = " ".join(
            f"On day {n} the inspectors measured {n * number} kilograms at outfall {n % 4}, which nobody had expected."
            for n in range(1, claims + 1)
        )
        story = {"story": f"T{number % 3}", "origin_of_story": f"S{number % 3 + 1}"} if number < 10 else {}
        desk.source(
            f"Report {number}. {sentences}", f"paper-{number % 17}.example",
            f"What was measured at the outfalls, part {number}",
            f"2023-{number % 12 + 1:02d}-{number % 27 + 1:02d}", tier=number % 4 + 1, **story,
        )  # fmt: skip
    assessments = []
    for n in range(1, claims + 1):
        chosen = [f"S{(n * 3 + k) % sources + 1}" for k in range(per_claim)]
        made = [
            (desk.supports if k % 3 else desk.contradicts)(
                source_id,
                f"On day {n} the inspectors measured {n * int(source_id[1:])} kilograms at outfall {n % 4}",
                f"C{n}",
            )
            for k, source_id in enumerate(chosen)
        ]
        assessments.append(
            verdict(
                f"C{n}",
                tuple(Verdict)[n % 5],
                supporting=[each for k, each in enumerate(made) if k % 3],
                contradicting=made[::3],
                confidence=n / claims,
            )
        )
    events = tuple(
        TimelineEvent(date=f"20{10 + n // 2}-{n % 12 + 1:02d}-11", precision=Precision.DAY, source_ids=("S1",),
                      text=f"The inspectors come for the {n}th time and measure at every outfall.",
                      finding_ids=(desk.findings[n % len(desk.findings)].id,))
        for n in range(40)
    )  # fmt: skip
    summary = Summary(
        title="What was measured at the outfalls between 2010 and 2029, and what the papers made of it",
        sections=tuple(
            Section(
                heading=f"Part {part}",
                statements=tuple(
                    Statement(
                        text=f"On {n} days the load was above what the permit of the year {2000 + n} allows.",
                        finding_ids=tuple(finding.id for finding in desk.findings[n : n + 3]),
                    )
                    for n in range(part * 5, part * 5 + 5)
                ),
            )
            for part in range(1, 6)
        ),
    )
    case = Case(
        id="20240601-10ac0de1",
        status=CaseStatus.COMPLETED,
        brief=Brief(text="What was measured at the outfalls?", mode=Mode.DETAILED),
        as_of=NOON,
        created_at=NOON,
        sources=tuple(desk.sources),
        claims=tuple(
            claim(f"C{n}", f"On day {n} they measured more than the permit of that year allows at outfall {n % 4}.",
                  f"S{n}", f"S{n + 1}")
            for n in range(1, claims + 1)
        ),
        findings=tuple(desk.findings),
        assessments=tuple(assessments),
        timeline=events,
        bias=Bias(
            overall=5.1,
            balance=Balance(favourable=6, neutral=20, critical=4),
            per_source=tuple(
                SourceLeaning(source_id=s.id, leaning=tuple(Leaning)[n % 3], bias=n / 3, reasons=("It is even.",))
                for n, s in enumerate(desk.sources)
            ),
            reasons=("Most report neutrally.",),
        ),
        summary=summary,
    )  # fmt: skip
    return desk.view(numbered(case))
