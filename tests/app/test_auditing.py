"""An audit of citations with served pages: each kind of error has its outcome, without a model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from inquest.app.cases.auditing import audit_json, audit_of, compared, exit_code, rendered
from inquest.app.cases.case_request import AuditRequest
from inquest.app.wiring.pages import SecondTries
from inquest.domain.audit import WORKS, Audit, AuditItem, CitedStatement, Outcome
from inquest.domain.document import Document
from inquest.domain.errors import StorageError
from inquest.domain.finding import Reading, Stance
from inquest.domain.search import Query
from inquest.flow.nodes import audit as nodes
from inquest.kit.analyst import Analyst, Passage
from inquest.reports.audit import citations_checked
from inquest.text.sentences import Span
from inquest.verdicts.cited import Found
from tests.app.cited_pages import REPLIES, TEXT, with_cited_pages


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    async def work() -> Audit:
        async with with_cited_pages(tmp_path_factory.mktemp("audit") / "home") as opened:
            done = await audit_of(opened.app, await opened.case_of(AuditRequest(text=TEXT)))
            assert done is not None
            return done

    return asyncio.run(work())


def test_every_citation_has_its_outcome_and_every_quote_is_grounded(audited: Audit) -> None:
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
    assert "“not” instead of “every”" in audited.items[3].reason
    assert all(each.quote for each in audited.items[:5])


@pytest.mark.parametrize("is_gone", [False, True])
async def test_what_an_archived_copy_says_and_the_page_does_not_any_more_has_changed_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_gone: bool
) -> None:
    if is_gone:
        monkeypatch.setitem(REPLIES, "http://norvane.example/moved", (404, "text/html", b"<p>Not found</p>"))
    monkeypatch.setattr(SecondTries, "_is_public", lambda self, url: True)  # the pages are served by this machine
    text = "Norvane paid 90,000 euros to the fishers of Tarn in May 2018 [1].\n\n## Sources\n\n1. http://norvane.example/moved"
    async with with_cited_pages(tmp_path / "home") as opened:
        case = await opened.case_of(AuditRequest(text=text))
        assert case.audit is not None
        (item,) = case.audit.items
        kept = await opened.app.snapshot_text(item.snapshot)
        assert (item.outcome, item.copied) == (Outcome.CHANGED_SINCE, "2024-03-05")
        assert kept[item.start : item.end] == item.quote != ""
        assert (await opened.replay(case.id)).same


async def test_a_later_audit_of_the_same_text_reads_the_pages_as_they_are_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "Norvane employed 640 people at its works in Lund in 2024 [1].\n\n## Sources\n\n1. http://norvane.example/jobs"
    )
    async with with_cited_pages(tmp_path / "home") as opened:
        first = await opened.case_of(AuditRequest(text=text))
        monkeypatch.setitem(REPLIES, "http://norvane.example/jobs", REPLIES["http://norvane.example/fine"])
        second = await opened.case_of(AuditRequest(text=text))
        later = await audit_of(opened.app, await opened.case_of(AuditRequest(again=first.id)))
        assert first.audit is not None and second.audit is not None and later is not None
        assert [each.outcome for each in (*first.audit.items, *second.audit.items)] == [Outcome.HOLDS, Outcome.HOLDS]
        assert [(each.before, each.after) for each in later.changes or ()] == [(Outcome.HOLDS, Outcome.NOT_THERE)]


async def test_an_audit_that_is_cut_off_goes_on_from_the_last_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []

    async def items(batch: nodes._Batch, statement: CitedStatement) -> list[AuditItem]:
        judged.append(statement.text)
        if len(judged) == 4:
            raise StorageError("The disk is full.")
        return batch.cut(statement)

    monkeypatch.setattr(nodes, "_BATCH", 2)
    monkeypatch.setattr(nodes._Batch, "items", items)
    async with with_cited_pages(tmp_path / "home") as opened:
        with pytest.raises(StorageError):
            await opened.case_of(AuditRequest(text=TEXT))
        (case,) = await opened.app.cases()
        done = await opened.resume(case.id)
    assert done.audit is not None and len(done.audit.items) == 9
    assert [judged.count(each) for each in dict.fromkeys(judged)] == [1, 1, 2, 2, *[1] * 5]


def test_the_forms_and_the_exit_code_follow_the_outcomes(audited: Audit) -> None:
    assert "does not exist" in rendered(audited, "md")
    assert rendered(audited, "html").count("<mark") == len(audited.items)
    assert '"startLine": 3' in rendered(audited, "sarif")
    assert exit_code(audited, {Outcome.WITHDRAWN}, None) == 1
    assert exit_code(audited, set(), None) == 2
    assert exit_code(audited, set(), 0.9) == 1


def test_the_case_json_lists_each_citation_with_its_outcome(audited: Audit) -> None:
    first, *_, last = citations_checked(audited)
    assert audited.text[first["start"] : first["end"]].startswith(first["statement"][:20])
    assert (first["outcome"], last["outcome"], last["source"]) == ("holds", "uncited", None)
    assert first["source"].startswith("http") and last["reasons"] == [audited.items[-1].reason]


def test_the_reason_why_a_source_could_not_be_read_is_given_once_for_all_that_cite_it(audited: Audit) -> None:
    unread = next(each for each in audited.items if each.outcome is Outcome.COULD_NOT_BE_READ)
    words = "The mine was closed."
    other = unread.model_copy(update={"statement": unread.statement.model_copy(update={"text": words, "start": 0})})
    listed = rendered(audited.model_copy(update={"items": (*audited.items, other)}), "md")
    assert listed.count(unread.reason) == 1
    assert f"  - {words}" in listed and f"  - {unread.statement.text}" in listed


def test_a_later_audit_tells_citation_by_citation_what_is_new_gone_or_changed(audited: Audit) -> None:
    assert compared(audited, audit_json(audited)).changes == ()
    first, second, *others = audited.items
    failing = first.model_copy(update={"outcome": Outcome.DOES_NOT_EXIST})
    later = compared(audited.model_copy(update={"items": (failing, *others)}), audit_json(audited))
    assert [(each.kind, each.before, each.after) for each in later.changes or ()] == [
        ("changed", Outcome.HOLDS, Outcome.DOES_NOT_EXIST),
        ("gone", second.outcome, None),
    ]
    assert f"- holds → does not exist: {first.statement.text}" in rendered(later, "md")


@pytest.mark.parametrize(
    ("link", "outcome"),
    [
        ("{said}, according to {report}.", Outcome.SECOND_HAND),
        ("{said}.</p><p>Read {report} on the valley, its ferry and its market as well.", Outcome.HOLDS),
    ],
)
async def test_a_citation_is_circular_where_the_source_cites_the_audited_text_for_the_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: str, outcome: Outcome
) -> None:
    own, source = "http://report.example/own", "http://norvane.example/jobs"
    said = "Norvane employed 640 people at its works in Lund in 2024"
    page = REPLIES[source][2].decode()
    linked = link.format(said=said, report=f'<a href="{own}">the report of the council</a>')
    monkeypatch.setitem(REPLIES, source, (200, "text/html", page.replace(f"{said}.", linked).encode()))
    cited = f'<article><h1>Report</h1><p><a href="{source}">{said}</a>.</p></article>'
    monkeypatch.setitem(REPLIES, own, (200, "text/html", cited.encode()))
    async with with_cited_pages(tmp_path / "home") as opened:
        case = await opened.case_of(AuditRequest(url=own))
    assert case.audit is not None
    assert [each.outcome for each in case.audit.items] == [outcome]


async def test_a_source_that_has_all_the_words_is_not_passed_over_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, digest = "Norvane employed 640 people at its works in Lund in 2024", "http://digest.example/lund"
    body = (
        f"<article><h1>Digest</h1><p>Whoever doubts that {said[0].lower()}{said[1:]} may ask the council.</p></article>"
    )
    monkeypatch.setitem(REPLIES, digest, (200, "text/html", body.encode()))
    text = f"{said} [1]. {said} [2].\n\n## Sources\n\n1. http://norvane.example/jobs\n2. {digest}\n"
    async with with_cited_pages(tmp_path / "home") as opened:
        case = await opened.case_of(AuditRequest(text=text))
    assert case.audit is not None
    own, other = case.audit.items
    assert own.outcome is Outcome.HOLDS and other.outcome is not Outcome.MISATTRIBUTED
    assert any("No language model" in each for each in case.audit.notes) == ("Not judged" in other.reason)


async def test_the_reason_names_the_domain_that_an_address_imitates(tmp_path: Path) -> None:
    text = "The works employed 640 people in 2024 [1].\n\n## Sources\n\n1. https://\u0430pple.com/works\n"
    async with with_cited_pages(tmp_path / "home") as opened:
        case = await opened.case_of(AuditRequest(text=text))
    assert case.audit is not None
    (item,) = case.audit.items
    assert "The address may imitate" in item.reason and item.outcome is not Outcome.HOLDS


JOBS_LINK, FINE_LINK = "http://norvane.example/jobs", "http://norvane.example/fine"
SAID = "Norvane employed 640 people at its works in Lund in 2024"


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ({"report": f"{SAID} [2].", "source_urls": [FINE_LINK, JOBS_LINK]}, Outcome.HOLDS),
        ({"choices": [{"message": {"content": f"{SAID}.[1]"}}], "citations": [JOBS_LINK]}, Outcome.HOLDS),
        (
            {"report": f"{SAID} [1].\n\n## References\n\n1. {FINE_LINK}", "urls": [JOBS_LINK]},
            Outcome.MISATTRIBUTED,
        ),
    ],
)
async def test_the_report_in_the_json_of_another_tool_is_audited_with_its_sources(
    tmp_path: Path, answer: object, outcome: Outcome
) -> None:
    file = tmp_path / "answer.json"
    file.write_text(json.dumps(answer), "utf-8")
    async with with_cited_pages(tmp_path / "home") as opened:
        audits = [
            await opened.case_of(AuditRequest(url=str(file))),
            await opened.case_of(AuditRequest(text=json.dumps(answer))),
        ]
        assert [[item.outcome for item in each.audit.items] for each in audits if each.audit] == [[outcome]] * 2


@pytest.mark.parametrize(
    ("entry", "outcome"),
    [
        ("Alder, J. (2019). Dust and the breath of glass workers. Glass 4(2), 10-19.", Outcome.WITHDRAWN),
        ("Alder, J. (2019). Salt and the breath of glass workers. Glass 4(2), 10-19.", Outcome.DOES_NOT_EXIST),
        ("Alder, J. (2019). Salt and the breath of glass workers. Lund.", Outcome.COULD_NOT_BE_READ),
    ],
)
async def test_a_reference_without_an_address_is_looked_for_by_its_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, outcome: Outcome
) -> None:
    work = {
        "DOI": "10.5555/dust", "type": "journal-article", "title": ["Dust and the breath of glass workers"],
        "author": [{"given": "Jo", "family": "Alder"}], "issued": {"date-parts": [[2019]]},
        "updated-by": [{"DOI": "10.5555/retracted", "type": "retraction", "label": "Retraction"}],
    }  # fmt: skip
    found = {"status": "ok", "message-type": "work-list", "message": {"items": [work]}}
    record = {"status": "ok", "message-type": "work", "message": work}
    text = f"Dust halved the breath of 312 workers in 2019 [1].\n\n## Sources\n\n1. {entry}\n"
    async with with_cited_pages(tmp_path / "home") as opened:
        asked = {name: opened.app.engines[name].request(Query(text=entry, limit=5)).url for name in WORKS}
        for url, reply in (
            (asked["crossref"], found),
            (asked["openalex"], {"results": []}),
            ("https://api.crossref.org/works/10.5555/dust", record),
        ):
            monkeypatch.setitem(REPLIES, url, (200, "application/json", json.dumps(reply).encode()))
        case = await opened.case_of(AuditRequest(text=text))
        assert case.audit is not None
        (item,) = case.audit.items
        assert item.outcome is outcome, item.reason
        assert (await opened.replay(case.id)).same


class _Liar:
    """A model that calls everything supported, with a quote of its own or the beginning of the passage."""

    def __init__(self, quote: str = "") -> None:
        self._quote = quote

    async def assess(self, claim: str, passages: Sequence[Passage], **more: object) -> tuple[Reading, ...]:
        quotes = [self._quote or each.text[:40] for each in passages]
        return tuple(
            Reading(passage_id=each.id, stance=Stance.SUPPORTS, confidence=1.0, quote=quote, start=0, end=len(quote))
            for each, quote in zip(passages, quotes, strict=True)
        )


@pytest.mark.parametrize("quote", ["", "Norvane employed 900 people."])
async def test_a_model_that_lies_makes_no_statement_hold_without_its_quote(quote: str) -> None:
    text = "The council met on Tuesday and went through its minutes.\n\nA choir of 12 sang until the lamps were lit."
    document = Document(snapshot="s", url="https://a.example/", text=text)
    liar = cast("Analyst", _Liar(quote))
    found = await nodes.found_by(liar, "Norvane employed 900 people in Lund in 2024.", document, by_model=True)
    assert found.outcome in (Outcome.NOT_THERE, Outcome.PARTLY)


@pytest.mark.parametrize(("cited", "doubt"), [((2, 2), ""), ((1, 3), ""), ((1, 1), "on page 2"), (None, "")])
def test_words_on_another_page_than_the_citation_names_are_said_to_be_there(
    cited: tuple[int, int] | None, doubt: str
) -> None:
    document = Document(snapshot="s", url="https://a.example/r.pdf", text="It opened.\n\nIt closed.", pages=(0, 12))
    found = Found(Outcome.HOLDS, (), Span(12, 22))
    said = " ".join(map(str, nodes._on_page(document, found, cited)))
    assert doubt in said and bool(doubt) == bool(said)
