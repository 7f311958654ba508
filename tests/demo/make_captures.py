"""Make captures.warc of the demo collection: `python tests/demo/make_captures.py` (needs the extra `pdf`).

The filing is stored as a capture and not as a bare PDF because only a capture records the address of a PDF.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import typst
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from inquest import demo

URL = "https://filings-register.example/norvane-chemicals-plc/2024/management-report.pdf"
WHEN = "2025-04-15T10:30:00Z"
RECORD_ID = "<urn:uuid:5f0c2c1e-6f7b-4a3e-9d52-0b8a51c7e204>"


def main() -> None:
    pdf = typst.compile(Path(__file__).with_name("filing.typ"), format="pdf")
    with (demo.folder() / "captures.warc").open("wb") as stream:
        writer = WARCWriter(stream, gzip=False)
        headers = StatusAndHeaders("200 OK", [("Content-Type", "application/pdf")], protocol="HTTP/1.1")
        record = writer.create_warc_record(
            URL,
            "response",
            payload=BytesIO(pdf),
            http_headers=headers,
            warc_headers_dict={"WARC-Date": WHEN, "WARC-Record-ID": RECORD_ID},
        )
        writer.write_record(record)


if __name__ == "__main__":
    main()
