"""One or more music stands in a real browser, and the words their tests speak."""

import os

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import served_stands
from hall_case import size
from lib.waiting import hold_for
from page_case import PageCase

# The address of a running server; None for one of their own that the tests start.
BASE = os.environ.get("BATON_STANDS", "").rstrip("/") or None
# Names of three users who may play, the first of whom owns rooms; and the password of all.
USERS = os.environ.get("BATON_STAND_USERS", "ines,otto,vera").split(",")
PASSWORD = os.environ.get("BATON_STAND_PASSWORD", served_stands.PASSWORD)
PORTRAIT, LANDSCAPE, PHONE, DESKTOP = (820, 1180), (1180, 820), (390, 844), (1600, 1000)


class StandCase(PageCase):
    """Every test begins with a device that was never here."""

    @classmethod
    def setUpClass(cls):
        cls.begin(None, BASE or served_stands.shared().base)

    def setUp(self):
        if not BASE:
            self.rehearsal.reset()
        self.forget()
        size(self.driver, PORTRAIT)
        self.driver.get_log("browser")

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    # -- doing ----------------------------------------------------------------------------------------------

    @property
    def rehearsal(self):
        if BASE:
            self.skipTest("needs a server of its own")
        return served_stands.shared()

    def forget(self):
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": self.base, "storageTypes": "all"})
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})

    def open(self):
        self.driver.get(self.base + "/stand")

    def sign_in(self, name=USERS[0], password=PASSWORD):
        self.until(lambda: self.screen() == "sign-in", "the sign-in is shown")
        self.script("document.getElementById('login').value = arguments[0]; document.getElementById('password').value "
                    "= arguments[1]",
                    name, password)
        self.click("#enter")

    def enter_home(self, name=USERS[0]):
        self.open()
        self.sign_in(name)
        self.until(lambda: self.script("return document.querySelectorAll('#scores li').length") > 0,
                   "the lists are shown", 8)

    def enter_room(self, name=USERS[1], part=0, begun=True):
        """Into the rehearsal room with a part on the stand."""
        if begun:
            self.rehearsal.begin()
        self.enter_home(name)
        self.click(f"[data-room='{self.rehearsal.room_id}']")
        self.until(lambda: self.shown(f"#dialog [data-part='{part}']"), "the parts are offered")
        self.click(f"#dialog [data-part='{part}']")
        self.until(self.is_painted, "the page is painted", 8)
        self.until(lambda: self.joined(name), "the server knows the stand")
        self.script("document.getElementById('dialog').close()")

    def key(self, key):
        self.press(key)

    def pedal(self, back=False):
        # As a foot does: presses nearer to each other than 150 ms are one (oneact.js).
        hold_for(0.2)
        self.key(Keys.PAGE_UP if back else Keys.PAGE_DOWN)

    def tap(self, across, down=0.5, hold=0.0):
        width, height = self.script("return [innerWidth, innerHeight]")
        chain = ActionChains(self.driver, duration=0)
        # Not relative to where the pointer was: that may lie outside a window that has become smaller.
        chain.w3c_actions.pointer_action.move_to_location(int(width * across), int(height * down))
        chain.w3c_actions.key_action.pause()
        chain.click_and_hold()
        if hold:
            chain.pause(hold)
        chain.release().perform()

    def click(self, selector):
        self.until(lambda: self.shown(selector) and self.clicked(selector), f"{selector} is shown")

    def clicked(self, selector):
        """Lists are made anew as the server answers: what was found may be another by then."""
        self.driver.find_element("css selector", selector).click()
        return True

    # -- looking --------------------------------------------------------------------------------------------

    def screen(self):
        return self.script("return document.body.dataset.screen")

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector).strip()

    def shown(self, selector):
        return self.script("return Boolean(document.querySelector(arguments[0])?.getClientRects().length)", selector)

    def pages(self):
        """The pages that lie on the stand, from 0."""
        return [int(page)
                for page in (self.script("return document.getElementById('stage').dataset.pages") or "").split()]

    def is_painted(self):
        return self.script("""const shown = [...document.querySelectorAll('.leaf.shown')];
            return shown.length > 0 && shown.every((leaf) => leaf.querySelector('.sheet > canvas').width > 300)""")

    def joined(self, name):
        return self.rehearsal.id(name) in self.rehearsal.present()

    def lies(self, *pages, seconds=3.0):
        self.until(lambda: self.pages() == list(pages), f"pages {pages} lie there, not {self.pages()}", seconds)
