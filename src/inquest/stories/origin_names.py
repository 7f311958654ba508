"""How publishers are named in a text: at its head, in its by-line, in full or by the last word of their names.

'The Courier reported' may mean the Lenn Valley Courier; 'the Harbour Courier reported' never does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from inquest.stories.credit_words import PRESS, WELL_KNOWN, as_word, credits_name
from inquest.stories.matter import spelt_alike
from inquest.text.sentences import Span, fold, sentences

__all__ = ["Said", "credited_press", "folded_name", "head_of", "names_in_domain", "said"]

_HEAD_SENTENCES = 6
"""A report that is taken over is named at the head; further down it is background."""
_TAILS = ("wire", "news", "press", "online", "agency", "media", "group", "newsagency", "times", "post", "daily")
_WORD = re.compile(r"\w+")

# What may stand before a name with a capital and is no part of it: the first word of a sentence.
_LEADING = frozenset(
    "the a an der die das dem den des le la les l el los il lo i de het o os en et al as in on by via to from laut "
    "nach wie selon d segun secondo come volgens zoals aldus enligt ifolge wedlug jak citing according told when "
    "while but and yesterday today".split()
)
_CAPITALS = re.compile(r"(?<!\w)([^\W\d_a-zß-öø-ÿ][\w.]*)[ -](?=[^\W\d_a-zß-öø-ÿ])")
_PRESS_NAME = re.compile(r"(?<!\w)(?:[^\W\d_a-zß-öø-ÿ]\w+[ -]){1,3}[^\W\d_a-zß-öø-ÿ]\w+")


@dataclass(frozen=True)
class Said:
    """One sentence, read for the publishers that it names."""

    text: str
    span: Span

    @cached_property
    def folded(self) -> str:
        """Lower case, without accents and hyphens, 'ue' as 'u', no leading 'the'."""
        return folded_name(self.text)

    @cached_property
    def words(self) -> list[str]:
        return _WORD.findall(self.folded)

    @cached_property
    def _joined(self) -> str:
        """As `folded`, with names of several words as one word: 'harbour_courier'."""
        return folded_name(_CAPITALS.sub(_with_the_next, self.text))

    def names(self, name: str, short: bool = False) -> bool:
        """Whether it names the publisher; `short`: by a part of the name, which must not be part of another name."""
        if name not in self.folded:
            return False
        if not short:
            return bool(re.search(as_word(name), self.folded))
        return any(re.search(as_word(form), self._joined) for form in (name, name.replace(" ", "_")))

    def credits(self, name: str, short: bool = False) -> bool:
        """Whether it says that its matter comes from the publisher so called."""
        if name not in self.folded:
            return False
        if not short:
            return credits_name(self.folded, name)
        return any(credits_name(self._joined, form) for form in dict.fromkeys((name, name.replace(" ", "_"))))

    def press(self) -> Iterator[str]:
        """The names in it that sound like a newspaper's, an agency's or a station's, folded."""
        for match in _PRESS_NAME.finditer(self.text):
            words = folded_name(match[0]).split()
            while words and words[0] in _LEADING:
                words = words[1:]
            if len(words) > 1 and PRESS.search(words[-1]):
                yield " ".join(words)


def _with_the_next(match: re.Match[str]) -> str:
    word = match[1]
    return match[0] if fold(word) in _LEADING else f"{word}_"


@lru_cache(maxsize=8192)
def said(text: str) -> Said:
    """A by-line, or any text that is taken as one sentence."""
    return Said(text, Span(0, len(text)))


def head_of(text: str) -> tuple[Said, ...]:
    """The sentences at the head of a text, in which a report that is taken over is named."""
    return tuple(Said(span.of(text), span) for span in sentences(text)[:_HEAD_SENTENCES])


def credited_press(sentence: Said) -> str | None:
    """The publisher that the sentence has its matter from: one that is well known, or whose name sounds like one's."""
    well_known = next((name for name in WELL_KNOWN if sentence.credits(name, short=True)), None)
    return well_known or next((name for name in sentence.press() if sentence.credits(name)), None)


def folded_name(text: str) -> str:
    """A name as it is compared: 'The Müller-Post' and 'mueller post' are one."""
    folded = " ".join(fold(text).replace("-", " ").split())
    return spelt_alike(folded.removeprefix("the "))


def names_in_domain(domain: str) -> list[str]:
    """`veldra-courier.example` -> 'veldra courier', 'courier'; `halyardwire.example` -> 'halyardwire', 'halyard'."""
    label = domain.split(".")[0]
    names = [label.replace("-", " ")]
    names += [label[: -len(tail)] for tail in _TAILS if label.endswith(tail) and len(label) - len(tail) > 3]
    if "-" in label:
        names.append(label.split("-", 1)[1].replace("-", " "))
    return [name for name in names if len(name) > 3]
