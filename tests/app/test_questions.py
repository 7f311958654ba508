"""Questions to a finished case: answered from its pages with verbatim quotes, or with the reason why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from inquest import Inquest
from inquest.app.cases.claim_decisions import as_shown, ask_case, case_document
from inquest.app.cases.reporting import render
from inquest.app.cases.session import new_session
from inquest.app.desks.briefs import prepare
from inquest.app.service.case_actions import reopen
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import Conflict, InputError
from inquest.domain.event import CaseQuestion
from inquest.domain.plan import Approval, Decision


async def ended(inquest: Inquest) -> Case:
    session = await new_session(inquest.app, await prepare(inquest.app, "inquiry"), approved=True)
    async with session:
        planned = await session.begin()
        assert planned.plan is not None
        approval = Approval(decision=Decision.APPROVE, by="Ada", at=inquest.app.clock.now(), how="option", revision=1)
        return await session.decide(approval)


async def grounded(inquest: Inquest, asked: CaseQuestion) -> bool:
    texts = [await inquest.app.snapshot_text(each.snapshot) for each in asked.findings]
    return all(text[each.start : each.end] == each.quote for text, each in zip(texts, asked.findings, strict=True))


async def test_answers_are_kept_with_the_case_cited_and_what_is_missing_is_searched_for(tmp_path: Path) -> None:
    async with Inquest(home=tmp_path / "home") as inquest:
        app = inquest.app
        case = await ended(inquest)
        asked, citations = await ask_case(
            app, case, "When did inspectors take samples at the Haverley works?", by="Ada"
        )
        nothing, none = await ask_case(app, case, "Who founded the brewery?", by="Ada")
        foreign, _ = await ask_case(app, case, "Was hat das Gericht entschieden?", by="Ada")
        assert not nothing.answered and not none and not nothing.findings
        assert not foreign.answered and foreign.answer.startswith("Questions in German need a language model")
        assert asked.answered and citations and await grounded(inquest, asked)
        document = await case_document(app, case)
        assert [each["question"] for each in document["questions"]] == [
            each.question for each in (asked, nothing, foreign)
        ]
        ids = {each["id"] for each in document["findings"]}
        cited = {each["finding_id"] for each in document["citations"]}
        assert set(document["questions"][0]["finding_ids"]) <= ids & cited
        report = (await render(app, case, "md")).decode()
        assert report.count("Questions asked of the case") == 1 and "Not answered:" in report
        assert await as_shown(app, await as_shown(app, case)) == await as_shown(app, case)
        for empty in (" ", "?"):
            with pytest.raises(InputError, match="expected words"):
                await ask_case(app, case, empty, by="Ada")
        await reopen(app, case, "", nothing.question, by="Ada")
        running = await app.case(case.id)
        assert running.rounds[-1].words == nothing.question and running.status is CaseStatus.RUNNING
        with pytest.raises(Conflict):
            await ask_case(app, running, "Who?", by="Ada")
