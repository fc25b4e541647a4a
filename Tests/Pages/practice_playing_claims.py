"""Cases of the table 5.3 of “Tune Teacher” about playing; 10 is leaving the page, 20 an interrupted sound output."""

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from practice_case import PracticeCase, beat, pulse, tab


class PlayingCaseTest(PracticeCase):
    """Playing, stopping, tempo, repeats, metronome."""

    def test_case_06_change_segment_while_playing_back_also_while_repeat_is_on(self):
        self.open(pulse(4, tempo=180, heads=[{"repeatStart": True}, {"repeats": 3}, {}, {}]))
        before = self.saved()
        self.play()
        self.keys("9", "r", Keys.DELETE, Keys.ARROW_RIGHT, "h")
        self.script("""
            const box = document.getElementById("sheet").getBoundingClientRect();
            document.getElementById("sheet").dispatchEvent(new MouseEvent("click", { bubbles: true,
              clientX: box.left + 150, clientY: box.top + 60 }));
            for (const button of document.querySelectorAll("#palette button, #undo, #more")) button.click();""")
        self.assertFalse(self.script("return Boolean(document.querySelector('dialog[open]'))"))
        self.assertEqual(self.state, "playing")
        self.until(lambda: len(self.sounds()) >= 8, "it plays on", 5)
        self.near(self.sounds()[:8], [each / 3 for each in range(8)])
        self.click("#stop")
        self.assertEqual(self.saved(), before)

    def test_case_07_press_buttons_while_playing_back(self):
        self.open(pulse(2, tempo=180))
        self.play()
        self.assertEqual(self.script("""
            return [...document.querySelectorAll("[data-edit]")].filter((each) => !each.disabled && !each.readOnly)
              .map((each) => each.id || each.textContent);"""), [])
        for button in self.driver.find_elements(By.CSS_SELECTOR, "#playing button:not(#stop)"):
            self.script("arguments[0].click()", button)
        self.click("#zoom-in")
        self.ends()
        self.near(self.sounds(), [each / 3 for each in range(8)])
        self.assertTrue(self.script("return !document.getElementById('play').disabled"))

    def test_case_08_press_play_button_repeatedly(self):
        self.open(pulse(1, tempo=180))
        self.keys(Keys.HOME)
        self.script("""
            window.sounds.length = 0;
            for (let press = 0; press < 10; press += 1) document.getElementById("play").click();""")
        self.until(lambda: self.state == "playing", "it plays")
        for _ in range(5):
            self.script("document.getElementById('play').disabled = false; document.getElementById('play').click()")
        self.ends()
        self.near(self.sounds(), [each / 3 for each in range(4)])
        self.assertEqual(self.script("return window.contexts.length"), 1)

    def test_case_09_press_stop_repeatedly(self):
        self.open(pulse(4))
        self.play()
        self.until(lambda: self.script("return document.querySelector('.sounding') !== null"), "it is highlighted")
        self.script("const stop = document.getElementById('stop'); for (let n = 0; n < 5; n += 1) stop.click();")
        self.assertEqual(self.state, "idle")
        self.assertFalse(self.script("return Boolean(document.querySelector('.sounding'))"))
        self.stays(lambda: self.state == "idle" and not self.script("return document.querySelector('.sounding')"),
                   "nothing goes on silently", 0.4)
        self.play()
        self.click("#stop")

    def test_case_10_close_app_while_playing(self):
        tab_id = self.open(pulse(8))
        self.play()
        level = self.later("""
            dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
            const { currentTime } = window.contexts[0];
            await new Promise((done) => setTimeout(done, 120));
            return [document.body.dataset.playing, window.sounds.filter(({ clock }) => clock > currentTime).length];""")
        self.assertEqual(level, ["idle", 0])
        self.script("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        self.until(lambda: self.script("return !document.body.hidden && document.querySelector('.tab-line') !== null"),
                   "a page that is brought back shows itself again", 6)
        self.play()
        self.driver.get("about:blank")
        self.driver.back()
        self.until(lambda: self.script("return document.querySelector('.tab-line') !== null"), "it is open again", 6)
        self.assertEqual((self.state, self.current()), ("idle", tab_id))

    def test_case_14_change_tempo_slow_and_fast(self):
        self.open(pulse(1))
        for tempo in (60, 97, 180):
            self.click("#settings")
            self.fill("#tempo", str(tempo))
            self.close_dialog()
            self.play()
            self.until(lambda: len(self.sounds()) == 4, "four quarters sound", 6)
            self.near(self.sounds(), [each * 60 / tempo for each in range(4)])
            self.click("#stop")
        self.assertEqual(self.saved()["tempo"], 180)
        self.click("#settings")
        for wrong, right in (("20", 60), ("900", 180)):
            self.fill("#tempo", wrong)
            self.assertEqual(self.saved()["tempo"], right)
        self.close_dialog()

    def test_case_17_repeat_playback_of_section_for_up_to_24_times_using_complex_tabs(self):
        self.library()
        chords = [beat("1/8", *[(string, 1 + string) for string in strings]) if strings else beat("1/8")
                  for strings in ([6, 4, 2], [], [1, 3, 5], [], [1, 2, 3, 4, 5, 6], [])]
        music = tab([beat("1/8", (1, 1)), beat("1/8")], chords, [beat("1/8", (1, 1))], tempo=180, heads=[
            {"time": [1, 4]}, {"time": [3, 4], "repeatStart": True, "repeats": 24}, {"time": [1, 4]}])
        found = self.render("""
            const { onsets, last, ended } = await render(given[0], { metronome: false }, 27);
            return [onsets, last, ended];""", music)
        onsets = found[0]
        quarter = 60 / 180
        self.assertEqual(len(onsets), 1 + 25 * 3 + 1)
        for count, time in enumerate(onsets):
            self.assertAlmostEqual(time - onsets[0], count * quarter, delta=0.001)
        self.assertIsNotNone(found[2], "it ends by itself")

    def test_case_18_set_number_of_repeats(self):
        self.open(pulse(2))
        self.dialog()
        self.click("#repeat-start")
        self.click("#repeat-end")
        played = []
        for wanted in (0, 1, 2, 7, 24):
            self.fill("#repeats", str(wanted))
            played.append(self.later("""
                const { playedBars } = await import("/practice/timeline.js");
                return playedBars(given[0]);""", self.saved()))
        self.assertEqual(played, [[0] * (1 + wanted) + [1] for wanted in (0, 1, 2, 7, 24)])
        self.fill("#repeats", "99")
        self.assertEqual(self.saved()["bars"][0]["repeats"], 24)
        self.close_dialog()

    def test_case_20_what_happens_when_the_sound_is_interrupted_while_playing(self):
        self.open(pulse(8))
        self.play()
        self.later("await window.contexts[0].suspend(); return 0")
        self.ends(2)
        self.assertIn("interrupted", self.text("#notices"))
        self.play()
        self.until(lambda: len(self.sounds()) >= 2, "it plays again")

    def test_case_21_create_and_playback_very_long_complex_tab(self):
        bar = [beat("1/16", *[(string, (step + string) % 20) for string in range(1, 7) if (step + string) % 3])
               for step in range(16)]
        self.open(tab(*[bar] * 1000, tempo=180))
        drawn = self.script("return [document.querySelectorAll('.tab-line').length, "
                            "document.querySelectorAll('.line').length]")
        self.assertLess(drawn[0], 40)
        self.assertGreater(drawn[1], 400)
        self.play()
        self.until(lambda: len(self.sounds()) > 120, "many notes sound", 8)
        late = self.script("return window.sounds.filter(({ time, clock }) => time < clock).length")
        self.assertEqual(late, 0)
        self.click("#stop")
        seconds = self.until(lambda: self.script("document.getElementById('sheet').focus(); return true"), "it answers")
        self.assertLess(seconds, 1)
        self.keys("5")
        self.assertEqual(self.beats()[0]["notes"][0]["fret"], 5)

    def test_case_22_play_with_metronome(self):
        self.library()
        music = pulse(16, tempo=137)
        notes, clicks, both = self.render("""
            const only = async (music, clicks) => (await render(given[0], { metronome: true, music, clicks }, 30,
              { rate: 16000 })).onsets;
            return [await only(1, 0), await only(0, 1), await only(1, 1)];""", music)
        self.assertEqual((len(notes), len(clicks), len(both)), (64, 64, 64))
        worst = max(abs(note - click) for note, click in zip(notes, clicks))
        print(f"metronome: at most {1000 * worst:.2f} ms from the music, over {clicks[-1] - clicks[0]:.0f} s")
        self.assertLess(worst, 0.005)

    def test_case_23_play_song_with_metronome_at_different_tempos(self):
        self.library()
        for tempo, (_, clicks) in zip((60, 120, 180), self.render("""
                const found = [];
                for (const tempo of [60, 120, 180]) {
                  const { onsets } = await render({ ...given[0], tempo }, { music: 0 }, 9);
                  found.push([tempo, onsets]);
                }
                return found;""", pulse(2))):
            self.assertEqual(len(clicks), 8)
            for count, time in enumerate(clicks):
                self.assertAlmostEqual(time - clicks[0], count * 60 / tempo, delta=0.001)
