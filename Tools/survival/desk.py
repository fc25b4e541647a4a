"""Commands as they come from outside: HTTP of a console, OSC of a show desk, MQTT of a house."""

import http.client
import json
import socket
import struct
import time


class Refused(Exception):
    """The server answered, and did not obey."""


class Unwritten(Refused):
    """The server obeyed, but could not write it down."""


class HTTPDesk:
    """One connection at a time; made anew where the server went away."""

    def __init__(self, connect, cookie=None, timeout=3.0):
        self._connect = connect
        self._cookie = cookie
        self._timeout = timeout
        self._client = None

    def request(self, method, path, body=None):
        """Returns (status, value). Raises OSError where nobody answers."""
        fresh = self._client is None
        try:
            return self._request(method, path, body)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if fresh:
                raise OSError(str(error)) from error
            raise ConnectionError(str(error)) from error

    def _request(self, method, path, body):
        if self._client is None:
            self._client = http.client.HTTPConnection("localhost", timeout=self._timeout)
            self._client.sock = self._connect()
            self._client.sock.settimeout(self._timeout)
            self._client.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        headers = {"X-Baton": "1"}
        if self._cookie:
            headers["Cookie"] = self._cookie
        text = None
        if isinstance(body, bytes):
            text, headers["Content-Type"] = body, "text/csv"
        elif body is not None:
            text, headers["Content-Type"] = json.dumps(body), "application/json"
        self._client.request(method, path, text, headers)
        answer = self._client.getresponse()
        data = answer.read()
        self.cookie_set = answer.getheader("Set-Cookie")
        try:
            value = json.loads(data) if data else None
        except ValueError:
            value = data.decode("utf-8", "replace")
        return answer.status, value

    def command(self, *words):
        """Obeyed and on the disk when this returns; the epoch. Raises Refused or OSError."""
        name, *arguments = [str(word) for word in words]
        status, value = self.request("POST", "/api/command", {"command": name, "arguments": arguments})
        if status != 200:
            raise (Unwritten if status == 507 else Refused)((value or {}).get("error", status)
                                                            if isinstance(value, dict) else status)
        return value["epoch"]

    def close(self):
        if self._client:
            self._client.close()
            self._client = None


def _osc_text(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def osc_message(address, *arguments):
    tags, data = ",", b""
    for argument in arguments:
        if isinstance(argument, int):
            tags, data = tags + "i", data + struct.pack(">i", argument)
        elif isinstance(argument, float):
            tags, data = tags + "f", data + struct.pack(">f", argument)
        else:
            tags, data = tags + "s", data + _osc_text(str(argument))
    return _osc_text(address) + _osc_text(tags) + data


def osc_address(packet):
    return packet.split(b"\0", 1)[0].decode("utf-8", "replace")


class OSCDesk:
    """Sends commands over UDP and waits for the answer."""

    def __init__(self, host, port, timeout=2.0):
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.connect((host, port))
        self._socket.settimeout(timeout)

    def ask(self, address, *arguments):
        """The answer's address. Raises OSError where none comes."""
        self._socket.send(osc_message(address, *arguments))
        while True:
            answer = osc_address(self._socket.recv(65535))
            if answer in ("/baton/reply", "/baton/error", "/baton/pong"):
                return answer

    def command(self, name, *arguments):
        if self.ask(f"/baton/command/{name}", *arguments) != "/baton/reply":
            raise Refused(name)

    def send_raw(self, data):
        self._socket.send(data)

    def close(self):
        self._socket.close()


class MQTTDesk:
    """As little of MQTT 3.1.1 as is needed to publish at quality 0."""

    def __init__(self, host, port, name="survival"):
        self._socket = socket.create_connection((host, port), timeout=2)
        body = self._text("MQTT") + bytes([4, 2]) + struct.pack(">H", 60) + self._text(name)
        self._socket.sendall(self._packet(0x10, body))
        if self._socket.recv(4)[:2] != b"\x20\x02":
            raise OSError("the broker did not accept the connection")

    @staticmethod
    def _text(text):
        data = text.encode()
        return struct.pack(">H", len(data)) + data

    @staticmethod
    def _packet(kind, body):
        length, digits = len(body), bytearray()
        while True:
            length, digit = length >> 7, length & 127
            digits.append(digit | (128 if length else 0))
            if not length:
                return bytes([kind]) + bytes(digits) + body

    def publish(self, topic, payload):
        self._socket.sendall(self._packet(0x30, self._text(topic) + payload.encode()))

    def close(self):
        self._socket.close()


def tcp(host, port, timeout=2.0):
    """A function that connects; for consoles and desks."""
    return lambda: socket.create_connection((host, port), timeout=timeout)


def when(action, timeout, every=0.02):
    """Tries until an action does not fail; its result. Raises the last error when time is up."""
    end = time.monotonic() + timeout
    while True:
        try:
            return action()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(every)
