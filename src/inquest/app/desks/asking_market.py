"""A question to the market desk, made into a brief; and which answers are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.app.cases.case_request import MarketQuestion
from inquest.app.cases.requests import brief_from
from inquest.app.wiring.pages import local_path
from inquest.desks.market.questions import read_question
from inquest.domain.brief import Brief
from inquest.domain.case import Case, CaseKind
from inquest.domain.errors import InputError
from inquest.domain.market import MarketRequest, NamedFiling, Upstream
from inquest.text.regex import regex
from inquest.text.securities import accession_of
from inquest.text.urls import is_web_url, with_scheme

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_ACCESSION = regex(r"\d{10}-?\d{2}-?\d{6}")


async def market_brief(app: Resources, request: MarketQuestion, *, upstream: Upstream | None = None) -> Brief:
    """The brief for a question. A filing that is a file is archived at once, since it may be gone later. Raises
    InputError for what cannot be used, PageError for a file that cannot be read."""
    if not request.question.strip():
        raise InputError("There is no question.", advice='Ask one, like "Why is NVDA down today?".')
    brief = brief_from(request, request.question, settings=app.settings)
    if brief.languages:
        raise InputError("A market question takes no languages.", advice="Leave them out.")
    # 'Today' is counted from one moment, however often the case is run.
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
    """The answer as a user is shown it; '' where the case ended before there was one."""
    from inquest.reports.market_answer import market_markdown

    return market_markdown(case.answer) if case.answer else ""


async def save_case(app: Resources, case_id: str) -> Case:
    """Keep a market case for longer than a day. Raises NotFound, InputError for a case that is kept anyway."""
    case = await app.case(case_id)
    if case.kind is not CaseKind.MARKET:
        raise InputError(
            f"The case {case.id} is kept anyway.", advice="Market answers alone are forgotten after a day."
        )
    answer = case.answer.model_copy(update={"saved": True}) if case.answer else None
    kept = case.model_copy(update={"kept_until": None, "answer": answer})
    await (await app.store()).save(kept)
    return kept
