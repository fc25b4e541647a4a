"""Contrast under the veil, sizes, names, bytes and the first slide."""

import os
import re
import sys
import urllib.request

from hall_case import DESKTOP, LYING, PHONE, SMALL, TABLET, HallCase, size

PLACES = (("/", None), ("/#/programme", None), ("/#/words/3", None), ("/", "timeline"), ("/", "tracks"), ("/", "look"),
          ("/", "help"), ("/", "kept"), ("/", "info"))


class LooksTest(HallCase):
    def visit(self, path, sheet):
        self.open(path)
        self.until(lambda: path != "/" or self.number() > 0, "the slide")
        if sheet:
            self.script("(document.querySelector(`[data-opens='${arguments[0]}']`) ?? "
                        "document.getElementById(arguments[0])).click()", sheet)
            self.until(lambda: self.shown(".sheet"), sheet)
            self.until(lambda: self.script("return document.querySelector('.sheet .body').childElementCount") > 0,
                       "filled")
        self.settle()

    def test_text_has_contrast_under_the_veil_in_every_look(self):
        for look in ("{}", '{"theme": "light"}', '{"contrast": "high"}', '{"theme": "light", "contrast": "high"}'):
            self.forget()
            self.open()
            self.script("localStorage['baton.audience.settings'] = arguments[0]", look)
            for path, sheet in PLACES:
                self.visit(path, sheet)
                self.assertEqual(self.script(CONTRAST), [], f"{look} {path} {sheet}")
        self.scenario("message?kind=link")
        self.until(lambda: self.shown(".message"), "a message")
        self.assertEqual(self.script(CONTRAST), [])

    def test_everything_to_touch_is_large_enough(self):
        for screen in (PHONE, SMALL, LYING, TABLET, DESKTOP):
            size(self.driver, screen)
            for path, sheet in PLACES:
                self.visit(path, sheet)
                self.assertEqual(self.script(SMALL_TARGETS), [], f"{screen} {path} {sheet}")
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), screen[0])

    def test_on_the_programme_what_is_said_of_a_piece_stands_under_its_name(self):
        for screen in (SMALL, PHONE, TABLET, DESKTOP):
            size(self.driver, screen)
            self.open("/#/programme")
            self.assertEqual(self.script("""
                return [...document.querySelectorAll('.document')].filter((e) => e.querySelector('.about')
                    .getBoundingClientRect().left
                    < e.querySelector('.name').getBoundingClientRect().left).map((e) => e.textContent)"""), [], screen)

    def test_everything_has_a_name_a_role_and_a_heading(self):
        for path, sheet in PLACES:
            self.visit(path, sheet)
            nodes = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
            seen = [(node["role"]["value"], (node.get("name") or {}).get("value", "").strip()) for node in nodes
                    if not node.get("ignored") and "role" in node]
            roles = {"button", "link", "slider", "radio", "checkbox", "image", "dialog", "alertdialog", "navigation",
                     "group", "heading"}
            self.assertEqual([entry for entry in seen if entry[0] in roles - {"group", "image"} and not entry[1]], [],
                             f"{path} {sheet}")
            self.assertEqual([entry for entry in seen if entry[0] == "image" and not entry[1]], [], f"{path} {sheet}")
            self.assertTrue(any(role == "heading" for role, _ in seen), f"{path} {sheet}")
            if sheet:
                self.assertIn("dialog", [role for role, _ in seen])
                self.assertNotIn(("button", "Next slide"), seen, "what lies behind a sheet is out of reach")
            elif path == "/":
                live = [node for node in nodes
                        if any(entry["name"] == "live" and entry["value"].get("value") == "polite"
                               for entry in node.get("properties", []))]
                self.assertTrue(live, "the slide is a polite live region")

    def test_the_slide_is_said_when_it_changes(self):
        self.open()
        self.assertEqual(self.script("const s = document.getElementById('slide'); return [s.ariaLive, s.ariaAtomic]"),
                         ["polite", "true"])
        before = self.script("return document.getElementById('slide')")
        self.scenario("at?piece=4&played=17")
        self.until(lambda: self.number() == 4, "the next slide")
        self.assertEqual(before, self.script("return document.getElementById('slide')"), "the region itself stays")

    def test_the_dominant_line_is_the_largest_text(self):
        for screen in (PHONE, TABLET, DESKTOP):
            size(self.driver, screen)
            self.open()
            self.until(lambda: self.shown("#slide .lead"), "the slide")
            largest = self.script(
                """return [...document.querySelectorAll('#app *')].filter((e) => e.getClientRects().length
                    && e.firstChild?.nodeType === 3)
                .sort((a, b) => parseFloat(getComputedStyle(b).fontSize)
                    - parseFloat(getComputedStyle(a).fontSize))[0].className""")
            self.assertEqual(largest, "lead")


class SpeedTest(HallCase):
    def load(self, rate):
        self.forget()
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": rate})
        self.open()
        self.until(lambda: self.script("return performance.getEntriesByName('baton-first-slide').length") > 0,
                   "the first slide", 6)
        return self.script(
            """const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
            const bytes = (of) => of.reduce((sum, e) => sum + e.transferSize, 0);
            const image = (e) => e.name.includes('/images/') || e.name.includes('icon');
            return { slide: performance.getEntriesByName('baton-first-slide')[0].startTime,
                paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
                bytes: bytes(all.filter((e) => !image(e))), images: bytes(all.filter(image)), requests: all.length,
                concert: bytes(all.filter((e) => e.name.endsWith('/concert'))) }""")

    def test_the_first_right_slide_comes_within_a_second_at_a_quarter_of_the_speed(self):
        runs = sorted((self.load(4) for _ in range(5)), key=lambda run: run["slide"])
        plain = self.load(1)
        print(f"\n    first right slide, CPU throttled 4×: {[round(run['slide']) for run in runs]} ms, "
              f"unthrottled {plain['slide']:.0f} ms; {plain['bytes'] / 1000:.1f} KB in {plain['requests']} requests "
              f"without images "
              f"({plain['concert'] / 1000:.1f} KB of it the concert)", file=sys.stderr)
        self.assertLess(plain["bytes"], 150_000)
        if runs[2]["slide"] >= 1000 and os.getloadavg()[0] > os.cpu_count():
            self.skipTest(f"{runs[2]['slide']:.0f} ms, but this machine is busy with other things")
        self.assertLess(runs[2]["slide"], 1000)

    def test_the_whole_first_visit_stays_under_150_kb(self):
        """Everything the page can ever load, headers counted in."""
        listed = re.search(r"const shell = \[(.*?)\];", urllib.request.urlopen(self.base + "/sw.js").read().decode(),
                           re.DOTALL)[1]
        bytes_on_the_wire = 0
        for path in [*re.findall(r'"([^"]+)"', listed), "/sw.js", "/api/audience/concert"]:
            if not path.endswith(".png"):
                request = urllib.request.Request(self.base + path, headers={"Accept-Encoding": "gzip"})
                with urllib.request.urlopen(request) as answer:
                    bytes_on_the_wire += len(answer.read()) + len(str(answer.headers))
        print(f"\n    everything the page can ever load, packed: {bytes_on_the_wire / 1000:.1f} KB", file=sys.stderr)
        self.assertTrue(50_000 < bytes_on_the_wire < 150_000, bytes_on_the_wire)


# The veil lies over text and ground alike; slide text needs more than the rest.
CONTRAST = """
const parse = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
const veil = parseFloat(getComputedStyle(document.getElementById('veil')).opacity);
const light = ([r, g, b]) => { const f = (v) => { v = v * (1 - veil) / 255; return v <= 0.03928 ? v / 12.92
    : ((v + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
const ground = (e) => { for (let n = e; n; n = n.parentElement) { const c = parse(getComputedStyle(n).backgroundColor);
    if ((c[3] ?? 1) > 0.99) return c; }
  return parse(getComputedStyle(document.documentElement).backgroundColor); };
const bad = [];
for (const e of document.querySelectorAll('body *')) {
  if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !e.getClientRects().length
      || e.closest('[inert], .spoken, .skip, noscript')) continue;
  const style = getComputedStyle(e);
  if (style.visibility === 'hidden') continue;
  const [a, b] = [light(parse(style.color)), light(ground(e))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const least = e.closest('.lead, .rest') ? 7 : 4.5;
  if (ratio < least)
    bad.push(`${e.id || e.className || e.tagName} “${e.textContent.trim().slice(0, 30)}” ${ratio.toFixed(2)}`);
}
return bad;
"""

# A word within a text is as wide as it is; its height is ours.
SMALL_TARGETS = """
return [...document.querySelectorAll('button, a, input, summary, [tabindex="0"]')]
  .filter((e) => e.getClientRects().length && !e.closest('[inert], .skip, noscript'))
  .map((e) => { const r = e.matches('.word') ? e.getClientRects()[0] : e.getBoundingClientRect();
      const box = e.type === 'checkbox' ? e.closest('label').getBoundingClientRect() : r;
    return [e, box]; })
  .filter(([e, r]) => r.height < 43.5 || (r.width < 43.5 && !e.matches('.word')))
  .map(([e, r]) => `${e.id || e.className || e.textContent} ${r.width.toFixed(0)}×${r.height.toFixed(0)}`);
"""
