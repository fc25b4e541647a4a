"""Commands as they come from outside: HTTP of a console, OSC of a show desk."""

import http.client
import json
import socket

from lib import osc


class Refused(Exception):
    """The server answered, and did not obey."""


class Unwritten(Refused):
    """The server obeyed, but could not write it down."""


class HTTPDesk:
    """One connection at a time; made anew where the server went away."""

    def __init__(self, connect, cookie=None, timeout=3.0):
        self._connect = connect
        self.cookie = cookie
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
        if self.cookie:
            headers["Cookie"] = self.cookie
        text = None
        if isinstance(body, bytes):
            text, headers["Content-Type"] = body, "text/csv"
        elif body is not None:
            text, headers["Content-Type"] = json.dumps(body), "application/json"
        self._client.request(method, path, text, headers)
        answer = self._client.getresponse()
        data = answer.read()
        self.cookie_set = answer.getheader("Set-Cookie")
        if self._client.sock is None:
            # The server ended it; the client by itself would go to port 80.
            self.close()
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


class OSCDesk:
    """Sends commands over UDP and waits for the answer."""

    def __init__(self, host, port, timeout=2.0):
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.connect((host, port))
        self._socket.settimeout(timeout)

    def ask(self, address, *arguments):
        """The answer's address. Raises OSError where none comes."""
        self._socket.send(osc.message(address, *arguments))
        while True:
            answer = osc.address(self._socket.recv(65535))
            if answer in ("/baton/reply", "/baton/error", "/baton/pong"):
                return answer

    def command(self, name, *arguments):
        if self.ask(f"/baton/command/{name}", *arguments) != "/baton/reply":
            raise Refused(name)

    def send_raw(self, data):
        self._socket.send(data)

    def close(self):
        self._socket.close()


def tcp(host, port, timeout=2.0):
    """A function that connects; for consoles and desks."""
    return lambda: socket.create_connection((host, port), timeout=timeout)
