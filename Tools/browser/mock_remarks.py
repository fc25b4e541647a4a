#!/usr/bin/env python3
"""Serves remarks_page.html with the stand's remark modules, on loopback only.

    Tools/browser/mock_remarks.py [--port 8091]
"""

import argparse
import gzip
import http.server
import pathlib
import threading

from lib.pages import TYPES, page_file

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OWN = {f"/{path.name}": path for path in HERE.glob("remarks_page.*")}
MUSIC = ROOT / "Recordings/petzold-anna-magdalena-notebook-minuet-in-g/pages/score/page-001.svg.gz"
POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/page.svg":
            body, kind = gzip.decompress(MUSIC.read_bytes()), TYPES[".svg"]
        else:
            path = "/remarks_page.html" if path == "/" else path
            file = OWN.get(path) or page_file(path)
            if file is None:
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            body, kind = file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream")
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)


def serve(port):
    """Starts it in a thread of its own; port 0 takes a free one."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8091)
    chosen = serve(parser.parse_args().port)
    print(f"http://127.0.0.1:{chosen.server_address[1]}/", flush=True)
    threading.Event().wait()
