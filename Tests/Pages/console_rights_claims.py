"""Whoever may only look at the show sees that, and sends no command by any button or key."""

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import resize
from console_case import DeskCase

SIGN = "You may look; a technician or an administrator commands."
# The controls that can be used, but for those that only show something.
USABLE = """return [...document.querySelectorAll("button, input, select, textarea")].filter((e) =>
    e.checkVisibility() && !e.matches(":disabled, [data-panel], #panel-close"))
    .map((e) => e.id || e.dataset.action || e.className || e.textContent)"""


class RightsTest(DeskCase):
    """The console and the page of titles for an editor."""

    def setUp(self):
        self.need_script()
        self.server.add_editor()
        super().setUp()
        self.sign_in("emma")
        self.addCleanup(self.sign_in, "ines")
        # Whatever the page sends that is no question.
        self.open()
        self.look()

    def look(self):
        self.until(lambda: SIGN in self.text("rights"), "the sign stands at the top")
        self.script("""
            window.asked = [];
            const really = window.fetch;
            window.fetch = (path, how) => {
              if ((how?.method ?? "GET") !== "GET") window.asked.push(`${how.method} ${path}`);
              return really(path, how);
            };""")

    def asked(self):
        return self.script("return window.asked")

    def test_no_control_of_the_console_can_be_used(self):
        self.assertEqual(self.script(USABLE), [])
        self.assertIn("cues", self.text("rights"))
        for size in ("phone", "laptop"):
            resize(self.driver, size)
            self.assertTrue(self.shown("rights"), size)
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth - innerWidth"), 0, size)

    def test_no_key_sends_a_command(self):
        self.press(Keys.ESCAPE, Keys.SPACE, Keys.ARROW_DOWN, Keys.ARROW_LEFT, *"almhtnfb[]7")
        self.until(lambda: SIGN in self.notices(), "it is said why")
        self.stays(lambda: self.asked() == [], "nothing is sent", 0.5)
        self.assertEqual(self.script("return document.getElementById('place').value"), "")

    def test_the_panels_show_and_do_not_command(self):
        for panel in ("programme", "messages", "check"):
            self.script("document.querySelector(`[data-panel=${arguments[0]}]`).click()", panel)
            self.until(lambda: self.shown("panel"), panel)
            self.assertEqual(self.script(USABLE), [], panel)
        self.script("document.querySelector('[data-panel=share]').click()")
        own = "return document.querySelector(\"#panel a[href='/account']\")?.checkVisibility()"
        self.until(lambda: self.script(own), "the own account")
        note = self.driver.find_element(By.CSS_SELECTOR, "#panel [aria-label='Note for the log']")
        self.assertFalse(note.is_enabled())
        self.assertIn("Sign out", self.script(
            "return [...document.querySelectorAll('#panel button:enabled')].map((e) => e.textContent)"))

    def test_the_titles_are_looked_at_and_their_lists_loaded(self):
        self.driver.get(self.base + "/titles")
        self.look()
        self.until(lambda: "Set up" not in self.script("return document.getElementById('screens').textContent"),
                   "no screen can be set up")
        self.until(lambda: self.script("return document.getElementById('next').matches(':disabled')"), "no command")
        self.press(Keys.PAGE_DOWN, *"hba1")
        self.stays(lambda: self.asked() == [], "nothing is sent", 0.5)
        self.assertEqual(self.text("say"), SIGN)
        self.assertTrue(self.driver.find_element(By.ID, "file").is_enabled(), "a list can be loaded")
        self.assertEqual(self.script("return document.querySelectorAll('#list button').length"), 0)

    def test_the_house_says_what_an_editor_may_do_there(self):
        self.driver.get(self.base + "/house")
        purpose = "return document.querySelector(`#pages a[href='${arguments[0]}']`)?.title ?? ''"
        self.until(lambda: "See how tonight goes" in self.script(purpose, "/console"), "the console is for looking")
        self.assertNotIn("by hand", self.script(purpose, "/titles"))


class CommandingTest(DeskCase):
    """Whoever may command is told nothing of rights."""

    def test_a_technician_sees_no_sign_and_every_control_works(self):
        self.need_script()
        self.stays(lambda: not self.shown("rights"), "no sign", 0.7)
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "a key is obeyed")
        self.driver.get(self.base + "/titles")
        self.stays(lambda: not self.shown("rights"), "no sign on /titles", 0.7)
