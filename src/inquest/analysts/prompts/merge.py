"""Merge: the key claims of all sources, with equivalent ones merged; a merged claim says no more than its members."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.analysts.marking import PromptBlock, message
from inquest.analysts.prompts import instructions
from inquest.analysts.replies import AnswerPart, Chance, Line, Lines, Listed, Named, Unusable, kept, parse
from inquest.domain.claim import ClaimType
from inquest.domain.drafts import ClaimDraft, KeyClaim, SourceReading
from inquest.domain.source import Source
from inquest.text.regex import regex
from inquest.text.sentences import content_words, shorten

Readings = Sequence[tuple[Source, SourceReading]]
_FIGURE = regex(r"\d+(?:[.,]\d+)*")
_THOUSANDS = regex(r"(?<=\d)[.,](?=\d{3}(?!\d))")
_MOST_QUERIES = 2


class _MergedClaim(AnswerPart):
    text: Line
    members: Lines
    type: Named[ClaimType] = ClaimType.STATEMENT
    importance: Chance = 0.5
    queries: Lines = []


class Answer(AnswerPart):
    """The claims to check."""

    claims: Listed[_MergedClaim]


def ask(limit: int | None, again: str = "") -> str:
    """The instructions."""
    return instructions("merge", again, limit=f"At most {limit} claims." if limit else "")


def question(topic: str, readings: Readings) -> str:
    """The message. A claim that several sources make in the same words appears once, with their number."""
    blocks = [PromptBlock("topic", topic)]
    same = _same_words(readings)
    for source, reading in readings:
        for index, claim in enumerate(reading.key_claims):
            name = f"{source.id}.{index}"
            if name in same:
                published = source.published.iso[:10] if source.published else ""
                sources = len({each.rpartition(".")[0] for each in same[name]})
                fields = (("published", published), ("sources", str(sources) if sources > 1 else ""))
                blocks.append(PromptBlock("claim", claim.text, name, fields))
    return message(blocks)


def _same_words(readings: Readings) -> dict[str, list[str]]:
    """The names of all claims in the same words, its own first, by the name of the first of them."""
    by_words: dict[str, list[str]] = {}
    for source, reading in readings:
        for index, claim in enumerate(reading.key_claims):
            by_words.setdefault(" ".join(claim.text.casefold().split()), []).append(f"{source.id}.{index}")
    return {names[0]: names for names in by_words.values()}


def answer(text: str, readings: Readings, limit: int | None) -> tuple[ClaimDraft, ...]:
    """The claims, most important first. Members that do not exist or already belong to another claim are ignored, and a
    claim without any is left out; a member stands for all claims in the same words. Raises Unusable if none is left."""
    known = {f"{source.id}.{n}": claim for source, reading in readings for n, claim in enumerate(reading.key_claims)}
    same = _same_words(readings)
    given, _ = kept(parse(text, Answer).claims)
    taken: set[str] = set()
    drafts: list[ClaimDraft] = []
    for each in given:
        named = dict.fromkeys(member for name in each.members for member in same.get(name, (name,)))
        members = [member for member in named if member in known and member not in taken]
        if not members or not each.text:
            continue
        taken.update(members)
        drafts.append(_draft(each, [(member, known[member]) for member in members]))
    if known and not drafts:
        raise Unusable("no claim had members that stand in the message")
    drafts.sort(key=lambda draft: -draft.importance)
    return tuple(drafts[:limit])


def _draft(each: _MergedClaim, members: list[tuple[str, KeyClaim]]) -> ClaimDraft:
    said = " ".join(f"{claim.text} {claim.quote}" for _, claim in members)
    # A figure in no member would be the model's own: then the claim is worded as in a source.
    text = each.text if figures(each.text) <= figures(said) else max(members, key=lambda m: m[1].importance)[1].text
    queries = tuple(dict.fromkeys(shorten(query, 180).rstrip("…") for query in each.queries if query))[:_MOST_QUERIES]
    places = [member.rpartition(".") for member, _ in members]
    return ClaimDraft(
        text=shorten(text, 400),
        type=each.type,
        importance=each.importance,
        members=tuple((source_id, int(index)) for source_id, _, index in places),
        queries=queries or (" ".join(list(dict.fromkeys(content_words(text)))[:8]),),
    )


def figures(text: str) -> set[str]:
    """The figures in a text, without thousands separators: 4,100 and 4100 are the same; 4.1 and 41 are not."""
    return {_THOUSANDS.sub("", match).replace(",", ".") for match in _FIGURE.findall(text)}
