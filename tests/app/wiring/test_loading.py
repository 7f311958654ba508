"""Modules loaded while the first request is pending."""

from __future__ import annotations

import subprocess
import sys

_READ = """
import sys
from inquest.app.wiring import small_models
needed = {"trafilatura", "htmldate", "py3langid.langid"}
assert not needed & set(sys.modules), "loaded before anything is read"
small_models.read_a_page()
print(sorted(needed - set(sys.modules)))
"""


def test_the_page_that_is_read_beforehand_loads_all_that_a_page_needs() -> None:
    done = subprocess.run([sys.executable, "-c", _READ], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
