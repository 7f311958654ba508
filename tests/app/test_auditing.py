"""An audit of citations before pages that are served: each way to be wrong has its outcome, without a model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from inquest.app.tools.auditing import AuditRequest, audit, compared, document_of, exit_code, rendered
from inquest.domain.audit import Audit, Outcome
from tests.app.cited_pages import TEXT, with_cited_pages


@pytest.fixture
async def audited(tmp_path: Path) -> AsyncIterator[Audit]:
    async with with_cited_pages(tmp_path / "home") as opened:
        yield await audit(opened.app, AuditRequest("report.md", TEXT), lambda said: None)


async def test_every_citation_has_its_outcome_and_every_quote_is_grounded(audited: Audit) -> None:
    found = [each.outcome for each in audited.items]
    assert found == [
        Outcome.HOLDS,
        Outcome.SAYS_OTHERWISE,
        Outcome.HOLDS,
        Outcome.SAYS_OTHERWISE,
        Outcome.MISATTRIBUTED,
        Outcome.WITHDRAWN,
        Outcome.DOES_NOT_EXIST,
        Outcome.COULD_NOT_BE_READ,
        Outcome.NO_CITATION,
    ]
    assert "“not” for “every”" in audited.items[3].reason
    assert all(each.quote for each in audited.items[:5])


async def test_the_forms_and_the_exit_code_follow_the_outcomes(audited: Audit) -> None:
    assert "does not exist" in rendered(audited, "md")
    assert rendered(audited, "html").count("<mark") == len(audited.items)
    assert '"startLine": 3' in rendered(audited, "sarif")
    assert exit_code(audited, {Outcome.WITHDRAWN}, None) == 1
    assert exit_code(audited, set(), None) == 2
    assert exit_code(audited, set(), 0.9) == 1


async def test_a_later_audit_tells_citation_by_citation_what_is_new_gone_or_changed(audited: Audit) -> None:
    assert compared(audited, document_of(audited)).changes == ()
    first, second, *others = audited.items
    failing = first.model_copy(update={"outcome": Outcome.DOES_NOT_EXIST})
    later = compared(audited.model_copy(update={"items": (failing, *others)}), document_of(audited))
    assert [(each.kind, each.before, each.after) for each in later.changes or ()] == [
        ("changed", Outcome.HOLDS, Outcome.DOES_NOT_EXIST),
        ("gone", second.outcome, None),
    ]
    assert f"- holds → does not exist: {first.statement.text}" in rendered(later, "md")
