"""Text from bytes: decoded, even if the declared character set is missing or wrong, and cleaned for quotes."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from locale import locale_alias

from inquest.domain.document import Block, BlockKind
from inquest.text.languages import detect_language
from inquest.text.lexicon import entries
from inquest.text.regex import regex

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HEADER = regex(r"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_META = regex(rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML = regex(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)""", re.IGNORECASE)
_WIDER = entries(__name__, "wider_charsets")
_UTF8_RUN = regex(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH = regex(rb"[\x80-\xff]")
_SAMPLE = 200_000  # Bytes used to guess a character set.
_C1 = regex("[\x80-\x9f]")
_STRAY = regex("[\udc80-\udcff]")
_RARE = regex(r"iso8859_(?:3|4|10|13|14|16)|(?:mac|hp)_\w+|cp(?!125\d|866|874|9\d\d)\d+|ptcp154|kz1048|johab")
"""Sets of old desktop computers and mainframes, which a guess may name but web pages hardly ever use."""
_TAG = regex(r"<[^<>]*>")
_LINE_ENDS = regex("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SPACES = regex(r"[^\S\n]+")
_BLANK_LINES = regex(r"\n(?:[^\S\n]*\n){2,}")
_SPACE_AT_LINE_END = regex(r"[^\S\n]+(?=\n)")
# ZWNJ and ZWJ are part of words in Arabic, Persian and Indian scripts; elsewhere they are only invisible.
_JOINERS = regex(r"(?<![\u0600-\u0dff])[\u200c\u200d]|[\u200c\u200d](?![\u0600-\u0dff])")
_OVERLAID = "[^\u0300-\u036f\\n][\u0300-\u0334\u0337-\u036f]*[\u0335\u0336][\u0300-\u036f]*"
OVERLAID = f"{_OVERLAID}(?: ?{_OVERLAID})+"
"""The pattern of characters that are struck out by a combining stroke overlay each."""
_OVERLAYS = regex("[\u0335\u0336]")
_ASCII_TEXT = regex(r"[\n\x20-\x7e]*")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded text, the name of its character set, and a note on problems."""

    text: str
    encoding: str
    note: str | None = None


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Decode bytes; those that are invalid in every character set are replaced, and the note says so.

    Order: byte order mark; UTF-8 if valid, whatever is declared (other text is almost never valid UTF-8, and wrong
    declarations are common); the Content-Type header; the page's declaration; UTF-8 with stray bytes; a guess;
    Windows-1252.
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return Decoded(body[len(mark) :].decode(name, errors="replace"), name)
    if wide := _utf16_without_mark(body):
        return Decoded(body.decode(wide, errors="replace"), wide)
    header, inner = _HEADER.search(content_type), _META.search(body[:4096]) or _XML.search(body[:200])
    written = (header and header[1], inner and inner[1].decode("ascii"))
    # UTF-8 and UTF-16 are tried before, or contradicted by the bytes.
    declared = [
        known for name in written if name and (known := _known(name)) and not known.startswith(("utf-8", "utf-16"))
    ]
    if found := _as_utf8(body) or _as_declared(body, declared) or _mended_utf8(body) or _guess(body):
        return found
    note = "some bytes were not in the declared character set" if declared else "the character set is not known"
    name = declared[0] if declared else "cp1252"
    return Decoded(body.decode(name, errors="replace"), name, note)


def _as_utf8(body: bytes) -> Decoded | None:
    if b"\x1b$" in body[:_SAMPLE]:  # ISO-2022-JP hides in seven bits
        return None
    try:
        return Decoded(body.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        if error.end < len(body) - 3 or error.reason != "unexpected end of data":
            return None
        return Decoded(body[: error.start].decode("utf-8"), "utf-8", "the text ends in the middle of a character")


def _as_declared(body: bytes, declared: list[str]) -> Decoded | None:
    for name in declared:
        with suppress(ValueError):
            text = body.decode(name)
            # ISO 8859 sets decode anything; control characters of the C1 range betray them.
            if not _C1.search(text[:_SAMPLE]):
                return Decoded(text, name)
    return None


def _mended_utf8(body: bytes) -> Decoded | None:
    sample = body[:_SAMPLE]
    high = len(_HIGH.findall(sample))
    if not high or sum(map(len, _UTF8_RUN.findall(sample))) < 0.8 * high:
        return None
    marked = body.decode("utf-8", errors="surrogateescape")
    text = _STRAY.sub(lambda stray: bytes([ord(stray[0]) - 0xDC00]).decode("cp1252", "replace"), marked)
    return Decoded(text, "utf-8", "some bytes were not in the page's character set and were read as Windows-1252")


def _known(name: str) -> str:
    """Return the codec for a label, or '' if it is unknown or no character set."""
    name = _WIDER.get(name.strip().lower(), name.strip().lower())
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    # Python also has codecs that are not character sets (base64, zlib, rot13) or evaluate escapes.
    is_charset = getattr(info, "_is_text_encoding", True) and info.name not in (
        "idna", "punycode", "unicode-escape", "raw-unicode-escape", "unicode_escape", "raw_unicode_escape",
        "undefined", "mbcs", "oem", "utf-7",
    )  # fmt: skip
    return info.name if is_charset else ""


def _utf16_without_mark(body: bytes) -> str | None:
    sample = body[:2000]
    if len(sample) < 4 or len(body) % 2:
        return None
    even, odd = sample[0::2].count(0) / len(sample[0::2]), sample[1::2].count(0) / len(sample[1::2])
    if odd > 0.6 and even < 0.1:
        return "utf-16-le"
    return "utf-16-be" if even > 0.6 and odd < 0.1 else None


def _guess(body: bytes) -> Decoded | None:
    from charset_normalizer import from_bytes

    # Pages are mostly ASCII tags, so the guess uses the surroundings of the first other byte.
    first = _HIGH.search(body)
    start = max(0, (first.start() if first else 0) - 500)
    sample = body[start : start + 20_000]
    guesses = [(each.encoding, each.chaos, each.coherence) for each in from_bytes(sample)]
    if not guesses:
        return None
    known = _known(_likeliest(guesses, sample))
    try:
        return Decoded(body.decode(known or "cp1252"), known or "cp1252", "the character set was guessed")
    except UnicodeDecodeError:
        return None


def _likeliest(guesses: list[tuple[str, float, float]], sample: bytes) -> str:
    """Return a set that pages use among guesses (set, disorder, coherence; best first) that fit about as well.

    Letters alone do not tell 'µ' or dashes in a Western text from the letters of Central European languages. The
    language does: its text has the characters of its locale's set.
    """
    least = guesses[0][1]
    usual = [each for each in guesses if not _RARE.fullmatch(each[0]) and each[1] <= least + 0.05]
    if not usual:
        return guesses[0][0]
    first = usual[0]
    if first[0] == "cp1250" and any(each[0] == "cp1252" and each[1] <= first[1] for each in usual):
        central, western = (_TAG.sub(" ", sample.decode(name, "replace")) for name in ("cp1250", "cp1252"))
        own = _known(locale_alias.get(detect_language(western) or "", "").rpartition(".")[2]) or "ascii"
        return first[0] if _misfits(central, own) < _misfits(western, own) else "cp1252"
    return first[0]


def _misfits(text: str, charset: str) -> int:
    return len(text) - len(text.encode(charset, "ignore").decode(charset))


def clean(text: str, *, keep_spacing: bool = False) -> str:
    """Return text in NFC with LF line ends, at most one blank line in a row, and no invisible characters.

    Removed are control and format characters (zero-width, bidirectional overrides, soft hyphens, tags, byte order
    marks), private-use characters, lone surrogates and non-characters, which could make a quote differ from what is
    read. All kinds of space become plain ones, and runs of them one unless `keep_spacing`, for files laid out by hand.
    """
    if not _ASCII_TEXT.fullmatch(text):
        text = _LINE_ENDS.sub("\n", text)
        text = _JOINERS.sub("", text)
        text = text.translate(_OUT)
        text = unicodedata.normalize("NFC", text)
    if not keep_spacing:
        text = _SPACES.sub(" ", text).replace("\n ", "\n")
    text = _SPACE_AT_LINE_END.sub("", text)
    return _BLANK_LINES.sub("\n\n", text).strip(" \n" if not keep_spacing else "\n").rstrip()


def one_line(text: str) -> str:
    """Return the text cleaned and on one line, as for titles, names and table cells."""
    return " ".join(clean(text).split())


def without_overlays(text: str) -> str:
    """Return characters that OVERLAID matches without their strokes."""
    return _OVERLAYS.sub("", text)


def listed(items: Sequence[object]) -> str:
    """Return up to ten items separated by commas; dots stand for the rest."""
    return ", ".join(map(str, items[:10])) + (", ..." if len(items) > 10 else "")


def struck_note(blocks: Iterable[Block]) -> list[str]:
    """Return a note on struck-out passages, if there are any."""
    struck = sum(block.kind is BlockKind.WITHDRAWN for block in blocks)
    passages = "1 passage is" if struck == 1 else f"{struck} passages are"
    return [f"{passages} struck out: shown, but not used as evidence"] if struck else []


class _Table(dict[int, str | int | None]):
    """The replacement of each character, computed when it is first met."""

    def __missing__(self, code: int) -> str | int | None:
        char = chr(code)
        category = unicodedata.category(char)
        kept: str | int | None = code
        if char == "\n" or char in "\u200c\u200d":
            kept = code
        elif category == "Zs" or char == "\t":
            kept = " "
        elif category in ("Cc", "Cf", "Co", "Cs") or (code & 0xFFFE) == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
            kept = None
        self[code] = kept
        return kept


_OUT = _Table()
