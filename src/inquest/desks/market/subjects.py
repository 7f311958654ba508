"""Tickers and companies of a question. A wrong company is worse than none.

A symbol that is also a word or a common abbreviation ('ALL', 'IT', 'NOW', 'CEO') counts only if it is marked: by a
dollar sign, its exchange, the user's option, or words like 'the ticker ALL'.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile, zip_longest
from typing import NamedTuple

from inquest.claims.meant import NO_PART, RARE
from inquest.desks.market.events import says, sector_in
from inquest.domain.errors import InputError
from inquest.domain.market import MarketQuestion, MarketReading, QuestionKind, QuestionTicker
from inquest.domain.reasons import Reason, once
from inquest.domain.search import Hit
from inquest.sources.economic_releases import same_statistic
from inquest.sources.publisher_names import is_public_body_name, known_keys, name_key
from inquest.text.company_names import LEGAL_WORDS, without_legal_form
from inquest.text.dates import MONTHS, WEEKDAYS
from inquest.text.lexicon import pattern, word_set
from inquest.text.regex import regex
from inquest.text.securities import Listing, Ticker, listing_named, parse_ticker, tickers_in, without_forms
from inquest.text.sentences import STOP_WORDS, content_words, fold, stem
from inquest.text.vocabulary import rarity

_WORDS, _ADJECTIVES = word_set(__name__, "symbols_that_are_words"), word_set(__name__, "symbols_that_are_adjectives")
_DAYS = {*MONTHS, *WEEKDAYS}
_NO_COMPANY = word_set(__name__, "no_company") | STOP_WORDS | _DAYS
_NO_NAME = _WORDS | _NO_COMPANY
_DOTTED = frozenset(("U.S", "U.K", "E.U", "U.N", "D.C", "A.I", "P.E"))
_LISTED_WORDS = frozenset(("ALL", "NOW", "IT"))
_MOST_LISTINGS_NAMED = 3
_BARE = regex(r"(?<![\w$.@#/&-])([A-Z]{1,5}(?:[.-][A-Z]{1,4})?|\d{3,6}\.[A-Z]{2,5})(?!\w|-\w|\.\w|&)")
_SMALL_MARKED = regex(r"(?<![\w$])\$([a-z]{1,5}(?:[.-][a-z]{1,4})?)(?!\w)")
_SAID_BEFORE = regex(r"\b(?:ticker|symbol)s?:?\s+[\"'“(]?$|[\w.]\s\($", re.I)
_OF_SHARES = regex(r"\b(?:shares?|stock|price)\s+(?:of|in|for)\s+$", re.I)
_SAID_AFTER = regex(r"^(?:['’]s)?\s+(?:stock|share price)\b(?!\s+(?:markets?|exchanges?))", re.I)
_AFTER_EXCHANGE = regex(r"[A-Z]\s?:\s?$")
_CAPITAL = regex(r"\b[A-Z][\w'’&.-]*(?:\s+(?:(?:of|and|&|de|du|von|the)\s+)?(?:[A-Z0-9][\w'’&.-]*|&))*")
_OWNER = regex(r"['’]s?$")
_BELONGS = regex(r"\b(?:of|at|from|for|by|on|in|about)\s+(?:the\s+)?$")
_FEW_WORDS = 3
_JOINED = regex(r"\s+(?:and|&)\s+")


class Named(NamedTuple):
    """The tickers and the company in a question, with notes for the user."""

    tickers: tuple[QuestionTicker, ...]
    company: str
    notes: tuple[Reason, ...]


def named_in(text: str, given: Sequence[str] = (), listings: Sequence[Listing] = (), company: str = "") -> Named:
    """The tickers and the company of a question, those given by the user first.

    `listings`: the known companies of a service's list; without it, `known` stays None. Raises InputError if a given
    ticker is invalid.
    """
    text = without_forms(text)  # '10-Q' is not a name
    by_symbol = _by_symbol(listings)
    found: dict[Ticker, str] = {}
    for written in given:
        if (parsed := parse_ticker(written)) is None:
            advice = "Write it like NVDA, BRK.B, VOD.L or NYSE:BRK.B."
            raise InputError(f"{written!r} is not a valid ticker.", advice=advice, field="tickers")
        found[parsed] = "as given"
    notes: list[Reason] = []
    for ticker, how in (*_marked(text), *_bare_symbols(text, by_symbol, notes)):
        if not any(ticker.symbol == other.symbol for other in found):
            found[ticker] = how
    tickers = [_looked_up(ticker, how, by_symbol, notes) for ticker, how in found.items()]
    name = company or next((each.name for each in tickers if each.name), "")
    if not tickers:
        name, tickers = _by_name(text, company, listings, notes)
    elif not name:
        name = next((each for each in _names(text) if fold(each) not in {fold(one.shown) for one in tickers}), "")
    return Named(tuple(tickers), name, once(notes))


def named_as(reading: MarketReading, listings: Sequence[Listing]) -> Named:
    """The company and ticker that a model names, looked up in the listings if there are any."""
    notes: list[Reason] = []
    ticker = parse_ticker(reading.ticker) if reading.ticker else None
    if ticker is None:
        name, tickers = _by_name("", reading.company, listings, notes) if reading.company else ("", [])
    else:
        tickers = [_looked_up(ticker, "as the model reads it", _by_symbol(listings), notes)]
        name = reading.company or tickers[0].name
    return Named(tuple(tickers), name, tuple(notes))


def _by_symbol(listings: Sequence[Listing]) -> dict[str, Listing]:
    return {each.ticker.symbol: each for each in reversed(listings) if each.ticker}


def _marked(text: str) -> Iterator[tuple[Ticker, str]]:
    alone = text.strip().rstrip("?!.")
    for ticker in tickers_in(text):
        if re.search(rf"\$\s?{re.escape(ticker.symbol[:3])}", text):
            yield ticker, "with a dollar sign"
        elif ":" in text:
            yield ticker, "with its exchange"
        elif fold(alone) not in _NO_NAME:
            yield ticker, "as written"
    for match in _SMALL_MARKED.finditer(text):
        if small := parse_ticker(match[1]):
            yield small, "with a dollar sign"


def _bare_symbols(text: str, by_symbol: Mapping[str, Listing], notes: list[Reason]) -> Iterator[tuple[Ticker, str]]:
    shouted = not re.search(r"[a-z]{2}", text)
    for match in _BARE.finditer(text):
        written, before, after = match[1], text[: match.start()], text[match.end() :]
        ticker = parse_ticker(written)
        if ticker is None or written in _DOTTED or _AFTER_EXCHANGE.search(before):
            continue
        of_shares = _OF_SHARES.search(before) or _SAID_AFTER.search(after)
        marked = _SAID_BEFORE.search(before) or (of_shares and written.lower() not in _ADJECTIVES)
        if not shouted and marked:
            yield ticker, "by the words around it"
        elif written.lower() in _NO_NAME or len(written) == 1:
            if not shouted and len(written) > 1 and (ticker.symbol in by_symbol or written in _LISTED_WORDS):
                notes.append(says("read_as_a_word", name=written))
        elif ticker.symbol in by_symbol or not shouted:
            yield ticker, "as written"


def _looked_up(ticker: Ticker, how: str, by_symbol: Mapping[str, Listing], notes: list[Reason]) -> QuestionTicker:
    written = ticker.with_suffix
    if not by_symbol:
        return QuestionTicker(symbol=written, how=how)
    listing = by_symbol.get(ticker.symbol)
    if listing is None and ticker.exchange in (None, "US"):
        unknown = QuestionTicker(symbol=written, how=how, known=False)
        notes.append(says("no_ticker_known", name=unknown.shown))
        return unknown
    # 'T.TO' is not 'T': the same letters may mean another company on another exchange.
    if listing is None or listing.ticker is None or ticker.exchange not in (None, "US", listing.ticker.exchange):
        return QuestionTicker(symbol=written, how=how)
    return QuestionTicker(symbol=written, how=how, name=spoken_name(listing.name, ticker.symbol), known=True)


def _by_name(
    text: str, company: str, listings: Sequence[Listing], notes: list[Reason]
) -> tuple[str, list[QuestionTicker]]:
    """The company in a question without a ticker, with its ticker if it is listed."""
    named = [company] if company else list(_names(text))
    found: dict[str, QuestionTicker | None] = {}
    beside: list[str] = []
    asked = [*named, *([] if company else _small_names(text, listings))]
    while asked:
        each = asked.pop(0)
        match = _one_company(listings, each, exact=not company and each[:1].islower(), notes=notes)
        parts = _JOINED.split(each)
        if match is None and len(parts) > 1:
            asked, beside = [*parts, *asked], parts  # 'Marks and Spencer' is one company, 'Apple and Tesla' are two
        elif match is not None:
            beside = [part for part in beside if part != each]
            symbol = match.ticker.symbol if match.ticker else ""
            name = spoken_name(match.name, symbol) or each
            found[name] = match.ticker and QuestionTicker(
                symbol=match.ticker.with_suffix, how="by the name", name=name, known=True
            )
    if found:
        name, *others = found
        others += [each for each in beside if not any(each in other for other in found)]
        if others:
            notes.append(says("about_one_alone", name=name, others=others))
        return name, [ticker] if (ticker := found[name]) else []
    if named and listings:
        notes.append(says("no_name_known", name=repr(named[0])))
    return (company or next(iter(named), "")), []


def _names(text: str) -> Iterator[str]:
    """Capitalised names without offices, question words and days. The company is most likely the owner of something
    ('X's chair', 'the chair of X'), not the other party to a payment or settlement; least likely is a newspaper or a
    public body."""
    if not re.search(r"[a-z]{2}", text):
        return
    found: list[tuple[int, int, str]] = []
    for match in _CAPITAL.finditer(text):
        start, words = match.start(), match.group().split()
        while words and re.sub(r"n['’]t$", "", fold(words[0]).strip("'’.")) in _NO_COMPANY:
            start += len(words[0]) + 1
            words = words[1:]
        dated = next((place for place, word in enumerate(words) if fold(word).strip(".,") in _DAYS), len(words))
        words = words[: dated - 1] if dated < len(words) and words[dated - 1].islower() else words[:dated]
        owner = next((place for place, word in enumerate(words) if _OWNER.search(word)), None)
        name = _OWNER.sub("", " ".join(words if owner is None else words[: owner + 1])).strip(" .,-&")
        if any(map(_may_name, name.split())):
            rank = 0 if owner is not None else 1 if _BELONGS.search(text[:start]) else 2
            key = name_key(name)
            rank += 3 * (key in known_keys() or is_public_body_name(key))
            found.append((rank, start, name))
    yield from (name for _, _, name in sorted(found))


def _small_names(text: str, listings: Sequence[Listing]) -> Iterator[str]:
    """Names of listed companies in lower case ('why is nvidia down'), longer ones first."""
    words = [_OWNER.sub("", word.strip("?.!,;")) for word in text.split()]
    first = {re.split(r"\W", fold(each.name), maxsplit=1)[0] for each in listings}
    for size in range(_FEW_WORDS, 0, -1):
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            if run[0].islower() and fold(run[0]) in first and _may_name(run[0]):
                yield " ".join(run)


def _may_name(word: str) -> bool:
    plain = fold(word).strip("'’.,&-")
    return bool(plain) and plain not in _NO_NAME and word.strip(".") not in _DOTTED and not plain.isdigit()


def _one_company(listings: Sequence[Listing], name: str, *, exact: bool, notes: list[Reason]) -> Listing | None:
    """The only company of that name. `exact`: the whole name must match, because nothing marks the words as a name."""
    found = listing_named(listings, name)
    if found is not None:
        return found if not exact or fold(spoken_name(found.name)) == fold(name) else None
    begins = [each for each in listings if fold(each.name).startswith(f"{fold(name)} ")]
    if begins and not exact:
        some = [each.name for each in begins[:_MOST_LISTINGS_NAMED]]
        notes.append(says("several_companies", name=repr(name), others=some))
    return None


_NAME = r"(?P<name>[A-Z][\w&'’.-]*(?:\s+(?:of|and|&|[A-Z][\w&'’.,-]*)){0,4})"
_MARKS = regex(r"\s*/\s?[A-Z]{2,4}/?\s*$|\s+(?:CL|CLASS)\s+[A-Z]$")
"""Marks that registers add after a name: '/DE/', '/ADR', 'CL A'."""
_SMALL = frozenset(("OF", "AND", "THE", "DE", "FOR", "IN"))


def named_by_leads(question: MarketQuestion, hits: Iterable[Hit]) -> MarketQuestion:
    """Add the name that the question, leads or a filer give with its only ticker ('Nvidia Corp. (NASDAQ: NVDA)'); for a
    company of one word without a ticker, the registered name that most leads give it."""
    if question.company and not question.tickers:
        return question.model_copy(update={"company": _registered_name(question, hits)})
    if len(question.tickers) != 1 or question.company:
        return question
    symbol = parsed.symbol if (parsed := parse_ticker(question.tickers[0].symbol)) else question.tickers[0].symbol
    written = re.compile(rf"{_NAME}\s+\((?:[A-Z][A-Za-z]{{2,9}}\s?:\s?)?\$?{re.escape(symbol)}(?:\.[A-Z]+)?\)")
    votes: Counter[str] = Counter()
    for hit in hits:
        if hit.filing and hit.filing.filer and symbol in hit.filing.tickers:
            votes[_bare_name(hit.filing.filer)] += 1
        votes.update(_bare_name(match["name"]) for match in written.finditer(f"{hit.title}\n{hit.snippet}"))
    asked = written.search(question.text)
    found = [_bare_name(asked["name"])] if asked else sorted(votes, key=lambda name: (-votes[name], name))
    name = next(filter(None, found), "")
    return question.model_copy(update={"company": name}) if name else question


def _registered_name(question: MarketQuestion, hits: Iterable[Hit]) -> str:
    subject = subject_of(question)
    texts = dict.fromkeys(f"{hit.title}\n{hit.snippet}" for hit in hits) if len(subject.core) == 1 else {}
    votes = Counter(name for text in texts for name in {*subject.registered_in(text)})
    most, of_most = next(iter(votes.most_common(1)), ("", 0))
    return most if 2 * of_most > votes.total() else question.company


def spoken_name(registered: str, symbol: str = "") -> str:
    """A registered name as papers print it: 'Nvidia' for 'NVIDIA CORP', 'AT&T' for 'AT&T INC.'.

    Registers write in capitals. A word that is the ticker or has no vowel or at most two letters keeps them, because it
    is probably an abbreviation.
    """
    bare = _bare_name(_MARKS.sub("", registered.strip()))
    if not bare or re.search(r"[a-z]", bare):
        return bare or registered.strip()
    spelled: list[str] = []
    for word in bare.split():
        short = len(word) <= 2 or not re.search(r"[AEIOUY]", word) or word == symbol or re.search(r"[&\d]", word)
        if word in _SMALL and spelled:
            spelled.append(word.lower())
        else:
            spelled.append(word if short else "-".join(part.capitalize() for part in word.split("-")))
    return " ".join(spelled)


def _bare_name(name: str) -> str:
    words = name.split()
    while words and fold(words[0]) in _NO_COMPANY:
        words = words[1:]
    return without_legal_form(" ".join(words)).strip(" ,.")


_THE_MARKET = pattern(__name__, "the_market")
_HEAD = 4_000
"""Characters at the beginning of a page that show its subject."""


@dataclass(frozen=True)
class MarketSubject:
    """The subject of a question, to be recognised in pages.

    A name that continues differently from the registered one and ends in a legal form or another line of business is
    another company's: 'Norvane Mining Corp.' and 'Norvane Therapeutics' are not Norvane Charging Inc.
    """

    question: MarketQuestion
    head: str
    """The first content word of the company's name, folded; '' without a company."""
    core: tuple[str, ...]
    """The words of its name without a legal form, folded."""
    symbols: tuple[re.Pattern[str], ...]

    def is_named(self, sentence: str) -> bool:
        """True if a sentence names the company or a ticker; without a company, the sector or statistic."""
        if any(symbol.search(sentence) for symbol in self.symbols):
            return True
        if self.head or self.symbols:
            return len(self._mentions(sentence)) > len(self._others(sentence))
        question = self.question
        if question.kind is QuestionKind.ECONOMIC_RELEASE:
            return same_statistic(sentence, question.text)
        if question.sector and sector_in(sentence) == question.sector:
            return True
        asked = set(content_words(question.sector or question.text))
        return bool(asked & set(content_words(sentence))) or (
            not question.sector and bool(_THE_MARKET.search(fold(sentence)))
        )

    def names_other(self, sentence: str) -> bool:
        """True if a sentence names only companies with similar names."""
        return 0 < len(self._mentions(sentence)) <= len(self._others(sentence))

    def is_about_another(self, title: str, text: str) -> bool:
        """True if a page is about a company with a similar name."""
        head = f"{title}\n{text[:_HEAD]}"
        first = next((match.group() for match in self._mentions(text[:_HEAD])), "")
        own = title if self._others(first) else head  # a text may name the company only to say that it is not about it
        whole = len(self.core) > 1 and " ".join(self.core) in " ".join(re.findall(r"[\w&-]+", fold(own)))
        if whole or any(symbol.search(head) for symbol in self.symbols):
            return False
        return bool(self._others(head)) or self._is_other_throughout(text[:_HEAD])

    def is_about(self, title: str, text: str) -> bool:
        """True if the title or the first paragraphs of a page name the company."""
        return self.is_named(title) or self.is_named(text[: _HEAD // 4])

    def _is_other_throughout(self, text: str) -> bool:
        """True if the company's name has two words, and each name in a text that begins like it goes on with a common
        word instead of the second; a rare one may be a product's."""
        own = self.core[len(self.head.split()) :]
        next_words = [fold(match["more"]).strip(" .,").split()[:1] for match in self._mentions(text)]
        return bool(own and next_words) and all(
            word not in (own[:1], []) and word[0] not in NO_PART and rarity(stem(word[0].strip(".,"))) < RARE
            for word in next_words
        )

    def _mentions(self, text: str) -> list[re.Match[str]]:
        return list(_mention(self.head).finditer(text)) if self.head else []

    def registered_in(self, text: str) -> list[str]:
        """The names in a text that begin like the company's and go on to a legal form, without it."""
        found = []
        for words in (match.group().split() for match in self._mentions(text)):
            ends = next((place for place, word in enumerate(words) if fold(word).strip(".,'’") in LEGAL_WORDS), 0)
            found += [" ".join(words[:ends])] if ends else []
        return found

    def _others(self, text: str) -> list[str]:
        """The names in a text that begin like the company's, continue differently and end in a legal form or in the
        name of another sector; none for a company of one word, whose registered name may be longer."""
        own = self.core[len(self.head.split()) :]
        found = []
        for match in self._mentions(text):
            words = [fold(word).strip(".,'’") for word in match["more"].split()]
            name = list(takewhile(lambda word: word not in LEGAL_WORDS, words))
            different = next((word for word, mine in zip_longest(name, own[: len(name)]) if word != mine), None)
            sector = sector_in(name[-1]) if name else ""
            ends = len(name) < len(words) or sector not in ("", sector_in(self.question.company))
            if own and ends and different is not None and different not in self.core:
                found.append(match.group())
        return found


def subject_of(question: MarketQuestion) -> MarketSubject:
    """The subject of a question."""
    words = [fold(word).strip(".,") for word in question.company.split()]
    core = tuple(word for word in words if word and word not in LEGAL_WORDS | {"the"}) or tuple(words[:1])
    head = next((word for word in core if len(word) > 1), "")
    if len(head) <= 3 and len(core) > 1:  # 'US Steel', 'LG Display'
        head = " ".join(core[:2])
    parsed = [parse_ticker(each.symbol) or each for each in question.tickers]
    forms = [each.symbol.replace("-", "[.-]?") for each in parsed]
    symbols = tuple(re.compile(rf"(?<![\w.]){form}(?![\w])") for form in forms)
    return MarketSubject(question, head, core, symbols)


@lru_cache(maxsize=64)
def _mention(head: str) -> re.Pattern[str]:
    """The company's first word, capitalised if it is a letter ('Target' is a company, 'target' is not), and the
    capitalised words after it on its line; a title's last word does not go on with the text's first."""
    cased = "(?=[A-Z0-9À-Ý])" if head[:1].isalpha() else ""
    return re.compile(
        rf"(?<!\w){cased}(?i:{re.escape(head)})(?!\w)(?P<more>(?:['’]s)?(?:[^\S\n]+[A-Z][\w&.'’-]*){{0,4}})"
    )
