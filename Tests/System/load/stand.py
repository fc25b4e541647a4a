"""One music stand on the network: a stream it reads and a connection it sends by."""
import json
import socket
import time
import uuid

from lib import packets

KEPT = 10  # seconds; the server closes what is idle for 15


def connect(address):
    made = socket.create_connection(address)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


class Stand:
    """Reads with the kernel's time of arrival, so that a slow reader here is not counted as a slow server."""

    def __init__(self, host, port, room, cookie="", more=""):
        self.address = (host, port)
        self.head = f"Host: {host}:{port}\r\nX-Baton: 1\r\n" + (f"Cookie: {cookie}\r\n" if cookie else "")
        self.room, self.cookie, self.more = room, cookie, more
        self.id = str(uuid.uuid4())
        self.seen = "new"
        self.rest = b""
        self.body = b""
        self.has_head = False
        self.socket = None
        self.sender = None
        self.posted = 0.0

    # MARK: Listening

    def open(self):
        self.socket = connect(self.address)
        self.socket.setsockopt(socket.SOL_SOCKET, packets.SO_TIMESTAMPNS, 1)
        self.rest = self.body = b""
        self.has_head = False
        self.socket.sendall(
            f"GET /api/rooms/{self.room}/stream?stand={self.id}&seen={self.seen}{self.more} HTTP/1.1\r\n"
            f"{self.head}\r\n".encode())
        return self.socket

    def read(self):
        """Messages that are complete: (message, kernel time, reading time) in seconds since 1970; None at the end."""
        data, notes, _, _ = self.socket.recvmsg(1 << 18, packets.STAMP_BYTES)
        now = time.time()
        if not data:
            return None
        arrived = packets.stamp(notes) or now
        return [(message, arrived, now) for message in self._messages(data)]

    def _messages(self, data):
        self.rest += data
        if not self.has_head:
            end = self.rest.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self.rest.startswith(b"HTTP/1.1 200"):
                raise SystemExit(self.rest.decode("latin-1"))
            self.has_head = True
            self.rest = self.rest[end + 4:]
        while True:  # chunks
            line = self.rest.find(b"\r\n")
            if line < 0:
                break
            size = int(self.rest[:line], 16)
            if len(self.rest) < line + 4 + size:
                break
            self.body += self.rest[line + 2:line + 2 + size]
            self.rest = self.rest[line + 4 + size:]
        *blocks, self.body = self.body.split(b"\n\n")
        for block in blocks:
            if b"event: " in block:
                continue
            for row in block.split(b"\n"):
                if row.startswith(b"data: "):
                    yield json.loads(row[6:])

    # MARK: Sending

    def send(self, message):
        """Sends and waits for the answer; used by the one stand that leads."""
        self.post(message)
        return self.answer()

    def ready(self):
        """A connection to send by, as a browser holds one; a new one where the server has long closed it."""
        if self.sender and time.monotonic() - self.posted > KEPT:
            self.sender.close()
            self.sender = None
        if self.sender is None:
            self.sender = connect(self.address)
        self.posted = time.monotonic()

    def post(self, message):
        self.ready()
        body = json.dumps(message).encode()
        self.sender.sendall(
            f"POST /api/rooms/{self.room}/send?stand={self.id} HTTP/1.1\r\n{self.head}"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)

    def answer(self):
        data = b""
        while b"\r\n\r\n" not in data:
            part = self.sender.recv(65536)
            if not part:
                raise SystemExit("the server closed the connection")
            data += part
        head, _, body = data.partition(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        while len(body) < length:
            body += self.sender.recv(65536)
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(body.decode())
        return json.loads(body)
