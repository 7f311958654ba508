"""Whether a text is about the company of a question, and not about another one whose name begins like its name.

A name that goes on otherwise than the registered one, with a legal form or more than once, is another company's:
'Norvane Mining Corp.' is no report on Norvane Charging Inc.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from inquest.desks.market.words import sector_in
from inquest.domain.market import MarketQuestion, QuestionKind
from inquest.sources.economic_releases import same_statistic
from inquest.text.lexicon import pattern, word_set
from inquest.text.securities import parse_ticker
from inquest.text.sentences import content_words, fold

_THE_MARKET = pattern(__name__, "the_market")
_SUBJECTS = "inquest.desks.market.subjects"
LEGAL_FORMS = word_set(_SUBJECTS, "legal_forms")
_NO_PART = word_set(__name__, "no_part_of_name") | word_set(_SUBJECTS, "no_company")
_HEAD = 4_000
"""Characters of a page that say whom it is about."""
_AGAIN = 2


@dataclass(frozen=True)
class MarketSubject:
    """Whom a question is about, for reading pages."""

    question: MarketQuestion
    head: str
    """The first content word of the company's name, folded; '' where no company is asked about."""
    core: tuple[str, ...]
    """The words of its name without a legal form, folded."""
    symbols: tuple[re.Pattern[str], ...]

    def is_named(self, sentence: str) -> bool:
        """Whether a sentence names the company or one of its tickers; of a question about none, its sector or
        statistic."""
        if any(symbol.search(sentence) for symbol in self.symbols):
            return True
        if self.head or self.symbols:
            mentions = self._mentions(sentence)
            return bool(mentions) and sum(self._others(sentence).values()) < len(mentions)
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
        """Whether a sentence speaks of a company of like name alone."""
        mentions = self._mentions(sentence)
        return bool(mentions) and sum(self._others(sentence).values()) >= len(mentions)

    def is_about_another(self, title: str, text: str) -> bool:
        """Whether a page is about a company of like name."""
        head = f"{title}\n{text[:_HEAD]}"
        whole = len(self.core) > 1 and " ".join(self.core) in " ".join(re.findall(r"[\w&-]+", fold(head)))
        return not (whole or any(symbol.search(head) for symbol in self.symbols)) and bool(self._others(head))

    def is_about(self, title: str, text: str) -> bool:
        """Whether a page as a whole is about the company: its title or its first paragraphs name it."""
        return self.is_named(title) or self.is_named(text[: _HEAD // 4])

    def _mentions(self, text: str) -> list[re.Match[str]]:
        return list(_mention(self.head).finditer(text)) if self.head else []

    def _others(self, text: str) -> Counter[str]:
        """The words by which names that begin like the company's become another's, with how often each stands there. A
        name that goes on behind the whole of the company's counts with a legal form of its own only."""
        own = self.core[len(self.head.split()) :]
        known = bool(self.question.tickers) and self.question.tickers[0].known
        turns: Counter[str] = Counter()
        parted: set[str] = set()
        legal: set[str] = set()
        for match in self._mentions(text):
            said, is_legal = _name_behind(match["more"])
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(said, own, strict=False)))
            turn = next(iter(said[shared:]), "")
            if not turn or turn in self.core:
                continue
            turns[turn] += 1
            if shared < len(own):
                parted.add(turn)
            if is_legal:
                legal.add(turn)
        return Counter(
            {
                turn: number
                for turn, number in turns.items()
                if (turn in parted and (number >= _AGAIN or turn in legal)) or (turn in legal and known)
            }
        )


def _name_behind(more: str) -> tuple[list[str], bool]:
    """The words of a name behind its head, folded, and whether a legal form ends them."""
    said: list[str] = []
    for word in more.split():
        plain = fold(word).strip(".,'’")
        if plain in LEGAL_FORMS:
            return said, bool(said)
        if plain in _NO_PART or re.search(r"['’]s?$", word):
            break
        said.append(plain)
    return said, False


def subject_of(question: MarketQuestion) -> MarketSubject:
    """Whom the question is about."""
    words = [fold(word).strip(".,") for word in question.company.split()]
    core = tuple(word for word in words if word and word not in LEGAL_FORMS | {"the"}) or tuple(words[:1])
    head = next((word for word in core if len(word) > 1), "")
    if len(head) <= 3 and len(core) > 1:  # 'US Steel', 'LG Display'
        head = " ".join(core[:2])
    return MarketSubject(question, head, core, tuple(_symbol(each.symbol) for each in question.tickers))


def _symbol(written: str) -> re.Pattern[str]:
    symbol = (parsed.symbol if (parsed := parse_ticker(written)) else written).replace("-", "[.-]?")
    return re.compile(rf"(?<![\w.]){symbol}(?![\w])")


@lru_cache(maxsize=64)
def _mention(head: str) -> re.Pattern[str]:
    """The company's first word, capitalised wherever letters can be told apart ('Target' is a company, 'target' is
    not), and the capitalised words behind it."""
    cased = "(?=[A-Z0-9À-Ý])" if head[:1].isalpha() else ""
    return re.compile(rf"(?<!\w){cased}(?i:{re.escape(head)})(?!\w)(?P<more>(?:['’]s)?(?:\s+[A-Z][\w&.'’-]*){{0,4}})")
