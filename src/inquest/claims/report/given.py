"""Claims supplied by the user, as sentences or JSON lines of `id`, `text` (or `claim`), `company`, `type`, `page`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from inquest.claims.brief_reading import names_nothing
from inquest.claims.claim_detection import (
    ReportStatement,
    claim_reason,
    disclosures,
    report_claim_type,
    type_reason,
    worth_of,
)
from inquest.claims.report.company import name_masked
from inquest.claims.standalone import statement_of
from inquest.domain.claim import Amount, Claim, ClaimType
from inquest.domain.document import Document
from inquest.domain.errors import InputError
from inquest.domain.reasons import worded
from inquest.text.grounding import ground
from inquest.text.moments import moments
from inquest.text.phrases import quoted
from inquest.text.quantities import quantities
from inquest.text.sentences import ASKING, shorten, words

MAX_TEXT = 2_000  # Characters of a claim
_TYPES = tuple(each.value for each in ClaimType)


def given_claims(lines: Iterable[str], where: str, *, company: str = "") -> tuple[Claim, ...]:
    """Read the claims of a file of JSON lines in order. `where`: the file, for messages; `company`: for lines without
    one. Raises InputError with the number of the first invalid line, or if there is no claim."""
    lines_by_id: dict[str, int] = {}
    claims = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        at = f"Line {number} of {where}"
        try:
            value = json.loads(line.removeprefix("\ufeff"))
        except json.JSONDecodeError as error:
            raise InputError(f"{at} is not JSON ({error.msg}).", advice="Write one JSON object per line.") from error
        except RecursionError as error:
            raise InputError(f"{at} is nested too deeply.") from error
        if not isinstance(value, dict):
            raise InputError(f"{at} is not a JSON object.", advice='Write {"id": "1", "text": "..."} on each line.')
        claim = _claim(value, at, company)
        if claim.id in lines_by_id:
            message = f"{at} repeats the id ‘{claim.id}’ of line {lines_by_id[claim.id]}."
            raise InputError(message, advice="Give each claim a different id.")
        lines_by_id[claim.id] = number
        claims.append(claim)
    if not claims:
        raise InputError(f"{where} contains no claim.", advice="Write one JSON object with `id` and `text` per line.")
    return tuple(claims)


def claims_of_sentences(
    texts: Sequence[str], where: str, *, letter: str, taken: Collection[str], company: str
) -> tuple[Claim, ...]:
    """Make claims of sentences, in order, with ids made of the letter and a number not yet used. `where`: their origin,
    for messages. Raises InputError for an empty or overlong one."""
    names = (f"{letter}{number}" for number in count(1))
    free = (name for name in names if name not in taken)
    claims = []
    for number, (name, text) in enumerate(zip(free, texts, strict=False), 1):
        at = where if len(texts) == 1 else f"{where}, number {number},"
        if not text.strip():
            raise InputError(f"{at} is empty.", advice="Give the claim as one sentence.")
        claims.append(_claim({"id": name, "text": text}, at, company))
    return tuple(claims)


def placed(claim: Claim, document: Document) -> Claim:
    """Return the claim with its place in the report, or unchanged if its words do not occur there."""
    starts = document.pages
    near = starts[claim.page - 1] if claim.page and claim.page <= len(starts) else None
    span = ground(document.text, claim.text, near)
    if span is None:
        return claim
    quote = span.of(document.text)
    return claim.model_copy(
        update={
            "quote": quote,
            "start": span.start,
            "end": span.end,
            "page": document.page_of(span.start),
            "quantities": amounts(quote, span.start),
        }
    )


def _claim(value: Mapping[str, Any], at: str, company: str) -> Claim:
    name, text = value.get("id"), value.get("text", value.get("claim"))
    if isinstance(name, bool) or not isinstance(name, str | int) or not str(name).strip():
        raise InputError(f"{at} has no `id`.", advice="Give each claim an id, a word or a number.")
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{at} has no `text` (or `claim`).", advice="Give the claim as one sentence.")
    text = " ".join(text.replace("\u200b", " ").split())
    text = (
        statement_of(text) or text if text.endswith(ASKING) else text
    )  # 'Did it rain?' asks if it is true that it did
    if len(text) > MAX_TEXT:
        raise InputError(f"{at} has {len(text):,} characters; the maximum is {MAX_TEXT:,}.")
    kind, page, firm = value.get("type"), value.get("page"), value.get("company")
    if kind is not None and kind not in _TYPES:
        raise InputError(f"{at} has the unknown type ‘{kind}’.", advice=f"Use one of: {', '.join(_TYPES)}.")
    if page is not None and (isinstance(page, bool) or not isinstance(page, int) or page < 1):
        raise InputError(f"{at} has an invalid page ‘{page}’: expected a whole number from 1.")
    if firm is not None and not isinstance(firm, str):
        raise InputError(f"{at} has a `company` that is not text.")
    if len(words(text)) < 2 and text.isascii():
        message = f"{at} makes no statement: {quoted(shorten(text, 80))}."
        raise InputError(message, advice="Give it as a whole sentence.", field="claims")
    if not (company or firm) and names_nothing(text):
        message = f"{at} has nothing to search for: {quoted(shorten(text, 80))}."
        raise InputError(message, advice="Name who, what or where it is about.", field="claims")
    figures = quantities(text)
    dates = tuple(dict.fromkeys(each.iso for each in moments(text)))
    worth = worth_of(ReportStatement(text, figures, dated=bool(dates)))
    masked = name_masked(text, firm or company)
    type_, why = report_claim_type(masked, figures)
    if kind is not None:
        type_ = ClaimType(kind)
        why = type_reason("given", type_)
    reasons = (claim_reason("given"), why, *worth.reasons)
    return Claim(
        id=str(name).strip(),
        text=text,
        type=type_,
        importance=worth.rank,
        company=(firm or company).strip(),
        page=page,
        quantities=amounts(text, 0),
        dates=dates,
        disclosures=disclosures(masked),
        checkability=worth.checkability,
        **worded(reasons),
    )


def amounts(text: str, offset: int) -> tuple[Amount, ...]:
    """Return the quantities of a text that begins at `offset`."""
    return tuple(
        Amount(
            quote=each.text,
            start=offset + each.span.start,
            end=offset + each.span.end,
            low=each.low,
            high=each.high,
            unit=each.unit,
            dimension=each.dimension.value,
            bound=each.bound.value,
        )
        for each in quantities(text)
    )
