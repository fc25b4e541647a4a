"""The looks of the page that prepares pieces: widths, contrast, names, size of what is touched; and its speed."""

import pathlib
import tempfile

from browser import resize
from edit_looks_test import CONTRAST, SMALL, USED
from prepare_case import DESKTOP, PHONE, TABLET, PrepareCase
from prepare_ways_case import wave_of

SCREENS = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP}


class LooksTest(PrepareCase):
    def test_every_view_is_readable_touchable_and_named_at_every_width(self):
        self.restored()
        bars = self.bars()
        self.edit(*[{"move": {"bar": bars[at]["id"], "seconds": bars[at]["seconds"], "doubt": 0.6 + at / 200, "reasons":
                              ["sound"], "origin": "score", "checked": False}} for at in (9, 30, 51)],
                  {"mark": {"id": "m1", "bar": bars[0]["id"], "kind": "section", "text": "Minuet"}},
                  {"mark": {"id": "m2", "bar": bars[32]["id"], "kind": "section", "text": "Second part"}},
                  {"mark": {"id": "m3", "bar": bars[16]["id"], "kind": "rehearsal", "text": "A"}})
        for theme in ("dark", "light"):
            for screen, size in SCREENS.items():
                resize(self.driver, size)
                self.open()
                self.script("localStorage.setItem('baton.prepare.theme', JSON.stringify(arguments[0]))", theme)
                self.open()
                self.judge(theme, screen, "list")
                self.open(self.piece)
                self.script("document.querySelector('.stage').focus()")
                self.keys("n")
                self.until(lambda: self.script("return Boolean(document.querySelector('.inspector[data-doubtful]'))"),
                           "a bar is chosen")
                self.keys(" ")
                for tab in ("check", "form", "sound", "finish"):
                    self.script("document.getElementById(`tab-${arguments[0]}`).click()", tab)
                    self.judge(theme, screen, tab)
                self.script("document.getElementById('tab-check').click()")
                self.keys("t")
                self.settle()
                self.judge(theme, screen, "tapping")
                self.keys("\ue00c")

    def judge(self, theme, screen, name):
        self.settle()
        where = f"{theme}, {screen}, {name}"
        self.picture(f"prepare-{screen}-{theme}-{name}")
        self.assertEqual(self.script(CONTRAST), [], f"{where}: contrast")
        if theme != "dark":
            return
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth - innerWidth"), 0, where)
        self.assertEqual(self.script(SMALL), [], f"{where}: large enough to touch")
        nodes = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        nameless = [node["role"]["value"] for node in nodes if not node.get("ignored") and "role" in node
                    and node["role"]["value"] in USED | {"image", "tab", "spinbutton", "meter", "progressbar"}
                    and not (node.get("name") or {}).get("value", "").strip()]
        self.assertEqual(nameless, [], where)

    def test_a_long_name_without_spaces_stays_within_a_phone(self):
        self.restored()
        name, usual = "Donaudampfschifffahrtsgesellschaft" * 5, self.draft()["name"]
        self.edit({"name": {"name": name}},
                  {"mark": {"id": "m1", "bar": self.bars()[0]["id"], "kind": "section", "text": name}})
        self.addCleanup(self.edit, {"name": {"name": usual}})
        resize(self.driver, PHONE)
        for place in (None, self.piece):
            self.open(place)
            self.fits_a_phone()
        self.assertIn(name, self.text(".next-words"))
        self.script("document.getElementById('tab-form').click()")
        self.assertIn(name, self.text(".marks"))
        self.fits_a_phone()

    def fits_a_phone(self):
        self.settle()
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), PHONE[0])

    def test_for_those_who_want_little_motion_the_sound_turns_like_a_page(self):
        self.restored()
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
        try:
            self.open(self.piece)
            self.assertTrue(self.script("return matchMedia('(prefers-reduced-motion: reduce)').matches"))
            self.focus_stage()
            self.keys("+", "+", "+", "+", " ")
            self.until(lambda: float(self.text(".time").split(" / ")[0].split(":")[1]) > 1, "it plays", 10)
            self.keys(" ")
        finally:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


WHEEL = """
const stage = document.querySelector(".stage"), box = stage.getBoundingClientRect();
const wheel = (values) => stage.dispatchEvent(new WheelEvent("wheel", { clientX: box.x + box.width / 2,
  clientY: box.y + 100, cancelable: true, bubbles: true, ...values }));
"""
CLOSER = WHEEL + """
for (let step = 0; step < given[0]; step += 1) wheel({ deltaY: -100 });
await new Promise((done) => setTimeout(done, 1500));"""
# Scrolls for three seconds; the milliseconds between the frames.
SCROLL = WHEEL + """
const gaps = [];
await new Promise((done) => {
  const begun = performance.now();
  let last = begun;
  const step = (now) => {
    if (now > last) gaps.push(now - last);
    last = now;
    wheel({ deltaX: 12 });
    if (now - begun < 3000) requestAnimationFrame(step); else done();
  };
  requestAnimationFrame(step);
});
return gaps.sort((a, b) => a - b);"""


class SpeedTest(PrepareCase):
    def test_ninety_minutes_with_three_thousand_bars_scroll_smoothly(self):
        with tempfile.TemporaryDirectory() as folder:
            sound = pathlib.Path(folder) / "long.wav"
            sound.write_bytes(wave_of(90 * 60 - 2, rate=8_000))
            table = pathlib.Path(folder) / "bars.csv"
            table.write_text("measure,time\n" + "".join(f"{bar + 1},{1 + bar * 1.79:.3f}\n" for bar in range(3_000)),
                             encoding="utf-8")
            self.prepare("Ninety minutes", table, sound, seconds=300)
        self.open(self.piece)
        # Processor time, which other programs on the machine do not lengthen.
        self.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        for name, steps in (("whole", 0), ("minutes", 15), ("bars", 35)):
            self.open(self.piece)
            self.later(CLOSER, steps)
            before = self.work()
            gaps = self.later(SCROLL)
            work = 1000 * (self.work() - before) / len(gaps)
            print(f"90 minutes, 3000 bars, {name}: {work:.1f} ms of the page's processor time a frame; "
                  f"{1000 / gaps[len(gaps) // 2]:.0f} frames a second in the middle of {len(gaps)}", flush=True)
            self.picture(f"prepare-long-{name}")
            self.assertLess(work, 12, "60 frames a second leave 16.7 ms for one")

    def work(self):
        """Seconds of processor time that the page's thread has used."""
        found = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(each["value"] for each in found if each["name"] == "TaskDuration")
