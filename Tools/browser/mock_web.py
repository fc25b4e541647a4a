"""The plumbing under the stand-ins for `baton serve`: a quiet server on loopback, and a program around it."""

import argparse
import contextlib
import http.server
import sys
import threading


class QuietServer(http.server.ThreadingHTTPServer):
    """A browser that hangs up in the middle is no news."""
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, ValueError)):
            super().handle_error(request, client_address)

    def remove(self):
        self.shutdown()
        self.server_close()


def serve(port, handler, **parts):
    """Starts a server on loopback, already running in threads of its own; port 0 takes a free one.

    Each part is known to server and handler by its name; one that lives by itself (`run`) is set going.
    """
    server = QuietServer(("127.0.0.1", port), type(handler.__name__, (handler,), parts))
    for name, part in parts.items():
        setattr(server, name, part)
        threading.Thread(target=part.run, daemon=True).start()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.base = f"http://127.0.0.1:{server.server_address[1]}"
    return server


def parser(about, port):
    """Of a stand-in's own command line."""
    made = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--port", type=int, default=port)
    return made


def stay(server, path):
    """Says where the page is, and serves until Ctrl-C."""
    print(f"http://127.0.0.1:{server.server_address[1]}{path}", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()
