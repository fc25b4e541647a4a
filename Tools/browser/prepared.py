"""Data folders that a server starts on within a second: the repository's concert, its scores, and accounts.

The first start of a server takes seconds, because it reads the concert and the scores. Each set of accounts is
prepared once in a run of tests; every server gets a copy.
"""

import atexit
import functools
import pathlib
import shutil
import tempfile

import sound
from lib.repository import concert
from lib.servers import Server

PIECES = ",".join(concert())
# A hall in which nobody plays; it is never as silent as a wire that was pulled out.
QUIET_SECONDS, QUIET_LEVEL = 1, 0.002


@functools.cache
def scratch():
    """A folder of this run, deleted when it ends."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-prepared-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@functools.cache
def quiet():
    path = scratch() / "quiet.wav"
    sound.write(path, sound.noise(QUIET_SECONDS, QUIET_LEVEL))
    return path


@functools.cache
def prepared(accounts):
    """The data folder of a server that has read everything once; `accounts` as `Server` takes them."""
    server = served(scratch() / f"prepared-{len(list(scratch().iterdir()))}", accounts)
    server.start()
    server.stop()
    shutil.rmtree(server.data / "shows")
    server.log.unlink()
    return server.data


def served(data, accounts=()):
    """A server of the concert on a data folder, not started yet; nobody plays."""
    data.mkdir(exist_ok=True)
    return Server(PIECES, "--loop", "0", "--no-listen-osc", "--no-multicast", "--ttl", "0", lives=[quiet()],
                  accounts=accounts, data=data)


def server(accounts):
    """A started server on a copy of a prepared folder."""
    made = served(pathlib.Path(tempfile.mkdtemp(dir=scratch())))
    shutil.copytree(prepared(accounts), made.data, dirs_exist_ok=True)
    return made.start()
