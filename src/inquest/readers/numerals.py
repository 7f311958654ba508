"""The numbers of list items as they are shown: figures, letters and Roman numerals."""

from __future__ import annotations

_ROMAN = tuple(zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
                   "m cm d cd c xc l xl x ix v iv i".split(), strict=True))  # fmt: skip


def numeral(number: int, form: str) -> str:
    """Return a number in a format of ECMA-376 (17.18.59 ST_NumberFormat), or '' in a format that is not known."""
    if form in ("decimal", "decimalZero"):
        return f"{number:0{1 + (form == 'decimalZero')}}"
    if form in ("lowerLetter", "upperLetter"):
        shown = chr(ord("a") + (number - 1) % 26) * (1 + (number - 1) // 26) if 0 < number < 100 else ""
    elif form in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        shown = ""
        for unit, sign in _ROMAN:
            shown += sign * (number // unit)
            number %= unit
    else:
        return ""
    return shown.upper() if form.startswith("upper") else shown
