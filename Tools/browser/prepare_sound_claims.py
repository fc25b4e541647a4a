"""Recordings that the browser reads before it sends them: telephones' memos, videos, and files that are too long."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from prepare_case import SOUND
from prepare_ways_case import RECORDING, WayCase, wave_of

CHOOSE_AGAIN = "[aria-label='Choose it again'][type=file]"
WITH_PICTURE = ("-f", "lavfi", "-i", "testsrc=size=320x240:rate=15")


class SoundFileTest(WayCase):
    def converted(self, name, seconds, *codecs, picture=()):
        """A file that ffmpeg makes from the beginning of SOUND, in a folder of its own."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-sound-"))
        self.addCleanup(shutil.rmtree, folder)
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", SOUND, *picture, "-t", str(seconds), *codecs,
                        folder / name], check=True)
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
            self.until(lambda: self.text(".upload[data-state=refused] .upload-words") != "", "it is refused", 10)
        self.assertEqual(self.text(".upload-words"), "“day.wav” lasts 7:00:00; two hours at most can be followed. "
                         "Cut it into movements or pieces, and choose one of them.")
        self.assertEqual(self.script("""return performance.getEntriesByType("resource").filter(({ name }) =>
            name.includes("/api/") && name.includes("/uploads")).length"""), 0, "nothing was sent")
        self.assertEqual(self.next(), "Add a recording")

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file of a telephone")
    def test_the_memo_of_a_telephone_is_read(self):
        self.begin_piece((RECORDING, self.converted("memo.m4a", 30, "-c:a", "aac")))
        self.read_as("memo.wav", 30)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file of a telephone")
    def test_the_sound_of_a_telephones_video_is_read(self):
        self.begin_piece((RECORDING, self.converted("Concert 1.mp4", 20, "-c:v", "libx264", "-pix_fmt", "yuv420p",
                                                    "-c:a", "aac", picture=WITH_PICTURE)))
        self.read_as("Concert 1.wav", 20)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the video")
    def test_the_sound_of_a_browsers_video_is_read(self):
        self.begin_piece((RECORDING, self.converted("rehearsal.webm", 20, "-c:v", "libvpx", "-c:a", "libopus",
                                                    picture=WITH_PICTURE)))
        self.read_as("rehearsal.wav", 20)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file of a telephone")
    def test_the_upload_of_a_memo_goes_on_after_a_reload(self):
        memo = self.converted("memo.m4a", 60, "-c:a", "aac")
        other = self.converted("memo.m4a", 50, "-c:a", "aac")
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
        self.read_as("memo.wav", 60)
        chunks = self.script("""return performance.getEntriesByType("resource").map(({ name }) => name)
            .filter((name) => name.includes("/uploads/") && name.includes("offset="))""")
        self.assertTrue(chunks, "the rest is sent")
        self.assertFalse([each for each in chunks if each.endswith("offset=0")], "what has arrived is not sent again")

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes the file of a telephone")
    def test_a_long_memo_of_a_telephone_is_refused_with_a_way_to_convert_it(self):
        with tempfile.TemporaryDirectory() as folder:
            memo = pathlib.Path(folder) / "evening.m4a"
            subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono",
                            "-t", "1500", "-c:a", "aac", "-b:a", "16k", memo], check=True)
            self.begin_piece((RECORDING, memo))
            self.until(lambda: self.text(".upload[data-state=refused] .upload-words") != "", "it is refused", 20)
        self.assertIn("lasts 25:00. Up to 20 minutes", self.text(".upload-words"))
        self.assertIn("VLC", self.text(".upload-words"))

    def test_a_file_with_copy_protection_gets_the_sentence_of_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            bought = pathlib.Path(folder) / "bought.m4p"
            bought.write_bytes(b"\0\0\0\x20ftypM4P \0\0\0\0M4P mp42isom\0\0\0\0" + bytes(2_000))
            self.begin_piece((RECORDING, bought))
            self.until(lambda: self.text(".upload[data-state=refused] .upload-words") != "", "it is refused", 20)
        self.assertIn("protected against copying", self.text(".upload-words"))

    def test_what_a_voice_memo_lacks_is_said_before_it_is_tapped(self):
        with tempfile.TemporaryDirectory() as folder:
            memo = pathlib.Path(folder) / "memo.wav"
            memo.write_bytes(wave_of(20, rate=8_000))
            self.begin_piece((RECORDING, memo))
            self.until(lambda: self.next() == "Tap the bars", "it asks for taps", 60)
        self.assertIn("8000 samples a second", self.text(".next .hint"))
