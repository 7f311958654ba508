"""A simulated search service and its pages: each search is one paid call, waits, and is counted."""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit

__all__ = ["World"]

_PAGE = """<!doctype html><html><head><title>{name} was fined</title></head><body><article>
<h1>{name} was fined</h1>
<p>The regulator fined {name} 150,000 euros in September 2023 for late reports, the regulator said on Monday.</p>
<p>{name} did not appeal against the decision, which concerned the reports of the year before.</p>
</article></body></html>"""


class World:
    """Use as a context manager. `wait`: seconds that each search takes."""

    def __init__(self, wait: float = 0.5) -> None:
        self.calls: dict[str, list[float]] = defaultdict(list)
        """Searches by their address: the times at which each was made, by `time.time`."""
        world = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                if parts.path == "/search":
                    words = parse_qs(parts.query).get("q", [""])[0]
                    world.calls[self.path].append(time.time())
                    time.sleep(wait)
                    self._send(json.dumps({"results": world._results(words)}), "application/json")
                elif parts.path.startswith("/page/"):
                    self._send(_PAGE.format(name=unquote(parts.path.split("/")[2])), "text/html; charset=utf-8")
                else:
                    self.send_error(404)

            def _send(self, text: str, kind: str) -> None:
                body = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]  # whoever asked was killed

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def calls_of_one_firm(self) -> dict[str, list[float]]:
        """The searches that name a firm, and so belong to one case: others may be made by two cases at the same
        moment."""
        return {path: times for path, times in self.calls.items() if "Firm" in path}

    def _results(self, words: str) -> list[dict[str, str]]:
        name = next((word for word in words.replace('"', " ").split() if word.startswith("Firm")), "")
        if not name:
            return []
        url = f"http://{self.host}/page/{quote(name)}/1"
        return [{"url": url, "title": f"{name} was fined", "content": f"The regulator fined {name} 150,000 euros."}]

    def __enter__(self) -> World:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
