"""Recordings that the browser reads before it sends them: telephones' memos, videos, and files that are too long."""

import base64
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from prepare_case import SOUND
from prepare_ways_case import RECORDING, WayCase, wave_of

CHOOSE_AGAIN = "[aria-label='Choose it again'][type=file]"
AAC = ("-c:a", "aac", "-b:a", "32k", "-aac_pns", "0")  # noise that the decoder makes would be another each time
RECORDER = ("-f", "webm", "-live", "1")  # as a browser's own recorder writes: without the length
WITH_PICTURE = ("-f", "lavfi", "-i", "testsrc=size=320x240:rate=15")
VIDEO = ("-c:v", "libx264", "-b:v", "1M", "-minrate", "1M", "-maxrate", "1M", "-bufsize", "1M", "-nal-hrd", "cbr",
         "-pix_fmt", "yuv420p")  # as large as what a camera sees


class SoundFileTest(WayCase):
    def converted(self, name, seconds, *codecs, picture=(), loops=0):
        """A file that ffmpeg makes of SOUND, which may begin again `loops` times, in a folder of its own."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-sound-"))
        self.addCleanup(shutil.rmtree, folder)
        subprocess.run(["ffmpeg", "-loglevel", "error", "-stream_loop", str(loops), "-i", SOUND, *picture,
                        "-t", str(seconds), *codecs, folder / name], check=True)
        return folder / name

    def read_as(self, name, seconds):
        """The piece's only recording has this name and lasts as long; nothing is wrong with it."""
        self.until(lambda: self.next() == "Tap the bars", "it asks for taps", 60)
        [recording] = self.draft()["recordings"]
        self.assertEqual(recording["name"], name)
        self.assertAlmostEqual(recording["seconds"], seconds, delta=0.2)
        self.assertEqual(recording["warnings"], [])

    def test_a_recording_of_seven_hours_is_refused_before_its_upload(self):
        with tempfile.TemporaryDirectory() as folder:
            day = pathlib.Path(folder) / "day.wav"
            data = 7 * 3600 * 2 * 8_000
            day.write_bytes(wave_of(0, rate=8_000)[:40] + data.to_bytes(4, "little"))
            with day.open("r+b") as file:
                file.truncate(44 + data)  # The file takes no space on the disk.
            self.begin_piece((RECORDING, day))
            self.is_refused(10)
        self.assertEqual(self.text(".refused"), "“day.wav” lasts 7:00:00; two hours at most can be followed. "
                         "Cut it into movements or pieces, and choose one of them.")
        self.assertEqual(self.script("""return performance.getEntriesByType("resource").filter(({ name }) =>
            name.includes("/api/") && name.includes("/uploads")).length"""), 0, "nothing was sent")

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file of a telephone")
    def test_the_memo_of_a_telephone_is_read(self):
        self.begin_piece((RECORDING, self.converted("memo.m4a", 30, "-c:a", "aac")))
        self.read_as("memo.m4a", 30)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file of a telephone")
    def test_of_a_telephones_video_only_the_sound_is_sent(self):
        video = self.converted("Concert 1.mp4", 20, *VIDEO, "-c:a", "aac", picture=WITH_PICTURE)
        self.begin_piece((RECORDING, video))
        self.read_as("Concert 1.aac", 20)
        sent = self.script("""return performance.getEntriesByType("resource").filter(({ name }) =>
            name.includes("/uploads/") && name.includes("offset=")).length""")
        self.assertEqual(sent, 1, "one chunk of 1 MiB")
        self.assertGreater(video.stat().st_size, 1 << 20)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the video")
    def test_the_sound_of_a_browsers_video_is_read(self):
        self.begin_piece((RECORDING, self.converted("rehearsal.webm", 20, "-c:v", "libvpx", "-c:a", "libopus",
                                                    picture=WITH_PICTURE)))
        self.read_as("rehearsal.webm", 20)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file of a telephone")
    def test_the_upload_of_a_memo_goes_on_after_a_reload(self):
        memo = self.converted("memo.m4a", 60, "-c:a", "alac")
        other = self.converted("memo.m4a", 50, "-c:a", "alac")
        self.open()
        self.slow(400_000)
        self.choose_file(RECORDING, memo)
        self.button("Begin").click()
        self.until(lambda: "#/" in self.driver.current_url, "the piece is opened")
        self.piece = self.driver.current_url.split("#/")[1]
        self.until(lambda: self.share() > 0.25, "a part has arrived", 60)
        self.driver.get("about:blank")
        self.accept_alert()
        self.slow(-1)
        self.open(self.piece)
        self.until(lambda: "goes on from there" in self.text(".upload[data-begun]"), "it is offered", 10)
        self.assertRegex(self.text(".upload[data-begun]"), r"memo\.m4a.*Stopped at [2-9]\d %")
        self.choose_file(CHOOSE_AGAIN, other)
        self.until(lambda: "This is another file. Choose memo.m4a" in self.text(".upload[data-begun]"),
                   "another file of the same name is refused", 10)
        self.script("performance.clearResourceTimings()")
        self.choose_file(CHOOSE_AGAIN, memo)
        self.read_as("memo.m4a", 60)
        chunks = self.script("""return performance.getEntriesByType("resource").map(({ name }) => name)
            .filter((name) => name.includes("/uploads/") && name.includes("offset="))""")
        self.assertTrue(chunks, "the rest is sent")
        self.assertFalse([each for each in chunks if each.endswith("offset=0")], "what has arrived is not sent again")

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file of a browser's recorder")
    def test_a_memo_of_25_minutes_that_does_not_say_how_long_it_is_is_read(self):
        memo = self.converted("memo.webm", 1500, "-c:a", "libopus", "-b:a", "64k", "-vbr", "off", *RECORDER, loops=16)
        self.assertGreater(memo.stat().st_size, 10e6)
        self.begin_piece((RECORDING, memo))
        self.until(lambda: self.draft()["recordings"], "it has arrived", 60)
        [recording] = self.draft()["recordings"]
        self.assertAlmostEqual(recording["seconds"], 1500, delta=0.2)
        self.ask("DELETE", f"/pieces/{self.piece}")  # Nobody waits until all of it is listened to.

    def test_what_the_browser_itself_records_is_read(self):
        recorded = base64.b64decode(self.later("""
            const context = new AudioContext();
            const [tone, way] = [new OscillatorNode(context), new MediaStreamAudioDestinationNode(context)];
            tone.connect(way);
            tone.start();
            await context.resume();
            const recorder = new MediaRecorder(way.stream, { mimeType: "audio/webm" });
            const parts = [];
            recorder.ondataavailable = ({ data }) => parts.push(data);
            recorder.start(500);
            await new Promise((done) => setTimeout(done, 5000));
            await new Promise((done) => {
              recorder.onstop = done;
              recorder.stop();
            });
            const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
            return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))"""))
        with tempfile.TemporaryDirectory() as folder:
            memo = pathlib.Path(folder) / "recorded here.webm"
            memo.write_bytes(recorded)
            self.begin_piece((RECORDING, memo))
            self.until(lambda: self.draft()["recordings"], "it has arrived", 30)
        [recording] = self.draft()["recordings"]
        self.assertEqual(recording["name"], "recorded here.webm")
        self.assertAlmostEqual(recording["seconds"], 5, delta=0.6)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the files")
    def test_the_sound_that_is_taken_out_of_a_video_is_the_same(self):
        for name, more in (("video.mp4", ()), ("picture.mov", ()),
                           ("fragments.mp4", ("-frag_duration", "1000000", "-movflags",
                                              "+frag_keyframe+empty_moov+default_base_moof"))):
            path = self.converted(name, 30, "-ac", "1", "-ar", "24000", *VIDEO, *AAC, *more, picture=WITH_PICTURE)
            self.open()
            taken, late, most = self.later("""
                const { soundOfVideo } = await import("/prepare/mpeg4.js");
                const bytes = Uint8Array.from(atob(given[0]), (letter) => letter.charCodeAt(0));
                const sound = await soundOfVideo(new File([bytes], given[1]));
                const rate = 24000;
                const decode = async (bytes) =>
                  (await new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes)).getChannelData(0);
                const [one, other] = [await decode(await sound.arrayBuffer()), await decode(bytes.buffer)];
                const largest = (late, from, to) => {
                  let most = 0;
                  for (let at = from; at < to; at += 1) most = Math.max(most, Math.abs(one[at + late] - other[at]));
                  return most;
                };
                // A file may say how much of its beginning is the encoder's own; its frames do not.
                const second = 10 * rate;
                const all = Array.from({ length: 3000 }, (_, late) => [largest(late, second, second + 500), late]);
                const [, late] = all.sort(([one], [other]) => one - other)[0];
                return [sound.name, late, largest(late, 2048, Math.min(other.length, one.length - late))]""",
                base64.b64encode(path.read_bytes()).decode(), name)
            with self.subTest(name):
                self.assertEqual(taken, path.stem + ".aac")
                self.assertLess(late, 2200)
                self.assertLess(most, 0.01, "the same samples, to one per cent")

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file of a telephone")
    def test_a_memo_of_more_than_two_hours_is_refused_before_its_upload(self):
        memo = self.converted("day.webm", 20, "-c:a", "libopus", *RECORDER)
        made = memo.read_bytes()
        # The last cluster begins 2 h 1 min after the first: its name, its length, its time in ms.
        last = made.rindex(b"\x1f\x43\xb6\x75") + 4
        time = last + 9 - made[last].bit_length()
        self.assertEqual(made[time], 0xE7)
        made = (made[:last] + b"\x01" + b"\xff" * 7 + b"\xe7\x84" + (7_260_000).to_bytes(4, "big")
                + made[time + 2 + made[time + 1] - 0x80:])
        memo.write_bytes(made)
        self.begin_piece((RECORDING, memo))
        self.is_refused(60)
        self.assertIn("“day.webm” lasts 2:01:00; two hours at most", self.text(".refused"))

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file of a telephone")
    def test_a_memo_in_apple_lossless_is_read(self):
        self.begin_piece((RECORDING, self.converted("memo.m4a", 20, "-c:a", "alac")))
        self.read_as("memo.m4a", 20)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file")
    def test_a_recording_whose_channels_cancel_each_other_is_heard_from_one_of_them(self):
        self.begin_piece((RECORDING, self.converted("twisted.wav", 20, "-filter_complex",
                                                    "pan=mono|c0=c0,pan=stereo|c0=c0|c1=-1*c0")))
        self.until(lambda: self.next() == "Tap the bars", "it asks for taps", 60)
        [recording] = self.draft()["recordings"]
        self.assertIn("Channel 1 is used instead of the mix.", recording["warnings"][0])

    def test_a_file_with_copy_protection_gets_the_sentence_of_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            bought = pathlib.Path(folder) / "bought.m4p"
            bought.write_bytes(b"\0\0\0\x20ftypM4P \0\0\0\0M4P mp42isom\0\0\0\0" + bytes(2_000))
            self.begin_piece((RECORDING, bought))
            self.is_refused(20)
        self.assertIn("protected against copying", self.text(".refused"))

    def test_a_silent_recording_is_replaced_by_the_next_one(self):
        with tempfile.TemporaryDirectory() as folder:
            silent, good = pathlib.Path(folder) / "silent.wav", pathlib.Path(folder) / "good.wav"
            silent.write_bytes(wave_of(20)[:44] + bytes(2 * 20 * 32_000))
            good.write_bytes(wave_of(20))
            self.begin_piece((RECORDING, silent))
            self.until(lambda: self.next() == "silent.wav cannot be used", "it says so", 60)
            self.assertEqual(self.text(".next .hint"), "There is nothing to hear in it. Choose another recording.")
            self.choose_file(".next [aria-label='Replace the recording'][type=file]", good)
            self.until(lambda: self.next() == "Tap the bars", "it asks for taps", 60)
        [recording] = self.draft()["recordings"]
        self.assertEqual((recording["name"], recording["isMain"]), ("good.wav", True))

    def test_what_a_voice_memo_lacks_is_said_before_it_is_tapped(self):
        with tempfile.TemporaryDirectory() as folder:
            memo = pathlib.Path(folder) / "memo.wav"
            memo.write_bytes(wave_of(20, rate=8_000))
            self.begin_piece((RECORDING, memo))
            self.until(lambda: self.next() == "Tap the bars", "it asks for taps", 60)
        self.assertIn("8000 samples a second", self.text(".next .hint"))
