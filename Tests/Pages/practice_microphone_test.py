#!/usr/bin/python3
"""The page that follows a student, with a microphone that plays a recording: the bars are those of `baton replay`.

    BATON=path/to/baton Tests/Pages/practice_microphone_test.py [--pictures FOLDER] [TEST …]

Chromium only, because only its microphone can be a file. The last line is unittest's.
"""

import base64
import contextlib
import csv
import io
import json
import os
import subprocess
import sys
import unittest

import browser
import sound
from browser import resize, settle
from lib import repository, web
from page_case import PageCase, pictures_folder
from served import Served
from wire import Wire

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
SECONDS = 14
PICTURES = None
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800)}


class MicrophoneCase(PageCase):
    """A server, and a browser whose microphone plays the beginning of a performance once."""

    @classmethod
    def browser_arguments(cls):
        return ()

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.new_folder()
        live = repository.recording(PIECE, "gentle")
        cls.wave = cls.folder / "take.wav"
        sound.write(cls.wave, sound.part(live, 0, SECONDS))
        repository.build_engine()
        server = Served(PIECE, [live], "--new")
        cls.begin(server, holder=browser.hearing(cls.wave, once=True, plays_unasked=True,
                                                arguments=cls.browser_arguments()))

    def listen(self):
        """Starts, and notes every position of the follower."""
        self.open()
        self.note_positions()
        self.script("document.getElementById('start').click()")
        self.until(lambda: self.value("playing", "hidden") is False, "it listens", 10)

    def note_positions(self):
        self.script("""
            const Plain = window.Worker;
            window.heard = [];
            window.Worker = class extends Plain {
              constructor(...given) {
                super(...given);
                window.follower = this;
                this.addEventListener("message", ({ data }) => data.position && window.heard.push(data.position));
              }
            };""")

    def stop(self):
        self.script("document.getElementById('stop').click()")
        self.until(lambda: self.value("choice", "hidden") is False, "it has ended", 10)

    def send(self):
        self.until(lambda: self.value("offer", "hidden") is False, "the take can be sent", 5)
        self.script("document.getElementById('send').click()")

    def has_report(self, bars):
        """The page has made its report, with more than so many bars."""
        self.until(lambda: self.script("return document.querySelectorAll('#report .bars li').length") > bars,
                   "the report", 60)

    def takes(self):
        return web.ask(self.base, "GET", "/api/practice/takes").value["takes"]

    def kept(self):
        """The takes that are on the server as a whole."""
        return [take for take in self.takes() if take["seconds"]]

    def delete_takes(self):
        for take in self.takes():
            web.ask(self.base, "DELETE", f"/api/practice/takes/{take['name']}")

    def open(self):
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice/follow?piece={PIECE}")
        self.until(lambda: self.script("return !document.getElementById('start').disabled"), "the pieces are there", 10)

    def value(self, element, attribute="textContent"):
        return self.script("return document.getElementById(arguments[0])[arguments[1]]", element, attribute)

    def picture(self, name):
        for size, pixels in SIZES.items() if PICTURES else ():
            resize(self.driver, pixels)
            settle(self.driver)
            self.driver.save_screenshot(os.path.join(PICTURES, f"practice-{name}-{size}.png"))
        resize(self.driver, SIZES["desk"])


class FollowTest(MicrophoneCase):
    def replayed(self):
        """The reports of `baton replay` for the same sound: (live second, played bar from 0) each."""
        out = self.folder / "replayed.csv"
        subprocess.run([repository.program(), "replay", PIECE, "--live", str(self.wave), "--speed", "max", "--reports",
                        str(out), "--quiet"], cwd=repository.ROOT, check=True, capture_output=True)
        rows = csv.DictReader(io.StringIO(out.read_text(encoding="utf-8")))
        return [(float(row["live"]), int(row["played"]) - 1) for row in rows if row["played"]]

    def test_the_page_shows_the_bars_of_a_replay_and_reports_as_the_server_does(self):
        self.open()
        self.picture("choice")
        self.listen()
        self.assertEqual(self.value("warnings"), "", "the browser left the sound alone")
        self.until(lambda: self.script("return (window.heard.at(-1)?.played ?? 0) >= 6"), "bar 7 is shown", 25)
        self.until(lambda: self.script("return document.getElementById('bar').textContent "
                                       "=== String(window.heard.at(-1).bar)"), "the page shows it", 2)
        self.picture("playing")
        self.until(lambda: self.script("return window.heard.at(-1).seconds") > SECONDS + 1, "it was played", 10)
        self.stop()
        self.compare(self.script("return window.heard"))
        self.assertIn("You played for", self.value("summary"))
        self.has_report(5)
        self.picture("report")
        self.assertEqual(self.takes(), [], "nothing is kept unless the student says so")
        self.send()
        self.until(self.kept, "it is kept", 20)
        # The take is this account's until it is deleted.
        [take] = self.takes()
        self.assertEqual(take["piece"], PIECE)
        made = web.ask(self.base, "GET", f"/api/practice/takes/{take['name']}/report").value
        bars = [bar for passage in made["passages"] for bar in passage["bars"]]
        own = self.script("""return [...document.querySelectorAll("#report [data-verdict]")].map((each) =>
            each.dataset.verdict)""")
        self.assertEqual(own, [each["verdict"] for each in bars + made["notes"]])
        self.script("const button = document.querySelector('.take .danger'); button.click(); button.click();")
        self.until(lambda: self.takes() == [], "it is deleted")
        self.assertEqual(self.complaints(), [])

    def compare(self, heard):
        """The bars of the page are the bars of the replay, apart from the moment at which the sound began."""
        self.assertEqual([each["lost"] for each in heard if each["lost"]], [])
        replayed = self.replayed()
        onsets = {}
        for seconds, played in replayed:
            onsets.setdefault(played, seconds)
        shown = {}
        for each in heard:
            shown.setdefault(each.get("played"), each["seconds"])
        shifts = sorted(shown[played] - onsets[played] for played in range(2, 6))
        self.assertEqual([each["seconds"] for each in heard if each["state"] == "lost"], [])
        # A block holds a tenth of a second, so that bars are seen that much later.
        self.assertLess(shifts[-1] - shifts[0], 0.4, shifts)
        print(f"bars 3 to 6 came {shifts[0]:.2f} to {shifts[-1]:.2f} s after those of the replay", file=sys.stderr)

    def test_a_report_shows_how_far_it_is_and_can_be_stopped(self):
        self.listen()
        self.until(lambda: self.script("return (window.heard.at(-1)?.played ?? 0) >= 2"), "it follows", 25)
        # The worker is slow enough to be looked at: it says half of the report and no more.
        self.script("""
            const Plain = window.Worker;
            window.Worker = class extends EventTarget {
              postMessage() {
                this.dispatchEvent(new MessageEvent("message", { data: { share: 0.5 } }));
              }
              terminate() {
                window.isEnded = true;
              }
            };""")
        self.stop()
        self.until(lambda: self.value("report-share", "value") == 0.5, "half of it is done", 5)
        self.assertFalse(self.value("report-progress", "hidden"))
        self.script("document.getElementById('report-stop').click()")
        self.until(lambda: "stopped the report" in self.value("report-say"), "the sentence", 5)
        self.assertTrue(self.value("report-progress", "hidden"))
        self.assertTrue(self.script("return window.isEnded"))

    def test_only_this_page_may_use_the_microphone_and_the_engine(self):
        for path, may in (("/practice/follow", True), ("/console", False), ("/", False), ("/library", False)):
            headers = web.ask(self.base, "GET", path).headers
            policy = headers["Permissions-Policy"]
            self.assertEqual("microphone=(self)" in policy, may, f"{path}: {policy}")
            self.assertEqual("'wasm-unsafe-eval'" in headers["Content-Security-Policy"], may, path)
        # Browsers give a worker what the policy of its own script allows.
        for path, may in (("/shared/follower-worker.js", True), ("/practice-follow/reportworker.js", True),
                          ("/stand/followerworker.js", True), ("/shared/streamworker.js", False)):
            policy = web.ask(self.base, "GET", path).headers["Content-Security-Policy"]
            self.assertEqual("'wasm-unsafe-eval'" in policy, may, path)

    def test_a_link_to_a_piece_that_is_gone_is_told(self):
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice/follow?piece=tab-gone")
        self.until(lambda: "no longer exists here" in self.value("say"), "the sentence", 10)
        self.until(lambda: not self.value("start", "disabled"), "another piece can be chosen", 10)

    def test_a_report_without_a_known_tempo_has_no_empty_chart(self):
        self.open()
        self.assertEqual(self.later("""
            const { tempoChart } = await import("/practice-follow/chart.js");
            const take = (...tempi) => ({ name: "take", report: { passages: [{ bars: tempi.map((tempo, played) => (
              { played, printed: played + 1, tempo, verdict: "unknown" })) }] } });
            return [take(), take(1, undefined, 1), take(undefined), take(1, 1.1)].map((each) =>
              tempoChart([each])?.tagName ?? null);"""), [None, None, None, "FIGURE"])

    def test_takes_stand_side_by_side_in_numbers(self):
        self.open()
        rows = self.later("""
            const { comparison } = await import("/practice-follow/comparison.js");
            const whole = { passages: [{ bars: [{ tempo: 0.8 }, { tempo: 0.9 }, {}] }], rightNotes: 31,
              notes: [{ verdict: "wrong" }, { verdict: "late" }, { verdict: "late" }], unknownNotes: { a: 2, b: 3 } };
            const table = comparison([{ name: "this take", whole, changed: 0 }, { name: "old", whole, changed: 2 },
              { name: "oldest", refusal: "It is gone." }]);
            return [...table.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) =>
              cell.textContent));""")
        self.assertEqual(rows[0], ["this take", "3", "90 %", "31", "1 wrong, 2 late", "5"])
        self.assertEqual(rows[1][1], "3, of which 2 were changed since")
        self.assertEqual(rows[2], ["oldest", "It is gone."])

    def test_the_chart_names_bars_and_is_readable_on_a_phone(self):
        self.open()
        for size, fewest in (("phone", 2), ("desk", 5)):
            resize(self.driver, SIZES[size])
            labels, height = self.later("""
                const { tempoChart } = await import("/practice-follow/chart.js");
                const bars = Array.from({ length: 40 }, (_, played) => ({ played, printed: played + 3, tempo: 1,
                  verdict: "steady" }));
                const chart = tempoChart([{ name: "take", report: { passages: [{ bars }] } }]);
                document.getElementById("report").hidden = false;
                document.getElementById("report-body").replaceChildren(chart);
                const found = [...chart.querySelectorAll(".bar-label")];
                return [found.map((each) => each.textContent), found[1].getBoundingClientRect().height];""")
            self.assertEqual(labels[0], "bar 3")
            self.assertTrue(fewest <= len(labels) <= 9, labels)
            self.assertGreater(height, 12, size)
        self.script("document.getElementById('report').hidden = true")

    def show_made_report(self):
        """Shows the report of a made take of 40 bars, compared with an earlier one."""
        self.later("""
            const { showReport } = await import("/practice-follow/report.js");
            const bars = Array.from({ length: 40 }, (_, played) => ({ played, printed: played + 1, seconds: played,
              tempo: 0.8 + played / 100, lateness: 0, verdict: "steady" }));
            const made = { passages: [{ bars }], leastLateness: 0.06, unplayed: [], unplayedNotes: 0, barKeys: [],
              rightNotes: 0, notes: [], unknownNotes: {}, notesRefusal: "Nothing." };
            const real = window.fetch;
            window.fetch = async () => new Response(JSON.stringify(made),
              { headers: { "content-type": "application/json" } });
            const take = (name, startedAt) => ({ name, piece: "p", pieceName: "Walk", tab: null, startedAt,
              seconds: 40, lostSeconds: 0, processing: {}, trouble: null, bytes: 1 });
            const takes = [take("new", 2e12), take("old", 1.9e12)];
            await showReport(takes[0], takes);
            [...document.querySelectorAll("#report-body button")].at(-1).click();
            for (let wait = 0; wait < 100 && !document.querySelector(".comparison"); wait += 1) {
              await new Promise((resolve) => { setTimeout(resolve, 20); });
            }
            window.fetch = real;""")

    def test_the_chart_is_drawn_anew_when_the_device_turns(self):
        self.addCleanup(resize, self.driver, SIZES["desk"])
        resize(self.driver, SIZES["phone"])
        self.open()
        self.show_made_report()

        def drawn():
            return self.script("""return [...document.querySelectorAll('#report figure svg')].map((chart) =>
                [chart.viewBox.baseVal.width, chart.querySelectorAll('polyline').length])""")
        self.assertEqual(drawn(), [[360, 2]])
        for pixels, width in ((SIZES["phone"][::-1], 720), (SIZES["phone"], 360)):
            resize(self.driver, pixels)
            self.until(lambda width=width: drawn() == [[width, 2]], "the chart has the new width and both takes")

    def test_a_take_that_is_deleted_leaves_the_report_in_which_it_is_compared(self):
        self.open()
        self.later("""
            const bars = Array.from({ length: 8 }, (_, played) => ({ played, printed: played + 1, seconds: played,
              tempo: 1, verdict: "steady" }));
            const made = { passages: [{ bars }], leastLateness: 0.06, unplayed: [], unplayedNotes: 0, barKeys: [],
              rightNotes: 0, notes: [], unknownNotes: {}, notesRefusal: "Nothing." };
            const day = 86_400_000;
            let takes = ["new", "middle", "old"].map((name, index) => ({ name, piece: "p", pieceName: "Walk", tab: null,
              startedAt: 2e12 - index * day, seconds: 40, lostSeconds: 0, processing: {}, trouble: null, bytes: 1 }));
            window.fetch = async (address, { method } = {}) => {
              const name = String(address).split("/")[4];
              if (method === "DELETE") takes = takes.filter((each) => each.name !== name);
              const answer = String(address).endsWith("/report") ? made : { takes, teachers: [] };
              return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
            };
            await (await import("/practice-follow/takes.js")).readTakes();
            document.querySelector("[data-take=new] button").click();""")

        def shown():
            return self.script("""return [document.querySelectorAll('.comparison tbody tr').length,
                document.querySelectorAll('#report figure polyline').length,
                document.querySelectorAll('#report figcaption span').length - 1,
                document.querySelectorAll('#report-body .compare').length]""")

        def delete(name):
            self.script("""const button = document.querySelector(`[data-take=${arguments[0]}] .danger`);
                button.click(); button.click();""", name)
        self.until(lambda: shown() == [0, 1, 1, 1], "the report of one take")
        self.script("document.querySelector('#report-body .compare').click()")
        self.until(lambda: shown() == [3, 3, 3, 0], "three takes are compared")
        delete("middle")
        self.until(lambda: shown() == [2, 2, 2, 0], "two of them are left")
        self.assertEqual(self.script("return document.querySelectorAll('#take-list .take').length"), 2)
        delete("old")
        self.until(lambda: shown() == [0, 1, 1, 0], "nothing is left to compare")
        delete("new")
        self.until(lambda: self.value("report", "hidden"), "the report goes with its take")

    def begin_take(self):
        self.listen()
        self.until(lambda: self.script("return Number(document.getElementById('place').dataset.heard ?? 0)") > 0,
                   "the page hears", 10)

    def test_a_page_that_is_left_leaves_nothing_on_the_server(self):
        self.begin_take()
        self.driver.back()
        self.driver.forward()
        self.until(lambda: self.value("choice", "ariaBusy") == "false", "it is there again", 10)
        self.assertFalse(self.value("choice", "hidden"), "another take can begin")
        self.assertEqual(self.takes(), [])

    def test_stop_pressed_twice_ends_one_take_and_the_next_begins_at_once(self):
        self.addCleanup(self.delete_takes)
        self.begin_take()
        self.script("const stop = document.getElementById('stop'); stop.click(); stop.click();")
        self.until(lambda: self.value("choice", "hidden") is False, "it has ended", 10)
        self.assertEqual(self.value("say"), "")
        self.script("document.getElementById('start').click()")
        self.until(lambda: self.value("playing", "hidden") is False, "the second take", 10)
        self.until(lambda: self.script("return window.heard.at(-1).heard < 100_000"), "it is another one", 5)
        self.stop()
        self.send()
        self.until(lambda: len(self.takes()) == 1, "the second one is kept", 10)
        self.assertEqual(self.complaints(), [])

    def test_whatever_breaks_is_a_sentence_and_the_page_comes_right_again(self):
        fetched = "const real = window.fetch; window.fetch = async (address, ...how) =>"
        troubles = {
            "Tools/build-web": f"""{fetched} String(address).includes("engine.wasm")
                ? new Response("", {{ status: 404 }}) : real(address, ...how);""",
            "use a newer one": f"""{fetched} String(address).includes("engine.wasm")
                ? new Response("not what this browser knows") : real(address, ...how);""",
            "has changed on the server": f"""{fetched} String(address).includes("/frames/")
                ? new Response("", {{ status: 404 }}) : real(address, ...how);""",
            "is damaged": f"""{fetched} String(address).includes("/frames/")
                ? new Response("BATONREF and more") : real(address, ...how);""",
            # A header of version 3, a content that is empty when it is inflated, and a digest.
            "of another version": f"""{fetched} String(address).includes("/frames/")
                ? new Response(new Uint8Array([...new TextEncoder().encode("BATONREF"), 3, 0, 128, 0, 50, 0, 0, 0,
                    1, 0, 0, 0, 3, 0, ...new Uint8Array(32)])) : real(address, ...how);""",
            "does not answer": f"""{fetched} {{
                if (String(address).includes("/pieces/")) throw new TypeError("no network");
                return real(address, ...how);
              }};""",
        }
        for sentence, trouble in troubles.items():
            with self.subTest(sentence):
                self.open()
                self.later("await caches.delete('baton-pieces-2');")
                self.script(trouble + " window.well = () => { window.fetch = real; };"
                            " document.getElementById('start').click();")
                self.until(lambda sentence=sentence: sentence in self.value("say"), f"it says {sentence}", 10)
                self.script("window.well()")
                self.until(lambda: not self.value("start", "disabled"), "it can be tried again", 5)
                self.script("document.getElementById('start').click()")
                self.until(lambda: self.value("playing", "hidden") is False, "it listens", 10)
                self.assertEqual(self.value("say"), "")
                self.stop()

    def test_a_follower_that_breaks_for_good_ends_the_take_with_a_sentence(self):
        self.begin_take()
        self.script("""window.follower.dispatchEvent(new MessageEvent("message",
            { data: { fault: "The follower broke and cannot go on.", session: 1 } }))""")
        self.until(lambda: "cannot go on" in self.value("say"), "the sentence", 5)
        self.until(lambda: self.value("choice", "hidden") is False, "another take can begin", 5)
        self.assertFalse(self.value("offer", "hidden"), "what was played is still there")

    def test_a_microphone_that_is_allowed_after_all_is_heard(self):
        self.open()
        self.script("""
            const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
            navigator.mediaDevices.getUserMedia = async (wanted) => {
              navigator.mediaDevices.getUserMedia = real;
              throw new DOMException("no", "NotAllowedError");
            };
            document.getElementById("start").click();""")
        self.until(lambda: "not allowed" in self.value("say"), "the sentence", 5)
        self.until(lambda: not self.value("start", "disabled"), "it can be tried again", 5)
        self.script("document.getElementById('start').click()")
        self.until(lambda: self.value("playing", "hidden") is False, "it listens", 10)
        self.assertEqual(self.value("say"), "")
        self.script("document.getElementById('stop').click()")
        self.until(lambda: self.value("choice", "hidden") is False, "it has ended", 10)

    def test_a_headset_that_goes_off_leaves_the_music_to_the_next_microphone_at_another_rate(self):
        self.open()
        # Two microphones that hear the same room: one at 48 kHz, and after it one at 16 kHz, as of a telephone.
        self.later("""
            const bytes = Uint8Array.from(atob(given[0]), (letter) => letter.charCodeAt(0));
            const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes.buffer);
            window.rates = [48_000, 16_000];
            window.opened = [];
            let begun = null;
            navigator.mediaDevices.getUserMedia = async () => {
              const context = new AudioContext({ sampleRate: window.rates.shift() });
              const source = new AudioBufferSourceNode(context, { buffer: sound });
              const room = context.createMediaStreamDestination();
              source.connect(room);
              begun ??= performance.now();
              source.start(0, (performance.now() - begun) / 1000);
              window.opened.push(room.stream.getAudioTracks()[0]);
              return room.stream;
            };""", base64.b64encode(self.wave.read_bytes()).decode())
        self.note_positions()
        self.script("document.getElementById('start').click()")
        self.until(lambda: self.script("return (window.heard.at(-1)?.played ?? 0) >= 3"), "it follows", 25)
        self.script("window.opened[0].stop(); window.opened[0].dispatchEvent(new Event('ended'));")
        self.until(lambda: "Another one of this device listens" in self.value("say"), "the sentence", 10)
        self.until(lambda: self.script("return window.heard.at(-1).played >= 6"), "it goes on", 25)
        heard = self.script("return window.heard")
        self.assertEqual([each["state"] for each in heard if each["state"] == "lost"], [])
        self.assertEqual((heard[-1]["jumps"], heard[-1]["restarts"]), (0, 0))
        self.assertEqual(self.script("return window.rates"), [])
        self.stop()

    def test_a_microphone_that_cannot_be_had_is_told(self):
        for name, sentence in (("NotAllowedError", "not allowed"), ("NotReadableError", "Another program uses"),
                               ("NotFoundError", "no microphone")):
            self.open()
            self.script("""const name = arguments[0]; navigator.mediaDevices.getUserMedia = async () => {
                throw new DOMException("no", name);
            };""", name)
            self.script("document.getElementById('start').click()")
            self.until(lambda sentence=sentence: sentence in self.value("say"), sentence, 5)
            self.assertFalse(self.value("choice", "hidden"))


class AloneTest(MicrophoneCase):
    """The page over a wire that counts what it sends."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.wire = Wire(cls.server.port)
        cls.addClassCleanup(cls.wire.close)
        cls.base = f"http://127.0.0.1:{cls.wire.port}"

    def network(self, is_there):
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": not is_there, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

    def is_kept(self):
        """The files of the page are on the device, and nothing more is loaded."""
        self.until(lambda: self.later("""return Boolean(navigator.serviceWorker.controller
            && await caches.match("/practice/complete") && await caches.match("/practice/follow"))"""),
                   "what the page loads is kept", 40)

    def bar(self):
        return self.script("return window.heard.at(-1)?.played ?? -1")

    def test_no_sound_leaves_the_device(self):
        self.wire.asked.clear()
        sent = self.wire.sent
        self.listen()
        self.until(lambda: self.bar() >= 3, "it follows", 25)
        self.stop()
        self.settle()
        asked = list(self.wire.asked)
        print(f"{len(asked)} requests, {self.wire.sent - sent} bytes", file=sys.stderr)
        self.assertTrue(any("/pieces/" in each.path for each in asked), "this wire carries what the page asks")
        self.assertEqual([each for each in asked if each.method != "GET"], [])
        # The sound of these seconds would be half a megabyte at least.
        self.assertLess(self.wire.sent - sent, 100_000)
        elsewhere = self.script("""return performance.getEntriesByType("resource").map(({ name }) => name)
            .filter((name) => !name.startsWith(location.origin + "/") && !name.startsWith("blob:"))""")
        self.assertEqual(elsewhere, [], "no other host is asked")

    def test_following_goes_on_without_the_network_and_the_take_is_sent_when_it_is_back(self):
        self.addCleanup(self.delete_takes)
        self.addCleanup(self.network, True)
        self.listen()
        self.until(lambda: self.bar() >= 1, "it follows", 25)
        self.is_kept()
        self.network(False)
        before = len(self.wire.asked)
        self.until(lambda: self.bar() >= 5, "it goes on", 25)
        self.assertEqual(self.script("return window.heard.at(-1).state"), "following")
        self.stop()
        self.assertEqual(self.value("say"), "")
        self.has_report(3)
        self.send()
        self.until(lambda: "still here" in self.value("offer-say"), "it says that the take waits", 10)
        # The browser looks for itself whether the page's service worker is the newest, whatever the page's network is.
        asked = [each for each in self.wire.asked[before:] if each.path != "/practice-sw.js"]
        self.assertEqual(asked, [], "there was no network")
        self.network(True)
        self.send()
        self.until(self.kept, "it is kept", 20)
        [take] = self.takes()
        self.assertGreater(take["seconds"], 5)
        self.assertEqual(take["lostSeconds"], 0)

    def test_the_page_opens_follows_and_reports_without_the_server(self):
        self.listen()
        self.until(lambda: self.bar() >= 0, "it follows", 25)
        self.stop()
        self.is_kept()
        self.until(lambda: self.later(f"return Boolean(await caches.match('/api/practice/pieces/{PIECE}/notes'))"),
                   "the notes are kept", 20)
        self.addCleanup(self.wire.mend)
        self.wire.cut()
        self.open()
        self.assertIn("does not answer", self.value("say"))
        self.assertEqual(self.script("return [...document.getElementById('piece').options].map(({ value }) => value)"),
                         [PIECE], "what was practised here is offered")
        self.listen()
        self.until(lambda: self.bar() >= 5, "it follows", 25)
        self.stop()
        self.has_report(3)
        self.assertIn("notes were right", self.value("report-body", "innerText"))
        self.wire.mend()
        self.driver.get("about:blank")


class TrafficTest(MicrophoneCase):
    """A whole session, with everything that the browser wrote to any socket in its own record of the network."""

    @classmethod
    def browser_arguments(cls):
        cls.record = cls.new_folder() / "net.json"
        return (f"--log-net-log={cls.record}", "--disable-background-networking", "--disable-component-update")

    def test_no_socket_carries_sound(self):
        self.listen()
        self.until(lambda: self.script("return (window.heard.at(-1)?.played ?? 0) >= 6"), "bar 7 is shown", 25)
        self.stop()
        self.has_report(3)
        seconds = self.script("return window.heard.at(-1).heard / 48_000")
        self.assertGreater(seconds, 8)
        holder, type(self).holder = self.holder, contextlib.nullcontext()
        holder.__exit__(None, None, None)  # the record is whole when the browser has ended
        record = json.loads(self.record.read_text(encoding="utf-8"))
        kinds = {number: name for name, number in record["constants"]["logEventTypes"].items()}
        sent, asked = 0, []
        for event in record["events"]:
            kind, params = kinds[event["type"]], event.get("params", {})
            if kind.endswith("BYTES_SENT"):
                sent += params.get("byte_count", 0)
            if kind == "URL_REQUEST_START_JOB" and str(params.get("initiator", "")).startswith("http"):
                asked.append((params["method"], params["url"]))
        self.assertTrue(any("/api/practice/pieces/" in address for _, address in asked), "the record has the session")
        self.assertEqual([each for each in asked if each[0] != "GET" or not each[1].startswith(self.base)], [])
        print(f"{seconds:.0f} s heard, {sent} bytes sent in all", file=sys.stderr)
        # The sound would be 48,000 samples a second; 4 bits of each, of a good codec, are 24,000 bytes.
        self.assertLess(sent, 24_000 * seconds)


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main()
