"""Names of the Gregorian months in the languages of the pages that are read, as a date uses them (Polish 'marca', not
'marzec'), in lower case, with what they are cut down to."""

from __future__ import annotations

import unicodedata

__all__ = ["MONTH_NAMES"]

# One row per language; forms of one month are parted by '/'.
_ROWS = (
    # English, German, French, Spanish, Italian, Portuguese
    "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct "
    "november/nov december/dec",
    "januar/jänner februar/feber märz/mär april mai juni juli august september oktober/okt november dezember/dez",
    "janvier/janv février/févr/fév mars avril/avr mai juin juillet/juil août septembre octobre novembre décembre/déc",
    "enero/ene febrero marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre octubre noviembre "
    "diciembre/dic",
    "gennaio/gen febbraio marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre/set ottobre/ott novembre "
    "dicembre",
    "janeiro fevereiro/fev março abril maio junho julho agosto setembro outubro/out novembro dezembro",
    # Dutch, Swedish, Danish, Norwegian, Finnish, Indonesian
    "januari februari maart/mrt april mei juni juli augustus september oktober november december",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar marts april maj juni juli august september oktober november desember/des",
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
    "marraskuuta joulukuuta",
    "januari februari maret april mei juni juli agustus september oktober november desember",
    # Polish, Czech, Russian, Ukrainian
    "stycznia/sty lutego/lut marca kwietnia/kwi maja czerwca/cze lipca/lip sierpnia/sie września/wrz października/paź "
    "listopada/lis grudnia/gru",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "января/янв февраля/фев марта/мар апреля/апр мая июня/июн июля/июл августа/авг сентября/сен октября/окт "
    "ноября/ноя декабря/дек",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    # Romanian, Hungarian, Turkish, Greek, Arabic
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "január február március április május június július augusztus szeptember október november december",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου "
    "δεκεμβρίου",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
)


def _bare(name: str) -> str:
    """Without accents, as many pages write it."""
    return "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))


MONTH_NAMES = {
    form: number
    for row in _ROWS
    for number, forms in enumerate(row.split(), 1)
    for name in forms.split("/")
    for form in (name, _bare(name))
}
"""Every name to 1..12. No name means different months in two of these languages."""
