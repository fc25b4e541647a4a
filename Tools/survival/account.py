"""A data folder whose account is signed in already: copied for each server, so that a trial need not wait."""

import shutil
import subprocess
from functools import cache

from . import places
from .desk import HTTPDesk, tcp, when
from .server import Server

NAME = "technician"
PASSPHRASE = "seventeen grey horses walk"


@cache
def _signed_in():
    data = places.scratch() / "account"
    subprocess.run(
        [places.BATON, "user", "add", NAME, "--role", "administrator", "--data", data],
        input=PASSPHRASE + "\n", text=True, check=True, capture_output=True)
    port = 18090
    server = Server(
        "account",
        [places.BACH, "--live", places.recording(places.BACH), "--no-multicast", "--no-listen-osc",
         "--http", f"127.0.0.1:{port}"], data)
    server.start()
    try:
        desk = HTTPDesk(tcp("127.0.0.1", port), timeout=20)
        body = {"name": NAME, "password": PASSPHRASE}
        status, value = when(lambda: desk.request("POST", "/api/login", body), timeout=20)
        if status != 200:
            raise RuntimeError(f"signing in failed: {status} {value}")
        cookie = desk.cookie_set.split(";")[0]
    finally:
        server.stop()
    # What was written last may still lie in the log of writes beside it.
    return [data / name for name in ("catalogue.sqlite", "catalogue.sqlite-wal") if (data / name).exists()], cookie


def fresh_data(name):
    """A data folder without a show, and the cookie of somebody who is signed in there."""
    catalogue, cookie = _signed_in()
    folder = places.scratch() / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    for file in catalogue:
        shutil.copy(file, folder)
    return folder, cookie
