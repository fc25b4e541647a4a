#!/usr/bin/python3
"""One's own piece, from an empty folder to a followed concert, in a real browser: `baton serve` without a piece, a
private sound card, first steps, a new piece from a recording and its score, from taps, from an evening that the server
recorded itself, the programme, and the bars on the console while a file is played as the sound; once by keys alone.

    BATON=path/to/baton Tests/Pages/own_piece_test.py [TEST …]

It takes six minutes, because music is played in its own time. It needs pulseaudio, and Verovio for the score. The last
line is unittest's.
"""

import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

from selenium.webdriver.common.keys import Keys

from browser import resize
from lib import soundcard, waiting, web
from lib.processes import free_port
from lib.repository import BACH, RECORDINGS, measure_times, recording
from lib.servers import Server
from page_case import PageCase
from prepare_case import DESKTOP, PrepareCase

PASSPHRASE = "seven quiet violas at noon"
MINUET = "petzold-anna-magdalena-notebook-minuet-in-g"
SCORE = RECORDINGS / MINUET / "score.musicxml"
RECORDING_FIELD, SCORE_FIELD = "[aria-label='Recording'][type=file]", "[aria-label='Score'][type=file]"
SETTLING = 8  # s of music until the follower must know where it is
EARLY, LATE = 0.4, 1.2  # s by which a bar on the console may come before or after the music
BUSY_LATE = 8  # the same after, where more programs want to run than there are processors


class BareServer(Server):
    """`baton serve` in an empty folder, as of somebody who has nothing. It meets no other server on this machine."""

    def __init__(self, environment):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="baton-bare-"))
        (self.home / "Data").mkdir()
        super().__init__(None, "--no-listen-osc", "--no-multicast", "--osc", f"127.0.0.1:{free_port()}",
                         data=self.home / "Data", environment=environment)

    def launch(self, log):
        return subprocess.Popen(self.command_line, cwd=self.home, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                env=self.environment)

    def remove(self):
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)


@unittest.skipUnless(soundcard.is_possible(), "pulseaudio is not installed (a private sound card needs it)")
class OwnPieceCase(PrepareCase):
    """A server with nothing at all and a sound card, anew for each test, and the steps of whoever begins with it."""

    def setUp(self):
        self.card = soundcard.SoundCard()
        self.addCleanup(self.card.remove)
        type(self).server = BareServer(self.card.environment).start()
        type(self).base = self.server.base
        self.addCleanup(self.server.remove)
        resize(self.driver, DESKTOP)
        self.driver.delete_all_cookies()
        self.driver.get_log("browser")

    @classmethod
    def setUpClass(cls):
        cls.begin(None, "about:blank")

    @classmethod
    def tearDownClass(cls):
        cls.server = None
        PageCase.tearDownClass.__func__(cls)

    def ask(self, method, path, body=None, status=200):
        cookie = "; ".join(f"{each['name']}={each['value']}" for each in self.driver.get_cookies())
        answer = web.ask(self.base, method, path if path.startswith("/api/") else "/api/prepare" + path, body, cookie)
        self.assertEqual(answer.status, status, answer.text)
        return answer.value if answer.content else None

    # -- the steps --------------------------------------------------------------------------------------------

    def first_steps(self):
        """From the console of a server that has nothing to a signed-in administrator whose sound arrives."""
        self.driver.get(self.base + "/console")
        self.until(lambda: self.shown("#account-form"), "the first administrator can be made", 10)
        self.fill("#name", "anna")
        self.fill("#password", PASSPHRASE)
        self.fill("#code", re.search(r"asks for the code (\d{4} \d{4})", self.server.said)[1])
        self.push(self.find("#make"))
        self.sound_arrives()

    def sound_arrives(self):
        self.until(lambda: self.shown("#sound-part"), "signed in", 20)
        self.card.play(recording(BACH, "romantic"))
        self.until(lambda: self.shown("#sound-done"), "the level moves", 15)
        self.card.silence()
        self.assertIn("No piece is prepared yet", self.text("#piece-say"))

    def new_piece(self, name, *files):
        self.push(self.button("Prepare a piece of your own"))
        self.until(lambda: self.shown(".new-piece"), "a piece can be begun", 10)
        for css, path in files:
            self.choose_file(css, path)
        self.begin_it(name)

    def begin_it(self, name):
        self.fill(".new-piece .grow input", name)
        self.push(self.button("Begin"))
        self.opened()

    def opened(self):
        self.until(lambda: "#/" in self.driver.current_url, "the piece is opened", 10)
        self.piece = self.driver.current_url.split("#/")[1]

    def check_by_ear(self):
        self.until(lambda: self.text(".next-title").endswith(("to check by ear", "Ready to be prepared")),
                   "it says what is next", 20)
        while self.text(".next-title").endswith("to check by ear"):
            left = self.text(".next-title")
            self.keys("n", "a")
            self.until(lambda: self.text(".next-title") != left, "one less to check")

    def tap(self, times):
        """A key at each of these times of the page's own sound, as a listener would press it; the last is the end."""
        self.keys("t")
        self.until(lambda: self.shown(".tapping"), "it is ready for taps")
        self.tap_along(times)
        self.push(self.button("Find the bars"))
        self.until(lambda: len(self.bars()) >= len(times) - 1, "the bars are found", 120)
        errors = sorted(abs(found - seconds) for found, seconds in zip(self.times(), times))
        # On a busy machine the last keys come late; the others are put on the sound.
        self.assertLess(errors[int(len(errors) * 0.8)], 0.15, errors)

    def prepare_it(self):
        """Prepares the piece, with whatever is still doubtful."""
        self.push(self.button("Prepare", ".next"))
        self.until(lambda: self.draft()["prepared"] is not None, "it is prepared", 300)
        self.until(lambda: self.text(".next-title") == "Prepared", "the page says so", 10)

    def on_the_programme(self, folder, instead_of=None):
        self.push(self.button("To the console"))
        self.until(lambda: self.text("#link-state") == "Connected", "the console connects", 10)
        self.open_programme_editor()
        if instead_of:
            self.push(self.find(".order-row [aria-label^='Take out']"))
        self.choose(".programme-editor select", folder)
        self.push(self.button("Add", ".programme-editor"))
        self.push(self.button("Save the programme"))
        self.programme_has(folder)

    def open_programme_editor(self):
        if self.shown("#panel"):
            self.keys(Keys.ESCAPE)
        self.keys("p")
        self.until(lambda: self.shown("#panel"), "the panel opens")
        self.push(self.button("Change the programme"))
        self.until(lambda: self.shown(".programme-editor .primary:enabled"), "the editor is there", 15)

    def programme_has(self, folder):
        self.until(lambda: [each["folder"] for each in self.ask("GET", "/api/programme")["pieces"]] == [folder],
                   "the programme has the piece", 60)

    def hear(self, sound, piece, performance, seconds):
        """Plays a file, and holds the bars on the console against the truth; to the end if `seconds` is None."""
        truth = measure_times(RECORDINGS / piece / performance / "measures.csv")
        last = seconds or truth[-1][1] + 3
        begun, looks = self.card.play(sound), []
        while (now := time.monotonic() - begun) < last:
            looks.append((now, self.text("#measure")))
            waiting.hold_for(0.2)
        looks = [look for look in looks if SETTLING < look[0] < truth[-1][1]]
        late = BUSY_LATE if os.getloadavg()[0] > os.cpu_count() else LATE
        delays = [(now, shown, delay_of(shown, now, truth)) for now, shown in looks]
        wrong = [(round(now, 1), shown) for now, shown, delay in delays if delay > late]
        print(f"    {piece}, {performance}: {1 - len(wrong) / len(looks):.1%} of {len(looks)} looks at the console "
              f"right, {statistics.median(delay for *_, delay in delays):.1f} s late in the median; judged by {late} s",
              flush=True)
        self.assertLess(len(wrong), 0.1 * len(looks), wrong)
        self.card.silence()

    def evening(self):
        return self.ask("GET", "/evenings")["evenings"][0]

    def shown(self, css):
        return self.script("return document.querySelector(arguments[0])?.checkVisibility() === true", css)

    # -- by mouse; KeyboardTest has its own ------------------------------------------------------------------

    def push(self, button):
        button.click()

    def fill(self, css, text):
        field = self.find(css)
        field.clear()
        field.send_keys(text)

    def choose(self, css, value):
        self.find(f'{css} option[value="{value}"]').click()


class OwnPieceTest(OwnPieceCase):
    def test_a_recording_with_its_score_and_then_the_evening_itself_are_followed(self):
        self.first_steps()
        self.new_piece("Petzold: Minuet from a file",
                       (RECORDING_FIELD, recording(MINUET, "gentle")), (SCORE_FIELD, SCORE))
        self.until(lambda: len(self.bars()) >= 64, "the bars are found", 300)
        self.check_by_ear()
        self.prepare_it()
        self.on_the_programme("petzold-minuet-from-a-file")
        begun = self.evening()["seconds"]
        self.hear(recording(MINUET, "dance"), MINUET, "dance", None)
        ended = self.evening()["seconds"]

        # The server's recording of it becomes a piece of its own.
        self.open()
        self.until(lambda: self.script("""return [...document.querySelectorAll(".slot")].some((slot) =>
            slot.checkVisibility() && slot.textContent.includes("An evening"))"""), "evenings are offered", 10)
        self.push(self.button("An evening"))
        self.until(lambda: self.shown("dialog[open] [aria-label=From]"), "an evening can be chosen", 10)
        self.fill("[aria-label=From]", clock(max(begun - 1, 0)))
        self.fill("[aria-label=To]", clock(ended - 1))
        self.picture("own-piece-evening")
        self.push(self.button("Take it", "dialog[open]"))
        self.choose_file(SCORE_FIELD, SCORE)
        self.picture("own-piece-evening-and-score")
        self.begin_it("Petzold: Minuet from the evening")
        self.until(lambda: len(self.bars()) >= 64, "the bars of the evening are found", 300)
        self.check_by_ear()
        self.prepare_it()
        self.on_the_programme("petzold-minuet-from-the-evening", instead_of="petzold-minuet-from-a-file")
        self.hear(recording(MINUET, "gentle"), MINUET, "gentle", 45)

    def test_a_recording_that_is_tapped_is_followed(self):
        self.first_steps()
        self.new_piece("Bach: Prelude, tapped", (RECORDING_FIELD, recording(BACH, "swift")))
        self.until(lambda: self.text(".next-title") == "Tap the bars", "it asks for taps", 60)
        self.until(lambda: self.text(".time").split(" / ")[-1] > "1:00", "the sound is there", 60)
        self.focus_stage()
        self.tap([seconds for _, seconds in measure_times(RECORDINGS / BACH / "swift" / "measures.csv")[:17]])
        self.prepare_it()
        self.on_the_programme("bach-prelude-tapped")
        self.hear(recording(BACH, "even"), BACH, "even", 50)


class KeyboardTest(OwnPieceCase):
    """The same without a mouse. Only the system's own file chooser is not tried."""

    def test_a_recording_with_its_score_is_followed(self):
        self.first_steps()
        self.new_piece("Petzold: Minuet by keys",
                       (RECORDING_FIELD, recording(MINUET, "gentle")), (SCORE_FIELD, SCORE))
        self.until(lambda: len(self.bars()) >= 64, "the bars are found", 300)
        self.check_by_ear()
        self.prepare_it()
        self.on_the_programme("petzold-minuet-by-keys")
        self.hear(recording(MINUET, "dance"), MINUET, "dance", 40)

    def go_to(self, element):
        for _ in range(90):
            if self.script("return document.activeElement === arguments[0]", element):
                return
            self.keys(Keys.TAB)
        self.fail(f"Tab does not come to {element.get_attribute('outerHTML')[:200]}")

    def push(self, button):
        self.go_to(button)
        self.keys(Keys.ENTER)

    def fill(self, css, text):
        self.go_to(self.find(css))
        self.with_keys(Keys.CONTROL, "a")
        self.keys(*text)

    def choose(self, css, value):
        self.go_to(self.find(css))
        self.keys(Keys.HOME)
        for _ in range(20):
            if self.script("return document.querySelector(arguments[0]).value", css) == value:
                return
            self.keys(Keys.ARROW_DOWN)
        self.fail(f"the arrows do not come to {value}")

    def choose_file(self, css, *paths):
        self.go_to(self.script("return document.querySelector(arguments[0]).parentElement.firstElementChild", css))
        super().choose_file(css, *paths)


def delay_of(shown, now, truth):
    """The seconds since a bar that is shown was last heard; 0 while it sounds, infinite if it was not yet."""
    ends = [at for _, at in truth[1:]] + [float("inf")]
    begun = [end for (number, at), end in zip(truth, ends) if str(number) == shown and at < now + EARLY]
    return max(0, now - begun[-1]) if begun else float("inf")


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
