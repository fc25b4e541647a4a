"""A listener's way through the evening: where the page leads, what it says, and what it keeps, also in the wrong order
and the second time."""

import base64
import re

from hall_case import DESKTOP, PHONE, SMALL, HallCase, size

MOUNTAIN = "POAGriegPeerGyntSuiteNo1IntheHalloftheMountainKing"
PRELUDE = "POABachWellTemperedClavierIPreludeinC"
LEFT, RIGHT, ESCAPE = "\ue012", "\ue014", "\ue00c"

# A piece of another evening, as this phone kept it.
KEEP_ANOTHER = """
    const piece = { name: 'Old, Suite: Air', composer: 'Old', work: 'Suite', movement: 'Air',
        measures: [{ printed: 1, time: 0 }],
      structure: { sections: [] }, waveform: [], tracks: [{ name: 'The Music', language: 'en',
        slides: [{ played: 0, measure: 1, time: 0, parts: [{ text: 'Heard last year.' }], links: [] }] }] };
    const cache = await caches.open('baton-kept');
    await cache.put('/kept/POAOldSuiteAir/data.json',
        new Response(JSON.stringify({ concert: 'Last year', piece, glossary: [] })));
"""

# Positions of the pages within their frames, and whether the page itself can be scrolled.
OUT_OF_FRAME = """
    scrollTo(0, 9999);
    const moved = [scrollX, scrollY];
    scrollTo(0, 0);
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [moved, Math.max(0, scrollWidth - innerWidth), Math.max(0, scrollHeight - innerHeight)];
"""

# The lines a paragraph's words stand on: a word on two lines is split.
SPLIT_WORDS = """
    const split = [];
    for (const words of document.querySelectorAll('#slide .lead, #slide .rest')) {
      const walker = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        for (const found of walker.currentNode.data.matchAll(/[\\p{L}]+/gu)) {
          const range = document.createRange();
          range.setStart(walker.currentNode, found.index);
          range.setEnd(walker.currentNode, found.index + found[0].length);
          if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) split.push(found[0]);
        }
      }
      if (words.scrollWidth > words.clientWidth) split.push(`wider than the screen: ${words.textContent.slice(0, 30)}`);
    }
    return split;
"""


class FollowTest(HallCase):
    def live(self):
        return self.scenario("state")["live"]

    def follows(self, live, seconds=2.0):
        self.until(lambda: self.screen() == "slides" and self.number() == self.right(live) and self.green(),
                   "the music", seconds)

    def quiet(self, path):
        self.scenario("none")
        self.open(path)
        self.until(lambda: self.script("return document.body.dataset.joined") == "true", "joined")

    def test_a_piece_without_slides_shows_its_bar_its_section_and_what_comes(self):
        self.open()
        piece = self.concert["pieces"][3]
        self.scenario("slideless")
        live = self.scenario("at?piece=4&played=20")["live"]
        self.until(lambda: self.text(".plain-bar strong") == str(live["measure"]), "the bar that sounds", 4)
        self.assertIn(piece["movement"], self.text("#slide"))
        self.assertIn(live["section"], self.text("#slide"))
        self.assertIn("Next: ", self.text("#slide"))
        live = self.scenario("at?piece=4&played=21")["live"]
        self.until(lambda: self.text(".plain-bar strong") == str(live["measure"]), "the next one", 4)
        self.assertEqual(self.script("return document.documentElement.scrollWidth > innerWidth"), False)

    def test_whoever_opened_a_piece_before_it_began_is_carried_along(self):
        self.quiet(f"/#/piece/{MOUNTAIN}")
        self.until(lambda: self.number() == 1, "the piece is read")
        self.follows(self.scenario("at?piece=4&played=0")["live"])
        self.follows(self.scenario("at?piece=4&played=30")["live"])
        # A reload finds the music again, and so does the next piece.
        self.driver.refresh()
        self.follows(self.live())
        self.follows(self.scenario("at?piece=5&played=3")["live"])

    def test_a_piece_opened_by_its_address_while_it_plays_is_followed(self):
        self.scenario("at?piece=4&played=30")
        self.open(f"/#/piece/{MOUNTAIN}")
        self.follows(self.live())

    def test_a_reader_who_has_turned_on_is_asked_and_not_moved(self):
        self.quiet(f"/#/piece/{MOUNTAIN}")
        self.until(lambda: self.number() == 1, "the piece is read")
        for _ in range(4):
            self.press(RIGHT)
        self.scenario("at?piece=4&played=0")
        self.until(lambda: "It begins: follow" in self.text("#where"), "one large line")
        self.assertEqual(self.number(), 5, "nobody is moved while reading")
        self.assertGreaterEqual(self.script("return document.getElementById('where').getBoundingClientRect().height"),
                                56)
        self.press("g")
        self.until(lambda: self.screen() == "words", "the glossary")
        self.script("history.back()")
        self.until(lambda: self.screen() == "slides" and self.number() == 5, "still reading")
        self.click("#where")
        self.follows(self.live())
        self.assertFalse(self.shown("#where"))
        # Twice: the same listener, the next evening's way round.
        self.press(LEFT)
        self.follows(self.scenario("at?piece=5&played=3")["live"])

    def test_the_programme_turns_to_the_music_as_it_promises(self):
        # Also where the address names what this phone does not have.
        for path in ("/", "/#/programme", "/#/piece/POANobody"):
            self.quiet(path)
            self.until(lambda: "turns to the music by itself" in self.text("#now"), "the promise")
            self.follows(self.scenario("at?piece=1&played=5")["live"])
            self.driver.refresh()
            self.follows(self.live())

    def test_the_programme_opened_during_the_music_stays_open(self):
        self.scenario("at?piece=4&played=30")
        self.open("/#/programme")
        self.until(lambda: "Playing now" in self.text("#now"), "the live sign")
        self.scenario("at?piece=4&played=35")
        self.scenario("at?piece=5&played=0")
        self.until(lambda: "Ode to Joy" in self.text("#now"), "the next piece")
        self.assertEqual(self.screen(), "home")

    def test_reading_back_shows_where_the_music_is(self):
        self.scenario("at?piece=4&played=30")
        self.open()
        self.follows(self.live())
        self.assertFalse(self.shown("#where"), "a listener who sees the music needs no sign")
        self.press(LEFT, LEFT)
        live = self.scenario("at?piece=4&played=60")["live"]
        self.until(lambda: f"slide {self.right(live)} of 13" in self.text("#where"), "the music's slide")
        section = self.concert["pieces"][3]["structure"]["sections"][2]["label"]
        self.assertIn(section, self.text("#where"))
        self.assertEqual(self.script("return document.querySelectorAll('#timeline .dot[data-is=past], #timeline "
                                     ".dot[data-is=shown]').length"),
                         self.right(live), "dots up to the music")
        self.click("#where")
        self.follows(live)

    def test_a_reader_of_another_piece_is_told_what_plays(self):
        self.scenario("at?piece=4&played=30")
        self.open(f"/#/piece/{PRELUDE}")
        self.until(lambda: "Playing now: In the Hall of the Mountain King" in self.text("#where"), "told")
        self.click("#where")
        self.follows(self.live())

    def test_the_next_piece_is_announced_also_after_a_reload(self):
        self.scenario("at?piece=3&played=4")
        self.open()
        self.follows(self.live())
        self.assertFalse(self.shown("#where"))
        self.scenario("none")
        self.until(lambda: "Next: In the Hall of the Mountain King" in self.text("#where"), "what comes next")
        for path in ("/#/programme", "/"):
            self.open(path)
            self.until(lambda: "Mountain King" in self.text("#now-next"), "also on the programme")
        self.follows(self.scenario("at?piece=5&played=3")["live"])
        self.scenario("none")
        self.until(lambda: not self.shown("#where"), "after the last piece comes none")

    def test_after_a_hard_stop_in_the_middle_no_next_piece_is_promised(self):
        self.scenario("at?piece=4&played=12")
        self.open()
        self.follows(self.live())
        self.scenario("stop")
        self.until(lambda: not self.green(), "nothing is live")
        self.stays(lambda: not self.shown("#where"), "the piece is not over", 0.5)
        self.open("/#/programme")
        self.until(lambda: "No music just now" in self.text("#now"), "the hall is quiet")
        self.assertNotIn("Next:", self.text("#now"), "also after a reload")

    def test_before_the_concert_the_first_piece_is_announced(self):
        self.scenario("before")
        self.open()
        first = self.concert["pieces"][0]["name"]
        self.until(lambda: f"First: {first}" in self.text("#now-next"), "what comes first")
        self.assertIn("No music just now", self.text("#now"))
        self.scenario("at?piece=1&played=5")
        self.scenario("none")
        self.forget()
        self.open()
        self.until(lambda: "Intermission" in self.text("#now"), "an intermission")
        self.assertNotIn("First:", self.text("#now"), "a phone opened in the intermission is not told so")

    def test_after_its_last_music_the_concert_is_over_until_something_plays_again(self):
        live = self.scenario("at?piece=5&played=3")["live"]
        self.open()
        self.follows(live)
        self.scenario("over")
        self.until(lambda: "The concert is over" in self.text("#where"), "told above the last slide")
        self.assertFalse(self.green())
        self.click("#where")
        self.until(lambda: "The concert is over" in self.text("#now") and "Next:" not in self.text("#now"),
                   "on the programme too")
        self.open()
        self.until(lambda: "The concert is over" in self.text("#now"), "and to a phone that comes late")
        self.follows(self.scenario("at?piece=1&played=0")["live"])

    def test_a_bar_that_the_map_does_not_have_shows_the_last_slide_before_it(self):
        self.scenario("at?piece=4&played=40")
        self.scenario("short?to=60")
        slides = self.concert["pieces"][3]["tracks"][0]["slides"]
        last = max(index for index, slide in enumerate(slides) if slide["played"] < 60) + 1
        self.open()
        for played in (70, 30, 87):
            self.scenario(f"beyond?piece=4&played={played}")
            wanted = last if played >= 60 else self.right({"piece": 3, "played": played})
            self.until(lambda: self.number() == wanted and self.green(), f"slide {wanted} at {played}", 2)

    def test_a_live_piece_without_text_says_so_and_a_kept_piece_opens(self):
        self.scenario("at?piece=4&played=30")
        self.open("/#/programme")
        self.later(KEEP_ANOTHER + "return 0")
        self.scenario("textless")
        for _ in range(2):
            self.until(lambda: "Mountain King" in self.text("#now-name")
                       and "No text for this piece" in self.text("#now"), "said so", 4)
            self.assertNotIn("No music", self.text("#now"))
            self.open("/#/piece/POAOldSuiteAir")
            self.until(lambda: "Heard last year" in self.text("#slide"), "the kept piece opens")
            self.until(lambda: "Playing now" in self.text("#where"), "and what plays is told")
            self.open("/#/programme")


class TroubleTest(HallCase):
    def trouble(self):
        return self.script("return document.getElementById('live').dataset.trouble") == "true"

    def test_red_is_for_trouble_alone(self):
        self.open()
        self.until(self.green, "live")
        colour = "return getComputedStyle(document.getElementById('live')).color"
        off = "rgb(255, 157, 142)"
        self.press(LEFT)
        self.assertFalse(self.green())
        self.assertNotEqual(self.script(colour), off, "reading back is no trouble")
        self.open(f"/#/piece/{PRELUDE}")
        self.until(lambda: self.shown("#where"), "reading another piece")
        self.assertNotEqual(self.script(colour), off)
        self.scenario("none")
        self.open()
        self.stays(lambda: self.script(colour) != off, "a hall in which nothing plays is no trouble", 0.6)
        self.scenario("gone")
        self.until(self.trouble, "the hall is lost", 7)
        self.assertEqual(self.script(colour), off)
        self.scenario("here")
        self.until(lambda: not self.trouble(), "found again", 4)

    def test_live_without_the_hall_says_that_there_is_no_stream(self):
        self.open()
        self.wait_for_kept()
        self.wait_for_worker()
        self.scenario("gone")
        self.open(f"/#/piece/{PRELUDE}")
        self.until(lambda: self.number() == 1, "a kept piece")
        self.until(lambda: self.text("#live") == "No stream", "the button says it", 6)
        for _ in range(2):
            self.click("#live")
            self.until(lambda: "no live stream" in self.text("#lines"), "said when it is pressed", 1)
            self.assertEqual((self.screen(), self.number()), ("slides", 1), "what is read stays")
        self.scenario("here")
        self.until(lambda: self.green() and "Mountain King" in self.text("#top h1"), "the music takes over", 6)

    def test_the_marks_of_what_is_kept_stay_without_the_hall(self):
        self.open("/#/programme")
        self.wait_for_kept()
        self.until(lambda: self.script("return document.querySelectorAll('.document .mark').length") == 5, "five marks")
        self.wait_for_worker()
        self.scenario("gone")
        for _ in range(2):
            self.open("/#/programme")
            self.until(lambda: self.script("return document.querySelectorAll('.document .mark').length") == 5,
                       "five marks")

    def test_deleting_asks_once(self):
        folders = "return document.querySelectorAll('.folder').length"
        self.open("/#/programme")
        self.wait_for_kept()
        self.click("[data-opens=kept]")
        self.until(lambda: self.script(folders) == 5, "five folders")
        self.click("[aria-label^='Delete Grieg']")
        self.assertIn("Delete Grieg", self.text(".question"))
        self.assertEqual(self.script("return document.activeElement.textContent"), "Keep",
                         "Enter deletes nothing by mistake")
        self.click(".answers button:not(.grave)")
        self.assertEqual(self.script(folders), 5)
        self.wait_for_kept(5)
        self.click("[aria-label^='Delete Grieg']")
        self.click(".answers .grave")
        self.until(lambda: not self.shown(".question") and self.script(folders) == 4, "deleted")
        self.wait_for_kept(4)
        self.click(".buttons .grave")
        self.assertIn("everything", self.text(".question"))
        self.press(ESCAPE)
        self.until(lambda: not self.shown(".sheet"), "closed")
        self.wait_for_kept(4)
        self.click("[data-opens=kept]")
        self.until(lambda: self.shown(".buttons .grave"), "again")
        self.click(".buttons .grave")
        self.click(".answers .grave")
        self.until(lambda: "Nothing is kept" in self.text(".kept"), "all is deleted")


class FrameTest(HallCase):
    def test_no_view_scrolls_out_of_its_frame(self):
        self.open()
        self.wait_for_kept()  # what is kept is marked with words for screen readers
        for screen in (PHONE, (1280, 800), DESKTOP, SMALL):
            size(self.driver, screen)
            for path in ("/", "/#/programme", "/#/words/3", "/#/notes"):
                self.open(path)
                self.settle()
                self.assertEqual(self.script(OUT_OF_FRAME), [[0, 0], 0, 0], f"{screen} {path}")

    def test_a_missing_picture_shows_its_caption_once(self):
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/images/hall-*"]})
        try:
            piece = self.concert["pieces"][3]
            slide = next(slide for slide in piece["tracks"][0]["slides"]
                         if any(part.get("image") for part in slide["parts"]))
            caption = next(part["caption"] for part in slide["parts"] if part.get("image"))
            self.scenario(f"at?piece=4&played={slide['played']}")
            self.open()
            self.until(lambda: self.shown(".picture[data-missing]"), "the picture is missed")
            self.assertEqual(self.script("return document.querySelectorAll('#slide img').length"), 0)
            self.assertEqual(self.script("return document.getElementById('slide').innerText").count(caption), 1)
        finally:
            self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})

    def test_large_text_splits_no_word(self):
        self.scenario("none")
        for screen in (PHONE, SMALL):
            size(self.driver, screen)
            for language in ("en", "de"):
                self.open()
                self.script("localStorage['baton.audience.settings'] = JSON.stringify({size: 2.2, language: "
                            "arguments[0]})", language)
                for piece in (1, 4, 5):
                    self.open(f"/#/piece/{folder_of(self.concert['pieces'][piece - 1])}")
                    self.until(lambda: self.number() == 1, "the first slide")
                    for _ in range(6):
                        self.assertEqual(self.script(SPLIT_WORDS), [],
                                         f"{screen} {language} {piece} {self.text('#place')}")
                        self.press(RIGHT)
        self.script("localStorage.removeItem('baton.audience.settings')")

    def test_a_sign_stands_where_a_slide_goes_on(self):
        self.open()
        self.until(self.green, "live")
        self.assertFalse(self.shown("#goes-on"), "all of it is seen")
        for _ in range(12):
            self.press("+")
        self.until(lambda: self.shown("#goes-on"), "the slide goes on")
        for _ in range(8):
            if self.shown("#goes-on"):
                self.click("#goes-on")
                self.settle()
        self.assertFalse(self.shown("#goes-on"), "its end is seen")
        self.press("p")
        self.until(lambda: self.screen() == "home", "the programme")
        self.assertFalse(self.shown("#goes-on"))


def folder_of(piece):
    return "POA" + "".join(letter for letter in piece["name"] if letter.isalnum())


class MoreTest(HallCase):
    def test_a_word_is_explained_over_its_slide_which_goes_on_following(self):
        self.scenario("at?piece=1&played=24")
        self.open()
        self.until(lambda: self.shown("#slide .word"), "linked words")
        for _ in range(2):
            word = self.text("#slide .word")
            self.script("document.querySelector('#slide .word').click()")
            self.until(lambda: self.shown(".sheet.explained") and self.text("#sheet-title").lower() == word.lower(),
                       "the sheet")
            self.assertEqual(self.screen(), "slides", "the slide stays below")
            self.assertGreater(len(self.text(".sheet .meaning")), 30)
            self.press(ESCAPE)
            self.until(lambda: not self.shown(".sheet"), "closed")
            self.assertTrue(self.green())
        self.script("document.querySelector('#slide .word').click()")
        self.until(lambda: self.shown(".sheet.explained"), "the sheet")
        live = self.scenario("at?piece=1&played=30")["live"]
        self.until(lambda: self.number() == self.right(live), "follows below the sheet")
        self.click(".sheet.explained a.button")
        self.until(lambda: self.screen() == "words" and not self.shown(".sheet"), "the whole glossary")
        self.script("history.back()")
        self.until(lambda: self.screen() == "slides" and self.green(), "back at the music")

    def test_programme_notes_are_read_in_the_pages_own_look_also_without_the_hall(self):
        self.open("/#/programme")
        self.wait_for_worker()
        self.until(lambda: self.later("""return (await (await caches.open('baton-kept')).keys())
            .some((key) => key.url.includes('ProgramNotes.md'))"""), "the text is kept", 20)
        for step in ("here", "gone"):
            self.scenario(step)
            self.open("/#/programme")
            self.click("#notes-link")
            self.until(lambda: self.shown("#notes h2"), "the notes")
            self.assertEqual(self.script("return getComputedStyle(document.getElementById('notes')).color"),
                             "rgb(246, 239, 227)")
            self.assertGreater(self.script("return document.querySelectorAll('#notes-text p').length"), 3)
            self.assertNotIn("**", self.text("#notes-text"))
            self.script("history.back()")
            self.until(lambda: self.screen() == "home", "back")
        self.scenario("here")

    def test_section_names_stand_on_the_desktops_timeline(self):
        size(self.driver, DESKTOP)
        self.open()
        self.until(self.green, "live")
        sections = [section["label"] for section in self.concert["pieces"][3]["structure"]["sections"]]
        self.assertEqual(self.script("return [...document.querySelectorAll('#timeline .name')].map((name) => "
                                     "name.textContent)"), sections)
        self.assertTrue(self.shown("#timeline .name"))
        self.assertEqual(
            self.script(
                """const boxes = [...document.querySelectorAll('#timeline .name')].map((name) =>
                    name.getBoundingClientRect());
            return boxes.filter((box, at) => at && box.left < boxes[at - 1].right - 1).length"""), 0,
            "no name lies on another")
        size(self.driver, PHONE)
        self.assertFalse(self.shown("#timeline .name"), "a phone has no room for them")

    def test_the_track_chooser_looks_like_one_on_a_phone(self):
        self.open()
        self.until(self.green, "live")
        self.assertTrue(self.shown("#tracks .down"))
        self.assertNotEqual(self.script("return getComputedStyle(document.getElementById('tracks')).borderTopColor"),
                            "rgba(0, 0, 0, 0)")

    def test_tonights_performers_have_names_and_portraits(self):
        self.scenario("cast")
        self.open("/#/programme")
        self.until(lambda: self.shown("#cast .performer"), "the cast")
        self.assertEqual(self.script("return [...document.querySelectorAll('.performer')].map((e) => "
                                     "e.innerText.replace(/\\s+/g, ' ').trim())"),
                         ["Anna Berg violin", "The Players"])
        self.until(lambda: self.script("return document.querySelector('.portrait')?.naturalWidth > 0"), "the portrait")

    def test_section_names_and_words_are_in_the_listeners_language(self):
        size(self.driver, DESKTOP)
        self.open()
        self.until(self.green, "live")
        self.script("localStorage['baton.audience.settings'] = JSON.stringify({language: 'de'})")
        self.scenario("at?piece=4&played=80")
        self.open()
        self.until(lambda: self.text("#track-name") == "Die Musik" and self.green(), "German")
        self.assertEqual(
            self.script("return [...document.querySelectorAll('#timeline .name')].map((name) => name.textContent)"),
                         ["Erste Runde: Bässe und Fagotte", "Zweite Runde: Geigen", "Dritte Runde: alle", "Coda"])
        self.click("#timeline")
        self.until(lambda: "Dritte Runde: alle" in self.text(".form"), "the form")
        self.press(ESCAPE)
        for _ in range(88):
            if self.shown("#slide .word"):
                break
            self.press(LEFT)
        self.script("document.querySelector('#slide .word').click()")
        self.until(lambda: self.shown(".sheet .meaning[lang=de]"), "explained in German")
        self.click(".sheet.explained a.button")
        self.until(lambda: self.screen() == "words", "the glossary")
        self.assertIn("Orgelpunkt", self.text("#words-list"))
        self.assertNotIn("pedal point", self.text("#words-list"))
        # The other way round, and back.
        self.script("localStorage['baton.audience.settings'] = JSON.stringify({language: 'en'})")
        self.open("/#/words/0")
        self.assertIn("pedal point", self.text("#words-list"))
        self.assertNotIn("Orgelpunkt", self.text("#words-list"))
        self.script("localStorage.removeItem('baton.audience.settings')")


class PosterTest(HallCase):
    def printed(self):
        """The pages of the poster as printed, as [width, height] in points."""
        paper = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
        return [[round(float(side)) for side in box] for box in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]",
                                                                           paper)]

    def choose(self, name, value):
        self.script("""const form = document.getElementById('wishes'); form.elements[arguments[0]].value = arguments[1];
            form.dispatchEvent(new Event('input'))""", name, value)

    def test_a_poster_leads_to_the_hall_and_fits_one_sheet(self):
        size(self.driver, DESKTOP)
        for _ in range(2):
            self.driver.get(self.base + "/poster")
            self.until(lambda: self.text("#title") == self.concert["title"], "tonight's concert")
            self.assertIn("Only this machine", self.text("#advice"), "no phone reaches a loopback address")
            self.choose("address", "https://hall.example/")
            self.assertEqual(self.text("#advice"), "")
            self.assertEqual(self.text("#address"), "hall.example")
            drawn = self.script("return new URL(document.getElementById('code').src).searchParams.get('text')")
            self.assertEqual(drawn, "https://hall.example/", "the code says the same address")
            self.until(lambda: self.script("return document.getElementById('code').naturalWidth > 0"),
                       "the code is drawn")
            self.choose("paper", "a4")
            self.until(lambda: self.printed() == [[595, 842]], "one A4 sheet")
            self.choose("paper", "a3")
            self.until(lambda: self.printed() == [[842, 1191]], "one A3 sheet")
            self.choose("language", "de")
            self.choose("words", "Das Orchester dankt.")
            self.choose("wifi", "Saal")
            self.assertIn("WLAN „Saal“", self.text("#steps"))
            self.assertIn("Telefon", self.text("#headline"))
        self.driver.refresh()
        self.until(lambda: "Das Orchester dankt." in self.text("#words"), "the words are remembered")
        self.assertFalse(self.text("#address").startswith("hall.example"),
                         "the address is the one the page was opened at")
