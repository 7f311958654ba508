"""Briefs from requests: checks of claims, topics, market questions, the bundled example."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquest.app.cases.case_request import (
    AuditRequest,
    CaseRequest,
    ClaimsRequest,
    InquiryRequest,
    MarketQuestion,
    TopicRequest,
    request_of,
)
from inquest.app.cases.requests import approval_from, brief_from
from inquest.app.cases.session import new_session
from inquest.app.wiring.pages import local_path, page_address
from inquest.desks.market.questions import read_question
from inquest.domain.case import Case, CaseKind
from inquest.domain.check import CheckRequest
from inquest.domain.claim import Claim
from inquest.domain.errors import InputError
from inquest.domain.market import MarketRequest, NamedFiling, Upstream
from inquest.domain.plan import Approval, Brief
from inquest.domain.topic import Priority, Topic
from inquest.kit.reader import page_progress
from inquest.sources.economic_releases import country_called
from inquest.text.regex import regex
from inquest.text.securities import accession_of
from inquest.text.urls import is_web_url, shown_address, with_scheme
from inquest.verdicts.levels import due

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


async def check_brief(
    app: Resources, request: ClaimsRequest, *, claims_file: Path | None = None, report_by_name: bool = False
) -> Brief:
    """Return the brief of a check. A report file is archived at once, since it may be gone later; `report_by_name`: it
    is an upload, so only its name is kept, not its path. `claims_file`: further claims as JSON lines. Raises
    InputError, PageError for a report that cannot be read."""
    own, report = _given(request, claims_file), request.report.strip()
    if not report and not own:
        raise InputError("There is nothing to check.", advice="Give a report or at least one claim.")
    named = {claim.company for claim in own}
    company = request.company.strip() or (named.pop() if len(named) == 1 else "")
    if report and not company:
        raise InputError("Missing company: a report needs the name of the company.")
    desks = tuple(dict.fromkeys(each.strip().lower() for each in request.desks if each.strip()))
    for name in desks:
        if name not in app.desks:
            raise InputError(f"There is no desk '{name}'.", advice=f"Desks: {', '.join(app.desks)}.")
    if (given := request.country.strip()) and not country_called(given):
        raise InputError(f"Invalid country '{given}': expected a name or code, such as Sweden or SE.")
    url, snapshot = await _report(app, report, by_name=report_by_name) if report else ("", "")
    if snapshot:
        report = shown_address(url)
    limits = {"max_claims": request.max_claims, "rounds": request.rounds}
    check = CheckRequest(
        company=company,
        industry=request.industry.strip(),
        country=country_called(given),
        report=url,
        report_snapshot=snapshot,
        claims=tuple(claim if claim.company else claim.model_copy(update={"company": company}) for claim in own),
        desks=desks,
        **{name: limit for name, limit in limits.items() if limit is not None},
    )
    what = f"the report {report}" if report else f"{len(own)} claims given" if len(own) > 1 else f"“{own[0].text}”"
    brief = brief_from(
        request, f"Check the claims of {company}: {what}" if company else f"Check {what}", settings=app.settings
    )
    return brief.model_copy(update={"check": check})


def _given(request: ClaimsRequest, file: Path | None) -> tuple[Claim, ...]:
    from inquest.app.desks.report_claims import read_claims_file
    from inquest.claims.report.given import claims_of_sentences, given_claims

    company, rows = request.company, [each for each in request.claims if not isinstance(each, str)]
    if rows:
        every = [{"text": each} if isinstance(each, str) else each.row for each in request.claims]
        lines = [json.dumps({"id": f"G{number}", **row}) for number, row in enumerate(every, 1)]
        return given_claims(lines, "the claims", company=company)
    read = read_claims_file(file, company=company) if file is not None else ()
    texts = [each for each in request.claims if isinstance(each, str)]
    taken = {claim.id for claim in read}
    return *claims_of_sentences(texts, "The claim", letter="G", taken=taken, company=company), *read


async def _report(app: Resources, report: str, *, by_name: bool) -> tuple[str, str]:
    """Return the report's URL and, for a file, the hash of its snapshot."""
    path = local_path(report)
    if path is not None:
        with page_progress():
            snapshot, _ = await app.pages_offline.read_file(path, by_name=by_name)
        return snapshot.final_url, snapshot.hash
    return page_address(report), ""


async def topic_brief(
    app: Resources, request: TopicRequest, *, on_note: Callable[[str], object] | None = None
) -> Brief:
    """Return the brief for a topic (its number, a URL, or a file with one), which is stored if new. The request's
    priority applies to this investigation; a stored topic keeps its own. `on_note` is called with what a new topic
    lacks and what `as_of` excludes. Raises InputError, also for a topic investigated recently unless `again` is
    given."""
    from inquest.app.desks.topics import kept_topic

    topic = await kept_topic(app, request.topic, priority=request.priority, on_note=on_note)
    if request.priority is not None:
        topic = topic.model_copy(update={"priority": Priority(request.priority)})
    if topic.investigated and not request.again:
        state = due(topic, app.clock.now())
        if not state.due:
            raise InputError(
                f"Topic {topic.id} is not due for investigation again. {state.reason}",
                advice="Add --again to investigate it once more.",
            )
    urls = [topic.url] if topic.url else []
    brief = brief_from(request, f"Verify: {topic.title}", urls=urls, mode=request.mode, settings=app.settings)
    dated = topic.event_date or topic.discovery_date
    if on_note is not None and brief.as_of is not None and dated is not None and brief.as_of < dated:
        on_note(f"It is dated {dated:%Y-%m-%d}, and nothing published after {brief.as_of:%Y-%m-%d} counts as evidence.")
    return brief.model_copy(update={"topic": topic})


async def run_topic(app: Resources, topic: Topic, *, by: str) -> Case:
    """Investigate a stored topic with the settings of this process; `by` approved the plan in advance. Raises the
    errors of a session."""
    return await _run_watched(app, await topic_brief(app, TopicRequest(topic=str(topic.id), again=True)), by)


async def run_again(app: Resources, case: Case, *, by: str) -> Case:
    """Run the request of a finished case again; `by` approved the plan in advance. The text of an audit is also read
    again, and its outcomes are compared with those of the case. Raises InputError, PageError, and the errors of a
    session."""
    brief = case.brief
    if brief.audit is not None:
        from inquest.app.cases.auditing import audit_brief

        asked = await audit_brief(app, AuditRequest(again=case.id, limit=brief.audit.limit), files=True)
        brief = brief.model_copy(update={"audit": asked.audit})
    return await _run_watched(app, brief.model_copy(update={"reference": ""}), by)


async def _run_watched(app: Resources, brief: Brief, by: str) -> Case:
    session = await new_session(app, brief.model_copy(update={"afresh": True}), approved=True)

    async def approved(case: Case) -> Approval | None:
        return approval_from("approve", case.plan, how="watch", by=by) if case.plan else None

    async with session:
        return await session.run(approved)


_ACCESSION = regex(r"\d{10}-?\d{2}-?\d{6}")


async def market_brief(app: Resources, request: MarketQuestion, *, upstream: Upstream | None = None) -> Brief:
    """Return the brief for a question. A filing from a file is archived at once, since it may be gone later. Raises
    InputError, PageError for a file that cannot be read."""
    if not request.question.strip():
        raise InputError("Missing question.", advice='Ask one, like "Why is NVDA down today?".')
    brief = brief_from(request, request.question, settings=app.settings)
    if brief.languages:
        raise InputError("A market question accepts no languages.", advice="Leave them out.")
    # 'Today' refers to one moment, however often the case is run.
    now = brief.as_of or app.clock.now()
    asked = MarketRequest(
        tickers=tuple(dict.fromkeys(request.tickers)),
        company=request.company.strip(),
        sector=request.sector.strip(),
        upstream=upstream,
        saved=request.save,
    )
    read_question(request.question, now, asked)
    filings = tuple([await _filing(app, each) for each in dict.fromkeys(request.filings)])
    return brief.model_copy(update={"market": asked.model_copy(update={"filings": filings}), "as_of": now})


async def _filing(app: Resources, given: str) -> NamedFiling:
    written = given.strip()
    if _ACCESSION.fullmatch(written) and (accession := accession_of(written)):
        return NamedFiling(given=written, accession=accession)
    path = local_path(written)
    if path is not None:
        snapshot, _ = await app.pages_offline.read_file(path)
        return NamedFiling(given=path.name, url=snapshot.final_url, snapshot=snapshot.hash)
    url = with_scheme(written)
    if not is_web_url(url):
        raise InputError(
            f"'{written}' is neither a file, a web address nor the number of a filing.",
            advice="Numbers of the SEC are written like 0001045810-26-000021.",
        )
    return NamedFiling(given=written, url=url)


def answer_markdown(case: Case) -> str:
    """Return the answer as Markdown; '' if the case ended without one."""
    from inquest.reports.markdown import market_markdown

    return market_markdown(case.answer) if case.answer else ""


async def save_case(app: Resources, case_id: str) -> Case:
    """Keep a market case beyond a day. Raises NotFound, InputError for a case that does not expire."""
    case = await app.case(case_id)
    if case.kind is not CaseKind.MARKET:
        raise InputError(f"The case {case.id} does not expire.", advice="Only market answers are deleted after a day.")
    answer = case.answer.model_copy(update={"saved": True}) if case.answer else None
    kept = case.model_copy(update={"kept_until": None, "answer": answer})
    await (await app.store()).save(kept)
    return kept


NAME, TECHNICAL = "demo", "demo-technical"
"""The two collections; the second is only used by the check of claims."""


async def prepare(app: Resources, which: str, mode: str = "quick") -> Brief:
    """Fill the collections with the bundled documents and return the brief of an example: `claims`, a check of the
    bundled report; `topic`, a headline that spread with two digits changed, stored with the user's own topics; or else
    an inquiry. `mode` applies to the latter two."""
    import tomllib

    from inquest.demo import documents, folder, report, technical_documents, topic

    await app.collections.add(NAME, documents(), ratings=folder() / "ratings.csv")
    given = tomllib.loads((folder() / "demo.toml").read_text("utf-8"))
    asked: dict[str, Any] = {"collections": (NAME,), "engines": ["collection"], "as_of": given.get("as_of")}
    if which == "claims":
        await app.collections.add(TECHNICAL, technical_documents(), ratings=folder() / "technical" / "ratings.csv")
        asked |= {"report": str(report()), **given["check"], "collections": (NAME, TECHNICAL)}
        return await check_brief(app, request_of(ClaimsRequest, asked))
    asked["mode"] = mode
    if which == "topic":
        return await topic_brief(app, request_of(TopicRequest, {"topic": str(topic()), "again": True, **asked}))
    text = (folder() / "brief.txt").read_text("utf-8")
    return await brief_of(app, request_of(InquiryRequest, {"brief": text, **asked}))


async def brief_of(app: Resources, request: CaseRequest, *, on_note: Callable[[str], object] | None = None) -> Brief:
    """Return the brief of any request. `on_note`: as in `topic_brief`. Raises InputError, NotFound, PageError,
    SettingError."""
    match request:
        case InquiryRequest():
            return brief_from(request, request.brief, urls=request.urls, mode=request.mode, settings=app.settings)
        case ClaimsRequest():
            return await check_brief(app, request)
        case TopicRequest():
            return await topic_brief(app, request, on_note=on_note)
        case MarketQuestion():
            return await market_brief(app, request)
        case AuditRequest():
            from inquest.app.cases.auditing import audit_brief

            return await audit_brief(app, request)


def request_again(case: Case) -> CaseRequest:
    """Return the request that made the case, without files on this machine. `as_of` of a market question is included
    only if it was not the moment of the question itself."""
    brief = case.brief
    own_now = brief.market is not None and brief.as_of is not None and brief.as_of.date() == case.created_at.date()
    same = ("engines", "collections", "languages", "language", "budget_usd", "budget_tokens", "budget_calls")
    shared: dict[str, Any] = {
        **{name: getattr(brief, name) for name in same},
        "as_of": None if own_now else brief.as_of,
        "deadline": brief.deadline_seconds,
    }
    if (check := brief.check) is not None:
        kept = check.model_dump(include={"company", "industry", "country", "desks", "max_claims", "rounds"})
        report = check.report if is_web_url(check.report) else ""
        return ClaimsRequest(claims=tuple(each.text for each in check.claims), report=report, **kept, **shared)
    if (topic := brief.topic) is not None:
        shared |= {"mode": brief.mode.value, "priority": topic.priority.value}
        return TopicRequest(topic=str(topic.id or topic.url or ""), again=True, **shared)
    if (market := brief.market) is not None:
        kept = market.model_dump(include={"tickers", "company", "sector"})
        filings = tuple(each.given for each in market.filings if not each.snapshot)
        return MarketQuestion(question=brief.text, filings=filings, save=market.saved, **kept, **shared)
    if (audit := brief.audit) is not None:
        url = audit.what if is_web_url(audit.what) else ""
        return AuditRequest(url=url, limit=audit.limit, again=case.id, language=brief.language)
    urls = tuple(each for each in brief.urls if is_web_url(each))
    return InquiryRequest(brief=brief.text, urls=urls, **shared | {"mode": brief.mode.value})
