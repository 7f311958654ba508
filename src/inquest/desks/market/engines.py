"""How the engines took part in an answer: who answered, who was left out and why, who answered in its place; and what
is said where nobody had anything, which is not the same as nobody having been asked (spec 003, error handling)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from inquest.domain.errors import EngineError, EngineQuota
from inquest.domain.market import EngineNote, MarketQuestion, QuestionKind
from inquest.domain.search import Hit
from inquest.text.phrases import listed
from inquest.text.securities import parse_ticker

__all__ = ["engine_notes", "left_out_sentences", "no_news", "nobody_asked", "offers_for"]

_SHOWN = 6
"""Engines that are named in the sentence; the notes name them all."""
_OF_COMPANIES = "few media follow it (a small or private company)"
_MEANINGS = (
    "nothing material has happened lately",
    "the engines that were asked do not cover it",
)


def engine_notes(
    hits: Iterable[Hit],
    asked: Sequence[str],
    out: Mapping[str, EngineError | str],
    *,
    instead: Mapping[str, Sequence[str]] | None = None,
    titles: Mapping[str, str] | None = None,
) -> tuple[EngineNote, ...]:
    """What each engine did, in the order asked. `out`: those that did not answer, each with its error or the reason;
    `instead`: who was asked in the place of each; only those that answered are named as having done so."""
    names, numbers = titles or {}, dict[str, int]()
    for hit in hits:
        numbers[hit.engine] = numbers.get(hit.engine, 0) + 1
    notes = []
    for engine in dict.fromkeys([*asked, *out, *numbers]):
        title = names.get(engine, engine)
        if engine in out:
            beside = [each for each in (instead or {}).get(engine, ()) if each not in out]
            notes.append(
                EngineNote(
                    engine=engine, title=title, state="left_out", hits=numbers.get(engine, 0), why=_why(out[engine]),
                    instead=tuple(names.get(each, each) for each in dict.fromkeys(beside)),
                )
            )  # fmt: skip
        else:
            number = numbers.get(engine, 0)
            notes.append(EngineNote(engine=engine, title=title, state="answered" if number else "empty", hits=number))
    return tuple(notes)


def left_out_sentences(notes: Sequence[EngineNote]) -> tuple[str, ...]:
    """Which engines were left out and why, those with one reason together, and who answered in their place; () where
    all answered."""
    left = [note for note in notes if note.state == "left_out"]
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for note in left:
        alike.setdefault((_in_general(note), note.instead), []).append(note.title)
    said = []
    for (why, instead), titles in alike.items():
        were = "was" if len(titles) == 1 else "were"
        place = f" {listed(instead)} answered in {'its' if len(titles) == 1 else 'their'} place." if instead else ""
        said.append(f"{listed(titles)} {were} left out: {why}{place}")
    if said and len(left) < len(notes):
        gave = [note.title for note in notes if note.state == "answered"]
        other = f"{listed(_few(gave))} gave what there is. " if gave else ""
        said.append(f"{other}The answer may be less complete than usual.")
    return tuple(said)


def nobody_asked(notes: Sequence[EngineNote], own: Collection[str] = ()) -> bool:
    """Whether engines failed and none answered but those that search the user's `own` documents: that these have
    nothing says nothing of the world."""
    answered = [note for note in notes if note.state != "left_out"]
    return len(answered) < len(notes) and all(note.engine in own for note in answered)


def no_news(
    question: MarketQuestion, notes: Sequence[EngineNote], found_older: int = 0, *, own: Collection[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """The sentence of an answer with nothing recent in it, and what that can mean.

    Where no engine could be asked it says so, and that nothing is known either way. `own`: the engines that search the
    user's own documents.
    """
    asked = [note.title for note in notes if note.state != "left_out"]
    out = [note.title for note in notes if note.state == "left_out"]
    if not asked or nobody_asked(notes, own):
        who = f" ({listed(_few(out))})" if out else ""
        source = "No source but your own documents" if asked else "No source"
        return f"{source} could be asked about {question.about}{who}, so nothing is known either way.", ()
    frame = question.timeframe.words
    when = frame if frame.startswith(("since", "the past", "last", "this", "today", "yesterday")) else f"on {frame}"
    answered = f"{listed(_few(asked))} answered."
    sentence = f"No news of {question.about} from {when} was found; {answered}"
    if when.startswith(("since", "on ", "today", "yesterday")):
        found = f"found {frame}" if when.startswith("since") else f"found for {frame}"
        sentence = f"No news of {question.about} was {found}; {answered}"
    if out:
        sentence += f" {listed(_few(out))} could not be asked."
    if found_older:
        sentence += f" {found_older} older {'report' if found_older == 1 else 'reports'} came up."
    unknown = [each.shown for each in question.tickers if each.known is False]
    of_company = (_OF_COMPANIES,) if question.tickers or question.company else ()
    meanings = (*(f"{symbol} is no ticker that is listed" for symbol in unknown), *of_company, *_MEANINGS)
    return sentence, meanings


def _few(titles: Sequence[str]) -> Sequence[str]:
    return [*titles[:_SHOWN], f"{len(titles) - _SHOWN} others"] if len(titles) > _SHOWN + 1 else titles


def offers_for(question: MarketQuestion) -> tuple[str, ...]:
    """What can be done next where nothing was found."""
    name = question.company or (question.tickers[0].shown if question.tickers else "")
    if question.kind is QuestionKind.ECONOMIC_RELEASE:
        return (
            "Look it up at the office of statistics or the central bank that releases it.",
            "Ask about a longer time.",
        )
    if any(each.known is False for each in question.tickers) and not question.company:
        return (
            f"Check how the ticker {name} is written: for a listing elsewhere with its exchange (like BMW.DE).",
            "Name the company instead (--company).",
            "Ask about a longer time.",
        )
    if not name:
        return ("Name a company or give its ticker (--ticker).", "Ask about a longer time.")
    parsed = [parse_ticker(each.symbol) for each in question.tickers]
    if parsed and all(ticker and ticker.exchange not in (None, "US") for ticker in parsed):
        return (
            f"Search the investor relations pages of {name}.",
            "Look for its announcements at the exchange or the regulator where it is listed.",
            "Read its last annual or interim report instead (--filing).",
            "Ask about a longer time.",
        )
    return (
        f"Search the investor relations pages of {name}.",
        f"Look for recent 8-K filings of {name} at the SEC.",
        "Read its last 10-K and 10-Q instead (--filing).",
        "Ask about a longer time.",
    )


def _in_general(note: EngineNote) -> str:
    """The reason without the name of the one engine or setting, so that one network that is down is told once."""
    why = f"{note.why.split(': set ')[0].rstrip('.')}."
    named = next((name for name in (note.engine, note.title) if name and why.startswith(f"{name} ")), "")
    return why[len(named) + 1 :] if named else why


def _why(error: EngineError | str) -> str:
    if isinstance(error, str):
        text = error.strip()
    elif isinstance(error, EngineQuota):
        text = str(error).strip() or "its limit is used up"
    else:
        text = str(error).strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
