"""A listener who measures how long the stream of the audience is silent."""

import socket
import threading
import time


class Listener:
    def __init__(self, port):
        self.link = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.link.sendall(b"GET /api/audience/events HTTP/1.1\r\nHost: hall\r\n\r\n")
        self.worst = 0.0
        self.last = time.monotonic()
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        try:
            while self.link.recv(65536):
                now = time.monotonic()
                self.worst = max(self.worst, now - self.last)
                self.last = now
        except OSError:
            pass

    def stop(self):
        """Seconds of the longest silence, one that lasts until now too."""
        worst = max(self.worst, time.monotonic() - self.last)
        self.link.shutdown(socket.SHUT_RDWR)
        self.thread.join(5)
        self.link.close()
        return worst
