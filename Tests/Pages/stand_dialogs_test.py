#!/usr/bin/python3
"""The dialogs of a music stand and the report of a rehearsal, at three sizes: everything is on the screen, large enough
for a thumb, named, legible, and shows where the focus is.

    BATON=path/to/baton Tests/Pages/stand_dialogs_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import os
import pathlib
import unittest

from selenium.webdriver.common.keys import Keys

from hall_case import size
from page_case import pictures_folder
from stand_case import PORTRAIT, USERS, StandCase

PICTURES = None
VENV = pathlib.Path(__file__).resolve().parents[2] / ".venv"
SIZES = {"portrait": (1024, 1366), "landscape": (1366, 1024), "phone": (390, 844)}
# Finds errors within an element, as sentences. A box to tick is as large as its label.
FAULTS = """
    const root = document.querySelector(arguments[0]);
    const [thumb, faults] = [44, []];
    const visible = (each) => each.getClientRects().length > 0 && getComputedStyle(each).visibility !== "hidden";
    const named = (each) => (each.getAttribute("aria-label") || each.labels?.[0]?.textContent || each.textContent
        || each.placeholder || "").trim();
    const tag = (each) => `${each.tagName.toLowerCase()}${each.id ? "#" + each.id : ""}`;
    const about = (each) => `${tag(each)} “${named(each).slice(0, 30)}”`;
    const shade = (css) => {
        const [r, g, b, a = 1] = css.match(/[\\d.]+/g).map(Number);
        return { rgb: [r, g, b], a };
    };
    const over = (top, below) => top.rgb.map((each, at) => each * top.a + below[at] * (1 - top.a));
    const ground = (each) => {
        const layers = [];
        for (let at = each; at; at = at.parentElement) {
            const found = shade(getComputedStyle(at).backgroundColor);
            if (found.a > 0) layers.push(found);
            if (found.a === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
    };
    const light = (rgb) => rgb.map((each) => each / 255)
        .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
        .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
    const contrast = (one, other) => {
        const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
    };
    for (const each of root.querySelectorAll("button, a[href], input, select, textarea, summary")) {
        if (!visible(each)) continue;
        const target = ["checkbox", "radio"].includes(each.type) ? each.labels?.[0] ?? each : each;
        const { width, height } = target.getBoundingClientRect();
        if (width < thumb - 0.5 || height < thumb - 0.5) {
            faults.push(`${about(each)} is ${Math.round(width)} × ${Math.round(height)} px`);
        }
        if (named(each) === "") faults.push(`${about(each)} has no name`);
        if (target !== each && target.firstElementChild === each) {
            const words = document.createRange();
            words.selectNodeContents(target);
            const isUnder = [...words.getClientRects()].at(-1).left <= each.getBoundingClientRect().left;
            if (isUnder) faults.push(`${about(each)} has its words under the box`);
        }
        if (each.placeholder) {
            const style = getComputedStyle(each), brush = document.createElement("canvas").getContext("2d");
            brush.font = style.font;
            const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
            const isWide = brush.measureText(each.placeholder).width > room;
            if (isWide) faults.push(`${about(each)} cuts off its placeholder`);
        }
    }
    for (const each of root.querySelectorAll("svg text")) {
        const shown = parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a;
        if (visible(each) && shown < 9) faults.push(`a chart's “${each.textContent}” is ${shown.toFixed(1)} px high`);
    }
    for (const each of [root, ...root.querySelectorAll("*")]) {
        if (!visible(each) || each.closest("svg, .spoken")) continue;
        const style = getComputedStyle(each);
        const { left, right } = each.getBoundingClientRect();
        if (!each.closest(".evening, .scrolled, #strip") && (left < -1 || right > innerWidth + 1)) {
            faults.push(`${about(each)} is cut off at the side`);
        }
        const isFull = each.scrollWidth > each.clientWidth + 1;
        if (isFull && style.overflowX === "hidden" && style.textOverflow !== "ellipsis") {
            faults.push(`${about(each)} hides a part of its text`);
        }
        const hasText = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
        if (!hasText || each.disabled) continue;
        const below = ground(each);
        const ink = shade(style.color);
        const found = contrast(over(ink, below), below);
        const isLarge = parseFloat(style.fontSize) >= 24;
        if (found < (isLarge ? 3 : 4.5)) faults.push(`${about(each)} has a contrast of ${found.toFixed(1)}`);
        if (parseFloat(style.fontSize) < 12) faults.push(`${about(each)} is set in ${style.fontSize}`);
    }
    return [...new Set(faults)];"""
UNRINGED = """
    const here = document.activeElement, style = getComputedStyle(here);
    if (here === document.body || here.tabIndex < 0) return null;
    return style.outlineStyle === "none" && style.boxShadow === "none" ? here.id || here.textContent : null;"""


class DialogsTest(StandCase):
    def holds(self, name, root="#dialog", papers=("white",)):
        """At each size nothing is wrong in what is open."""
        wrong = []
        for paper in papers:
            self.script("document.documentElement.dataset.paper = arguments[0]", paper)
            for label, pixels in SIZES.items():
                size(self.driver, pixels)
                self.settle()
                if PICTURES:
                    self.driver.save_screenshot(os.path.join(PICTURES, f"{name}-{paper}-{label}.png"))
                wrong += [f"{name}, {paper}, {label}: {each}" for each in self.script(FAULTS, root)]
                if self.script("return document.documentElement.scrollWidth > innerWidth + 1"):
                    wrong.append(f"{name}, {label}: the page is wider than the screen")
        self.script("document.documentElement.dataset.paper = 'white'")
        size(self.driver, PORTRAIT)
        for _ in range(4):
            self.key(Keys.TAB)
            unringed = self.script(UNRINGED)
            if unringed is not None:
                wrong.append(f"{name}: nothing shows that the focus is on “{unringed}”")
        self.assertEqual(wrong, [])

    def dialog(self, title):
        self.until(lambda: title in self.text("#dialog h2") and self.shown("#dialog"), f"{title} is open")

    def shut(self):
        self.script("document.getElementById('dialog').close()")

    def controls(self):
        if not self.shown("#top-bar"):
            self.tap(0.5)
        self.until(lambda: self.shown("#top-bar"), "the controls are shown")

    def layers(self):
        self.controls()
        self.click("#pencil")
        self.click("[data-layers]")
        self.dialog("Layers")

    def test_a_leaders_dialogs_in_a_room(self):
        self.enter_room(USERS[0])
        for button, title in (("#from-bar", "From which bar?"), ("#members", "Room"), ("#settings", "Settings"),
                              ("#programme", "Programme"), ("#bookmarks", "Bookmarks"), ("#encore", "")):
            with self.subTest(button):
                self.controls()
                self.click(button)
                self.dialog(title)
                self.settle()
                self.holds(f"room-{button[1:]}")
                self.shut()

    def test_layers_and_print(self):
        self.enter_room(USERS[0])
        self.layers()
        self.holds("layers")
        self.click("#print-remarks")
        self.dialog("Print")
        self.holds("print")
        colour = "return getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
        self.assertEqual(self.script(colour, "#print-part"), self.script(colour, "#remarks-done"),
                         "what makes the PDF looks as the other buttons that finish something")

    def test_setlists(self):
        self.enter_home(USERS[0])
        self.click("#new-setlist")
        self.holds("setlist-new")
        self.script("document.getElementById('setlist-name').value = 'Spring tour'")
        self.click("#store-setlist")
        self.click("#add-to-setlist")
        self.click("#dialog .entry")
        self.until(lambda: self.shown("#dialog .chosen"), "it is chosen")
        self.holds("setlist-add")
        self.click("#setlist-done")
        self.click("#edit-setlist")
        self.holds("setlist-edit")
        self.click("#delete-setlist")
        self.holds("home", "#home")

    def test_the_first_use_and_the_controls_over_the_music(self):
        self.enter_home(USERS[0])
        self.script("localStorage.removeItem('baton.stand.tour')")
        score = next(each for each in self.rehearsal.ask("ines", "/api/stand/home")["scores"]
                     if "Bagatelle" in each["title"])
        self.click(f"[data-score='{score['id']}'] .entry")
        self.until(lambda: self.shown("#tour"), "the zones are shown", 8)
        self.holds("tour", "#tour", ("white", "warm", "dark"))
        self.script("document.getElementById('tour-close').click()")
        self.controls()
        self.settle()
        self.holds("controls-top", "#top-bar", ("white", "warm", "dark"))
        self.holds("controls-foot", "#foot-bar")
        self.click("#settings")
        self.until(lambda: self.shown("#interval"), "the key can be chosen")
        self.script("document.getElementById('interval').scrollIntoView({ block: 'center' })")
        self.holds("reading")
        if not VENV.exists():
            return
        self.script("""const choice = document.getElementById('interval');
            choice.value = 'm2';
            choice.dispatchEvent(new Event('change'));""")
        self.until(lambda: not self.script("return document.getElementById('interval').disabled"), "it is engraved", 60)
        self.shut()
        self.layers()
        self.click("#print-remarks")
        self.dialog("Print")
        self.assertIn("Clarinet in B♭ → in A", self.text("#dialog-body"))
        self.holds("print-in-a-key")

    def test_on_a_phone_the_controls_of_a_room_take_two_lines_of_the_music(self):
        self.enter_room(USERS[0])
        size(self.driver, SIZES["phone"])
        self.until(lambda: self.script("return innerWidth") == SIZES["phone"][0], "the page is as wide as the phone")
        self.controls()
        tops = self.script("""return [...document.querySelectorAll('#top-bar button')]
            .filter((each) => each.getClientRects().length > 0)
            .map((each) => Math.round(each.getBoundingClientRect().top / 20))""")
        self.assertEqual(len(set(tops)), 2, tops)

    def test_a_part_whose_music_is_missing_says_what_to_do(self):
        self.enter_home(USERS[0])
        self.script("localStorage.setItem('baton.stand.tour', '1')")
        score = next(each for each in self.rehearsal.ask("ines", "/api/stand/home")["scores"]
                     if "Bagatelle" in each["title"])
        # As the server answers for a score of an earlier version.
        self.later("""const found = await (await fetch(`/api/scores/${given[0]}`)).json();
            const { things } = await import("/stand/store.js");
            await things.put(`score:${given[0]}`, { ...found, rewritable: [false], musicMissing: [true] });""",
                   score["id"])
        self.script("""const fetched = window.fetch;
            window.fetch = async (address, ...rest) => {
                const answer = await fetched(address, ...rest);
                if (!String(address).match(/\\/api\\/scores\\/[^/]+$/)) return answer;
                return Response.json({ ...(await answer.json()), rewritable: [false], musicMissing: [true] });
            };""")
        self.click(f"[data-score='{score['id']}'] .entry")
        self.until(self.is_painted, "the page is painted", 8)
        self.controls()
        self.click("#settings")
        self.until(lambda: self.shown("#music-missing"), "the page says that the music is missing")
        self.assertIn("add the same MusicXML file", self.text("#music-missing"))
        self.assertFalse(self.shown("#interval"))
        self.script("document.getElementById('music-missing').scrollIntoView({ block: 'center' })")
        self.holds("music-missing")

    def test_the_report(self):
        self.rehearsal.rehearse()
        self.enter_home(USERS[0])
        self.driver.get(f"{self.base}/rehearsal?room={self.rehearsal.room_id}")
        self.until(lambda: self.script("return document.querySelectorAll('#report section').length > 3"), "it is there",
                   20)
        self.settle()
        self.holds("report", "body")
        self.assertIn("Look at bar 48 (+0.50 s).", self.text("#report"), "no bar is named that nobody hears")
        if PICTURES:
            self.script("scrollTo(0, 900)")
            size(self.driver, SIZES["phone"])
            self.driver.save_screenshot(os.path.join(PICTURES, "report-middle-phone.png"))
            self.script("scrollTo(0, document.body.scrollHeight)")
            self.driver.save_screenshot(os.path.join(PICTURES, "report-end-phone.png"))


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main()
