"""Whether a text is about the company of a question, and not about another one whose name begins like its name.

'Voltmere Mining Corp.' is no report on Voltmere Charging Inc.: a name that goes on otherwise than the registered one,
with a legal form or again and again, is another company's. A page whose company is another is no evidence at all.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from inquest.desks.market.words import sector_in, word_set
from inquest.domain.market import MarketQuestion, QuestionKind
from inquest.sources.economic_releases import same_statistic
from inquest.text.lexicon import pattern
from inquest.text.securities import parse_ticker
from inquest.text.sentences import content_words, fold

_THE_MARKET = pattern(__name__, "the_market")
_ELSEWHERE = re.compile(r"\((?P<exchange>[A-Z][A-Za-z ]{1,12})\s?:\s?(?P<symbol>[A-Z][A-Z0-9.-]{0,6})\)")
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
        if self.head:
            return bool(self._mentions(sentence)) and not self._only_others(sentence)
        if self.symbols:
            return False
        question, plain = self.question, fold(sentence)
        if question.kind is QuestionKind.ECONOMIC_RELEASE:
            return same_statistic(sentence, question.text)
        if question.sector and sector_in(sentence) == question.sector:
            return True
        asked = set(content_words(question.sector or question.text))
        return bool(asked & set(content_words(sentence))) or (not question.sector and bool(_THE_MARKET.search(plain)))

    def is_about_another(self, title: str, text: str) -> str:
        """The company of like name that a page is about, where it is about that; ''."""
        if not self.head:
            return ""
        head = f"{title}\n{text[:_HEAD]}"
        if any(symbol.search(head) for symbol in self.symbols) or self._names_in_full(head):
            return ""
        others = self._others(head)
        return others.most_common(1)[0][0] if others else ""

    def is_about(self, title: str, text: str) -> bool:
        """Whether a page as a whole is about the company: its title or its first paragraphs name it."""
        return self.is_named(title) or self.is_named(text[: _HEAD // 4])

    def names_other(self, sentence: str) -> bool:
        """Whether a sentence speaks of a company of like name."""
        return bool(self.head) and self._only_others(sentence)

    def _mentions(self, text: str) -> list[re.Match[str]]:
        return list(_mention(self.head).finditer(text))

    def _names_in_full(self, text: str) -> bool:
        """Whether the whole of a name of several words stands there."""
        wanted = " ".join(self.core)
        return len(self.core) > 1 and wanted in " ".join(re.findall(r"[\w&-]+", fold(text)))

    def _only_others(self, sentence: str) -> bool:
        mentions = self._mentions(sentence)
        return bool(mentions) and sum(self._others(sentence).values()) >= len(mentions)

    def _others(self, text: str) -> Counter[str]:
        """Names that begin like the company's and go on otherwise, with how often each stands there; without the
        registered name ('Voltmere') only those with a legal form of their own behind them."""
        found: Counter[str] = Counter()
        sure: set[str] = set()
        legal, ends = word_set("legal_forms"), word_set("no_part_of_name")
        for match in self._mentions(text):
            said: list[str] = []
            for word in match["more"].split():
                plain = fold(word).strip(".,'’")
                if plain in legal and said:
                    sure.add(" ".join(said))
                if plain in ends or re.search(r"['’]s?$", word):
                    break
                said.append(word.strip(".,"))
            if said and fold(said[0]) not in self.core:
                found[" ".join(said)] += 1
        if len(self.core) == 1:
            sure = sure if self.question.tickers and self.question.tickers[0].known else set()
            return Counter({f"{self.head.capitalize()} {name}": n for name, n in found.items() if name in sure})
        firsts = Counter(name.split()[0] for name in found.elements())
        kept = {
            n
            for n in found
            if n in sure or firsts[n.split()[0]] >= _AGAIN or any(each.split()[0] == n.split()[0] for each in sure)
        }
        return Counter({f"{self.head.capitalize()} {name}": found[name] for name in kept})


def subject_of(question: MarketQuestion) -> MarketSubject:
    """Whom the question is about."""
    words = [fold(word).strip(".,") for word in question.company.split()]
    core = tuple(word for word in words if word and word not in word_set("name_endings") | {"the"}) or tuple(words[:1])
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
    written = re.escape(head)
    first = f"(?:{written.capitalize()}|{written.upper()}|(?i:{written})(?<=[A-Z]))" if head[:1].isalpha() else written
    cased = rf"(?=[A-Z0-9À-Ý])(?i:{written})" if head[:1].isalpha() else first
    return re.compile(rf"(?<![\w]){cased}(?!\w)(?P<more>(?:['’]s)?(?:\s+[A-Z][\w&.'’-]*){{0,4}})")
