"""Messages: author and time, any character set, and repeated text."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage

import pytest

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.files import Part
from inquest.readers import pick
from inquest.readers.containers import parts_of
from tests.readers.compound_file import compound_file, properties

URL = "file:///desk/mail.eml"


def read(body: bytes | EmailMessage, url: str = URL) -> Document:
    body = body if isinstance(body, bytes) else body.as_bytes()
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return pick("", body, url).read(
        body, Snapshot(hash="sha256:0", url=url, final_url=url, retrieved_at=at, size=len(body))
    )


def mail(plain: str | None = None, html: str | None = None) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Jörg Müller <jm@port.example>", "anna@paper.example", "Häfen – 2023"
    made["Date"] = "Tue, 05 Mar 2024 10:00:00 +0200"
    if plain is not None:
        made.set_content(plain)
    if html is not None:
        (made.set_content if plain is None else made.add_alternative)(html, subtype="html")
    return made


def shown(document: Document, *kinds: BlockKind) -> str:
    return "\n".join(document.text[each.start : each.end] for each in document.blocks if each.kind in kinds)


def test_the_headers_are_the_beginning_and_say_who_and_when() -> None:
    document = read(mail("The port handled 4.2 million containers."))
    assert (document.title, document.author) == ("Häfen – 2023", "Jörg Müller")
    assert document.published is not None
    assert (document.published.iso, document.published.how) == ("2024-03-05T08:00:00Z", "metadata")
    assert document.text.startswith("From: Jörg Müller <jm@port.example>\nTo: anna@paper.example\nDate: ")
    assert "From:" not in shown(document, BlockKind.PARAGRAPH)


REPEATED = (
    "> It was 3 million.",
    "Am 4. März 2024 schrieb Anna:\n> It was 3 million.",
    "On Mon, 4 Mar 2024 at 09:00, Anna <anna@paper.example> wrote:\n\nIt was 3 million.",
    "De : Anna\nEnvoyé : lundi 4 mars 2024 09:00\nÀ : Jörg\nObjet : Ports\n\nIt was 3 million.",
    "-----Ursprüngliche Nachricht-----\nVon: Anna\n\nIt was 3 million.",
)
FROM = "<b>From:</b> Anna<br><b>Sent:</b> Monday, 4 March 2024 09:00<br><b>To:</b> Jörg"
REPEATED_IN_PAGES = (
    f"<p>Jörg</p><div id=divRplyFwdMsg><hr>{FROM}</div><div>It was 3 million.</div>",
    f"<div class=gmail_quote>---- Forwarded message ----<br>{FROM}<br><br><div>It was 3 million.</div></div>",
    "<div>On 4 March, Anna &lt;anna@paper.example> wrote:</div><blockquote>It was 3 million.</blockquote><p>Jörg</p>",
)


@pytest.mark.parametrize("repeated", REPEATED)
def test_what_a_message_repeats_is_a_quote_in_any_language(repeated: str) -> None:
    document = read(mail(f"It was 4.2 million.\n\n{repeated}\n"))
    assert shown(document, BlockKind.PARAGRAPH) == "It was 4.2 million."
    assert "It was 3 million." in shown(document, BlockKind.QUOTE)


@pytest.mark.parametrize("repeated", REPEATED_IN_PAGES)
def test_a_page_keeps_what_the_sender_wrote_and_marks_what_it_repeats_or_strikes(repeated: str) -> None:
    own = "<p>It was 4.2 million. <del>It was 5 million.</del></p>"
    document = read(mail("It was 4.2 million. It was 5 million.", f"{own}{repeated}"))
    assert shown(document, BlockKind.PARAGRAPH).startswith("It was 4.2 million.")
    assert shown(document, BlockKind.WITHDRAWN) == "It was 5 million."
    assert "It was 3 million." in shown(document, BlockKind.QUOTE)
    assert "Anna" in document.text and ("Jörg" in shown(document, BlockKind.PARAGRAPH)) == ("<p>Jörg" in repeated)
    assert document.notes == ("1 passage is struck out: shown, but not used as evidence",)


def test_a_reply_below_what_it_repeats_is_the_senders_own() -> None:
    document = read(mail("On 4 March, Anna <anna@paper.example> wrote:\n> It was 3 million.\n\nIt was 4.2 million."))
    assert shown(document, BlockKind.PARAGRAPH) == "It was 4.2 million."


def test_every_text_of_a_message_is_read_in_one_version() -> None:
    made = mail("The port handled 4.2 million.", "<p>The port handled <b>4.2</b> million.</p>")
    made.make_mixed()
    for subtype, text in (("html", "<p>It was closed in May.</p>"), ("plain", "To leave the list, write to us.")):
        more = EmailMessage()
        more.set_content(text, subtype=subtype)
        made.attach(more)
    own = "The port handled 4.2 million.\nIt was closed in May.\nTo leave the list, write to us."
    assert shown(read(made), BlockKind.PARAGRAPH) == own


@pytest.mark.parametrize(
    ("at", "address"),
    [
        ("file:///desk/port.mhtml", "https://port.example/1"),
        ("https://copies.example/port.mhtml", "https://copies.example/port.mhtml"),
    ],
)
def test_a_page_saved_with_its_pictures_is_read_as_the_page(at: str, address: str) -> None:
    page = (
        "<html><title>Port</title><h1>Port</h1><p>It lost 31<sup>1</sup> boats. <del>A clerk smoked.</del></p></html>"
    )
    saved = mail(html=page)
    saved["Content-Location"] = "https://port.example/1"
    saved.add_related(b"GIF89a", "image", "gif")
    document = read(saved, at)
    assert (document.kind, document.url, document.text) == ("html", address, "It lost 31 [1] boats.\n\nA clerk smoked.")
    assert shown(document, BlockKind.WITHDRAWN) == "A clerk smoked."


def test_rows_of_labels_are_the_senders_own_words() -> None:
    document = read(mail("Time: 10:30\nPlace: Berlin\nTopic: the budget\n\nIt was cut by 5 million."))
    assert not shown(document, BlockKind.QUOTE)


@pytest.mark.parametrize(
    "plain",
    [None, "Your program shows no HTML.", f"The port handled 4.2 million containers.\n\n{'https://a.example/' * 9}"],
)
def test_the_page_is_read_where_the_plain_text_is_none_or_a_stub(plain: str | None) -> None:
    page = (
        "<p>The port handled 4.2 million containers in 2023: see <a href='https://port.example/r'>the report</a>.</p>"
        "<table><tr><th>Year</th><th>Million</th></tr><tr><td>2023</td><td>4.2</td></tr></table>"
        "<p><b>From:</b> Anna<br><b>Sent:</b> Monday, 4 March 2024 09:00<br><b>To:</b> J</p><p>It was 3 million.</p>"
    )
    document = read(mail(plain, page))
    assert "4.2 million containers" in shown(document, BlockKind.PARAGRAPH)
    assert "It was 3 million." in shown(document, BlockKind.QUOTE)
    [link] = document.text_links
    assert document.text[link.start : link.end] == "the report"
    assert all(document.text[a:b] == "4.2" for table in document.tables for a, b in [table.rows[1][1]])


@pytest.mark.parametrize(("form", "text"), [("flowed", "the \nworks"), ("flowed; delsp=yes", "the  \nwor \nks")])
def test_flowed_lines_are_joined_as_their_sender_says(form: str, text: str) -> None:
    head = f"From: j@x.example\nContent-Type: text/plain; format={form}\n\n"
    assert read(f"{head}Since May {text} is closed.\n".encode()).text.endswith("Since May the works is closed.")


@pytest.mark.parametrize("declared", ["nonsense-9", "utf-8"])
def test_a_wrong_or_missing_character_set_loses_no_letter(declared: str) -> None:
    head = f"From: Jörg <j@x.example>\nSubject: Übersicht\nContent-Type: text/plain; charset={declared}\n\n"
    document = read((head + "Die Straße ist 5 km lang, sagt der Bürgermeister der Stadt.\n").encode("latin-1"))
    assert (document.author, document.title) == ("Jörg", "Übersicht")
    assert document.text.endswith("Die Straße ist 5 km lang, sagt der Bürgermeister der Stadt.")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\nAAAA\n", "encrypted"),
        (b"Content-Type: multipart/encrypted; boundary=x\n\n--x\n\nAAAA\n--x--\n", "encrypted"),
        (b"\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n", "encrypted"),
    ],
)
def test_an_encrypted_message_is_one_sentence(body: bytes, why: str) -> None:
    with pytest.raises(PageUnreadable, match=why):
        read(b"From: a@b.example\nSubject: x\n" + body)


def test_a_message_that_breaks_off_gives_what_there_is_and_says_so() -> None:
    made = mail("The port handled 4.2 million containers.")
    made.add_attachment("A long report. " * 200, filename="report.txt")
    whole = made.as_bytes()
    document = read(whole[: whole.index(b"A long report") + 300])
    assert "4.2 million" in document.text
    assert any("is truncated" in note for note in document.notes)


@pytest.mark.parametrize("body", [b"hello\nthere\n", b"\0" * 400])
def test_what_is_no_message_is_one_sentence(body: bytes) -> None:
    with pytest.raises(PageUnreadable, match="not an e-mail message"):
        read(body)


def test_an_outlook_message_reads_like_one_that_was_sent() -> None:
    inner = properties(24, {0x0037: "Inner", 0x1000: "Seven ships sank.", 0x0C1A: "Ann"})
    body = compound_file(
        properties(
            32,
            {0x0037: "Häfen", 0x1000: "It was 4.2 million.\r\n\r\n> It was 3 million.", 0x0C1A: "Jörg Müller"},
            sent=datetime(2024, 3, 5, 8, tzinfo=UTC),
        )
        | {
            "__attach_version1.0_#00000000": properties(8, {0x3707: "Übersicht.txt"}, {0x3701: b"Five cranes fell."}),
            "__attach_version1.0_#00000001": properties(8, {}) | {"__substg1.0_3701000D": inner},
        }
    )
    document = read(body, "file:///desk/mail.msg")
    assert (document.kind, document.title, document.author) == ("msg", "Häfen", "Jörg Müller")
    assert document.published is not None and document.published.iso == "2024-03-05T08:00:00Z"
    assert "4.2 million" in shown(document, BlockKind.PARAGRAPH) and "3 million" in shown(document, BlockKind.QUOTE)
    attached = [each for each in parts_of(body, "mail.msg") if isinstance(each, Part) and each.number]
    assert [(each.number, each.name, each.parent) for each in attached] == [
        ("1", "Übersicht.txt", "mail.msg (Häfen)"),
        ("2", "Inner.eml", "mail.msg (Häfen)"),
    ]
    assert attached[0].body.startswith(b"Five cranes fell.")
    assert "Seven ships sank." in read(attached[1].body).text
    assert [each.body for each in parts_of(body, "mail.msg") if isinstance(each, Part)][2] == attached[1].body
    with pytest.raises(PageUnreadable, match="damaged"):
        read(body[:1500] + bytes(200), "file:///desk/mail.msg")
