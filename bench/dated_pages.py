"""Generated web pages whose day of publication is known, with misleading dates.

A page gives its date in one or two of the ways that sites use (JSON-LD, meta tags, time elements, a date line in one of
eight languages, its address), or not at all. It also has dates of other things: changes, comments, other articles,
events in the text, the year of the copyright. Publishers and topics are invented.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

__all__ = ["LANGUAGES", "RETRIEVED", "Page", "pages"]

RETRIEVED = datetime(2026, 3, 1, 12, tzinfo=UTC)
"""The time of retrieval of every page."""

_UNDATED = 0.25
_FORMS = ("json-ld", "json-ld graph", "meta", "scholarly meta", "time", "line", "line", "line", "numbers", "address",
          "moved", "two")  # fmt: skip
_FIRST = date(2006, 1, 1)


@dataclass(frozen=True)
class _Language:
    code: str
    months: str
    form: str
    led_in: tuple[str, ...]
    updated: str
    place: str
    sentences: tuple[str, ...]


LANGUAGES = (
    _Language(
        "en", "January February March April May June July August September October November December",
        "{day} {month} {year}|{month} {day}, {year}", ("Published", "Published on", "By {who},", "{who} |", ""),
        "Updated", "uk",
        ("The council of {town} has closed the bridge over the mill stream to lorries.",
         "An inspection of the piers on {event} had found cracks as wide as a thumb.",
         "Repairs will take until the autumn and cost more than the town has put aside.",
         "Shopkeepers on the far bank fear for their trade and ask for a ferry."),
    ),
    _Language(
        "de", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "{day}. {month} {year}", ("Veröffentlicht am", "Von {who},", "Stand:", ""), "Aktualisiert am", "de",
        ("Der Rat von {town} hat die Brücke über den Mühlbach für Lastwagen gesperrt.",
         "Eine Prüfung der Pfeiler am {event} hatte daumenbreite Risse gezeigt.",
         "Die Arbeiten dauern bis zum Herbst und kosten mehr, als die Stadt zurückgelegt hat.",
         "Die Händler am anderen Ufer bangen um ihr Geschäft und wünschen sich eine Fähre."),
    ),
    _Language(
        "fr", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "{day} {month} {year}", ("Publié le", "Par {who}, le", "Le", ""), "Mis à jour le", "fr",
        ("Le conseil de {town} a fermé aux camions le pont sur le ruisseau du moulin.",
         "Un contrôle des piles mené le {event} avait révélé des fissures larges d'un pouce.",
         "Les travaux dureront jusqu'à l'automne et coûteront plus que la ville n'a mis de côté.",
         "Les commerçants de l'autre rive craignent pour leurs affaires et demandent un bac."),
    ),
    _Language(
        "es", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "{day} de {month} de {year}", ("Publicado el", "Por {who},", ""), "Actualizado el", "es",
        ("El ayuntamiento de {town} ha cerrado a los camiones el puente sobre el arroyo del molino.",
         "Una inspección de los pilares el {event} había descubierto grietas del ancho de un pulgar.",
         "Las obras durarán hasta el otoño y costarán más de lo que la ciudad tiene ahorrado.",
         "Los comerciantes de la otra orilla temen por su negocio y piden una barca."),
    ),
    _Language(
        "it", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "{day} {month} {year}", ("Pubblicato il", "di {who},", ""), "Aggiornato il", "it",
        ("Il consiglio di {town} ha chiuso ai camion il ponte sul torrente del mulino.",
         "Un controllo dei piloni il {event} aveva rivelato crepe larghe un pollice.",
         "I lavori dureranno fino all'autunno e costeranno più di quanto la città ha messo da parte.",
         "I negozianti dell'altra sponda temono per gli affari e chiedono un traghetto."),
    ),
    _Language(
        "pt", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "{day} de {month} de {year}", ("Publicado em", "Por {who},", ""), "Atualizado em", "pt",
        ("A câmara de {town} fechou aos camiões a ponte sobre o ribeiro do moinho.",
         "Uma inspeção dos pilares em {event} tinha revelado fendas da largura de um polegar.",
         "As obras vão durar até ao outono e custar mais do que a cidade tem guardado.",
         "Os lojistas da outra margem temem pelo negócio e pedem um barco."),
    ),
    _Language(
        "nl", "januari februari maart april mei juni juli augustus september oktober november december",
        "{day} {month} {year}", ("Gepubliceerd op", "Door {who},", ""), "Bijgewerkt op", "nl",
        ("De raad van {town} heeft de brug over de molenbeek voor vrachtwagens gesloten.",
         "Bij een keuring van de pijlers op {event} waren scheuren zo breed als een duim gevonden.",
         "Het herstel duurt tot de herfst en kost meer dan de stad opzij heeft gelegd.",
         "Winkeliers aan de overkant vrezen voor hun handel en vragen om een veerpont."),
    ),
    _Language(
        "pl", "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        "{day} {month} {year}", ("Opublikowano", "Data publikacji:", "{who},", ""), "Aktualizacja:", "pl",
        ("Rada miasta {town} zamknęła dla ciężarówek most nad młyńskim strumieniem.",
         "Przegląd filarów w dniu {event} wykazał pęknięcia szerokie na palec.",
         "Naprawa potrwa do jesieni i będzie kosztować więcej, niż miasto odłożyło.",
         "Sklepikarze z drugiego brzegu boją się o swój handel i proszą o prom."),
    ),
)  # fmt: skip
"""The eight languages of the pages."""


@dataclass(frozen=True)
class Page:
    """A page and the truth about it: `published` is None if the page does not give its date."""

    url: str
    html: str
    published: date | None
    form: str
    """The way in which the date is given."""
    language: str


@dataclass
class _Parts:
    """The parts of a page."""

    head: list[str]
    line: str
    path: str


def pages(count: int, seed: int) -> list[Page]:
    """The given number of pages; the same for the same seed."""
    draw = random.Random(seed)
    return [_page(draw, number) for number in range(count)]


def _page(draw: random.Random, number: int) -> Page:
    language = draw.choice(LANGUAGES)
    day = _FIRST + timedelta(days=draw.randrange((RETRIEVED.date() - _FIRST).days - 1))
    form = "none" if draw.random() < _UNDATED else draw.choice(_FORMS)
    american = language.code == "en" and draw.random() < 0.5
    parts = _Parts([], "", f"/news/bridge-closed-{number}")
    for way in ("line", draw.choice(("meta", "address", "json-ld"))) if form == "two" else (form,):
        _tell(draw, parts, way, language, day, american)
    host = f"{_town(draw).lower()}-courier.{draw.choice(('example', language.place if not american else 'com'))}"
    html = _html(draw, parts, language, day, american)
    return Page(f"https://{host}{parts.path}", html, None if form == "none" else day, form, language.code)


def _tell(draw: random.Random, parts: _Parts, way: str, language: _Language, day: date, american: bool) -> None:
    """Put the date into the page in this way."""
    changed = _later(draw, day)
    if way in ("json-ld", "json-ld graph"):
        parts.head.append(_json_ld(draw, day, changed, graph=way == "json-ld graph"))
    elif way == "meta":
        name = draw.choice(("article:published_time", "og:article:published_time", "datePublished", "pubdate"))
        parts.head.append(f'<meta property="article:modified_time" content="{_stamp(draw, changed)}">')
        parts.head.append(f'<meta {draw.choice(("name", "property"))}="{name}" content="{_stamp(draw, day)}">')
    elif way == "scholarly meta":
        name = draw.choice(("citation_publication_date", "DC.date.issued", "dcterms.issued"))
        parts.head.append(f'<meta name="{name}" content="{_as(draw, day, "%Y-%m-%d", "%Y/%m/%d")}">')
    elif way == "time":
        mark = draw.choice(('itemprop="datePublished" ', 'class="entry-date published" ', "pubdate ", ""))
        parts.line = (
            f'<p class="meta"><time {mark}datetime="{_stamp(draw, day)}">{_written(draw, language, day)}</time>'
        )
        if mark and draw.random() < 0.4:
            shown = _written(draw, language, changed)
            parts.line += f' <time class="updated" datetime="{_stamp(draw, changed)}">{shown}</time>'
        parts.line += "</p>"
    elif way == "line":
        parts.line = _date_line(draw, language, _written(draw, language, day), _written(draw, language, changed))
    elif way == "numbers":
        parts.line = _date_line(draw, language, *(_numbers(language, each, american) for each in (day, changed)))
    elif way == "address":
        parts.path = f"/{_as(draw, day, '%Y/%m/%d', '%Y-%m-%d')}/bridge-closed"
    elif way == "moved":
        # The new system stamps migrated pages with the day of the migration; line and address are the old ones.
        moved = min(day + timedelta(days=draw.randint(400, 2000)), RETRIEVED.date() - timedelta(days=1))
        parts.head.append(f'<meta property="article:published_time" content="{_stamp(draw, moved)}">')
        parts.line = _date_line(draw, language, _written(draw, language, day), "")
        parts.path = f"/{day:%Y/%m/%d}/bridge-closed"


def _html(draw: random.Random, parts: _Parts, language: _Language, day: date, american: bool) -> str:
    town, elsewhere = _town(draw), _town(draw)
    said = [
        sentence.format(town=town, event=_written(draw, language, day - timedelta(days=draw.randint(3, 900))))
        for sentence in language.sentences
    ]
    draw.shuffle(said)
    body = f"<h1>{_words(draw, language)}</h1>\n{parts.line}\n" + "".join(f"<p>{each}</p>\n" for each in said * 2)
    if not parts.line and draw.random() < 0.3:
        changed = _written(draw, language, _later(draw, day))
        body += f"<p class='changed'>{language.updated} {changed}</p>\n"
    around = []
    if draw.random() < 0.5:
        around.append(
            "<aside class='related'><h2>+</h2><ul>"
            + "".join(_teaser(draw, language) for _ in range(3))
            + "</ul></aside>"
        )
    if draw.random() < 0.4:
        around.append(
            "<section id='comments'>" + "".join(_comment(draw, language, day) for _ in range(2)) + "</section>"
        )
    around.append(
        f"<footer><p>© {draw.choice(('', '1998–'))}{draw.randint(2019, 2026)} {elsewhere} Courier</p></footer>"
    )
    locale = "en-US" if american else draw.choice((language.code, f"{language.code}-{language.place.upper()}"))
    locale = locale.replace("-UK", "-GB")
    head = "\n".join(['<meta charset="utf-8">', f"<title>{_words(draw, language)}</title>", *parts.head])
    inner = (
        f"<main><article>\n{body}</article></main>" if draw.random() < 0.7 else f"<div class='content'>\n{body}</div>"
    )
    if draw.random() < 0.1:
        around.insert(0, f"<div class='today'>{_written(draw, language, RETRIEVED.date())}</div>")
    body = f"<body>\n{inner}\n{''.join(around)}\n</body>"
    return f'<!DOCTYPE html>\n<html lang="{locale}"><head>\n{head}\n</head>\n{body}</html>'


def _json_ld(draw: random.Random, day: date, changed: date, *, graph: bool) -> str:
    article = {
        "@type": draw.choice(("NewsArticle", "Article", "BlogPosting", "ReportageNewsArticle")),
        "headline": "Bridge closed",
        "dateModified": _stamp(draw, changed),
        "datePublished": _stamp(draw, day),
    }
    if graph:
        founded = {"@type": "Organization", "name": "Courier", "foundingDate": "1911-04-02"}
        page = {"@type": "WebPage", "dateModified": _stamp(draw, changed)}
        said: object = {"@context": "https://schema.org", "@graph": [founded, page, article]}
    else:
        said = {"@context": "https://schema.org"} | article
    return f'<script type="application/ld+json">{json.dumps(said)}</script>'


def _date_line(draw: random.Random, language: _Language, shown: str, changed: str) -> str:
    led_in = draw.choice(language.led_in).format(who=f"{_town(draw)} {_town(draw)}")
    line = f"{led_in} {shown}".strip()
    if changed and draw.random() < 0.25:
        apart = draw.choice((" | ", " · ", "<br>"))
        parts = [line, f"{language.updated} {changed}"]
        line = apart.join(parts if draw.random() < 0.6 else parts[::-1])
    elif draw.random() < 0.3:
        line += f", {draw.randint(6, 22)}:{draw.randint(10, 59)}"
    tag = draw.choice(('p class="byline"', "p", 'div class="date"', 'span class="post-meta"'))
    return f"<{tag}>{line}</{tag.split()[0]}>"


def _teaser(draw: random.Random, language: _Language) -> str:
    day = RETRIEVED.date() - timedelta(days=draw.randint(1, 60))
    shown = _written(draw, language, day)
    link = f'<a href="/news/{draw.randint(1, 999)}">{_words(draw, language)}</a>'
    return f'<li>{link} <time datetime="{day}">{shown}</time></li>'


def _comment(draw: random.Random, language: _Language, day: date) -> str:
    then = _later(draw, day)
    shown = _written(draw, language, then)
    stamp = f'<time datetime="{_stamp(draw, then)}">{shown}</time>' if draw.random() < 0.5 else f"<span>{shown}</span>"
    return f"<div class='comment'><b>{_town(draw)}</b> {stamp}<p>{draw.choice(language.sentences[2:])}</p></div>"


def _words(draw: random.Random, language: _Language) -> str:
    """A heading: the first words of a sentence without a date."""
    return " ".join(draw.choice(language.sentences[2:]).split()[: draw.randint(5, 8)])


def _written(draw: random.Random, language: _Language, day: date) -> str:
    form = draw.choice(language.form.split("|"))
    return form.format(day=day.day, month=language.months.split()[day.month - 1], year=day.year)


def _numbers(language: _Language, day: date, american: bool) -> str:
    if american:
        return f"{day:%m/%d/%Y}"
    forms = {"de": "%d.%m.%Y", "pl": "%d.%m.%Y", "nl": "%d-%m-%Y"}
    return day.strftime(forms.get(language.code, "%d/%m/%Y"))


def _stamp(draw: random.Random, day: date) -> str:
    """A machine-readable time on that day: in a European zone, at a time at which it is that day in UTC."""
    at = datetime(day.year, day.month, day.day, draw.randint(4, 20), draw.randint(0, 59), 7, tzinfo=UTC)
    form = draw.choice(("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S+02:00", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S"))
    return at.strftime(form)


def _as(draw: random.Random, day: date, *forms: str) -> str:
    return day.strftime(draw.choice(forms))


def _later(draw: random.Random, day: date) -> date:
    return min(day + timedelta(days=draw.randint(2, 700)), RETRIEVED.date() - timedelta(days=1))


def _town(draw: random.Random) -> str:
    return draw.choice("Gar Tor Ves Hald Brin Ost Kor Wick Fen Dal".split()) + draw.choice(
        "row ford vik mar ton dale".split()
    )
