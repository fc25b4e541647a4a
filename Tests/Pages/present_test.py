#!/usr/bin/python3
"""Speakers with the page /present, a moderator and a screen, in real browsers against a real server.

    BATON=path/to/baton Tests/Pages/present_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import base64
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from selenium.webdriver.common.by import By

from browser import bounce, chromium, resize, started
from lib import waiting, web
from lib.processes import free_port
from lib.repository import BACH, recording
from page_case import PageCase, pictures_folder
from served import Served
from slides_test import Speaker, pdf
from wire import Wire

CODE = "k7-summer"
PICTURES = None
PHONE, DESK = (390, 844), (1280, 800)
# The strokes that a page shows, without one that is being drawn.
STROKES = "return document.querySelectorAll('.ink g:first-child polyline').length"
# The red that is looked for in the screenshot.
RED = (224, 27, 36)


class SpeakersPage:
    """One speaker's browser."""

    def __init__(self, case, size):
        # A wire of its own to the server, which can be cut.
        self.wire, browser = Wire(case.server.port), started()
        case.addClassCleanup(self.wire.close)
        self.base = f"http://127.0.0.1:{self.wire.port}"
        self.driver = browser.__enter__()
        case.addClassCleanup(browser.__exit__, None, None, None)
        resize(self.driver, size)
        self.size = size

    def script(self, body, *arguments):
        return self.driver.execute_script(body, *arguments)

    def words(self, css):
        return self.script("return document.querySelector(arguments[0])?.innerText ?? ''", css)

    def until(self, condition, claim, seconds=6):
        if not waiting.until(condition, seconds, every=0.02):
            raise AssertionError(f"Not within {seconds} s: {claim}; the page says “{self.words('body')[:400]}”")

    def join(self, name, code=CODE):
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/present")
        self.script("localStorage.clear()")
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/present#code={code}")
        self.until(lambda: self.script("return document.getElementById('join')?.hidden === false"), "the form")
        self.driver.find_element(By.ID, "name").send_keys(name)
        self.driver.find_element(By.CSS_SELECTOR, "#join button.primary").click()

    def joined(self):
        self.until(lambda: "floor" in self.words("#sentence"), "the desk is there")
        self.until(lambda: re.fullmatch(r"[012]\d:[0-5]\d", self.words("#clock")), "the clock has 24 hours")

    def send(self, path, pages):
        self.driver.find_element(By.ID, "file").send_keys(str(path))
        self.until(lambda: f"{pages} slides, ready" in self.words("#upload-say"), "the slides are ready", 15)

    def click(self, css):
        self.script("document.querySelector(arguments[0]).click()", css)

    def press(self, label):
        self.click(f"#people button[aria-label='{label}']")

    def holds(self):
        return self.script("return document.getElementById('state').dataset.state") == "mine"

    def draw(self, points):
        """A stroke with the mouse through points of the picture, in fractions of its box."""
        box = self.script("""const picture = document.getElementById("now");
            picture.scrollIntoView({ block: "center" });
            const box = picture.getBoundingClientRect(); return [box.x, box.y, box.width, box.height]""")
        places = [(box[0] + x * box[2], box[1] + y * box[3]) for x, y in points]
        for kind, (x, y) in zip(["mousePressed"] + ["mouseMoved"] * (len(places) - 1), places, strict=True):
            self.mouse(kind, x, y)
        self.mouse("mouseReleased", *places[-1])

    def mouse(self, kind, x, y):
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1,
            "buttons": 0 if kind == "mouseReleased" else 1})

    def swipe(self, start, end):
        x, y = self.script("""const picture = document.getElementById("now");
            picture.scrollIntoView({ block: "center" });
            const box = picture.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]""")
        for kind, places in (("touchStart", [x + start]), ("touchMove", [x + (start + end) / 2]),
                             ("touchMove", [x + end]), ("touchEnd", [])):
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": place, "y": y} for place in places]})

    def picture(self, name):
        if self.script("return document.documentElement.scrollWidth") > self.size[0]:
            raise AssertionError(f"{name}: the page is wider than the window")
        if PICTURES:
            self.driver.save_screenshot(f"{PICTURES}/{name}.png")


class PresentTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.port = free_port()
        cls.begin(Served(BACH, [recording(BACH, "even")], "--present", f"127.0.0.1:{cls.port}",
                         "--present-code", CODE))
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-present-"))
        cls.anna, cls.bert = SpeakersPage(cls, DESK), SpeakersPage(cls, PHONE)
        for name, pages in (("anna", 3), ("bert", 2)):
            (cls.folder / f"{name}.pdf").write_bytes(pdf([(1600, 900)] * pages))

    def setUp(self):
        resize(self.driver, (1600, 900))

    def floor(self):
        return web.ask(self.base, "GET", "/api/floor").value

    def order(self, action, **more):
        answer = web.ask(self.base, "POST", "/api/floor", {"action": action, **more})
        self.assertEqual(answer.status, 200, answer.text)

    def number(self, name):
        return next(each["id"] for each in self.floor()["presenters"] if each["name"] == name)

    def speaking(self):
        floor = self.floor()
        return next((each["name"] for each in floor["presenters"] if each["id"] == floor["holder"]), None)

    def pixel(self, png, x, y):
        """The colour at a place of a PNG, in fractions of its width and height."""
        return self.later("""
            const [png, x, y] = given;
            const picture = new Image();
            picture.src = `data:image/png;base64,${png}`;
            await picture.decode();
            const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
            const drawing = canvas.getContext("2d");
            drawing.drawImage(picture, 0, 0);
            const [left, top] = [x * (canvas.width - 1), y * (canvas.height - 1)].map(Math.round);
            return [...drawing.getImageData(left, top, 1, 1).data].slice(0, 3);""",
                          base64.b64encode(png).decode(), x, y)

    def near(self, colour, wanted, claim):
        self.assertLess(max(abs(one - other) for one, other in zip(colour, wanted, strict=True)), 40,
                        f"{claim}: {colour}")

    def test_1_a_wrong_code_is_refused_late_and_a_right_one_opens_the_desk(self):
        begun = time.monotonic()
        self.anna.join("Anna", "k7-winter")
        self.anna.until(lambda: "not the code" in self.anna.words("#join-say"), "the refusal")
        self.assertGreater(time.monotonic() - begun, 2)
        self.anna.picture("present-join")
        self.anna.join("Anna")
        self.anna.joined()
        self.bert.join("Bert")
        self.bert.joined()
        self.assertEqual([each["name"] for each in self.floor()["presenters"]], ["Anna", "Bert"])

    def test_2_slides_come_while_others_speak_and_the_floor_passes(self):
        anna, bert = self.anna, self.bert
        anna.send(self.folder / "anna.pdf", 3)
        self.driver.get(f"{self.base}/screen/hall")
        anna.click("#ask")
        anna.until(lambda: "You are next" in anna.words("#queue"), "the request is known")
        anna.click("#unask")
        self.until(lambda: self.floor()["requests"] == [], "the request is withdrawn")
        anna.click("#ask")
        self.until(lambda: len(self.floor()["requests"]) == 1, "she asks")
        self.order("grant", presenter=self.number("Anna"))
        anna.until(anna.holds, "Anna has the floor")
        self.until(lambda: self.script("return document.querySelector('.slide') !== null"), "her slide is shown", 8)
        bert.send(self.folder / "bert.pdf", 2)
        bert.until(lambda: "Slide 1 of 2" in bert.script("return document.getElementById('next-picture').alt"),
                   "his first page is ready before the grant")
        bounce(anna.driver, "PageDown")
        self.until(lambda: self.floor()["screen"]["page"] == 2, "the next slide")
        self.stays(lambda: self.floor()["screen"]["page"] == 2, "one slide for one press that bounces", 0.3)
        anna.picture("present-holder")
        begun = time.monotonic()
        anna.press("Hand on: Bert")
        self.until(lambda: self.floor()["screen"]["presenter"] == self.number("Bert"), "Bert's slide", 2)
        self.assertLess(time.monotonic() - begun, 1.5)
        bert.until(bert.holds, "Bert has the floor")
        anna.until(lambda: not anna.holds(), "Anna has not")
        # A phone: by a finger.
        bert.swipe(80, -80)
        self.until(lambda: self.floor()["screen"]["page"] == 2, "a swipe shows the next slide")
        bert.picture("present-phone")
        # For a minute, and back.
        bert.press("For a minute: Anna")
        anna.until(lambda: "lent to you by Bert" in anna.words("#sentence"), "the loan")
        anna.click("#return")
        bert.until(bert.holds, "it is back")
        bert.press("Hand on: Anna")
        anna.until(anna.holds, "Anna speaks again")

    def test_3_drawings_are_on_the_screen_at_once_and_on_a_page_shown_again(self):
        anna = self.anna
        self.driver.get(f"{self.base}/screen/hall")
        self.until(lambda: self.script("return document.querySelector('.slide') !== null"), "the slide is shown", 8)
        self.assertEqual(self.script(STROKES), 0)
        anna.click("button[data-tool='pen']")
        anna.draw([(0.2, 0.15), (0.5, 0.15), (0.8, 0.15)])
        self.until(lambda: self.script(STROKES) > 0, "the stroke is on the screen", 1.5)
        self.near(self.pixel(self.driver.get_screenshot_as_png(), 0.5, 0.15), RED, "ink on the screen")
        anna.until(lambda: anna.script("return document.querySelectorAll('.ink g:nth-child(2) polyline').length") == 0,
                   "the server's copy has replaced the own line")
        anna.picture("present-drawn")
        strokes = self.script(STROKES)
        anna.click("#previous")
        self.until(lambda: self.script(STROKES) == 0, "another page has none")
        anna.click("#next")
        self.until(lambda: self.script(STROKES) == strokes, "shown again, it has its ink")
        # The pointer passes.
        anna.click("button[data-tool='pointer']")
        anna.draw([(0.3, 0.3), (0.4, 0.4)])
        self.until(lambda: self.script("return document.querySelector('.light')?.getAttribute('visibility')")
                   == "visible", "the light is on the screen")
        anna.click("button[data-tool='pointer']")
        self.until(lambda: self.script("return document.querySelector('.light').getAttribute('visibility')")
                   == "hidden", "and goes")
        # Speakers' programs draw with the same bytes; clearing removes all.
        anna.click("#previous")
        self.until(lambda: self.script(STROKES) == 0, "slide 1")
        anna.click("button[data-tool='pen']")
        anna.draw([(0.1, 0.1), (0.2, 0.1)])
        self.until(lambda: self.script(STROKES) > 0, "a stroke")
        anna.click("#clear")
        self.until(lambda: self.script(STROKES) == 0, "cleared")
        anna.click("#next")
        anna.click("button[data-tool='pen']")

    def test_4_a_lost_network_during_a_hand_over_leaves_one_holder(self):
        anna, bert = self.anna, self.bert
        epoch = self.floor()["epoch"]
        bert.wire.cut()
        bert.until(lambda: "Connection lost" in bert.words("#sentence"), "Bert's page knows it", 8)
        self.assertFalse(bert.holds())
        anna.press("Hand on: Bert")  # Refused, or he has it: never both.
        self.stays(lambda: (self.speaking() == "Anna") == anna.holds(), "the page says what the server says", 0.5)
        self.assertEqual(self.speaking(), "Anna")
        self.assertEqual(self.floor()["epoch"], epoch)
        bert.wire.mend()
        bert.until(lambda: "Anna has the floor" in bert.words("#sentence"), "he is back", 8)
        number = self.number("Bert")
        # The holder's own network goes while the floor is handed on.
        anna.script("document.querySelector(\"#people button[aria-label='Hand on: Bert']\").click()")
        anna.wire.cut()
        self.until(lambda: self.speaking() in ("Anna", "Bert"), "somebody has it")
        anna.until(lambda: not anna.holds(), "a page without a connection does not claim the floor", 8)
        holder = self.speaking()
        anna.wire.mend()
        anna.until(lambda: anna.words("#sentence").startswith("You" if holder == "Anna" else f"{holder} has"),
                   "she sees who has it", 8)
        self.assertEqual([anna.holds(), bert.holds()].count(True), 1)
        self.assertEqual(self.number("Bert"), number)
        self.assertEqual(len(self.floor()["presenters"]), 2)
        # Loaded anew, the page goes on as the same speaker.
        bert.driver.refresh()
        bert.joined()
        self.assertEqual((self.number("Bert"), self.speaking()), (number, holder))

    def test_5_a_restart_keeps_drawings_and_gives_the_events_pdf(self):
        if self.speaking() != "Anna":
            self.order("grant", presenter=self.number("Anna"))
        self.until(lambda: (self.floor()["screen"]["page"], self.speaking()) == (2, "Anna"), "Anna's second page")
        self.server.kill()
        self.server.start()
        self.anna.until(self.anna.holds, "Anna is back with the floor", 10)
        self.driver.get(f"{self.base}/screen/hall")
        self.until(lambda: self.script(STROKES) > 0, "her ink is there", 8)
        path, captions = self.event_pdf()
        checked = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        count = int(subprocess.run(["qpdf", "--show-npages", path], capture_output=True, text=True).stdout)
        self.assertEqual(count, len(captions), captions)
        shown = [tuple(line.split(" · ")[1:3]) for line in captions]
        self.assertEqual(shown[:4], [("Anna", "slide 1"), ("Anna", "slide 2"), ("Bert", "slide 1"),
                                     ("Bert", "slide 2")])
        self.assertRegex(captions[0], r"^\s*\d\d:\d\d:\d\d")
        # The first showing of Anna's second page was before the stroke; the last one has it.
        self.assertNotEqual(tuple(self.page(path, 2)), RED)
        self.near(self.page(path, count), RED, "ink in the PDF")

    def event_pdf(self):
        """The event's PDF as a file, and the lines under its pages."""
        answer = web.ask(self.base, "GET", "/api/floor/event.pdf")
        self.assertEqual(answer.status, 200, answer.text[:300])
        path = self.folder / "event.pdf"
        path.write_bytes(answer.content)
        words = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True).stdout
        return path, [line for line in words.splitlines() if " · " in line]

    def page(self, path, number):
        """The colour where the stroke is, on a page of the event's PDF: a slide of 16:9 over a strip of 28 points."""
        subprocess.run(["pdftoppm", "-r", "72", "-f", str(number), "-l", str(number), "-png", "-singlefile", path,
                        self.folder / "page"], check=True)
        png = (self.folder / "page.png").read_bytes()
        if PICTURES:
            pathlib.Path(f"{PICTURES}/event-{number}.png").write_bytes(png)
        slide = 841.89 * 9 / 16
        return self.pixel(png, 0.5, 0.15 * slide / (slide + 28))

    def clip(self):
        """A video with sound that the browser records: two seconds red, then two seconds blue."""
        with chromium(arguments=["--autoplay-policy=no-user-gesture-required"]) as driver:
            driver.get(f"{self.base}/healthz")
            driver.set_script_timeout(30)
            return base64.b64decode(driver.execute_async_script(self.RECORD))

    # Gives the bytes of the video in base64.
    RECORD = """
            const done = arguments[0];
            const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 180 });
            const drawing = canvas.getContext("2d");
            const begun = performance.now();
            const draw = () => {
              drawing.fillStyle = performance.now() - begun < 2000 ? "#f00" : "#00f";
              drawing.fillRect(0, 0, 320, 180);
            };
            draw();
            const drawn = setInterval(draw, 40);
            const context = new AudioContext();
            const sound = context.createMediaStreamDestination();
            const tone = new OscillatorNode(context, { frequency: 440 });
            tone.connect(sound);
            tone.start();
            const stream = new MediaStream([...canvas.captureStream(25).getTracks(), ...sound.stream.getTracks()]);
            const recorder = new MediaRecorder(stream, { mimeType: "video/webm" });
            const parts = [];
            recorder.ondataavailable = ({ data }) => parts.push(data);
            recorder.onstop = async () => {
              clearInterval(drawn);
              const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
              done(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
            };
            recorder.start(200);
            setTimeout(() => recorder.stop(), 4000);"""

    def colour(self):
        """The colour in the middle of the video as the screen has it now."""
        return self.script("""const video = document.querySelector("video");
            if (!video || video.readyState < 2) return null;
            const canvas = new OffscreenCanvas(1, 1);
            canvas.getContext("2d").drawImage(video, 0, 0, 1, 1);
            return [...canvas.getContext("2d").getImageData(0, 0, 1, 1).data].slice(0, 3)""")

    def looks(self, wanted):
        seen = self.colour()
        return seen is not None and max(abs(one - other) for one, other in zip(seen, wanted, strict=True)) < 90

    def screen(self):
        """The screen's report about its video, as the moderator's console gets it."""
        screens = web.snapshot(self.base).get("screens", [])
        # The page that was open before is listed for some seconds more.
        return next((each["video"] for each in screens if each["name"] == "hall" and each["video"]), None)

    def test_6_a_video_plays_on_the_screen_as_its_speaker_says(self):
        anna = self.anna
        if self.speaking() != "Anna":
            self.order("grant", presenter=self.number("Anna"))
        anna.until(anna.holds, "Anna has the floor")
        clip = self.folder / "clip.webm"
        clip.write_bytes(self.clip())
        (self.folder / "film.mp4").write_bytes(b"no film at all " * 100)
        anna.driver.find_element(By.ID, "file").send_keys(str(self.folder / "film.mp4"))
        anna.until(lambda: "no video that browsers play" in anna.words("#say"), "another file is refused")
        anna.driver.find_element(By.ID, "file").send_keys(str(clip))
        anna.until(lambda: "clip.webm" in anna.words("#videos"), "the video is ready", 15)
        stranger = web.ask(self.base, "GET", f"/api/floor/videos/{self.document()}")
        self.assertEqual(stranger.status, 404, "nobody gets a video that is not shown")
        self.driver.get(f"{self.base}/screen/hall")
        anna.click("#videos [aria-label^='Play']")
        self.until(lambda: self.looks((255, 0, 0)), "it plays", 8)
        self.assertEqual(self.script("return document.querySelectorAll('.slide').length"), 1, "in place of the slide")
        # Nobody has clicked on this page: without sound, and the moderator is told. A click gives it sound.
        self.until(lambda: self.screen() == "muted", "the moderator reads that there is no sound", 6)
        self.driver.find_element(By.ID, "screen").click()
        self.until(lambda: self.screen() in ("playing", "ended"), "a click gives it sound", 6)
        self.until(lambda: self.looks((0, 0, 255)), "it goes on", 8)
        anna.click("#videos [aria-label^='Pause']")
        self.until(lambda: not self.floor()["screen"]["video"]["isPlaying"], "it is paused")
        slider = "const one = document.querySelector('#videos input'); one.value = arguments[0]; "
        anna.script(slider + "one.dispatchEvent(new Event('change'))", "0.5")
        self.until(lambda: self.looks((255, 0, 0)), "it goes to a place while paused", 6)
        anna.picture("present-video")
        # A screen that comes late, in the middle of it.
        anna.click("#videos [aria-label^='Play']")
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/screen/hall")
        self.until(lambda: self.looks((0, 0, 255)), "a late screen joins in", 8)
        self.order("play-video", on=False)
        self.order("move-video", by=-10)
        self.until(lambda: self.looks((255, 0, 0)), "the moderator moves it back to its beginning", 6)
        self.assertFalse(self.floor()["screen"]["video"]["isPlaying"], "and lets it stand still")
        self.order("play-video", on=True)
        self.order("withdraw")
        self.until(lambda: not self.floor()["screen"]["video"]["isPlaying"], "it stands still without the floor")
        self.assertEqual(web.ask(self.base, "GET", f"/api/floor/videos/{self.document()}").status, 200)
        self.order("grant", presenter=self.number("Anna"))
        anna.until(anna.holds, "Anna has it again")
        anna.click("#videos [aria-label^='Stop'], #next")
        self.until(lambda: self.floor()["screen"]["kind"] == "page", "her slide is back")
        self.until(lambda: self.script("return document.querySelector('video') === null"), "on the screen too")
        path, captions = self.event_pdf()
        films = [index for index, line in enumerate(captions) if "clip.webm" in line]
        self.assertEqual(len(films), 1, f"the video is named once, however it was paused: {captions}")
        self.assertRegex(captions[films[0]], r"\d\d:\d\d:\d\d–\d\d:\d\d:\d\d · Anna · video “clip.webm”")
        if shutil.which("ffmpeg"):
            self.near(self.page(path, films[0] + 1), (255, 0, 0), "a frame of it")

    def document(self):
        """Anna's newest video."""
        return self.anna.driver.execute_async_script("""
            const done = arguments[0], { token } = JSON.parse(localStorage.getItem("baton.present"));
            fetch(`/api/present/videos?token=${token}`).then((answer) => answer.json())
              .then((all) => done(all.at(-1).document));""")

    def test_7_a_program_draws_too_and_everybody_can_leave(self):
        carl = Speaker(self.port, f"Carl #{CODE}")
        self.addCleanup(carl.socket.close)
        self.anna.until(lambda: "Carl" in self.anna.words("#people"), "the pages see him")
        self.bert.click("#leave")
        self.bert.until(lambda: self.bert.script("return !document.getElementById('join').hidden"), "the form")
        self.order("remove", presenter=self.number("Anna"))
        self.anna.until(lambda: "session was ended" in self.anna.words("#join-say"), "she is told")


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main(argv=sys.argv, verbosity=2)
