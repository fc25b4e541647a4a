"""The ways from an empty data folder to a prepared piece; uploads that are cut or refused."""

import pathlib
import tempfile

from selenium.webdriver.common.keys import Keys

from browser import resize
from lib.repository import RECORDINGS, measure_times, recording
from prepare_case import DESKTOP, PHONE, SCORE, SERVED, SOUND, TABLET, TIMES
from prepare_ways_case import RECORDING, SCORES, WayCase, wave_of

# Another piece than that of SOUND.
WRONG_SCORE = RECORDINGS / "bach-well-tempered-clavier-1-prelude-in-c" / "score.musicxml"


class WayTest(WayCase):
    def median_error(self):
        truth = measure_times(TIMES)
        found = self.bars()
        self.assertEqual([bar["printed"] for bar in found], [number for number, _ in truth[:len(found)]])
        errors = sorted(abs(bar["seconds"] - seconds) for bar, (_, seconds) in zip(found, truth))
        return errors[len(errors) // 2], errors[int(len(errors) * 0.95)]

    def test_recording_and_score_become_bars_by_themselves_and_a_prepared_piece(self):
        self.begin_piece((RECORDING, SOUND), (SCORES, SCORE))
        self.until(lambda: self.next().startswith(("Finding the bars", "Listening")), "it looks for the bars", 20)
        self.until(lambda: len(self.bars()) >= 64, "the bars are found", 300)
        self.picture("prepare-found")
        median, most = self.median_error()
        self.assertLess(median, 0.05)
        self.assertLess(most, 0.1)
        while self.next().endswith("to check by ear"):
            left = self.next()
            self.keys("n", "a")
            self.until(lambda: self.next() != left, "one less to check")
        self.button("Finish").click()
        self.button("Prepare", "#panel-finish").click()
        self.until(lambda: self.draft()["prepared"] is not None, "it is prepared", 300)
        self.until(lambda: self.next() == "Prepared", "the page says so", 10)
        self.assertIn("of the time in the right bar", self.text(".forecast"))
        self.until(lambda: self.script("return document.querySelectorAll('.doubt-strip rect').length") >= 64,
                   "every bar was tried with made trouble", 120)
        self.assertIn("Followed with 5 kinds of made trouble", self.text(".forecast"))
        self.assertLess(self.script("""return [...document.querySelectorAll(".notice")].filter((each) =>
            each.textContent.includes("is prepared")).length"""), 2, "it is said once")
        self.picture("prepare-prepared")
        self.script("document.querySelector('.notices').replaceChildren()")
        self.script("document.querySelector('.forecast').scrollIntoView()")
        for name, size in (("phone", PHONE), ("tablet", TABLET)):
            resize(self.driver, size)
            self.settle()
            self.picture(f"prepare-prepared-{name}")

    def test_a_recording_alone_is_tapped(self):
        self.begin_piece((RECORDING, SOUND))
        self.until(lambda: self.next() == "Tap the bars", "it asks for taps", 30)
        self.until(lambda: self.text(".time").endswith("1:35"), "the sound is there", 30)
        self.focus_stage()
        self.keys("t")
        self.until(lambda: self.script("return !document.querySelector('.tapping').hidden"), "it is ready for taps")
        self.script("""const every = document.querySelector(".tapping select"); every.value = "4";
            every.dispatchEvent(new Event("change"));""")
        truth = measure_times(TIMES)
        self.picture("prepare-tapping")
        count = self.tap_along([seconds for _, seconds in truth[0:33:4]], patience=120)
        self.assertIn("9 taps", count)
        self.picture("prepare-tapped")
        self.button("Find the bars").click()
        self.until(lambda: len(self.bars()) >= 33, "the bars are found", 60)
        found = self.times()
        errors = sorted(abs(a - seconds) for a, (_, seconds) in zip(found, truth[:33]))
        # On a busy machine the last keys come late; the others are put on the sound.
        self.assertLess(errors[int(len(errors) * 0.8)], 0.1, errors)
        self.until(lambda: self.text("#notices .notice button") == "Undo", "the result can be undone", 10)
        self.keys(Keys.ESCAPE)
        self.with_keys(Keys.CONTROL, "z")
        self.until(lambda: self.bars() == [], "undo takes them all back")
        self.focus_stage()
        self.keys("t")
        self.until(lambda: self.tapping().startswith("9 taps"), "the taps are still there")

    def tapping(self):
        """What the page says of the taps; empty if it is not being tapped."""
        return self.script("""const tapping = document.querySelector(".tapping");
            return tapping && !tapping.hidden ? tapping.querySelector(".tap-say").textContent : ''""")

    def test_taps_survive_a_reload_the_way_back_and_esc(self):
        self.begin_piece((RECORDING, SOUND))
        self.until(lambda: self.next() == "Tap the bars" and self.text(".time").endswith("1:35"), "the sound is there",
                   60)
        self.focus_stage()
        self.keys("t")
        self.assertIn("4 taps", self.tap_along([seconds for _, seconds in measure_times(TIMES)[:4]], patience=60))
        self.open(self.piece)
        self.until(lambda: self.tapping().startswith("4 taps; the last was bar 4"), "they are there after a reload", 10)
        self.button("Pieces").click()
        self.until(lambda: self.script("return Boolean(document.querySelector('.new-piece'))"), "the list is shown", 10)
        self.driver.back()
        self.until(lambda: self.tapping().startswith("4 taps"), "and after the way back", 10)
        self.keys(Keys.BACKSPACE, Keys.ESCAPE)
        self.until(lambda: not self.tapping(), "Esc ends it")
        self.open(self.piece)
        self.assertEqual(self.tapping(), "", "what was ended is not begun by a reload")
        self.focus_stage()
        self.keys("t")
        self.until(lambda: self.tapping().startswith("3 taps; the last was bar 3"), "it goes on with them", 10)
        self.button("Begin anew").click()
        self.until(lambda: self.tapping().startswith("Press the button"), "they are forgotten")
        self.button("Undo", "#notices").click()
        self.until(lambda: self.tapping().startswith("3 taps"), "and brought back")
        self.button("Find the bars").click()
        self.until(lambda: len(self.bars()) == 3, "they become bars", 60)
        self.until(lambda: self.next() != "Finding the bars …" and not self.tapping(), "the page says so", 10)
        self.open(self.piece)
        self.focus_stage()
        self.keys("t")
        self.until(lambda: self.tapping().startswith("Press the button"), "what became bars is not offered again")

    def test_taps_of_a_task_that_is_interrupted_are_kept(self):
        self.begin_piece((RECORDING, SOUND))
        self.until(lambda: self.next() == "Tap the bars" and self.text(".time").endswith("1:35"), "the sound is there",
                   60)
        taps = [{"seconds": seconds, "bar": number} for number, seconds in measure_times(TIMES)[:12]]
        self.script("""localStorage.setItem("baton.prepare.taps." + arguments[0], JSON.stringify({
            recording: arguments[1], taps: arguments[2], every: 1, isOpen: true, isSent: false }))""",
                    self.piece, self.draft()["main"], taps)
        self.open(self.piece)
        self.until(lambda: self.tapping().startswith("12 taps"), "they are there")
        self.script("""[...document.querySelectorAll(".tapping button")].at(-1).click();
            const stop = setInterval(() => document.querySelector("[data-does=stop]")?.click(), 5);
            setTimeout(() => clearInterval(stop), 3000);""")
        self.until(lambda: (self.draft()["job"] or {}).get("state") == "interrupted", "it is stopped", 30)
        self.assertEqual(self.bars(), [])
        self.open(self.piece)
        self.focus_stage()
        self.keys("t")
        self.until(lambda: self.tapping().startswith("12 taps"), "they can be sent again", 10)

    def test_the_name_is_said_and_changed_before_the_piece_is_prepared(self):
        self.restored()
        self.edit({"name": {"name": "audio"}})
        self.edit(*({"check": {"bar": bar["id"], "checked": True}} for bar in self.bars()))
        self.open(self.piece)
        self.until(lambda: "Its name is “audio”." in self.text(".next .hint"), "the name is said")
        self.button("Rename", ".next").click()
        self.assertTrue(self.script("return document.activeElement.closest('.form-panel') !== null"))
        self.keys("Petzold, Minuet", Keys.TAB)
        self.until(lambda: self.draft()["name"] == "Petzold, Minuet", "it is changed")
        self.until(lambda: self.text("#crumb") == "Petzold, Minuet", "the page says so")
        self.button("Finish").click()
        self.click("#crumb")
        self.until(lambda: self.script("return document.activeElement.value") == "Petzold, Minuet",
                   "the title leads there")

    def drop(self, *paths):
        """Drops files onto the page, all at once."""
        self.script("""const input = document.createElement("input");
            Object.assign(input, { type: "file", multiple: true, id: "dropped" });
            document.body.append(input);""")
        self.find("#dropped").send_keys("\n".join(map(str, paths)))
        self.script("""const input = document.getElementById("dropped"), data = new DataTransfer();
            for (const file of input.files) data.items.add(file);
            input.remove();
            document.querySelector(".page, .piece").dispatchEvent(
              new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));""")

    def test_files_that_are_dropped_at_once_are_all_taken_and_the_page_says_what_became_of_each(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            for name, data in (("The Minuet.ogg", SOUND.read_bytes()), ("the_minuet.musicxml", SCORE.read_bytes()),
                               ("Second.wav", wave_of(20)), ("Broken.flac", b"%PDF-1.4" + bytes(5_000)),
                               ("notes.pdf", b"%PDF-1.4")):
                (place / name).write_bytes(data)
            before = {each["id"] for each in self.ask("GET", "/pieces")}
            self.open()
            self.drop(*sorted(place.iterdir()))
            self.until(lambda: "3 pieces" in self.text(".many"), "three pieces")
            self.assertIn("The Minuet.ogg", self.text(".many"))
            self.assertIn("notes.pdf", self.text(".many"))
            self.assertIn("Left out: it is no recording", self.text(".many"))
            self.assertEqual({each["id"] for each in self.ask("GET", "/pieces")}, before, "nothing is made unasked")
            self.picture("prepare-many-planned")
            self.button("Begin 3 pieces").click()
            self.until(lambda: "Close this list" in self.text(".many"), "all of them were taken", 90)
        self.picture("prepare-many")
        made = {each["name"]: each for each in self.ask("GET", "/pieces") if each["id"] not in before}
        self.assertEqual(set(made), {"the minuet", "Second"}, "a file that is refused leaves no piece")
        self.assertIn("is a PDF, not a recording", self.text(".many"))
        self.assertIn("Its bars are looked for.", self.text(".many"))
        self.assertIn("Tap its bars", self.text(".many"))
        whole = self.draft(made["the minuet"]["id"])
        self.assertEqual((whole["score"]["name"], len(whole["recordings"])), ("the_minuet.musicxml", 1))
        self.until(lambda: len(self.draft(made["the minuet"]["id"])["bars"]) >= 64, "its bars are found", 300)

    def test_of_two_scores_that_are_dropped_on_a_piece_the_second_is_named_and_left_out(self):
        self.begin_piece((RECORDING, SOUND))
        self.until(lambda: self.next() == "Tap the bars", "it asks for taps", 60)
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            for name, score in (("a.musicxml", SCORE), ("b.musicxml", WRONG_SCORE)):
                (place / name).write_bytes(score.read_bytes())
            self.drop(place / "a.musicxml", place / "b.musicxml")
            self.until(lambda: "b.musicxml was left out: a piece has one score." in self.text("#notices"), "it is said")
            self.until(lambda: (self.draft()["score"] or {}).get("name") == "a.musicxml", "the first is taken", 30)

    def test_a_refused_file_makes_room_for_the_next_one(self):
        with tempfile.TemporaryDirectory() as folder:
            wrong, good = pathlib.Path(folder) / "programme.wav", pathlib.Path(folder) / "good.wav"
            wrong.write_bytes(b"%PDF-1.4" + bytes(5_000))
            good.write_bytes(wave_of(20))
            self.begin_piece((RECORDING, wrong))
            self.is_refused(30)
            self.assertIn("“programme.wav” is a PDF, not a recording.", self.text(".refused"))
            self.assertEqual(self.script("return document.activeElement.textContent").split("FLAC")[0], "Recording")
            self.choose_file(RECORDING, good)
            self.button("Begin").click()
            self.until(lambda: self.next() == "Tap the bars", "it asks for taps", 60)
        self.piece = self.driver.current_url.split("#/")[1]
        self.assertEqual((self.text(".uploads"), self.draft()["name"]), ("", "good"))

    def test_a_refused_recording_of_a_piece_with_a_score_says_why_and_leaves_the_score(self):
        with tempfile.TemporaryDirectory() as folder:
            wrong = pathlib.Path(folder) / "minuet.musicxml"
            wrong.write_bytes(SCORE.read_bytes())
            self.begin_piece((SCORES, SCORE), (RECORDING, wrong))
            self.until(lambda: self.text(".upload[data-state=refused] .upload-words") != "", "it is refused", 30)
        self.assertEqual(self.text(".upload-words"), "“minuet.musicxml” is a score (MusicXML), not a recording. Give "
                         "it under “Score” of a new piece, or by “Add the score” on the page of the piece.")
        self.assertEqual(self.draft()["score"]["name"], "score.musicxml")

    def test_a_piece_that_was_made_without_a_file_stays_when_one_is_refused(self):
        self.open()
        self.find(".new-piece input[type=text]").send_keys("Later")
        self.button("Begin").click()
        self.until(lambda: self.next() == "Add a recording", "the piece is opened")
        self.piece = self.driver.current_url.split("#/")[1]
        with tempfile.TemporaryDirectory() as folder:
            wrong = pathlib.Path(folder) / "programme.wav"
            wrong.write_bytes(b"%PDF-1.4" + bytes(5_000))
            self.choose_file(".next [aria-label='Add a recording'][type=file]", wrong)
            self.until(lambda: self.text(".upload[data-state=refused] .upload-words") != "", "it is refused", 30)
        self.stays(lambda: self.next() == "Add a recording", "the piece stays", 1)
        self.assertEqual(self.draft()["name"], "Later")

    def test_two_pieces_of_one_name_are_told_apart(self):
        made = [self.prepare("Schubert: Quartet"), self.prepare("Schubert: Quartet", bars=None)]
        self.upload(made[1], recording(SERVED, "gentle"), "reference")
        self.open()
        self.until(lambda: "1 more" in "".join(self.shown_pieces(*made)), "the list has both")
        one, other = (self.shown_pieces(piece)[0] for piece in made)
        self.assertRegex(one, r"1:\d\d · 64 bars · audio\.ogg · changed \d+ \w+ \d{4}, \d\d:\d\d")
        self.assertRegex(other, r"1:\d\d · no bars · audio\.ogg and 1 more · changed ")
        names = self.script("""return [...document.querySelectorAll(".piece-card button")].filter((button) =>
            arguments[0].includes(button.parentElement.dataset.piece)).map(({ ariaLabel }) => ariaLabel)""", made)
        self.assertEqual(len(set(names)), 2)
        self.button(names[0]).click()
        self.until(lambda: " · " in self.text("dialog[open] .dialog-body"), "the question says which one")
        self.keys(Keys.ESCAPE)

    def test_a_score_that_is_added_later_becomes_bars_by_itself_too(self):
        self.begin_piece((RECORDING, SOUND))
        self.until(lambda: self.next() == "Tap the bars", "it asks for taps", 60)
        self.choose_file(".next [aria-label='Add the score'][type=file]", SCORE)
        self.until(lambda: (self.draft()["job"] or {}).get("kind") == "align", "it looks for the bars", 30)
        self.until(lambda: len(self.bars()) >= 64, "the bars are found", 300)

    def test_bars_after_the_end_are_said_before_the_piece_is_prepared(self):
        self.restored()
        self.open(self.piece)
        self.until(lambda: self.next() == "Ready to be prepared", "it is ready", 10)
        self.edit({"end": {"seconds": self.times()[-2]}}, label="end")
        self.until(lambda: self.next() == "Bars after the end", "it is said", 10)
        self.assertIn("2 bars lie after it", self.text(".next"))
        self.button("Show the first one", ".next").click()
        self.until(lambda: self.text(".inspector-title").startswith("Bar 31"), "the first of them is chosen")
        self.edit({"end": {"seconds": None}}, label="end")
        self.until(lambda: self.next() == "Ready to be prepared", "it is ready again", 10)

    def test_for_a_folder_of_another_piece_the_next_name_is_proposed(self):
        self.restored()
        self.edit({"name": {"name": "Petzold: Anna Magdalena, Notebook: Minuet in G"}})
        self.open(self.piece)
        self.button("Prepare", ".next").click()
        self.until(lambda: f"There is another piece in the folder “{SERVED}” already" in self.text("#notices"),
                   "it says why", 10)
        self.assertEqual(self.script("""const folder = document.querySelector("#panel-finish input");
            return [folder.checkVisibility(), document.activeElement === folder, folder.value]"""),
                         [True, True, f"{SERVED}-2"])
        self.assertIsNone(self.draft()["prepared"])

    def test_a_file_that_is_no_recording_gets_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            wrong = pathlib.Path(folder) / "programme.flac"
            wrong.write_text("This is a text and no music.\n" * 100, encoding="utf-8")
            self.begin_piece((RECORDING, wrong))
            self.is_refused(30)
        self.assertRegex(self.text(".refused"), r"^[A-Z“].*\.$")
        self.picture("prepare-refused")

    def test_a_wrong_score_is_said_once_and_can_be_replaced(self):
        self.begin_piece((RECORDING, SOUND), (SCORES, WRONG_SCORE))
        self.until(lambda: self.next() == "The score does not fit the recording", "it is recognised", 300)
        self.settle()
        self.assertEqual(self.said("does not sound like"), 1, "the page says it once")
        self.assertEqual(self.bars(), [])
        for name, size in (("-phone", PHONE), ("-tablet", TABLET), ("", DESKTOP)):
            resize(self.driver, size)
            self.settle()
            self.picture(f"prepare-wrong-score{name}")
        self.assertEqual(self.texts(".next .hint"), ["audio.ogg does not sound like score.musicxml: choose the score "
                                                     "of the piece and movement that is played."])
        self.assertEqual(self.texts(".next button"),
                         ["Replace the score", "A score of the library", "Tap the bars instead", "Keep it anyway"])
        resize(self.driver, PHONE)
        self.settle()
        lines = self.script("""const text = document.querySelector(".next .hint");
            return text.clientHeight / parseFloat(getComputedStyle(text).lineHeight)""")
        self.assertLess(lines, 3.5, "a phone shows it in three lines")
        self.choose_file(".next [aria-label='Replace the score'][type=file]", SCORE)
        self.until(lambda: len(self.bars()) >= 64, "the bars are found by the right score", 300)
        self.until(lambda: self.said("does not sound like") == 0, "nothing is wrong any more", 20)

    def test_a_wrong_score_can_be_kept(self):
        self.begin_piece((RECORDING, SOUND), (SCORES, WRONG_SCORE))
        self.until(lambda: self.next() == "The score does not fit the recording", "it is recognised", 300)
        self.button("Keep it anyway", ".next").click()
        self.until(lambda: len(self.bars()) > 1, "bars are found all the same", 300)

    def texts(self, css):
        """The texts of all such elements that are shown."""
        return self.script("""return [...document.querySelectorAll(arguments[0])].filter((each) =>
            each.checkVisibility()).map((each) => each.textContent)""", css)

    def said(self, words):
        """How many paragraphs, notices and titles that are shown say these words."""
        return self.script("""return [...document.querySelectorAll("p, h2, .notice, .upload-words")].filter((each) =>
            each.checkVisibility() && each.textContent.includes(arguments[0])).length""", words)

    def test_the_tiles_of_a_new_piece_are_equally_high(self):
        for size in (PHONE, TABLET, DESKTOP):
            resize(self.driver, size)
            self.open()
            rows = self.script("""
                const rows = {};
                for (const slot of document.querySelectorAll(".slot")) {
                  const box = slot.getBoundingClientRect();
                  (rows[Math.round(box.top)] ??= []).push(Math.round(box.height));
                }
                return Object.values(rows)""")
            self.assertGreater(len(sum(rows, [])), 2, "the tiles are there")
            self.assertTrue(all(len(set(row)) == 1 for row in rows), f"{size}: {rows}")

    def test_the_progress_of_an_upload_keeps_the_same_margins_on_a_phone(self):
        resize(self.driver, PHONE)
        with tempfile.TemporaryDirectory() as folder:
            large = pathlib.Path(folder) / "long.wav"
            large.write_bytes(wave_of(20))
            self.open()
            self.slow(100_000)
            self.choose_file(RECORDING, large)
            self.button("Begin").click()
            self.until(lambda: self.script("return Boolean(document.querySelector('.upload progress'))"), "it begins")
            left, right = self.script("""
                const bar = document.querySelector(".upload progress").getBoundingClientRect();
                const row = document.querySelector(".upload").getBoundingClientRect();
                return [bar.left - row.left, row.right - bar.right]""")
            self.slow(-1)
            self.until(lambda: not self.script("return Boolean(document.querySelector('.upload progress'))"),
                       "it has arrived", 60)
        self.assertAlmostEqual(left, right, delta=2)

    def test_an_upload_goes_on_after_a_cut_and_after_a_reload(self):
        with tempfile.TemporaryDirectory() as folder:
            large = pathlib.Path(folder) / "long.wav"
            large.write_bytes(wave_of(70))
            self.open()
            self.slow(400_000)
            self.choose_file(RECORDING, large)
            self.button("Begin").click()
            self.until(lambda: "#/" in self.driver.current_url, "the piece is opened")
            self.piece = self.driver.current_url.split("#/")[1]
            self.until(lambda: self.share() >= 0.15, "a part has arrived", 30)
            self.assertLess(self.share(), 1, "not all has arrived")
            self.assertEqual(self.next(), "The recording is on its way …")
            self.slow(0, offline=True)
            self.until(lambda: "cut" in self.text(".upload-words"), "the cut is said", 10)
            self.slow(400_000)
            at = self.share()
            self.until(lambda: self.share() > at + 0.05, "it goes on", 30)
            self.driver.get("about:blank")
            self.accept_alert()
            self.slow(-1)
            self.open(self.piece)
            self.until(lambda: "goes on from there" in self.text(".upload[data-begun]"), "it is offered", 10)
            self.picture("prepare-resume")
            self.assertNotIn("Stopped at 0 %", self.text(".upload[data-begun]"))
            self.choose_file("[aria-label='Choose it again'][type=file]", large)
            self.until(lambda: self.draft()["recordings"], "it arrived as a whole", 30)
            self.assertEqual(len(self.draft()["recordings"]), 1)
