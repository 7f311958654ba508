"""Whether a text is about the company of a question, and not about another one whose name begins like its name.

'Norvane Mining Corp.' is no report on Norvane Charging Inc.: a name that goes on otherwise than the registered one,
with a legal form or again and again, is another company's. A page whose company is another is no evidence at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from inquest.desks.market.words import sector_in, word_set
from inquest.domain.market import MarketQuestion, QuestionKind
from inquest.sources.economic_releases import same_statistic
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.securities import parse_ticker
from inquest.text.sentences import content_words, fold

_THE_MARKET = pattern(__name__, "the_market")
_ELSEWHERE = regex(r"\((?P<exchange>[A-Z][A-Za-z ]{1,12})\s?:\s?(?P<symbol>[A-Z][A-Z0-9.-]{0,6})\)")
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
        """Names that begin like the company's and go on otherwise, with how often each stands there; those that go on
        behind the whole of its name ('Norvane') only with a legal form of their own."""
        parted: Counter[str] = Counter()
        longer: Counter[str] = Counter()
        sure: set[str] = set()
        for match in self._mentions(text):
            said, legal = _name_behind(match["more"])
            shared = self._words_shared(said)
            whole = shared == len(self._behind_head)
            rest = said[shared:]
            if not rest or fold(rest[0]) in self.core:
                continue
            name = " ".join((self.head.title(), *said))
            (longer if whole else parted)[name] += 1
            if legal:
                sure.add(name)
        known = bool(self.question.tickers) and self.question.tickers[0].known
        kept = {name for name in longer if name in sure and known}
        turns = Counter(self._turn(name) for name in parted.elements())
        certain = {self._turn(name) for name in sure if name in parted}
        kept |= {name for name in parted if turns[self._turn(name)] >= _AGAIN or self._turn(name) in certain}
        return Counter({name: longer[name] + parted[name] for name in kept})

    @property
    def _behind_head(self) -> tuple[str, ...]:
        return self.core[len(self.head.split()) :]

    def _words_shared(self, said: Sequence[str]) -> int:
        """How many words behind the head a name has in common with the company's: of 'Lenn Vale Mining' and 'Lenn Vale
        Charging' one."""
        pairs = zip(said, self._behind_head, strict=False)
        return sum(1 for _ in takewhile(lambda pair: fold(pair[0]) == pair[1], pairs))

    def _turn(self, name: str) -> str:
        """The word by which a name becomes another than the company's."""
        said = name.split()[len(self.head.split()) :]
        return said[self._words_shared(said)]


def _name_behind(more: str) -> tuple[list[str], bool]:
    """The words of a name behind its head, and whether a legal form ends them."""
    said: list[str] = []
    for word in more.split():
        plain = fold(word).strip(".,'’")
        if plain in word_set("no_part_of_name") or re.search(r"['’]s?$", word):
            return said, plain in word_set("legal_forms") and bool(said)
        if plain in word_set("legal_forms") and said:
            return said, True
        said.append(word.strip(".,"))
    return said, False


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
