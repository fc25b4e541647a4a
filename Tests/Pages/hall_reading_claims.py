"""Reading: programme, tracks and languages, glossary, form, text, keys, staying awake, paper."""

import base64

from hall_case import SMALL, HallCase, size

FAKE_LOCK = """window.asked = 0; window.locks = [];
Object.defineProperty(navigator, 'wakeLock', {configurable: true, value: {request: async () => { asked += 1;
  if (window.refuse) throw new DOMException('no', 'NotAllowedError');
  const lock = new EventTarget(); lock.released = false;
  lock.release = async () => { lock.released = true; lock.dispatchEvent(new Event('release')); };
  locks.push(lock); return lock; }}});"""


class ReadingTest(HallCase):
    def test_the_programme_shows_documents_and_leads_to_the_music(self):
        self.open("/#/programme")
        self.assertEqual(self.script("return [...document.querySelectorAll('.work h3')].map((e) => e.textContent)")[3],
                         "Peer Gynt Suite No. 1")
        self.assertEqual(self.script("return document.querySelectorAll('.document').length"), 5)
        self.assertEqual(self.script("return document.getElementById('notes-link').hash"), "#/notes")
        self.until(lambda: "In the Hall of the Mountain King" in self.text("#now"), "the live indicator")
        self.assertIn("plays now", self.text(".document[aria-current]"))
        self.click("#now")
        self.until(lambda: self.number() == 3 and self.green(), "there", 1)
        self.script("history.back()")
        self.until(lambda: self.screen() == "home", "back by the phone's own Back")

    def test_track_and_language_are_chosen_and_remembered(self):
        self.open()
        self.click("#tracks")
        self.until(lambda: self.shown(".tracks"), "the sheet")
        self.click(".tracks input[value='de']")
        self.until(lambda: self.text("#track-name") == "Die Musik", "German")
        self.assertEqual(self.script("return [document.documentElement.lang, document.getElementById('slide').lang]"),
                         ["de", "de"])
        self.click(".tracks input[value='Geschichte']")
        self.until(lambda: self.text("#track-name") == "Geschichte", "history")
        self.assertEqual(self.number(), self.right(self.scenario("state")["live"], "Geschichte"))
        self.open()
        self.assertEqual(self.text("#track-name"), "Geschichte")
        self.assertIn("von 5", self.text("#place"))
        self.scenario("at?piece=1&played=12")
        self.until(lambda: "Prelude" in self.text("#top h1") and self.text("#track-name") == "Geschichte",
                   "also in the next piece")

    def test_words_lead_to_the_glossary_and_back_to_the_same_slide(self):
        self.scenario("at?piece=1&played=24")
        self.open()
        self.press("\ue012")
        number = self.number()
        self.press("\ue014")
        self.until(lambda: self.shown("#slide .word"), "linked words")
        word = self.text("#slide .word")
        self.script("document.querySelector('#slide .word').click()")
        self.until(lambda: self.shown(".sheet.explained"), "the word's own sheet")
        self.click(".sheet.explained a.button")
        self.until(lambda: self.screen() == "words" and self.text("#word h2").lower() == word.lower(), "its definition")
        self.assertEqual(self.text("#words-list [aria-current]").lower(), word.lower())
        self.assertGreater(len(self.text("#word")), 30)
        self.assertIn("Forms", self.text("#words-list"))
        self.script("history.back()")
        self.until(lambda: self.number() == number + 1, "the slide")

    def test_the_timeline_opens_the_form_with_colours_and_keys(self):
        self.open()
        self.assertEqual(self.script("return document.querySelectorAll('#timeline .dot').length"), 13)
        self.assertEqual(self.script("return document.querySelectorAll('#timeline rect').length"), 4)
        # Dots stand by the measure times.
        piece = self.concert["pieces"][3]
        left = self.script("return parseFloat(document.querySelectorAll('#timeline .dot')[4].style.left)")
        self.assertAlmostEqual(left, 100 * piece["tracks"][0]["slides"][4]["time"] / piece["endSeconds"], 1)
        self.click("#timeline")
        self.until(lambda: self.shown(".form"), "the drawer")
        self.assertIn("B minor, 2 sharps", self.text(".form"))
        self.assertIn("Measures 26–49", self.text(".form"))
        self.assertEqual(self.script("return document.querySelector('.section[aria-current] "
                                     "rect').getAttribute('fill')"), "rgb(60 80 60)")
        self.press("\ue00c")
        self.until(lambda: not self.shown(".form"), "closed")
        self.assertEqual(self.script("return document.activeElement.id"), "timeline")

    def test_text_grows_and_nothing_overflows_the_smallest_phone(self):
        self.open()
        before = self.script("return parseFloat(getComputedStyle(document.querySelector('#slide .lead')).fontSize)")
        for _ in range(12):
            self.press("+")
        after = self.script("return parseFloat(getComputedStyle(document.querySelector('#slide .lead')).fontSize)")
        self.assertAlmostEqual(after / before, 2.2, 1)
        size(self.driver, SMALL)
        for path in ("/", "/#/programme", "/#/words/3"):
            self.open(path)
            self.settle()
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 320, path)
            wide = self.script(
                """return [...document.querySelectorAll('main *, #deck *')].filter((e) => e.getClientRects().length
                    && !e.closest('.stage, .spoken, .dots')
                && e.getBoundingClientRect().right > 322).map((e) => e.id || e.className || e.tagName)""")
            self.assertEqual(wide, [], path)

    def test_look_is_chosen_and_remembered(self):
        self.open()
        self.press("a")
        self.until(lambda: self.shown(".look"), "the sheet")
        self.click(".look input[value='light']")
        self.click(".look input[value='high']")
        self.click(".look input[value='less']")
        self.script("const b = document.getElementById('brightness'); b.value = 100; b.dispatchEvent(new "
                    "Event('input'))")
        self.open()
        self.assertEqual(self.script("const { theme, contrast, motion } = document.documentElement.dataset; return "
                                     "[theme, contrast, motion]"),
                         ["light", "high", "less"])
        self.assertEqual(self.script("return getComputedStyle(document.getElementById('veil')).opacity"), "0")

    def test_reduced_motion_of_the_phone_is_respected(self):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
        try:
            self.open()
            self.scenario("at?piece=4&played=17")
            self.stays(lambda: self.script(
                "return document.getAnimations().filter((a) => a.playState === 'running').length") == 0,
                       "nothing glides", 0.2)
        finally:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_every_control_is_reached_by_tab(self):
        self.open()
        reached = set()
        for _ in range(16):
            self.press("\ue004")
            reached.add(self.script("const e = document.activeElement; return e.id || e.className"))
        for name in ("skip", "back", "live", "timeline", "tracks", "previous", "next"):
            self.assertIn(name, reached)
        for key, sheet in (("?", ".help"), ("a", ".look"), ("t", ".tracks"), ("f", ".form")):
            self.press(key)
            self.until(lambda: self.shown(sheet), sheet)
            inside = [self.press("\ue004")
                      or self.script("return Boolean(document.activeElement.closest('.sheet')) || "
                                     "document.activeElement === document.body") for _ in range(14)]
            self.assertTrue(all(inside), f"focus stays in {sheet}")
            self.press("\ue00c")
            self.until(lambda: not self.shown(sheet), "closed")
        self.press("p")
        self.until(lambda: self.screen() == "home", "programme")
        self.press("g")
        self.until(lambda: self.screen() == "words", "glossary")
        self.press("l")
        self.until(lambda: self.number() == 3, "live")

    def test_the_screen_is_kept_awake_and_taken_again_after_sleep(self):
        made = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FAKE_LOCK})
        try:
            self.open()
            self.until(lambda: self.script("return locks.length") == 1, "asked")
            self.script("locks[0].release(); document.dispatchEvent(new Event('visibilitychange'))")
            self.until(lambda: self.script("return locks.length") == 2, "asked again")
            self.press("a")
            self.until(lambda: self.shown(".look"), "the sheet")
            self.click("#awake")
            self.until(lambda: self.script("return locks[1].released"), "let go when not wanted")
        finally:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": made["identifier"]})

    def test_it_says_so_where_the_screen_cannot_be_kept_awake(self):
        made = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "Object.defineProperty(navigator, 'wakeLock', {value: undefined})"})
        try:
            self.open()
            self.until(lambda: "may lock by itself" in self.text("#lines"), "a word about it")
        finally:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": made["identifier"]})

    def test_a_piece_prints_as_a_document_without_what_is_to_come(self):
        self.open()
        paper = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
        self.assertTrue(paper.startswith(b"%PDF"))
        self.assertEqual(self.script("return document.querySelectorAll('#paper li').length"), 3)
        self.assertFalse(self.shown("#paper"))

    def test_no_page_of_ours_writes_markup_or_asks_elsewhere(self):
        self.open()
        found = self.later("""
            const text = await (await fetch('/sw.js')).text();
            const found = [];
            for (const [, path] of text.split('];')[0].matchAll(/"([^"]+)"/g)) {
                if (path.endsWith('.png')) continue;
                const source = await (await fetch(path)).text();
                for (const sign of [/innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(/,
                    /https?:\\/\\/(?!www\\.w3\\.org)/, / style="/,
                    /<script>|\\son\\w+="/]) if (sign.test(source)) found.push(`${path} ${sign}`);
            }
            return found""")
        self.assertEqual(found, [])
        self.assertEqual(self.script("return performance.getEntriesByType('resource').filter((e) => new "
                                     "URL(e.name).origin !== location.origin).length"), 0)
