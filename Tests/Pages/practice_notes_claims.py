"""Cases 1 to 5 of the table 5.3 of “Tune Teacher”: notes, chords, lengths."""

from selenium.webdriver.common.keys import Keys

from practice_case import PracticeCase, beat, tab


class NotesCaseTest(PracticeCase):
    """A written note sounds."""

    def test_case_01_play_one_note_each_of_the_notes_on_each_possible_string(self):
        self.open(tab([]))
        self.keys("7")
        self.click("#metronome")
        self.play()
        self.until(lambda: len(self.sounds()) == 1, "the note sounds")

    def test_case_02_play_multiple_notes_in_sequence_on_one_string_and_over_multiple_strings(self):
        self.setting(metronome=False)
        self.open(tab([], []))
        self.keys("0", Keys.ARROW_RIGHT, "3", Keys.ARROW_RIGHT, "5", Keys.ARROW_RIGHT, Keys.ARROW_DOWN, "1", "2")
        self.play()
        self.until(lambda: len(self.sounds()) == 4, "all notes sound")
        self.near(self.sounds(), [0, 0.5, 1, 1.5])
        self.assertEqual([note["notes"] for note in self.beats()],
                         [[{"string": 1, "fret": 0}], [{"string": 1, "fret": 3}], [{"string": 1, "fret": 5}],
                          [{"string": 2, "fret": 12}]])

    def test_case_03_play_1_to_6_notes_simultaneously_with_strings_that_are_not_next_to_each_other(self):
        self.setting(metronome=False)
        chords = [[1], [1, 6], [2, 4, 6], [1, 3, 4, 6], [1, 2, 3, 5, 6], [1, 2, 3, 4, 5, 6]]
        self.open(tab([beat("1/16", *[(string, 2) for string in strings]) for strings in chords], tempo=180))
        self.play()
        self.until(lambda: len(self.sounds()) == 21, "all notes sound")
        wanted = [time * 60 / 180 / 4 for time, strings in enumerate(chords) for _ in strings]
        self.near(self.sounds(), wanted)

    def test_case_04_play_one_note_then_chord_in_one_instance(self):
        self.setting(metronome=False)
        self.open(tab([beat("1/4", (6, 3)), beat("1/4", (1, 0), (4, 2))], tempo=180))
        self.play()
        self.until(lambda: len(self.sounds()) == 3, "note and chord sound")
        self.near(self.sounds(), [0, 1 / 3, 1 / 3])

    def test_case_05_play_note_using_different_note_length_1_16_to_4_4_and_rests(self):
        self.setting(metronome=False)
        self.open(tab([], [], [], tempo=180))
        for key in ("s", "t", "e"):
            self.keys(key, "5", Keys.ARROW_RIGHT)
        self.keys("e", ".", "5", Keys.ARROW_RIGHT, "s", "r")
        self.choose_bar(1)
        self.keys("w", "5", Keys.ARROW_RIGHT, "r")
        self.choose_bar(2)
        self.keys("q", "5")
        self.assertEqual([(each["value"], each.get("dots", 0), len(each.get("notes", []))) for each in self.beats()],
                         [("1/16", 0, 1), ("1/8", 0, 1), ("1/4", 0, 1), ("1/4", 1, 1), ("1/16", 0, 0)])
        self.play()
        self.until(lambda: len(self.sounds()) == 6, "all notes sound", 5)
        quarter = 60 / 180
        self.near(self.sounds(), [time * quarter for time in (0, 0.25, 0.75, 1.75, 4, 8)])
        # The signs of length below the tab do not touch each other.
        overlaps = self.script("""
            const signs = [...document.querySelectorAll(".stem")].map((each) => each.getBoundingClientRect());
            return signs.filter((a, at) => signs.some((b, other) => other !== at && a.top === b.top
              && Math.abs(a.left - b.left) < 14)).length;""")
        self.assertEqual(overlaps, 0)
