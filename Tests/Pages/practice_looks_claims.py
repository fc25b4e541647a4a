"""The palette, the loop by a tap, notes above the tab, the order of playing."""

from selenium.webdriver.common.by import By

from browser import resize
from practice_case import DESKTOP, PHONE, PracticeCase, beat, tab


class LooksTest(PracticeCase):
    def test_a_thumb_alone_writes_a_bar_on_a_phone(self):
        self.open(tab([], []))
        resize(self.driver, PHONE)

        def tap(*labels):
            for label in labels:
                self.driver.find_element(By.CSS_SELECTOR, f"#palette [aria-label='{label}']").click()

        tap("Eighth", "String 6, E", "Fret 3", "String 2, B", "Fret 0", "One place on", "Fret 1", "Dotted",
            "One place on", "Sixteenth", "Rest", "One place on", "Half", "Fret 2", "Vibrato")
        tap("Take the note or rest away", "String 1, E", "Fret 5")
        self.assertEqual(self.beats(), [
            beat("1/8", (2, 0), (6, 3)), beat("1/8", (2, 1), dots=1), beat("1/16"), beat("1/2", (1, 5))])
        self.assertEqual(self.script("return innerWidth"), PHONE[0])

    def test_the_head_of_a_tab_fits_on_every_phone(self):
        self.open(tab([], title="Smoke on the water"))
        for width in (320, 360, 390, 560):
            resize(self.driver, (width, 800))
            outside, title = self.script("""
                const shown = [...document.querySelectorAll("#tab .top > *")].filter((each) => each.checkVisibility());
                const boxes = shown.map((each) => [each.id, each.getBoundingClientRect()]);
                return [boxes.filter(([, box]) => box.left < 0 || box.right > innerWidth).map(([id]) => id),
                  document.getElementById("title").clientWidth];""")
            self.assertEqual(outside, [], width)
            self.assertGreaterEqual(title, 40 if width < 390 else 100, width)
        # The tuner has no place there, but in the dialog.
        self.dialog()
        self.click("#tune-here")
        self.until(lambda: self.script("return document.querySelector('dialog[open]')?.id") == "ear", "the tuner opens")
        self.close_dialog()
        resize(self.driver, DESKTOP)

    def test_a_message_covers_neither_the_keys_nor_the_transport(self):
        self.open(tab([], title="Smoke on the water"))
        for size in ((390, 844), (820, 1180), (1440, 900)):
            resize(self.driver, size)
            covered, places = self.later("""
                const { notice } = await import("/shared/notice.js");
                for (let count = 0; count < 3; count += 1) notice("The tab was changed elsewhere, and is shown anew.");
                await Promise.all(document.getAnimations().map((one) => one.finished));
                const box = document.getElementById("notices").getBoundingClientRect();
                const covered = [...document.querySelectorAll("#tab :is(button, input, select)")].filter((each) => {
                  const one = each.getBoundingClientRect();
                  return each.checkVisibility() && one.top < box.bottom && box.top < one.bottom
                    && one.left < box.right && box.left < one.right;
                }).map((each) => each.id || each.textContent);
                const sheet = document.getElementById("sheet").getBoundingClientRect();
                const places = [box.top >= sheet.top, box.bottom <= sheet.bottom];
                document.getElementById("notices").replaceChildren();
                return [covered, places];""")
            self.assertEqual((covered, places), ([], [True, True]), size)
        resize(self.driver, DESKTOP)

    def test_a_tap_on_a_bars_number_loops_it_and_another_one_widens_the_loop(self):
        self.open(tab([], [], []))
        head = """
            const box = document.getElementById("sheet").getBoundingClientRect();
            const mark = [...document.querySelectorAll(".bar-number")][arguments[0]].getBoundingClientRect();
            document.getElementById("sheet").dispatchEvent(new MouseEvent("click", { bubbles: true,
              clientX: mark.right + 20, clientY: mark.top }));
            return document.getElementById("loop").textContent;"""
        self.assertEqual([self.script(head, bar) for bar in (1, 2, 1, 1)], ["Loop 2", "Loop 2–3", "Loop 2", "Loop"])

    def test_notes_stand_above_the_tab_if_wanted(self):
        self.open(tab([beat("1/4", (6, 0)), beat("1/4", (5, 4), (1, 0)), beat("1/2", (3, 1))]))
        self.assertEqual(self.script("return document.querySelectorAll('.head').length"), 0)
        self.dialog()
        self.click("#notation")
        self.close_dialog()
        heads = self.script("return [...document.querySelectorAll('.head')].map((e) => Number(e.getAttribute('cy')))")
        # E, C sharp and E, G sharp: written an octave higher; a step is four pixels.
        self.assertEqual([round((heads[0] - each) / 4) for each in heads], [0, 5, 14, 9])
        self.assertEqual(self.script("return [...document.querySelectorAll('.accidental')].map((e) => e.textContent)"),
                         ["♯", "♯"])
        self.dialog()
        self.click("#notation")
        self.close_dialog()
