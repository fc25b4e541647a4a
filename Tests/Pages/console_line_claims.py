"""Lost followers and lost lines."""

import re
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import resize, settle
from console_case import BASE, BrowserCase, DeskCase
from console_stage import ConsolePair


class LineTest(DeskCase):
    """The console's messages when something is not well."""

    # A new term cannot be taken back.
    anew = ("test_an_older_term_is_not_believed",)

    def tearDown(self):
        if self._testMethodName == "test_an_older_term_is_not_believed" and self.server:
            self.server.begin_anew()
        super().tearDown()

    def test_lost_keeps_the_bar_and_one_key_chooses(self):
        self.scenario("lost")
        self.until(lambda: self.shown("help") and self.body("mode") == "lost", "help is asked")
        kept = self.bar()
        self.stays(lambda: self.bar() == kept, "the last trusted bar stays", 1)
        self.press("2")
        self.until(lambda: self.body("mode") == "following" and 49 <= self.bar() <= 50, "candidate 2 is chosen")
        self.assertFalse(self.shown("help"))

    def test_the_tempo_of_a_lost_follower_is_told_for_ten_seconds(self):
        self.scenario("lost")
        self.until(lambda: self.body("mode") == "lost" and self.text("tempo").startswith("×"), "just lost")
        self.until(lambda: self.text("tempo") == "–", "lost for long", 14)
        self.press("2")
        self.until(lambda: self.body("mode") == "following" and self.text("tempo").startswith("×"), "followed again")

    def test_one_of_several_copies_names_the_bars_and_one_key_decides(self):
        # Until the music is under way, the place that a person gave counts.
        self.until(lambda: self.snapshot()["show"]["evening"] == "under-way", "under way", 8)
        self.scenario("undecided")
        self.until(lambda: self.body("mode") == "undecided" and self.shown("help"), "one of several")
        self.until(lambda: re.fullmatch(r"Bar \d+ or bar 44", self.text("state")), "both bars are named")
        offered = self.driver.find_element(By.ID, "candidates").text
        self.assertRegex(offered, r"55 %[\s\S]*45 %")
        self.assertEqual(self.text("help-title"), "Which of these copies is played?")
        kept = self.snapshot()["position"]["measure"]
        self.until(lambda: self.bar() == kept, "the last certain bar is shown")
        self.stays(lambda: self.bar() == kept, "and stays", 1)
        self.press("2")
        self.until(lambda: self.body("mode") == "following" and 44 <= self.bar() <= 45, "the second copy is chosen")
        self.assertFalse(self.shown("help"))

    def test_lost_enter_and_alt_choose_at_once(self):
        self.scenario("lost")
        self.until(lambda: self.shown("help"), "help")
        began = time.time()
        self.press("1", Keys.ENTER)
        self.until(lambda: 98 <= self.bar() <= 99, "chosen")
        self.assertLess(time.time() - began, 0.55)
        self.scenario("lost")
        self.until(lambda: self.shown("help"), "help")
        self.press("3", modifier=Keys.ALT)
        self.until(lambda: 148 <= self.bar() <= 149, "chosen")

    def test_lost_a_typed_bar_number_is_not_a_choice(self):
        self.scenario("lost")
        self.until(lambda: self.shown("help"), "help")
        self.press("2", "0", "1", Keys.ENTER)
        self.until(lambda: self.bar() == 201, "bar 201")
        self.assertNotIn(["choose", "2"], self.commands())

    def test_silence_is_shown_within_two_seconds_and_ends_by_itself(self):
        self.need_script()
        self.server.wire.stall(4)
        began = time.time()
        self.until(lambda: self.shown("cut"), "shown as lost", 3)
        self.assertLess(time.time() - began, 2.1)
        before = len(self.commands())
        self.press("m", "t", Keys.SPACE)
        self.until(lambda: "not sent" in self.notices(), "refused visibly")
        self.until(lambda: re_age(self.text("cut")) >= 3, "the age is told", 3)
        self.until(lambda: not self.shown("cut"), "back by itself", 6)
        self.stays(lambda: len(self.commands()) == before, "nothing was kept for later", 0.5)

    def test_a_server_that_goes_and_comes_back_is_found_again(self):
        self.need_script()
        self.server.wire.cut()
        self.until(lambda: self.shown("cut"), "cut", 3)
        self.server.wire.mend()
        self.until(lambda: self.text("link-state") == "Connected" and not self.shown("cut"), "found again", 8)
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "and obeyed")

    def test_a_console_too_many_says_why_it_is_not_let_in(self):
        self.need_script()
        self.server.wire.cut()
        with self.server.open_screens(16):
            self.server.wire.mend()
            self.until(lambda: "16 screens are open with your account" in self.text("cut"), "the server's reason", 8)
        self.until(lambda: not self.shown("cut"), "back when another was closed", 8)

    def test_an_older_term_is_not_believed(self):
        self.need_script()
        with self.server.twin() as older:
            older.command("piece", "3", "1", cookie=self.server.cookie)
            self.scenario("another-term")
            self.until(lambda: "term 2" in self.text("readings"), "term 2 leads")
            self.server.lead_to(older)
            self.until(lambda: "older term" in self.text("cut"), "refused", 8)
            self.stays(lambda: self.text("measure") != "1", "its words are not shown", 0.5)
            self.server.lead_to(self.server.server)
            self.until(lambda: not self.shown("cut"), "the true one is believed", 6)

    def test_signed_out_leads_to_the_sign_in_and_back(self):
        self.need_script()
        self.server.sign_out(self.driver.get_cookie("baton_session")["value"])
        self.until(lambda: "/login" in self.driver.current_url, "sign-in page", 6)
        self.driver.find_element(By.ID, "name").send_keys("ines")
        self.driver.find_element(By.ID, "password").send_keys("wrong" + Keys.ENTER)
        self.until(lambda: "wrong" in self.text("say"), "a sentence")
        self.driver.find_element(By.ID, "password").send_keys("open sesame" + Keys.ENTER)
        self.until(lambda: self.driver.current_url.endswith("/console"), "back at the console", 6)

    def test_faults_stand_there_as_sentences(self):
        self.scenario("input-lost")
        self.until(lambda: self.open_faults() == 1 and "is gone" in self.text("faults"), "the sentence")
        self.until(lambda: "No input" in self.text("level-text"), "the level says so")
        self.scenario("input-back")
        self.until(lambda: self.open_faults() == 0 and "Over:" in self.text("faults"), "over")

    def colours(self):
        return self.script("""
            const style = getComputedStyle(document.getElementById("state"));
            return [style.color, style.backgroundColor]""")

    def note_fits(self):
        self.addCleanup(resize, self.driver, "desktop")
        for size in ("phone", "tablet", "small-laptop", "laptop", "desktop"):
            resize(self.driver, size)
            settle(self.driver)
            gap, room = self.script("""
                const [badges, note, present] = [".badges", "#state-note", ".present"].map((css) =>
                    document.querySelector(css).getBoundingClientRect());
                return [note.top - badges.bottom, present.bottom - note.bottom]""")
            self.assertLessEqual(gap, 12, f"{size}: the note stands under the state")
            self.assertGreaterEqual(room, 0, f"{size}: nothing of it is cut off")

    def test_without_a_microphone_the_state_warns_and_says_what_to_do(self):
        # Silence before leads back to the beginning.
        self.until(lambda: self.snapshot()["show"]["evening"] == "under-way", "the piece is under way", 10)
        self.scenario("silence")
        self.until(lambda: self.text("state") == "Waiting for sound", "no music is heard")
        calm = self.colours()
        self.assertFalse(self.shown("state-note"))
        self.scenario("input-lost")
        self.until(lambda: self.text("state") == "No sound", "the microphone is gone")
        self.assertNotEqual(self.colours(), calm)
        for words in ("No sound arrives", "the place stands", "Take over", "Tap (T)", "Bar is now (N)"):
            self.assertIn(words, self.text("state-note"))
            self.assertIn(words, self.text("state-spoken"))
        self.assertTrue(self.shown("state-note"))
        self.note_fits()
        self.press("m")
        self.until(lambda: self.text("state") == "By hand" and not self.shown("state-note"), "taken over")
        self.press("m")
        self.scenario("input-back")
        self.until(lambda: self.text("state") == "Waiting for sound" and self.colours() == calm, "calm again")

    def test_music_after_the_last_piece_is_told_with_what_to_do(self):
        last, bars = len(self.facts.pieces), self.facts.pieces[-1]["measures"]
        self.command("piece", str(last), f"p:{bars - 1}")
        self.script_line(f"report piece={last} played={bars - 1}")
        self.until(lambda: self.body("mode") == "following" and self.text("tempo").startswith("×"), "the last bar")
        self.scenario("after-the-music")
        self.until(lambda: self.body("mode") == "finished" and self.text("tempo") == "–", "nothing has a tempo")
        self.until(lambda: "concert is over" in self.text("audience"), "the last piece has ended", 20)
        self.assertEqual(self.text("tempo"), "–")
        self.scenario("before-the-music")
        self.until(lambda: "Something is heard" in self.text("state-note"), "it is told")
        for words in ("by itself", "open Programme (P)"):
            self.assertIn(words, self.text("state-note"))
        self.note_fits()
        self.scenario("silence")
        self.until(lambda: not self.shown("state-note"), "nothing is heard")


class PairTest(BrowserCase):
    """The consoles of two servers of one show."""

    @classmethod
    def stage(cls):
        return ConsolePair()

    def setUp(self):
        if BASE:
            self.skipTest("needs two servers of its own")
        self.open()

    def test_a_backups_console_is_not_taken_for_the_main_ones(self):
        ground = self.script("return getComputedStyle(document.body).backgroundColor")
        self.until(lambda: not self.shown("role"), "the main one says nothing of roles")
        self.driver.get(self.server.backup.base + "/console")
        # In one look: on a busy machine the backup may find the main server silent for a moment.
        self.until(lambda: self.script("""
            return document.getElementById('role').textContent.includes('BACKUP')
                && document.title.startsWith('BACKUP')
                && getComputedStyle(document.body).backgroundColor !== arguments[0]
                && document.querySelector('#role a').href === arguments[1]
                && document.getElementById('readings').textContent.includes('main server heard')""",
                                       ground, self.server.main.base + "/console"), "the band, the title, the way", 10)

    def test_a_backup_that_sends_no_packets_is_not_in_trouble(self):
        self.driver.get(self.server.backup.base + "/console")
        self.until(lambda: "0.0 /s" in self.text("readings"), "the backup sends none", 10)
        self.until(lambda: self.text("audience") == "Audience: live", "the music is live")
        self.stays(lambda: self.script("""
            return document.querySelector("[data-reading=packets]").dataset.bad !== "true" """), "not red", 1.5)

    def test_a_backup_names_the_numbers_of_its_own_follower(self):
        self.driver.get(self.server.backup.base + "/console")
        self.until(lambda: self.text("confidence-of") == "Confidence of this server’s own follower", "named", 10)
        self.server.backup.scenario("lost")
        self.until(lambda: self.text("tuning") == "not following yet" and self.text("confidence") == "–",
                   "a follower that is lost has no number beside the leader's place", 8)
        self.assertEqual(self.text("going"), "", "and it gives nothing back")
        self.driver.get(self.server.main.base + "/console")
        self.until(lambda: self.text("confidence-of") == "Confidence", "the main server's are the show's", 8)

    def test_a_dead_main_server_names_the_other(self):
        self.until(lambda: "follows" in self.text("readings"), "a backup", 8)
        self.server.wire.cut()
        self.until(lambda: self.shown("cut"), "cut", 3)
        there = self.server.backup.base
        self.assertEqual(self.script("return document.querySelector('#cut a').href"), there + "/console")
        self.assertIn("backup’s console: " + there.removeprefix("http://"), self.text("cut"))
        self.server.wire.mend()


def re_age(text):
    words = text.split()
    return next((int(words[i]) for i in range(len(words) - 1) if words[i].isdigit() and words[i + 1] == "s"), 0)
