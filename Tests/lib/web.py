"""A client of the server: requests, sign-in, accounts and event streams."""

import http.client
import json
import subprocess
import urllib.request
from typing import NamedTuple
from urllib.parse import urlsplit

from .repository import ROOT, program


class Answer(NamedTuple):
    status: int
    content: bytes
    headers: http.client.HTTPMessage

    @property
    def text(self):
        return self.content.decode("utf-8", "replace")

    @property
    def value(self):
        """The content as JSON."""
        return json.loads(self.content)


class Refused(Exception):
    """The server answered, and did not do it; `status` is its answer's."""

    def __init__(self, sentence, status):
        super().__init__(sentence)
        self.status = status


def ask(base, method, path, body=None, cookie=None, *, headers=None, source=None, timeout=60):
    """One request on a connection of its own; raises OSError if nobody answers.

    `body` is bytes, text, or a value that is sent as JSON; `source` the loopback address that it comes from.
    """
    fields = {"X-Baton": "1", "Content-Type": "application/json", **({"Cookie": cookie} if cookie else {}),
              **(headers or {})}
    if body is not None and not isinstance(body, str | bytes):
        body = json.dumps(body)
    if isinstance(body, str):
        body = body.encode()
    place = urlsplit(base)
    link = http.client.HTTPConnection(place.hostname, place.port, timeout=timeout,
                                      source_address=(source, 0) if source else None)
    try:
        link.request(method, path, body, {name: value for name, value in fields.items() if value is not None})
        answer = link.getresponse()
        return Answer(answer.status, answer.read(), answer.headers)
    except http.client.HTTPException as fault:
        raise ConnectionError(f"{method} {path}: {fault!r}") from fault
    finally:
        link.close()


def sign_in(base, name, passphrase, **more):
    """The cookie of an account; raises Refused if the server does not let it in."""
    answer = ask(base, "POST", "/api/login", {"name": name, "password": passphrase}, **more)
    if answer.status != 200:
        raise Refused(f"{name} is not let in: {answer.status} {answer.text[:300]}", answer.status)
    return answer.headers["Set-Cookie"].split(";")[0]


def add_account(data, name, role, passphrase, baton=None):
    """Makes an account in a data folder."""
    subprocess.run([baton or program(), "user", "add", name, "--role", role, "--data", str(data)], cwd=ROOT, check=True,
                   input=passphrase + "\n", text=True, capture_output=True)


def events(base, path, cookie=None, timeout=10):
    """The events of a stream as (name, value), one after another; ends with the stream."""
    request = urllib.request.Request(base + path, headers={"Cookie": cookie} if cookie else {})
    with urllib.request.urlopen(request, timeout=timeout) as stream:
        yield from read_events(stream)


def read_events(lines):
    """Of the lines of an event stream, as bytes, the events with their JSON; None is the name of one without."""
    name, data = None, []
    for line in lines:
        line = line.rstrip(b"\r\n")
        if line.startswith(b"event:"):
            name = line[6:].strip().decode()
        elif line.startswith(b"data:"):
            data.append(line[5:].strip())
        elif not line:
            if data or name:
                yield name, json.loads(b"\n".join(data) or b"null")
            name, data = None, []


def snapshot(base, cookie=None, path="/api/events", timeout=10):
    """Everything that a page is told when it joins."""
    for _, value in events(base, path, cookie, timeout):
        return value
    raise OSError("the stream ended before its snapshot")
