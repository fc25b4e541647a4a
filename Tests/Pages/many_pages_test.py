#!/usr/bin/python3
"""Many pages in one browser, and networks that fail in other ways than by ending connections.

    BATON=path/to/baton Tests/Pages/many_pages_test.py [NAME …]

A browser opens six connections to one server. However many pages it shows, a command leaves at once. A network that
forgets its connections, one that holds streams back, and a clock that is set back are told and lived through.
"""

import json
import time
import unittest

from browser import resize
from console_case import BrowserCase
from console_stage import ConsoleStage

TEN = ("/console", "/titles", "/screen", "/", "/console", "/screen/stage", "/present", "/titles", "/", "/house")
SOON = 0.1  # s within which a command leaves


class Case(BrowserCase):
    @classmethod
    def stage(cls):
        return ConsoleStage.shared()

    def setUp(self):
        self.server.play()
        self.first = self.driver.current_window_handle
        resize(self.driver, "laptop")

    def tearDown(self):
        for handle in self.driver.window_handles:
            if handle != self.first:
                self.driver.switch_to.window(handle)
                self.driver.close()
        self.driver.switch_to.window(self.first)
        self.driver.get("about:blank")
        self.server.wire.mend()

    def open_tabs(self, paths):
        """Opens the first in this tab and each further one in a tab of its own; gives their handles."""
        self.open(paths[0])
        for path in paths[1:]:
            self.driver.switch_to.new_window("tab")
            self.driver.get(self.base + path)
        return self.driver.window_handles

    def says_connected(self):
        return self.text("link-state") == "Connected" and self.body("cut") is None

    def leave_idle(self, count):
        """So many connections of the browser have nothing to carry."""
        self.later("""await Promise.all(Array.from({ length: given[0] }, async () => {
            await (await fetch("/shared/mark.svg", { cache: "no-store" })).text(); }))""", count)

    def held(self):
        """The connections that streams hold, as the wire sees them."""
        return [link.path for link in self.server.wire.links if link.is_stream and link.has_head]


class ManyPagesTest(Case):
    def test_six_pages_are_open_and_a_command_is_carried_out_at_once(self):
        self.open_tabs(TEN[:6])
        self.driver.switch_to.window(self.first)
        self.until(self.says_connected, "the first console is connected")
        begun = time.monotonic()
        self.press("h")
        self.until(lambda: b'"held":true' in json.dumps(self.server.snapshot()["show"]).replace(" ", "").encode(),
                   "the show is held", 2)
        self.assertLess(time.monotonic() - begun, 1.5)
        self.press("h")
        self.until(lambda: not self.server.snapshot()["show"]["held"], "and goes on", 2)
        self.driver.switch_to.new_window("tab")
        self.driver.get(self.base + "/console")
        self.until(self.says_connected, "a seventh page loads and is connected", 6)

    def test_with_ten_pages_of_any_mix_every_command_leaves_within_a_tenth_of_a_second(self):
        handles = self.open_tabs(TEN)
        self.until(lambda: len(self.held()) <= 3, "at most three connections are held")
        consoles = [handle for handle, path in zip(handles, TEN) if path == "/console"]
        for handle in consoles:
            self.driver.switch_to.window(handle)
            self.until(self.says_connected, "each console is connected", 6)
        for command in ("hold", "resume", "go", "panic", "panic-over"):
            took = self.later("""const begun = performance.now();
                const sent = await fetch("/api/command", { method: "POST", body: JSON.stringify({ command: given[0] }),
                    headers: { "X-Baton": "1", "Content-Type": "application/json" } });
                await sent.text();
                const [entry] = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("command"))
                    .slice(-1);
                return entry.requestStart - entry.startTime;""", command)
            self.assertLess(took, 1000 * SOON, command)
        self.until(lambda: self.server.snapshot()["show"]["panic"] == "none", "all of them were carried out")

    def test_ten_consoles_show_the_same_and_each_ends_with_its_page(self):
        handles = self.open_tabs(["/console"] * 10)
        for handle in handles:
            self.driver.switch_to.window(handle)
            self.until(self.says_connected, "each console is connected", 6)
        self.command("hold")
        for handle in handles:
            self.driver.switch_to.window(handle)
            self.until(lambda: self.pressed("hold") == "true", "each one shows it")
        for handle in handles[1:]:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(self.first)
        self.assertTrue(self.says_connected())
        # Only the carrier's own end is left to wait for; the account has sixteen places.
        with self.server.open_screens(15):
            self.assertTrue(self.says_connected())

    def test_pages_recover_when_what_they_share_has_died(self):
        handles = self.open_tabs(["/console"] * 4)
        self.driver.switch_to.window(handles[3])
        self.until(self.says_connected, "the last console is connected")
        targets = self.driver.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
        [worker] = [each["targetId"] for each in targets if each["type"] == "shared_worker"]
        self.driver.execute_cdp_cmd("Target.closeTarget", {"targetId": worker})
        self.until(lambda: not self.says_connected(), "the loss is told", 4)
        for handle in handles:
            self.driver.switch_to.window(handle)
            self.until(self.says_connected, "each page is back", 10)

    def test_pages_recover_together_when_the_network_was_cut(self):
        handles = self.open_tabs(["/console"] * 4)
        self.server.wire.cut()
        self.until(lambda: not self.says_connected(), "the loss is told", 4)
        self.server.wire.mend()
        for handle in handles:
            self.driver.switch_to.window(handle)
            self.until(self.says_connected, "each page is back", 6)

    def test_a_page_without_shared_workers_leaves_its_connection_while_nobody_sees_it(self):
        added = self.driver.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": "delete globalThis.SharedWorker;"})
        self.addCleanup(self.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", added)
        self.open("/console")
        self.assertEqual(self.script("return typeof SharedWorker"), "undefined")
        self.assertEqual(len(self.held()), 1)
        self.driver.switch_to.new_window("tab")
        self.until(lambda: len(self.held()) == 0, "the hidden page has left", 15)
        self.driver.switch_to.window(self.first)
        self.until(self.says_connected, "and is back when it is seen")


class NetworkTest(Case):
    def test_a_console_is_back_soon_after_the_network_forgot_its_connections(self):
        self.open("/console")
        self.leave_idle(5)
        self.server.wire.forget()
        self.until(lambda: not self.says_connected(), "the loss is told", 3)
        self.assertLess(self.until(self.says_connected, "it is back", 10), 10)
        self.press("h")
        self.until(lambda: self.server.snapshot()["show"]["held"], "and commands", 2)

    def test_a_command_finds_another_connection_and_is_carried_out_once(self):
        self.open("/console")
        self.leave_idle(4)
        before = self.server.snapshot()["show"]["held"]
        self.server.wire.forget()
        self.press("h")
        self.until(lambda: self.server.snapshot()["show"]["held"] != before, "the command has arrived", 4)
        self.until(self.says_connected, "the page is back", 10)
        self.assertEqual(self.notices(), "")

    def test_an_audience_page_is_back_soon_after_the_network_forgot_its_connections(self):
        self.open("/")
        joined = lambda: self.script("return document.body.dataset.joined") == "true"
        self.until(joined, "it is connected")
        self.server.wire.forget()
        self.until(lambda: not joined(), "the loss is told", 5)
        self.assertLess(self.until(joined, "it is back", 10), 10)

    def test_a_clock_that_is_set_back_hides_no_loss(self):
        self.open("/")
        joined = lambda: self.script("return document.body.dataset.joined") == "true"
        self.until(joined, "it is connected")
        self.script("const now = Date.now; Date.now = () => now() - 3_600_000;")
        self.server.wire.deaf()
        self.server.wire.is_cut = True
        self.until(lambda: not joined(), "the loss is told", 5)

    def test_a_network_that_holds_streams_back_is_told_and_pages_ask_for_snapshots(self):
        self.server.wire.holds_back = True
        self.driver.get(self.base + "/console")
        self.until(lambda: "holds back live data" in self.text("cut"), "the console says it", 20)
        self.until(lambda: self.body("cut") is None and self.text("measure") != "–", "and shows the state", 3)
        self.press("h")
        self.until(lambda: self.pressed("hold") == "true", "and what a command has changed", 4)
        self.driver.get(self.base + "/")
        self.until(lambda: "holds back live data" in self.text("notice"), "the audience page says it", 20)
        self.assertNotIn("Not in the hall", self.text("notice"))
        self.until(lambda: self.script("return document.body.dataset.joined") == "true", "and is joined")



# What the translators of browsers do: each text goes into elements of theirs, in other words. Some of them translate
# also what the page marks as not to be translated; `TRANSLATE` gives whether this one does.
TRANSLATE = """
    const kept = given[0] ? "font, script, style, svg, option" : "font, script, style, svg, option, [translate=no]";
    window.translated = 0;
    const wrap = (node) => {
      if (!node.isConnected || !node.data.trim() || node.parentElement.closest(kept)) return;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = `¡${node.data}!`;
      outer.append(inner);
      node.replaceWith(outer);
      window.translated += 1;
    };
    const wrapAll = (root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found = [];
      while (walker.nextNode()) found.push(walker.currentNode);
      found.forEach(wrap);
    };
    wrapAll(document.body);
    new MutationObserver((changes) => {
      for (const { target, type, addedNodes } of changes) {
        if (type === "characterData") wrap(target);
        for (const node of addedNodes) node.nodeType === 3 ? wrap(node) : wrapAll(node);
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
    return window.translated;"""


class TranslatedTest(Case):
    def translate(self, everything):
        return self.later(TRANSLATE, everything)

    def test_a_console_goes_on_whose_every_text_a_translator_has_replaced(self):
        self.open("/console")
        self.assertGreater(self.translate(True), 30)
        before = self.text("measure")
        self.server.command("piece 3 p:20")
        self.until(lambda: self.text("measure").strip("¡!") not in ("", "–", before), "the bar goes on")
        self.press("h")
        self.until(lambda: self.pressed("hold") == "true", "the show is held")
        self.until(lambda: "Go on" in self.text("controls"), "and the button says what it does now")
        self.server.wire.cut()
        self.until(lambda: "Reconnecting" in self.text("link-state"), "the loss is told")
        self.server.wire.mend()
        self.until(lambda: "Connected" in self.text("link-state"), "and the return", 6)
        self.assertEqual(self.complaints(), [])

    def test_words_of_commands_and_figures_are_not_translated(self):
        self.open("/console")
        self.assertEqual(self.translate(False), 0)
        self.driver.get(self.base + "/titles")
        self.assertEqual(self.translate(False), 0)

    def test_an_audience_page_goes_on_and_does_not_fight_the_translator(self):
        self.open("/")
        self.until(lambda: self.script("return document.body.dataset.joined") == "true", "it is connected")
        self.until(lambda: self.script("return document.getElementById('app').dataset.screen") != "wait", "it shows")
        self.assertGreater(self.translate(False), 3)
        self.settle()
        before = self.script("return translated")
        self.stays(lambda: self.script("return translated") - before <= 4, "texts stay as translated", 2)
        self.server.wire.cut()
        self.until(lambda: self.shown("notice"), "the loss is told", 8)
        self.server.wire.mend()
        self.until(lambda: not self.shown("notice"), "and is over", 6)
        self.assertEqual(self.complaints(), [])


# Texts and things to press that are cut at an edge of the page, or covered by another thing to press.
CUT = """
    const wide = document.documentElement.clientWidth;
    const seen = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
      && !element.closest(".spoken, .skip, [aria-hidden=true], svg, canvas");
    const scrolls = (element) => { for (let each = element; each; each = each.parentElement)
      if (/auto|scroll/.test(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth) return true;
      return false; };
    const name = (element) => element.id || element.className || element.textContent.trim().slice(0, 30);
    const found = [];
    if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth}`);
    for (const element of document.querySelectorAll("button, a, input, select, p, h1, h2, h3, label, li, td, th")) {
      if (!seen(element)) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || scrolls(element)) continue;
      if (box.left < -1 || box.right > wide + 1) found.push(`${name(element)}: ${box.left} to ${box.right}`);
    }
    const pressed = [...document.querySelectorAll("button, a, input, select")].filter(seen);
    for (const element of pressed) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.bottom < 0 || box.top > innerHeight) continue;
      const other = pressed.find((each) => each !== element && !each.contains(element) && !element.contains(each)
        && (({ left, right, top, bottom }) => Math.min(right, box.right) - Math.max(left, box.left) > 3
          && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 3)(each.getBoundingClientRect())
        && getComputedStyle(each).position !== "fixed" && getComputedStyle(element).position !== "fixed");
      if (other) found.push(`${name(element)} over ${name(other)}`);
    }
    return found;"""


class ZoomTest(Case):
    def test_at_twice_the_size_on_a_narrow_phone_nothing_is_cut_or_covered(self):
        resize(self.driver, (195, 422))
        for path in ("/", "/#/programme", "/console", "/titles", "/stand", "/login?another"):
            with self.subTest(path):
                self.driver.get("about:blank")
                self.driver.get(self.base + path)
                self.settle()
                self.assertEqual(self.later(CUT), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
