#!/usr/bin/python3
"""Accounts in a real browser: an invited musician makes an account by a link, which works once.

    BATON=path/to/baton Tests/Pages/accounts_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import json
import os
import sys
import unittest

from selenium.webdriver.common.by import By

from browser import ENGINE, resize, sign_in
from page_case import PageCase, pictures_folder
from scripted import Scripted

PIECES = "petzold-anna-magdalena-notebook-minuet-in-g"
PASSPHRASE = "open sesame"
CHOSEN = "seven quiet violas"
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800)}
PICTURES = None
SMALL = """return [...document.querySelectorAll("a, button, input, summary, select")]
    .filter((e) => e.offsetHeight && (e.offsetHeight < 43.5 || e.offsetWidth < 43.5)
        && !(["checkbox", "radio"].includes(e.type) && e.closest("label").offsetHeight >= 43.5))
    .map((e) => e.outerHTML.slice(0, 120))"""


class AccountsTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(Scripted(PIECES, accounts=[
            ("ada", "administrator", PASSPHRASE), ("lena", "editor", PASSPHRASE), ("max", "musician", PASSPHRASE)]))

    def setUp(self):
        self.driver.get(self.base + "/login")
        self.driver.delete_all_cookies()
        self.script("sessionStorage.clear(); localStorage.clear()")
        resize(self.driver, SIZES["phone"])
        self.driver.get_log("browser")

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    # -- words ----------------------------------------------------------------------------------------------------

    def pictures(self, name):
        for size, pixels in SIZES.items() if PICTURES else ():
            resize(self.driver, pixels)
            self.settle()
            self.driver.save_screenshot(os.path.join(PICTURES, f"accounts-{name}-{size}.png"))
        resize(self.driver, SIZES["phone"])

    def visible(self, css):
        return self.script("return Boolean(document.querySelector(arguments[0])?.getClientRects().length)", css)

    def click(self, css):
        self.until(lambda: self.visible(css), f"there is {css}", 6)
        self.driver.find_element(By.CSS_SELECTOR, css).click()

    def write(self, css, text):
        field = self.driver.find_element(By.CSS_SELECTOR, css)
        field.clear()
        field.send_keys(text)

    def call(self, path, method="GET", body=None):
        return self.later("""
            const answer = await fetch(given[0], { method: given[1], body: given[2],
              headers: given[1] === "GET" ? {} : { "X-Baton": "1" } });
            return { status: answer.status, body: await answer.json().catch(() => null) };""",
                          path, method, None if body is None else json.dumps(body))

    def manage(self, who="ada"):
        sign_in(self.driver, self.base, who, PASSPHRASE)
        self.driver.get(self.base + "/accounts")
        self.until(lambda: self.visible(".role"), "the page is there", 8)

    def invite(self, role="musician", names=""):
        """The links that were made."""
        self.click(f"#role-{role}")
        self.write("#names", names)
        self.click("#make")
        self.until(lambda: self.visible("#dialog .link"), "the link is shown", 8)
        return self.script("return [...document.querySelectorAll('#dialog .link')].map((field) => field.value)")

    def open_link(self, link):
        self.driver.get("about:blank")
        self.driver.get(link)

    def join(self, name, password=CHOSEN):
        self.until(lambda: self.visible("#form"), "the form is shown", 8)
        self.write("#name", name)
        self.write("#password", password)
        self.click("#submit")

    def forget_sign_in(self):
        self.driver.delete_cookie("baton_session")

    # -- claims ---------------------------------------------------------------------------------------------------

    def test_whoever_has_to_wait_for_others_is_told_the_place_and_comes_in_by_itself(self):
        self.driver.get(self.base + "/login")
        self.script("""
            const really = window.fetch;
            window.tries = 0;
            window.fetch = (path, how) => path !== "/api/login" || ++window.tries > 3 ? really(path, how)
              : Promise.resolve(new Response(JSON.stringify({ code: "busy", number: 13 - window.tries, again: 250,
                  error: `Many people are signing in; you are number ${13 - window.tries}.` }), { status: 503 }));
            window.said = [];
            new MutationObserver(() => window.said.push(document.getElementById("say").textContent))
              .observe(document.getElementById("say"), { childList: true });
            addEventListener("pagehide", () => sessionStorage.setItem("said", JSON.stringify(window.said)));""")
        self.write("#name", "max")
        self.write("#password", PASSPHRASE)
        self.driver.find_element(By.ID, "submit").click()
        self.until(lambda: "/stand" in self.driver.current_url, "the musician is at the stand", 10)
        said = json.loads(self.script("return sessionStorage.getItem('said')") or "[]")
        self.assertEqual([line[-3:] for line in said if "Many people" in line], ["12.", "11.", "10."])

    def test_a_musician_comes_in_by_a_link_that_works_once_and_leaves_no_trace(self):
        self.manage()
        self.pictures("list")
        self.assertEqual(self.script(SMALL), [])
        [link] = self.invite(names="Berta, viola")
        self.pictures("link")
        self.assertTrue(self.script("const i = document.querySelector('#dialog .qr'); return i.naturalWidth > 0"))
        self.forget_sign_in()
        self.open_link(link)
        self.until(lambda: self.visible("#form"), "the form is shown", 8)
        self.assertIn("ada invites you", self.words())
        self.assertEqual(self.script("return [location.hash, document.referrer]"), ["", ""], "the secret is gone")
        self.pictures("join")
        self.assertEqual(self.script(SMALL), [])
        self.driver.refresh()
        self.join("max")
        self.until(lambda: "already an account" in self.words(), "a name that is taken is refused", 8)
        self.join("Berta", "short")
        self.until(lambda: "8" in self.words("#say"), "a short passphrase is refused", 8)
        self.join("Berta")
        self.until(lambda: self.script("return location.pathname") == "/stand", "led to the stand", 15)
        self.until(lambda: {"name": "Berta", "role": "musician", "signIn": True}.items()
                   <= self.call("/api/me")["body"].items(), "signed in", 8)
        self.open_link(link)
        self.until(lambda: "used already" in self.words(), "the link works once", 8)
        self.assertNotIn(link.split("#")[1], self.server.said)

    def test_the_sign_in_page_leads_on_to_where_the_account_begins(self):
        for name, home in (("max", "/stand"), ("lena", "/library"), ("ada", "/console")):
            for search, path in (("", home), ("?next=/account", "/account"), ("?next=//elsewhere.example/", home)):
                with self.subTest(name, search=search):
                    sign_in(self.driver, self.base, name, PASSPHRASE)
                    self.driver.get(self.base + "/login" + search)
                    self.until(lambda path=path: self.script("return location.pathname") == path, f"led to {path}", 8)

    def test_a_page_for_other_roles_lets_one_sign_in_as_somebody_else(self):
        sign_in(self.driver, self.base, "max", PASSPHRASE)
        self.driver.get(self.base + "/console")
        self.script("[...document.links].find((a) => a.textContent === 'Sign in as somebody else').click()")
        self.until(lambda: self.visible("#form"), "the form is shown", 8)
        self.write("#name", "ada")
        self.write("#password", PASSPHRASE)
        self.click("#submit")
        self.until(lambda: self.script("return location.pathname") == "/console", "led to the console", 8)
        self.assertEqual(self.call("/api/me")["body"]["name"], "ada")

    def test_the_command_for_the_first_administrator_is_shown_only_while_there_is_no_account(self):
        self.driver.get(self.base + "/login")
        self.until(lambda: self.script("""return performance.getEntriesByType("resource").some((entry) =>
            entry.name.endsWith("/api/first-account") && entry.responseEnd > 0)"""), "the server was asked", 8)
        self.settle()
        self.assertTrue(self.visible("#form"))
        self.assertNotIn("administrator", self.words())
        if ENGINE == "chromium":
            # The hint as the page shows it before it leads on to /start, because the server says that there is none.
            script = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
                const really = window.fetch;
                window.fetch = (path, how) => path !== "/api/first-account" ? really(path, how)
                    : Promise.resolve(Response.json({ isNeeded: true }));
                addEventListener("pagehide", () => sessionStorage.setItem("words", document.body.innerText));"""})
            try:
                self.driver.get(self.base + "/login")
                self.until(lambda: "First steps"
                           in (self.script("return sessionStorage.getItem('words')") or ""), "the command is shown", 8)
            finally:
                self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

    def test_a_device_of_somebody_else_asks_before_it_signs_out(self):
        self.manage()
        [link] = self.invite(names="Carl")
        self.forget_sign_in()
        sign_in(self.driver, self.base, "max", PASSPHRASE)
        self.open_link(link)
        self.until(lambda: "max is signed in on this device" in self.words(), "it says so", 8)
        self.pictures("other")
        self.assertFalse(self.visible("#form"))
        self.click("#sign-out")
        self.join("Carl")
        self.until(lambda: self.script("return location.pathname") == "/stand", "led to the stand", 15)
        self.assertEqual(self.call("/api/me")["body"]["name"], "Carl")

    def test_a_withdrawn_link_is_refused(self):
        self.manage()
        [link] = self.invite("technician", "Dora")
        self.click("#dialog-close")
        self.click("[data-state=open] button[aria-label='Withdraw: Dora']")
        self.until(lambda: "Dora" not in self.words("#invitations"), "it is gone", 8)
        self.open_link(link)
        self.until(lambda: "not valid any more" in self.words(), "it is refused", 8)

    def test_the_house_shows_each_person_the_pages_that_open_for_them(self):
        listed, doors = {}, {}
        for name in ("max", "lena", "ada"):
            sign_in(self.driver, self.base, name, PASSPHRASE)
            for size in SIZES:
                resize(self.driver, SIZES[size])
                self.driver.get(self.base + "/house")
                self.until(lambda: self.script("return document.querySelectorAll('#pages a').length"),
                           "the pages stand there")
                self.assertEqual(self.script(SMALL), [])
                self.assertLessEqual(*self.script("const e = document.documentElement;"
                                                  " return [e.scrollWidth, e.clientWidth]"))
            listed[name] = self.script("return [...document.querySelectorAll('#pages a')].map((a) => a.pathname)")
            self.assertEqual(self.script("""return Promise.all(arguments[0].map((path) => fetch(path)
                .then((answer) => answer.status)))""", listed[name]), [200] * len(listed[name]))
            doors[name] = self.script("return [...document.querySelectorAll('#pages h2')].map((e) => e.textContent)")
            self.pictures(f"house-{name}")
        self.assertEqual(doors, {"max": ["Tonight"], "lena": ["Tonight", "Pieces", "People and place"],
                                 "ada": ["Tonight", "Pieces", "People and place"]})
        self.assertEqual(listed["max"][:3], ["/stand", "/practice", "/diary"], "a musician's own pages come first")
        self.assertNotIn("/console", listed["max"])
        self.assertLess(set(listed["max"]), set(listed["lena"]))
        self.assertLess(set(listed["lena"]), set(listed["ada"]))
        self.driver.get(self.base + "/library")
        self.driver.find_element(By.CSS_SELECTOR, "a.house").click()
        self.until(lambda: self.script("return location.pathname === '/house'"), "the mark leads to the house")

    def test_a_page_leads_to_those_behind_its_door_by_the_names_of_the_house_and_to_no_others(self):
        other = "return [...document.querySelectorAll('nav.neighbours a')].map((a) => a.textContent)"
        for name, path, expected in (
                ("ada", "/prepare", ["Library", "Content"]), ("ada", "/library", ["All pieces", "Content"]),
                ("ada", "/edit", ["All pieces", "Library"]), ("ada", "/accounts", ["First steps"]),
                ("ada", "/recordings", ["Console", "Titles", "Screen", "Speak", "Listeners' page", "Microphone",
                                        "Report"]),
                ("lena", "/titles", ["Console", "Screen", "Speak", "Listeners' page", "Microphone", "Report"]),
                ("max", "/diary", ["Stand", "Practice", "My account"])):
            sign_in(self.driver, self.base, name, PASSPHRASE)
            for size in SIZES:
                resize(self.driver, SIZES[size])
                self.driver.get(self.base + path)
                self.until(lambda: self.script(other) == expected, f"{path} of {name}: {expected}", 10)  # noqa: B023
                self.assertLessEqual(*self.script("const e = document.documentElement;"
                                                  " return [e.scrollWidth, e.clientWidth]"), f"{path} at {size}")
                if name == "ada":
                    self.pictures(f"neighbours-{path[1:]}-{size}")

    def test_whoever_forgot_the_passphrase_chooses_another_and_is_signed_out_elsewhere(self):
        self.manage()
        links = self.invite(names="Emil\nFritz")
        self.assertEqual(len(links), 2)
        self.pictures("links")
        self.forget_sign_in()
        self.open_link(links[0])
        self.join("Emil")
        self.until(lambda: self.script("return location.pathname") == "/stand", "led to the stand", 15)
        old = self.driver.get_cookie("baton_session")["value"]
        self.forget_sign_in()
        self.manage()
        self.click("#people li:has(summary[aria-label='More for Emil']) summary")
        self.script("[...document.querySelectorAll('#people details[open] button')].find((b) => b.textContent.includes("
                    "'Forgot')).click()")
        self.until(lambda: self.visible("#dialog .link"), "the link is shown", 8)
        reset = self.script("return document.querySelector('#dialog .link').value")
        self.forget_sign_in()
        self.open_link(reset)
        self.until(lambda: self.visible("#form"), "the form is shown", 8)
        self.assertFalse(self.visible("#name"))
        self.write("#password", "eight loud cellos")
        self.click("#submit")
        self.until(lambda: self.script("return location.pathname") == "/stand", "led to the stand", 15)
        self.driver.add_cookie({"name": "baton_session", "value": old, "path": "/"})
        self.assertEqual(self.call("/api/me")["status"], 401, "the old sign-in has ended")

    def test_the_own_passphrase_is_changed_with_the_old_one(self):
        sign_in(self.driver, self.base, "lena", PASSPHRASE)
        self.driver.get(self.base + "/account")
        self.until(lambda: self.words("#name") == "lena", "the page is there", 8)
        self.pictures("own")
        self.assertEqual(self.script(SMALL), [])
        self.write("#old", "wrong one")
        self.write("#new", CHOSEN)
        self.click("#submit")
        self.until(lambda: "old passphrase is wrong" in self.words("#say"), "the old one is asked", 8)
        self.write("#old", PASSPHRASE)
        self.click("#submit")
        self.until(lambda: "It is changed" in self.words("#say"), "it is changed", 8)
        self.assertEqual(self.call("/api/me")["status"], 200)
        self.assertEqual(self.call("/api/account/password", "POST", {"old": CHOSEN, "new": PASSPHRASE,
                                                                     "endsOthers": False})["status"], 200)

    def test_an_address_without_https_is_told_what_it_lacks(self):
        told = self.later("""
            const { insecureSentence } = await import("/shared/secure.js");
            return [insecureSentence(true), insecureSentence(false), insecureSentence()];""")
        self.assertEqual([told[0], told[2]], ["", ""], "this machine is safe")
        for word in ("microphone", "without the network", "installing", "MIDI", "https"):
            self.assertIn(word, told[1])

    def test_an_editor_invites_musicians_only_and_nobody_shuts_themselves_out(self):
        self.manage("lena")
        self.assertEqual(self.script("return [...document.querySelectorAll('.role input')].map((e) => e.value)"),
                         ["musician"])
        self.assertNotIn("ada", self.words("#people"))
        body = {"role": "administrator", "names": [], "address": self.base}
        self.assertEqual(self.call("/api/invitations", "POST", body)["status"], 403)
        self.forget_sign_in()
        self.manage()
        you = self.call("/api/accounts")["body"]["you"]
        for change in ({"role": "musician"}, {"isSuspended": True}):
            self.assertEqual(self.call(f"/api/accounts/{you}", "PUT", change)["body"]["code"], "yourself")
        self.assertEqual(self.call(f"/api/accounts/{you}", "DELETE")["body"]["code"], "yourself")


if __name__ == "__main__":
    if ENGINE != "chromium":
        sys.exit("accounts_test: only Chromium is driven here.")
    PICTURES = pictures_folder()
    unittest.main()
