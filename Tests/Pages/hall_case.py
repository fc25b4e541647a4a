"""One phone, one hall, and the words the tests of the audience page speak."""

import bisect
import json
import os
import urllib.request

import served_hall
from page_case import PageCase

# The address of a running server; None for one of their own that the tests start.
BASE = os.environ.get("BATON_HALL", "").rstrip("/") or None
PHONE, TABLET, DESKTOP, SMALL, LYING = (390, 844), (820, 1180), (1440, 900), (320, 568), (844, 390)


def size(driver, screen, scale=1):
    width, height = screen
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 900})


def slide_at(track, position):
    """The slide that is right while a played measure sounds, reckoned apart from the page; None before the first."""
    starts = sorted((slide["played"], index) for index, slide in enumerate(track["slides"]))
    at = bisect.bisect_right(starts, (position, len(starts)))
    return starts[at - 1][1] if at else None


class HallCase(PageCase):
    """Every test begins with a phone that was never here."""

    @classmethod
    def setUpClass(cls):
        cls.hall = None if BASE else served_hall.shared()
        cls.begin(None, BASE or cls.hall.base)

    def setUp(self):
        if self.hall:
            self.scenario("reset")
        self.forget()
        size(self.driver, PHONE)
        self.concert = json.loads(urllib.request.urlopen(self.base + "/api/audience/concert").read())

    def tearDown(self):
        self.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 1})
        self.assertEqual(self.complaints(), [])

    # -- doing --------------------------------------------------------------------------------------------

    def forget(self):
        """A phone that was never here: no storage, no cache, no worker."""
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": self.base, "storageTypes": "all"})
        self.driver.execute_cdp_cmd("Network.clearBrowserCache", {})

    def scenario(self, name):
        if self.hall is None:
            self.skipTest("needs a hall that obeys scenarios")
        return self.hall.scenario(name)

    def open(self, path="/", wait=True):
        if "#" in path:
            self.driver.get("about:blank")  # another fragment alone would load nothing
        self.driver.get(self.base + path)
        if wait:
            self.until(lambda: self.screen() in ("slides", "home", "words", "notes"), "something is shown", 6)

    def click(self, selector):
        self.driver.find_element("css selector", selector).click()

    # -- looking ------------------------------------------------------------------------------------------

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector).strip()

    def shown(self, selector):
        return self.script("return Boolean(document.querySelector(arguments[0])?.getClientRects().length)", selector)

    def screen(self):
        return self.script("return document.getElementById('app')?.dataset.screen")

    def green(self):
        return self.script("return document.getElementById('live').dataset.live") == "true"

    def number(self):
        """The slide's number as shown, from 1; 0 for the title."""
        first = self.text("#place").split(" ")[0]
        return int(first) if first.isdigit() else 0

    def right(self, live, track="The Music"):
        """The number that is right at a live position."""
        found = next(entry for entry in self.concert["pieces"][live["piece"]]["tracks"] if entry["name"] == track)
        at = slide_at(found, live["played"])
        return 0 if at is None else at + 1

    def wait_for_kept(self, count=5):
        self.until(lambda: self.later("""return (await (await caches.open('baton-kept')).keys())
            .filter((key) => key.url.endsWith('data.json')).length""") == count, "the pieces are kept", 8)

    def wait_for_worker(self):
        self.until(lambda: self.script("return Boolean(navigator.serviceWorker?.controller)"),
                   "the worker has taken over", 10)
