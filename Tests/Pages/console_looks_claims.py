"""The speed and legibility of the console; the report."""

import os
import sys

from selenium.webdriver.common.keys import Keys

from browser import SIZES, resize
from console_case import BrowserCase, DeskCase
from console_stage import PlayedEvening
from lib.waiting import hold_for


class LooksTest(DeskCase):
    """Speed, sizes, names, contrast."""

    def test_a_new_bar_is_painted_within_50_ms(self):
        self.open("/console?timings")
        if self.server:
            self.script_line("speed 8")
        hold_for(9 if self.server else 20)  # the music goes on for some bars
        timings = [entry for entry in self.script("return batonTimings") if entry["painted"]][2:]
        self.assertGreater(len(timings), 5)
        delays = sorted(entry["painted"] - (entry["sent"] or entry["arrived"]) for entry in timings)
        worst = delays[min(len(delays) - 1, int(len(delays) * 0.99))]
        print(f"\n    bar painted after the event: median {delays[len(delays) // 2]:.1f} ms, "
              f"99th percentile {worst:.1f} ms, {len(delays)} bars", file=sys.stderr)
        if worst >= 50 and os.getloadavg()[0] > os.cpu_count():
            self.skipTest(f"{worst:.0f} ms, but this machine is busy with other things")
        self.assertLess(worst, 50)

    def test_nothing_overflows_and_targets_are_large_on_every_screen(self):
        try:
            # 640 × 400 is the laptop at 200 % zoom.
            for size, (width, _) in {**SIZES, (640, 400): (640, 400), (1181, 720): (1181, 720),
                                     (960, 700): (960, 700)}.items():
                for lost in ((False, True) if self.server else (False,)):
                    if lost:
                        self.scenario("lost")
                    resize(self.driver, size)
                    self.open()
                    self.settle()
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, size)
                    self.assertLessEqual(self.script("return document.querySelector('main').scrollWidth"), width, size)
                    small = self.script("""
                        const touched = 'button, a.button, input:not([type=checkbox]):not([type=file]), select';
            return [...document.querySelectorAll(touched)]
                            .filter((e) => e.getClientRects().length && !e.closest('.strip'))
                            .map((e) => [e.getBoundingClientRect(), e.textContent || e.id])
                            .filter(([r]) => r.height < 43.5 || r.width < 43.5)
                                .map(([r, t]) => `${t} ${r.width}×${r.height}`)""")
                    self.assertEqual(small, [], size)
                    if lost:
                        self.scenario("following")
        finally:
            resize(self.driver, "laptop")

    def test_a_notice_covers_no_control_on_any_screen(self):
        try:
            for size in ((390, 844), (820, 1180), (1440, 900)):
                resize(self.driver, size)
                self.open()
                self.press("g", *"999", Keys.ENTER)
                self.until(lambda: "999" in self.notices(), "a notice")
                self.settle()
                self.assertEqual(self.script(COVERED), [], size)
                self.assertTrue(self.script("""
                    const field = document.getElementById('place').getBoundingClientRect();
                    return field.bottom <= document.querySelector('.notice').getBoundingClientRect().top"""), size)
        finally:
            resize(self.driver, "laptop")

    def test_three_faults_and_a_panic_still_fit_a_laptop(self):
        self.scenario("fault")
        self.scenario("input-lost")
        self.addCleanup(self.script_line, "fault-over broker")
        self.script_line("fault broker The broker hall.example.org does not answer; check its cable and its power.")
        self.until(lambda: self.open_faults() == 3, "all three faults")
        # A cue with notes needs the most room.
        noted = next(cue["id"] for cue in self.snapshot()["cues"]["list"] if cue["notes"])
        self.assertEqual(self.command("standby", noted), 200)
        self.assertEqual(self.command("panic"), 200)
        self.until(lambda: self.shown("panic-banner"), "the banner")
        self.settle()
        self.assertLessEqual(self.script("return document.body.scrollHeight"), 800)
        self.assertLessEqual(
            self.script("const m = document.querySelector('main'); return m.scrollHeight - m.clientHeight"), 0)
        cut_off = self.script("""
            return [...document.querySelectorAll('main > section:not(.cues, [hidden])')]
                .filter((e) => e.scrollHeight > e.clientHeight + 3)
                    .map((e) => `${e.className} ${e.scrollHeight}/${e.clientHeight}`)""")
        self.assertEqual(cut_off, [])

    def test_cues_can_be_read_on_every_screen_whatever_is_wrong(self):
        def room():
            return self.script("""
                const [list, words, faults, main] = ['#cue-list', '.empty', '.faults', 'main'].map((css) =>
                    document.querySelector(css)?.getBoundingClientRect());
                return { list: list.height, cut: words ? words.bottom - list.bottom : 0, faults: faults.height,
                    below: faults.top - main.bottom, main: main.height };""")

        self.addCleanup(resize, self.driver, "laptop")
        faults = [f"desk-{number}" for number in range(8)]
        for fault in faults:
            self.addCleanup(self.script_line, f"fault-over {fault}")
        sizes = [(390, 844), (768, 1024), (820, 1180), (1024, 600), (1024, 768), (1181, 720), (1280, 800), (1440, 900)]
        for wrong in ([], faults[:1], faults):
            for fault in wrong:
                self.script_line(f"fault {fault} The lighting desk {fault}.example.org does not answer; cues to it are "
                                 "kept back. Check its cable.")
            for piece, least in (("3 p:52", 130), ("2 p:10", 60)):
                self.assertEqual(self.command("piece", *piece.split()), 200)
                self.until(lambda: ("no cues" in self.text("cue-list")) == (least == 60), f"the cues of piece {piece}")
                self.until(lambda: self.text("faults").count("example.org does not") == len(wrong), "the faults")
                for size in sizes:
                    resize(self.driver, size)
                    self.settle()
                    at, now = f"{size}, piece {piece}, {len(wrong)} faults", room()
                    self.assertGreaterEqual(now["list"], least, at)
                    self.assertLessEqual(now["cut"], 0, f"{at}: the words are in view")
                    self.assertLessEqual(now["faults"], now["main"] * .6, f"{at}: faults scroll by themselves")
                    if wrong:
                        self.assertLess(now["below"], -30, f"{at}: the faults are in view")

    def test_every_field_and_button_has_a_name(self):
        for key in (None, "p", "c", "e", "k", "q", "?"):
            if key:
                self.press(key)
                self.settle()
            nameless = self.script("""
                return [...document.querySelectorAll('button, input, select, textarea, canvas, svg[role=img]')]
                    .filter((e) => e.getClientRects().length
                        && !(e.textContent.trim() || e.getAttribute('aria-label') ||
                        e.labels?.length)).map((e) => e.outerHTML.slice(0, 120))""")
            self.assertEqual(nameless, [], key)

    def test_text_has_enough_contrast(self):
        for key in (None, "p", "e", "k", "q", "?"):
            if key:
                self.press(key)
                self.settle()
            self.assertEqual(self.script(CONTRAST), [], f"panel {key}")


class ReportTest(BrowserCase):
    """The report of an evening of which four of five pieces were played, a few bars each."""

    @classmethod
    def stage(cls):
        return PlayedEvening()

    def test_the_report_shows_pieces_people_and_faults(self):
        self.driver.get(self.base + "/report")
        self.until(lambda: self.script("return document.getElementById('report').getAttribute('aria-busy')") == "false",
                   "loaded", 10)
        text = self.text("report")
        for word in ("The evening", "What people did", "Faults", "Accuracy"):
            self.assertIn(word, text)
        if self.server:
            self.assertGreaterEqual(self.script("return document.querySelectorAll('figure svg').length"), 11)
            self.assertIn("choose 1", text)
            self.assertIn("4 of 5", text)
            # Each strip of states ends with the axis, and a short piece counts seconds.
            self.assertEqual(self.script("""
                return [...document.querySelectorAll("svg[aria-label^=Confidence] rect")].filter((each) =>
                    each.x.baseVal.value + each.width.baseVal.value > 990.01).map((each) => each.outerHTML)"""), [])
            labels = self.script("""
                return [...document.querySelectorAll("svg[aria-label^=Confidence] text")].map((e) => e.textContent)""")
            self.assertNotIn("min", "".join(labels))
        house = self.script("const e = document.querySelector('header a.house'); "
                            "return [new URL(e.href).pathname, e.getBoundingClientRect().width]")
        self.assertEqual(house, ["/house", 44], "the mark leads to all pages")

    def test_charts_that_are_cut_on_a_phone_say_so_and_are_moved_by_the_keyboard(self):
        resize(self.driver, "phone")
        self.addCleanup(resize, self.driver, "desktop")
        self.driver.get(self.base + "/report")
        regions = lambda: self.script("return document.querySelectorAll('[role=region]').length")  # noqa: E731
        self.until(lambda: regions() > 0, "there are boxes to be moved", 10)
        charts = self.script("""return [...document.querySelectorAll("figure .sideways")].map((box) => [
            box.scrollWidth > box.clientWidth, box.tabIndex, box.getAttribute("role"),
            box.getAttribute("aria-label") === box.querySelector("svg").getAttribute("aria-label"),
            box.previousElementSibling.checkVisibility()])""")
        self.assertEqual(charts, [[True, 0, "region", True, True]] * len(charts))
        self.assertEqual(self.script("return document.documentElement.scrollWidth - innerWidth"), 0)
        self.script("document.querySelector('figure .sideways').focus()")
        self.press(*[Keys.ARROW_RIGHT] * 3)
        self.until(lambda: self.script("return document.activeElement.scrollLeft") > 0, "arrow keys move it")
        resize(self.driver, "desktop")
        self.until(lambda: regions() == 0, "on a desk nothing is cut")


# The controls in view that lie under a notice, also in part; what the middle has scrolled away is not in view.
COVERED = """
const middle = document.querySelector('.stage').getBoundingClientRect();
const notices = [...document.querySelectorAll('.notice')].map((e) => e.getBoundingClientRect());
return [...document.querySelectorAll('button, input, a')].filter((e) => {
  const box = e.getBoundingClientRect(), inMiddle = e.closest('.stage');
  const [top, bottom] = inMiddle ? [Math.max(box.top, middle.top), Math.min(box.bottom, middle.bottom)]
    : [box.top, box.bottom];
  return e.getClientRects().length && bottom - top > 1 && notices.some((notice) => notice.top < bottom
    && notice.bottom > top && notice.left < box.right && notice.right > box.left);
}).map((e) => e.textContent.trim() || e.id);
"""

CONTRAST = """
const rgb = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
const light = ([r, g, b]) => { const f = (v) =>
    { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
const ground = (e) => { for (let n = e; n; n = n.parentElement) { const s = getComputedStyle(n);
  if (s.backgroundImage !== 'none') return null; const c = rgb(s.backgroundColor); if ((c[3] ?? 1) > 0.99) return c;
  } return [9, 11, 13]; };
const bad = [];
for (const e of document.querySelectorAll('body *')) {
  if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !e.getClientRects().length) continue;
  const style = getComputedStyle(e); const below = ground(e);
  if (!below || style.clipPath !== 'none' || e.closest('.spoken, .skip')) continue;
  const [a, b] = [light(rgb(style.color)), light(below)];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) bad.push(`${e.className || e.tagName} “${e.textContent.trim().slice(0, 30)}” ${ratio.toFixed(2)}`);
}
return bad;
"""
