"""The options that make two servers a pair, and the wait until the second has everything."""

import contextlib
import pathlib
import secrets
import shutil
import tempfile

from lib import web
from lib.processes import free_port


def options(case):
    """The options of the main server and of its backup; their key is removed with the class of tests."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-pair-"))
    case.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
    key, port = folder / "key", free_port()
    key.write_bytes(secrets.token_bytes(32))
    key.chmod(0o600)
    return ("--link", port, "--link-key", key), ("--backup-of", port, "--link-key", key)


def follows(backup, sign_in=lambda: None):
    """True if the backup hears the other server and has all of its content. `sign_in` gives the cookie to ask with."""
    with contextlib.suppress(OSError, KeyError, TypeError):
        section = web.snapshot(backup.base, sign_in())["backup"]
        return section["connected"] and section["otherHeard"] and section["content"]["isCurrent"]
    return False
