"""Delimit foreign text before it reaches a model (X8), and locate a model's quotes in the original text.

Text from outside goes into blocks between a line `[[data KEY kind id]]` and a line `[[end KEY]]`. The key is a prefix
of a hash of the whole message, long enough to occur nowhere in it, so that no text can close its block or open another;
the same text gives the same key, so that a replay sends exactly the same question. Invisible characters (control,
zero-width, bidirectional, tags, variation selectors, private use) are removed, because a model must not see what a
person cannot read on the page. The original position of each remaining character is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from inquest.text.grounding import ground
from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences
from inquest.text.vocabulary import negations

# Line and page separators and control characters separate words; the others are invisible within or between words.
_BREAKS = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_UNSEEN = regex(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\ue000-\uf8ff\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_GAP = "\n[…]\n"
_KEY_DIGITS = 4
"""Minimum digits of the hash; the key appears twice per block."""
_LEAST_OF_A_BLOCK = 120
"""Minimum length of a block in characters."""
_FIGURES = regex(r"\d[\d.,]*")
_FEWEST_WORDS, _SLIPS = 6, 2
"""Minimum words of a quote for approximate matching, and the words that may be missing or extra."""


class _Part(NamedTuple):
    """A passage as shown, and the position of each of its characters in the text."""

    shown: str
    places: Sequence[int]

    def original(self, span: Span) -> Span:
        """Return the span of the text that is shown as this one."""
        return Span(self.places[span.start], self.places[span.end - 1] + 1)


class ShownText:
    """A text, or passages of it, as shown to a model; locates the model's quotes in the original."""

    def __init__(self, text: str, spans: Sequence[Span] | None = None) -> None:
        """`spans`: the passages shown, in order; None: all of the text."""
        self._text = text
        self._parts = [_part(text, span) for span in (spans if spans is not None else [Span(0, len(text))])]
        self.text = _GAP.join(part.shown for part in self._parts)

    def find(self, quote: str) -> Span | None:
        """Return the position of a quote in the text, as `text.grounding.ground` allows; None if it is not there.

        A quote never spans a gap between two passages.
        """
        quote = _visible(quote)
        for part in self._parts:
            if (span := ground(part.shown, quote)) is not None:
                return part.original(span)
        return None

    def nearest(self, quote: str) -> Span | None:
        """Return the sentence that a quote misquotes by a word or two; None if no sentence is that close, or if a
        figure or a negation differs."""
        words = _visible(quote).split()
        if len(words) < _FEWEST_WORDS:
            return None
        for part in self._parts:
            for span in sentences(part.shown):
                if _written_from(words, span.of(part.shown).split()):
                    return part.original(span)
        return None


def _written_from(quoted: Sequence[str], said: Sequence[str]) -> bool:
    """True if a sentence is quoted with at most two words changed and the same figures and negations."""
    if abs(len(quoted) - len(said)) > _SLIPS:
        return False
    same = sum(block.size for block in SequenceMatcher(None, quoted, said, autojunk=False).get_matching_blocks())
    if max(len(quoted), len(said)) - same > _SLIPS:
        return False
    one, other = " ".join(quoted), " ".join(said)
    return _FIGURES.findall(one) == _FIGURES.findall(other) and len(negations(one)) == len(negations(other))


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """A block of material: kind and id are our own, fields and text come from outside."""

    kind: str
    text: str
    id: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    """Label (our own) and value (from outside, put on one line); empty values are left out."""


def message(blocks: Iterable[PromptBlock]) -> str:
    """Join the blocks into a message, which is always the same for the same blocks."""
    parts = []
    for block in blocks:
        said = [f"{label}: {value}" for label, given in block.fields if (value := one_line(given))]
        text = _visible(block.text)
        parts.append((block.kind, block.id, "\n".join([*said, "text:", text] if said else [text])))
    bodies = [body for _, _, body in parts]
    digest = hashlib.sha256("\0".join(bodies).encode("utf-8", "surrogatepass")).hexdigest()
    digits = _KEY_DIGITS
    while any(digest[:digits] in body for body in bodies):
        digits += 1
    key = digest[:digits]
    lines = [f"Material is marked with the key {key}."]
    for kind, block_id, body in parts:
        lines += [f"[[data {key} {kind}{f' {block_id}' if block_id else ''}]]", body, f"[[end {key}]]"]
    return "\n".join(lines)


def cut_to(text: str, characters: int) -> str:
    """Shorten a message to a number of characters: its longest blocks are cut, then blocks at the end left out."""
    if len(text) <= characters:
        return text
    key = text.partition(".")[0].rpartition(" ")[2]
    begin, end = f"\n[[data {key} ", f"\n[[end {key}]]"
    head, *blocks = text.split(begin)
    frame = len(begin) + len(end)
    room = characters - len(head)
    blocks = [block.removesuffix(end) for block in blocks[: max(1, room // (frame + _LEAST_OF_A_BLOCK))]]
    room -= frame * len(blocks)
    # Space is allotted from the shortest block on; the longer ones share what is left.
    most = 0
    for number, size in enumerate(sorted(len(block) for block in blocks)):
        most = max(0, room // (len(blocks) - number))
        if size > most:
            break
        room -= size
    return head + "".join(f"{begin}{block[: max(most, _LEAST_OF_A_BLOCK)]}{end}" for block in blocks)


def one_line(text: str, limit: int = 400) -> str:
    """Return the visible characters on one line, cut at the limit."""
    return " ".join(_visible(text).split())[:limit]


def _visible(text: str) -> str:
    return _UNSEEN.sub("", _BREAKS.sub(" ", text))


def _part(text: str, span: Span) -> _Part:
    raw = _BREAKS.sub(" ", text[span.start : span.end])
    if not _UNSEEN.search(raw):
        return _Part(raw, range(span.start, span.end))
    kept = [index for index, char in enumerate(raw) if not _UNSEEN.match(char)]
    return _Part("".join(raw[index] for index in kept), [span.start + index for index in kept])


def joined(text: str, spans: Sequence[Span]) -> list[Span]:
    """Sort the spans and merge those with only white space between them."""
    found: list[Span] = []
    for span in sorted(spans):
        if not found or text[found[-1].end : span.start].strip():
            found.append(span)
        else:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
    return found
