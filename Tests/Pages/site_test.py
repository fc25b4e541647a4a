#!/usr/bin/python3
"""The try-out of the engine as static files, in a real browser: a performance is followed, and found after a jump.

    Tests/Pages/site_test.py [firefox] [--pictures FOLDER]

Makes the folder with Tools/site (out/web/engine.wasm must be there: Tools/build-web) and serves it with nothing but
Python's own web server. The last line is `N passed, N failed`.
"""

import functools
import http.server
import subprocess
import sys
import tempfile
import threading

import engines
from browser import chromium, resize
from checks import Checks, text, until
from lib.repository import ROOT, recording

MINUET = "petzold-anna-magdalena-notebook-minuet-in-g"


class Quiet(http.server.SimpleHTTPRequestHandler):
    asked = []

    def log_message(self, *words):
        self.asked.append(self.requestline)


def number(driver):
    text = driver.execute_script("return document.querySelector('#bar').textContent")
    return int(text) if text.isdigit() else 0


def state(driver):
    return driver.execute_script("return document.querySelector('.here').dataset.state ?? ''")


def too_old(checks, port):
    """A browser without what the engine needs says so, and offers nothing that cannot work."""
    for lack, flags, script in (
            ("SIMD", ["--js-flags=--no-enable-sse4-1"], ""),
            ("a sound thread", [], "delete window.AudioWorkletNode"),
            ("WebAssembly", [], "delete window.WebAssembly")):
        with chromium(arguments=flags) as driver:
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
            driver.get(f"http://127.0.0.1:{port}/")
            checks.that(f"a browser without {lack} is told to be too old", until(
                lambda driver=driver: text(driver, "#say") == "This browser cannot follow music; use a newer one.", 20))
            checks.that("and nothing is offered", not driver.find_element("css selector", "#play").is_enabled())


def main():
    pictures = sys.argv[sys.argv.index("--pictures") + 1] if "--pictures" in sys.argv else None
    checks = Checks()
    is_firefox = "firefox" in sys.argv
    if is_firefox and engines.missing("hearing firefox"):
        print(f"skipped: {engines.missing('hearing firefox')}")
        sys.exit(checks.end())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "Tools" / "site", folder], check=True, stdout=subprocess.DEVNULL)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with engines.hearing_firefox() if is_firefox else chromium() as driver:
            driver.get(f"http://127.0.0.1:{server.server_port}/")
            checks.that("the page is ready", until(
                lambda: driver.execute_script("return !document.querySelector('#play').disabled"), 20))
            for _ in range(2):  # an impatient hand
                driver.find_element("css selector", "#play").click()
            checks.that("another performance is followed", until(
                lambda: number(driver) >= 3 and state(driver) == "following", 40))
            checks.that("and its first slide is read meanwhile", until(lambda: text(driver, "#slide .lead") != "", 5))
            first = text(driver, "#slide")
            for width, height in ((390, 844), (820, 1180), (1440, 900)):
                resize(driver, (width, height))
                wide = driver.execute_script("return document.documentElement.scrollWidth")
                checks.that(f"nothing is cut off at {width}", wide <= width, f"{wide} wide")
                if pictures:
                    driver.save_screenshot(f"{pictures}/site-{width}.png")
            before = number(driver)
            driver.execute_script("""const canvas = document.querySelector('#path');
                const box = canvas.getBoundingClientRect();
                canvas.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.left + 5,
                  clientY: box.top + box.height * 0.3 }))""")
            checks.that("after a jump it is found again", until(
                lambda: number(driver) > before + 8 and state(driver) == "following", 40), f"from bar {before}")
            checks.that("with another slide", until(lambda: text(driver, "#slide") not in ("", first), 10))
            for field, performance in (("own-reference", "dance"), ("own-performance", "gentle")):
                driver.find_element("css selector", f"#{field}").send_keys(str(recording(MINUET, performance)))
            driver.find_element("css selector", "#own-play").click()
            checks.that("one's own recording is followed by another one", until(
                lambda: text(driver, "#word") == "Second" and number(driver) >= 3 and state(driver) == "following", 60))
            checks.that("which has no slides", text(driver, "#slide") == "")
            driver.find_element("css selector", "#stop").click()
            sent = [line for line in Quiet.asked if not line.startswith("GET ")]
            elsewhere = driver.execute_script("""return performance.getEntriesByType('resource').map(({ name }) => name)
                .filter((name) => !name.startsWith(location.origin + '/') && !name.startsWith('blob:'))""")
            checks.that("nothing is sent, and no other host is asked", sent + elsewhere == [], str(sent + elsewhere))
            with tempfile.NamedTemporaryFile(suffix=".mp3") as broken:
                broken.write(b"no sound" * 100)
                broken.flush()
                driver.find_element("css selector", "#own-performance").send_keys(broken.name)
                driver.find_element("css selector", "#own-play").click()
                checks.that("a file that is no sound is a sentence", until(
                    lambda: "cannot read" in text(driver, "#say"), 60), text(driver, "#say"))
            checks.that("and nothing sounds", not driver.find_element("css selector", "#stop").is_enabled())
            checks.that("nothing is broken", not [each for each in driver.get_log("browser")
                                                   if each["level"] == "SEVERE" and "favicon" not in each["message"]])
        if not is_firefox:
            too_old(checks, server.server_port)
        server.shutdown()
    sys.exit(checks.end())


if __name__ == "__main__":
    main()
