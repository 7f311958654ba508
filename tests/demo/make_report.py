"""Make report.pdf of the demo, whose claims are checked: `python tests/demo/make_report.py` (needs the extra `pdf`)."""

from __future__ import annotations

from pathlib import Path

import typst

from inquest import demo


def main() -> None:
    pdf = typst.compile(Path(__file__).with_name("sustainability_report.typ"), format="pdf")
    (demo.folder() / "report.pdf").write_bytes(pdf)


if __name__ == "__main__":
    main()
