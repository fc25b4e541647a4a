#!/usr/bin/python3
"""A technician's console against a real server: what performance_served_test.py leaves out. Takes a good minute.

    BATON=path/to/baton Tests/Pages/console_served_test.py [SCENE …]

Scenes, side by side: evening (signing in, cue list, GO, places, lock, panic, all without a mouse), check (a passing
input, silence,
a device that is not there), lost (a passage of another piece, candidates, one key). Each has servers of its own on
loopback; sound files are made from the repository's recordings. The last line is `N passed, N failed`.
"""

import pathlib
import sys
import tempfile
import threading

import console_check_scene
import console_evening_scene
import console_lost_scene
from browser import chromium, resize
from checks import Checks

SCENES = {"evening": console_evening_scene.play, "check": console_check_scene.play, "lost": console_lost_scene.play}


def stage(checks, name):
    """One scene, with a browser and a folder of its own."""
    try:
        with tempfile.TemporaryDirectory(prefix="baton-scene-") as folder, chromium() as driver:
            resize(driver, "laptop")
            SCENES[name](checks, driver, pathlib.Path(folder))
    except (Exception, SystemExit) as trouble:  # one scene's end must not hide the others' results
        checks.that(f"{name}: the scene comes to its end", False, repr(trouble))


def main():
    chosen = sys.argv[1:] or list(SCENES)
    if any(name not in SCENES for name in chosen):
        raise SystemExit(__doc__)
    checks = Checks()
    # The longest waits most of its time for the music; the others one after another beside it.
    rows = [[name for name in chosen if name == "lost"], [name for name in chosen if name != "lost"]]
    players = [threading.Thread(target=lambda row=row: [stage(checks, name) for name in row]) for row in rows]
    for player in players:
        player.start()
    for player in players:
        player.join()
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
