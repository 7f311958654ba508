"""Reader of PDF documents: text by page, with metadata."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import dropwhile, takewhile
from typing import Any, ClassVar

from pypdfium2 import PdfDocument, PdfiumError, raw

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.domain.reasons import Reason, ReasonData
from inquest.kit.reader import ON_PAGE, Reader
from inquest.readers import unpacked
from inquest.readers.documents import NOBODY, document_of, first_line, names_in, own_text
from inquest.readers.ocr import INSTALL, PDFIUM, engine, numbered, with_scans
from inquest.readers.pdf.chars import PageChars
from inquest.readers.pdf.form import additions, links, sign, with_added
from inquest.readers.pdf.layout import PdfPage, text_of_pages, without_running_lines
from inquest.readers.pdf.lines import NOTES, by_columns, link_sign, page_lines, without_marks
from inquest.readers.pdf.painted import Seen, painted
from inquest.readers.pdf.tables import with_tables
from inquest.readers.plain import listed, one_line, struck_note
from inquest.sources.dating import DateWitness, from_document, from_text, from_url, from_value
from inquest.text.blocks import blocks_by_layout
from inquest.text.languages import detect_language
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.text.urls import clean as clean_url
from inquest.text.urls import is_web_url

MAX_BYTES = 150_000_000
MAX_PAGES = 3_000
_DATE = regex(r"D?:?\s*(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*([zZ+-])?(?:(\d{2})'?(\d{2})?'?)?")
_XFA = (2, 3)  # The types of forms FORMTYPE_XFA_FULL and FORMTYPE_XFA_FOREGROUND of PDFium (fpdf_formfill.h).
_XFA_NOTE = "an XFA form: fields that it keeps in XFA alone are not read; print it to a new PDF"
_NO_TITLE = pattern(__name__, "no_title")
_MOST_LINES = 6  # Of a title
_MARKED = regex(
    r"[\s,;&]*(?:[a-z]{1,3}\s)?([^\W\d_][^\d_,;:()\[\]]+?)\s?(?:(?:\[\w{1,2}\]|[¹²³⁰⁴-⁹*†‡§¶\U00060000-\U0006ffff]),?\s?)+"
)
"""A name in a line of authors, with the marks of its affiliations."""
_URL = regex(r"https?://[^\s<>\"')\]|]{4,500}")


class PdfReader(Reader):
    """Reads PDF."""

    name: ClassVar[str] = "pdf"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the text by page, without running headers and footers. Raises PageUnreadable (encrypted, damaged, a
        scan without text) and PageTooLarge (over 150 MB)."""
        url = snapshot.final_url or snapshot.url
        body = unpacked(body, url, MAX_BYTES, "PDF")
        try:
            with PDFIUM, closing(PdfDocument(body)) as document:
                count = len(document)
                if count == 0:
                    raise PageUnreadable(url, f"The PDF at {url} has no pages.", advice="Fetch or copy it again.")
                seen, unread, urls = _pages(document, min(count, MAX_PAGES))
                is_xfa = document.get_formtype() in _XFA
                metadata = {key: one_line(value) for key, value in document.get_metadata_dict().items()}
        except PdfiumError as error:
            why, advice = "is damaged or incomplete and cannot be opened", "Fetch or copy it again."
            if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
                why, advice = "is encrypted: it opens only with a password", "Save it without a password."
            raise PageUnreadable(url, f"The PDF at {url} {why}.", advice=advice) from error
        language = detect_language(" ".join(line.text for page in seen for line in page.lines))
        lined = without_marks([page.lines for page in seen], language or "")
        pages = [
            PdfPage(tuple(line for line in with_tables(lines) if any(map(str.isalnum, line.text))), page.height)
            for lines, page in zip(lined, seen, strict=True)
        ]
        pages, of_scans = with_scans(body, pages, unread)
        notes: list[str | Reason] = [*_notes(body, pages, unread, count), *of_scans, *_seen_notes(seen)]
        notes += [_XFA_NOTE] if is_xfa else []
        added = [(number, block) for number, page in enumerate(seen) for block in page.added]
        if not any(page.lines for page in pages) and not added:
            raise _without_text(url, count, unread, of_scans, sum(page.hidden for page in seen))
        kept = without_running_lines(pages)
        if not any(page.lines for page in kept):
            kept = pages
        (text, tables), starts, own, marks = with_added(*text_of_pages(kept), added, urls)
        blocks = tuple(
            block.model_copy(update={"kind": own.get((block.start, block.end), block.kind)})
            for block in (blocks_by_layout(text) if own else ())
        )
        notes += struck_note(blocks)
        author = metadata.get("Author")
        printed = own_text(text, blocks)
        linked = [*urls, *(clean_url(match.group().rstrip(".,;:")) for match in _URL.finditer(text))]
        return document_of(
            snapshot,
            text,
            (from_document(printed) or from_text(_head(kept)), from_url(url), _made(metadata, snapshot)),
            notes,
            title=_title(metadata.get("Title", ""), pages) or first_line(printed),
            author=author if not NOBODY.fullmatch(author or "none") else _authors(kept),
            language=language,
            pages=starts,
            blocks=blocks,
            tables=tables,
            note_marks=marks,
            links=tuple(dict.fromkeys(link for link in linked if is_web_url(link))),
            kind=self.name,
        )


def _pages(document: PdfDocument, count: int) -> tuple[list[Seen], list[int], list[str]]:
    """Return the visible content of each page, the numbers (from 1) of pages not loaded, and addresses of links."""
    pages: list[Seen] = []
    unread, urls, blocks = list[int](), list[str](), 0
    if document.get_formtype() != raw.FORMTYPE_NONE:
        document.init_forms()
    for index in range(count):
        ON_PAGE.get()(index + 1, count)
        try:
            page = document[index]
            text_page, chars = _set_upright(page)
        except PdfiumError:
            unread.append(index + 1)
            pages.append(Seen())
            continue
        added, struck, covered = additions(page, text_page, document.formenv)
        seen = painted(page, chars, struck, covered)
        seen.added += added
        for place, url in links(document, page, text_page):
            if place < len(chars.texts):
                chars.texts[place] += link_sign(len(urls))
                urls.append(url)
        signs = [(block.place, sign(blocks + n)) for n, block in enumerate(seen.added) if block.place >= 0]
        pages.append(replace(seen, lines=by_columns(page_lines(chars, signs))))
        blocks += len(seen.added)
        text_page.close()
        page.close()
    return pages, unread, urls


def _set_upright(page: Any) -> tuple[Any, PageChars]:
    """Return the text of a page and its characters, without a rotation that lays most of it on its side."""
    text_page = page.get_textpage()
    chars = PageChars(text_page)
    if page.get_rotation() and 2 * sum(run.end - run.start for run in chars.runs if run.turn == 0) > len(chars.texts):
        text_page.close()
        page.set_rotation(0)
        text_page = page.get_textpage()
        chars = PageChars(text_page)
    return text_page, chars


def _notes(body: bytes, pages: list[PdfPage], unread: list[int], count: int) -> list[Reason]:
    notes = []
    empty = sum(1 for page in pages if not page.lines) - len(unread)
    if empty:
        notes.append(Reason(code="pages.no_text_on", data={"number": empty, "total": count}))
    if unread:
        data: dict[str, ReasonData] = {"number": len(unread), "total": count, "pages": listed(unread)}
        notes.append(Reason(code="pages.pages_unread", data=data))
    if count > len(pages):
        notes.append(Reason(code="pages.first_pages", data={"number": len(pages), "total": count}))
    if b"%%EOF" not in body[-4096:]:
        notes.append(Reason(code="pages.cut_off"))
    return notes


def _seen_notes(pages: Sequence[Seen]) -> list[str]:
    """Return notes on text that was left out or may differ from what the page shows."""
    notes, count = [], sum(page.hidden for page in pages)
    if count:
        where = numbered([number for number, page in enumerate(pages, 1) if page.hidden])
        notes.append(f"hidden text left out ({count} word{'s' * (count > 1)} on {where})")
    if over_pictures := [number for number, page in enumerate(pages, 1) if page.is_ocr]:
        where = numbered(over_pictures)
        notes.append(f"the text of {where} is an OCR layer, which may differ from the picture above it")
    return notes


def _without_text(url: str, count: int, unread: list[int], of_scans: list[str], hidden: int) -> PageUnreadable:
    pages = "1 page" if count == 1 else f"{count} pages"
    if len(unread) == count:
        why, advice = f"is damaged: none of its {count} pages can be read", "Fetch or copy it again."
    elif hidden:
        why = f"shows no text on its {pages}: the {hidden} words in it are hidden"
        advice = "Print it to a new PDF and read that."
    elif engine() is not None:
        found = of_scans[0] if of_scans else "OCR finds no words there"
        why, advice = f"is a scan without text on its {pages}: {found}", "Provide a sharper scan."
    else:
        why, advice = f"is a scan: there is no text on its {pages}", f"{INSTALL}, and read it again."
    return PageUnreadable(url, f"The PDF at {url} {why}.", advice=advice)


def _title(declared: str, pages: list[PdfPage]) -> str:
    """Return the declared title if it is one, else the largest text on the first page."""
    if declared and not _NO_TITLE.match(declared) and len(declared) > 3:
        return shorten(declared, 300)
    lines = [line for line in next((page.lines for page in pages if page.lines), ()) if len(line.text) > 1]
    largest = max((line.size for line in lines), default=0.0)
    if not lines or largest <= 1.15 * min(line.size for line in lines):
        return ""
    heading = [NOTES.sub("", line.text) for line in lines if line.size >= 0.9 * largest]
    # More lines are the body of a letter below a small letterhead.
    return shorten(one_line(" ".join(heading).replace("\x02", "")), 200) if len(heading) <= _MOST_LINES else ""


def _authors(pages: list[PdfPage]) -> str | None:
    """Return the names of the line below the largest text on the first page if each of them has a raised mark."""
    lines = next((page.lines for page in pages if page.lines), ())
    largest = max((line.size for line in lines), default=0.0)
    below = dropwhile(lambda line: line.size >= 0.9 * largest, dropwhile(lambda line: line.size < 0.9 * largest, lines))
    line = next((line.text for line in below), "")
    names = [match[1] for match in _MARKED.finditer(line)]
    are_names = len(names) > 1 and not _MARKED.sub("", line).strip() and all(" " in name for name in names)
    return ", ".join(names) if are_names and names_in(", ".join(names)) == names else None


def _head(pages: list[PdfPage]) -> str:
    """Return the lines above the first that continues a sentence: those of a letterhead are not a paragraph."""
    lines = next((page.lines for page in pages if page.lines), ())
    return "\n".join(takewhile(lambda line: not line[:1].islower(), (line.text for line in lines)))


def _made(metadata: dict[str, str], snapshot: Snapshot) -> DateWitness | None:
    match = _DATE.match(metadata.get("CreationDate", ""))
    if not match:
        return None
    year, month, day, hour, minute, second, sign, east, east_minutes = match.groups()
    written = "-".join(part for part in (year, month, day) if part)
    if hour and minute:
        zone = "Z" if sign in (None, "z", "Z") or not east else f"{sign}{east}:{east_minutes or '00'}"
        written += f"T{hour}:{minute}:{second or '00'}{zone}"
    return from_value(written, Reason(code="pages.where_file"), how="file", now=snapshot.retrieved_at)
