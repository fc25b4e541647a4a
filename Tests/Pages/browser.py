"""A headless browser, sized like the screens a technician has: Chromium, or what BATON_BROWSER names."""

import contextlib
import os
import shutil
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains

import engines

SIZES = {
    "laptop": (1280, 800), "desktop": (1920, 1080), "small-laptop": (1024, 768),
    "tablet": (768, 1024), "phone": (390, 844),
}


# chromium, firefox or webkit.
ENGINE = os.environ.get("BATON_BROWSER", "chromium")
# The factor by which a claim may take longer in other browsers: they draw without a graphics processor, with few
# threads.
PATIENCE = 1 if ENGINE == "chromium" else 3


def started(engine=ENGINE):
    """The browser the tests are for, with a profile of its own, gone when the block ends."""
    if engine not in ("chromium", "firefox", "webkit"):
        raise SystemExit(f"BATON_BROWSER is chromium, firefox or webkit, not “{engine}”.")
    if engines.missing(engine):
        raise SystemExit(engines.missing(engine))
    return {"chromium": chromium, "firefox": engines.firefox, "webkit": engines.webkit}[engine]()


@contextlib.contextmanager
def chromium(profile=None, arguments=()):
    """A browser with a profile of its own, gone when the block ends; or with the folder `profile`, which stays.

    `arguments` are further ones of its command line.
    """
    folder = profile or tempfile.mkdtemp(prefix="baton-browser-")
    options = Options()
    options.binary_location = shutil.which("chromium") or "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--force-color-profile=srgb", "--hide-scrollbars", f"--user-data-dir={folder}", *arguments):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver") or "/usr/bin/chromedriver"))
    try:
        yield driver
    finally:
        driver.quit()
        if not profile:
            shutil.rmtree(folder, ignore_errors=True)


def hearing(wave=None, *, once=False, plays_unasked=False, arguments=()):
    """A Chromium that may use the microphone without asking. Its microphone beeps, or plays a WAV file over and over
    or once. `plays_unasked`: pages may sound before anybody touched them.
    """
    sound = [f"--use-file-for-fake-audio-capture={wave}{'%noloop' if once else ''}"] if wave else []
    playing = ["--autoplay-policy=no-user-gesture-required"] if plays_unasked else []
    return chromium(arguments=[
        "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", *playing, *sound, *arguments])


def resize(driver, size):
    """Sets the page's own size, whatever the window's frame takes."""
    width, height = SIZES[size] if isinstance(size, str) else size
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})


SAME_KEY = 0.2  # s after which a hand presses the same key again; a page takes what comes sooner for one press


def press(driver, *keys, modifier=None):
    """Presses keys one after another as a hand does, all of them with a modifier where one is named."""
    chain = ActionChains(driver, duration=0)
    if modifier:
        chain.key_down(modifier)
    pressed = vars(driver).setdefault("pressed", {})
    now = time.monotonic()
    for key in keys:
        wait = pressed.get(key, 0) + SAME_KEY - now
        if wait > 0 and not str(key).isdigit():
            chain.pause(wait)
            now += wait
        pressed[key] = now
        chain.send_keys(key)
    if modifier:
        chain.key_up(modifier)
    chain.perform()


def bounce(driver, key, times=2):
    """Presses a key as a contact that bounces does: several times within a moment, each press with its release."""
    driver.execute_script("""
        for (let count = 0; count < arguments[1]; count += 1) for (const kind of ["keydown", "keyup"]) {
            document.body.dispatchEvent(new KeyboardEvent(kind, { key: arguments[0], code: arguments[0],
                bubbles: true, cancelable: true }));
        }""", key, times)


# A page is settled when its fonts and pictures are there, nothing glides, and its size and parts stay for 0.3 s.
SETTLED = """
    const done = arguments[0], finite = (one) => one.effect?.getComputedTiming().endTime !== Infinity;
    const look = () => {
      const page = document.documentElement;
      return [page.scrollWidth, page.scrollHeight, innerWidth, document.getElementsByTagName("*").length].join();
    };
    let before = look(), since = performance.now(), begun = since;
    const step = () => {
      const now = performance.now(), found = look();
      const busy = document.readyState !== "complete" || document.fonts.status !== "loaded"
        || [...document.images].some((one) => one.src && !one.complete && one.getClientRects().length)
        || document.getAnimations().some((one) => one.playState === "running" && finite(one));
      if (busy || found !== before) [before, since] = [found, now];
      if (now - since >= 300 || now - begun > 8000) done(); else setTimeout(step, 30);
    };
    setTimeout(step, 30);"""


def settle(driver):
    """Waits until the page has come to rest; 8 s at most, for one that never does."""
    driver.set_script_timeout(20)
    driver.execute_async_script(SETTLED)


def sign_in(driver, base, name="ines", password="open sesame"):
    """Signs in where the server asks for it."""
    driver.get(base + "/login")
    return driver.execute_async_script("""
        const done = arguments[2];
        fetch("/api/login", {method: "POST", headers: {"X-Baton": "1", "Content-Type": "application/json"},
            body: JSON.stringify({name: arguments[0], password: arguments[1]})})
            .then((r) => done(r.status), () => done(0));
        """, name, password)
