"""The place and the size of single characters on a page of a PDF, as the library has them."""

from __future__ import annotations

import ctypes
import math
from functools import cache
from typing import Any

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in points from the lower left corner of the page."""


@cache
def library() -> Any:
    """The library's own functions. Not looked up anew for each of a page's thousands of characters."""
    from pypdfium2 import raw

    return raw


def char_box(text_page: Any, index: int) -> Box:
    """Left, bottom, right and top of a character's ink, in points."""
    left, right, bottom, top = ctypes.c_double(), ctypes.c_double(), ctypes.c_double(), ctypes.c_double()
    library().FPDFText_GetCharBox(text_page.raw, index, left, right, bottom, top)
    return left.value, bottom.value, right.value, top.value


def char_origin(text_page: Any, index: int) -> tuple[float, float]:
    """Where the character begins on its baseline."""
    across, up = ctypes.c_double(), ctypes.c_double()
    library().FPDFText_GetCharOrigin(text_page.raw, index, across, up)
    return across.value, up.value


def char_size(text_page: Any, index: int) -> float:
    """The size of the type as set: many producers write it into the text matrix instead of the font size."""
    raw = library()
    matrix = raw.FS_MATRIX()
    size: float = raw.FPDFText_GetFontSize(text_page.raw, index)
    if raw.FPDFText_GetMatrix(text_page.raw, index, matrix):
        size *= math.hypot(matrix.c, matrix.d)
    return size if 0.5 < size < 1000 else 10.0
