"""As much of MQTT 3.1.1 as it takes to say something to a broker at quality 0. Shares nothing with the server."""

import socket
import struct

KEEP_ALIVE_SECONDS = 600


def text(value):
    value = value.encode()
    return struct.pack(">H", len(value)) + value


def packet(kind, body):
    length, count = b"", len(body)
    while True:
        count, digit = divmod(count, 128)
        length += bytes([digit | (128 if count else 0)])
        if not count:
            return bytes([kind]) + length + body


class Broker:
    """A connection to a broker; `will` is the (topic, payload) that it publishes if the connection breaks."""

    def __init__(self, port, name, will=None, host="127.0.0.1"):
        self.socket = socket.create_connection((host, port), timeout=5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        flags = 2 | (0x24 if will else 0)
        body = text("MQTT") + bytes([4, flags]) + struct.pack(">H", KEEP_ALIVE_SECONDS) + text(name)
        if will:
            body += text(will[0]) + text(will[1])
        self.socket.sendall(packet(0x10, body))
        if self.socket.recv(4)[3:4] != b"\0":
            raise OSError("the broker did not accept the connection")

    def publish(self, topic, payload, is_retained=False):
        self.socket.sendall(packet(0x31 if is_retained else 0x30, text(topic) + payload))

    def close(self):
        """Says goodbye, so that the will is not published."""
        self.socket.sendall(bytes([0xE0, 0]))
        self.socket.close()
