"""A real server for checks in a browser: `baton serve` on pieces of the repository's own concert, on loopback.

The program is $BATON, or the debug build of this repository; $BATON_PAGES a folder of pages instead of its own.
"""

import os

from lib.processes import free_port
from lib.servers import Server


class Served(Server):
    """A server that runs when it is made; `remove` ends it and deletes its data.

    `lives` are files that it hears, `device` a sound device instead of them; without accounts nobody signs in.
    """

    def __init__(self, pieces, lives=(), *options, device=None, accounts=(), pages=None, environment=None):
        pages = pages or os.environ.get("BATON_PAGES")
        super().__init__(
            pieces, "--no-listen-osc", "--ttl", "0", "--port", free_port(), *(["--device", device] if device else []),
            *([] if accounts else ["--no-sign-in"]), *(["--pages", pages] if pages else []), *options,
            lives=lives, accounts=accounts, environment=environment)
        self.start()

    def __enter__(self):
        return self
