"""A data folder whose account is signed in already: copied for each server, so that a trial need not wait."""

import shutil
from functools import cache

from lib.servers import Server

from . import places

NAME = "technician"
PASSPHRASE = "seventeen grey horses walk"


@cache
def _signed_in():
    data = places.scratch() / "account"
    with Server(places.BACH, "--no-multicast", "--no-listen-osc", lives=[places.recording(places.BACH)], data=data,
                accounts=[(NAME, "administrator", PASSPHRASE)]) as server:
        cookie = server.sign_in(NAME, PASSPHRASE)
    # The newest rows may still lie in the log of writes beside the file.
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
