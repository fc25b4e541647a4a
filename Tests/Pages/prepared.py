"""Data folders that a server starts on within a second: the repository's concert, its scores, and accounts.

The first start of a server takes seconds, because it reads the concert and the scores. Each set of accounts is
prepared once in a run of tests; every server gets a copy.
"""

import atexit
import functools
import pathlib
import shutil
import tempfile

from scripted import Scripted


@functools.cache
def scratch():
    """A folder of this run, deleted when it ends."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-prepared-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def new_folder():
    return pathlib.Path(tempfile.mkdtemp(dir=scratch()))


@functools.cache
def prepared(accounts):
    """The data folder of a server that has read everything once; `accounts` as `Server` takes them."""
    server = Scripted(accounts=accounts, data=new_folder())
    server.stop()
    shutil.rmtree(server.data / "shows")
    server.log.unlink()
    return server.data


def copied(data):
    """A copy of the data folder of a server that does not run."""
    copy = new_folder()
    shutil.copytree(data, copy, dirs_exist_ok=True)
    return copy


def server(accounts, *options):
    """A started server on a copy of a prepared folder; `options` as `ScriptedServer` takes them."""
    return Scripted("Recordings/concert.json", *options, data=copied(prepared(accounts)), signs_in=True)
