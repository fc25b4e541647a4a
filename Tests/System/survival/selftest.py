"""The judges judged: each promise broken on purpose, so that what finds nothing is known to be able to.

    PYTHONPATH=Tests/System python3 -m survival.selftest
"""

import json
import pathlib
import tempfile
import unittest

from . import phone, places
from .phone import Packet
from .watcher import Watcher

PIECE = places.piece_name(places.BACH)


def watcher():
    """One that hears nothing but what a test says."""
    made = Watcher(None, None, "/nowhere")
    made.see_position(0.0, position())
    return made


def position(measure=1, mode="following", epoch="1.0", view="live"):
    return {"epoch": epoch, "mode": mode, "audience": {"view": view, "piece": 0, "measure": measure}}


def packet(at, measure, count, source="a"):
    return Packet(at, source, PIECE, measure, count)


class WatcherTests(unittest.TestCase):
    def kinds(self, made):
        made.judge_backward()
        return [violation["kind"] for violation in made.violations]

    def test_a_quiet_evening_breaks_nothing(self):
        made = watcher()
        for number in range(50):
            made.hear(packet(number * 0.2, 1 + number // 10, number + 1))
        self.assertEqual(self.kinds(made), [])

    def test_a_count_that_does_not_rise_is_found(self):
        made = watcher()
        made.hear(packet(0, 1, 5))
        made.hear(packet(0.2, 1, 5))
        self.assertEqual(self.kinds(made), ["count"])

    def test_a_step_back_is_found_unless_somebody_asked(self):
        made = watcher()
        made.hear(packet(0, 5, 1))
        made.hear(packet(0.2, 4, 2))
        self.assertEqual(self.kinds(made), ["back"])
        made = watcher()
        made.hear(packet(0, 5, 1))
        made.tell({"at": 0.1, "what": "command", "words": ["nudge", "-1"]})
        made.hear(packet(0.2, 4, 2))
        self.assertEqual(self.kinds(made), [])

    def test_the_log_tells_a_repeat_and_a_command_from_a_step_back(self):
        def line(time, played, printed, event):
            return [{"t": time, "e": event}, {"t": time, "x": [{"show": {
                "epoch": "1.0", "piece": 0, "played": played, "printed": printed}}]}]
        report, command = {"report": {"jumped": False}}, {"command": ["goto", "4"], "by": {"name": "anna"}}
        for last, event, kinds in [(40, report, []), (1, command, []), (1, report, ["back"])]:
            with tempfile.TemporaryDirectory() as data:
                folder = pathlib.Path(data) / "shows" / "evening"
                folder.mkdir(parents=True)
                lines = line(0, 4, 5, report) + line(200, last, 4, event)
                (folder / "log-0001.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
                made = watcher()
                made.data = data
                made.see(0, "beat", {"at": 0})
                made.hear(packet(0, 5, 1))
                made.hear(packet(0.2, 4, 2))
                self.assertEqual(self.kinds(made), kinds, (last, event))

    def test_a_note_excuses_no_step_back(self):
        made = watcher()
        made.hear(packet(0, 5, 1))
        made.tell({"at": 0.1, "what": "command", "words": ["note", "x"]})
        made.hear(packet(0.2, 4, 2))
        self.assertEqual(self.kinds(made), ["back"])

    def test_a_gap_is_found_unless_nothing_was_live(self):
        made = watcher()
        made.hear(packet(0, 1, 1))
        made.hear(packet(0.6, 1, 2))
        self.assertEqual(self.kinds(made), ["gap"])
        made = watcher()
        made.hear(packet(0, 1, 1))
        made.see_position(0.1, position(view="ended"))
        made.hear(packet(0.6, 1, 2))
        self.assertEqual(self.kinds(made), [])

    def test_a_move_while_lost_is_found(self):
        made = watcher()
        made.hear(packet(0, 3, 1))
        made.see_position(0.1, position(3, "lost"))
        made.hear(packet(0.5, 4, 2))
        self.assertEqual(self.kinds(made), ["lost"])

    def test_a_move_whose_explanation_comes_a_little_later_is_none(self):
        made = watcher()
        made.hear(packet(0, 3, 1))
        made.see_position(0.1, position(3, "lost"))
        made.hear(packet(0.5, 4, 2))
        made.see_position(0.7, position(4, "following"))
        self.assertEqual(self.kinds(made), [])
        made = watcher()
        made.hear(packet(0, 3, 1))
        made.see_position(0.1, position(3, "lost"))
        made.hear(packet(0.5, 4, 2))
        made.see_position(1.2, position(4, "following"))
        self.assertEqual(self.kinds(made), ["lost"])

    def test_a_late_restart_is_found(self):
        made = watcher()
        made.hear(packet(0, 3, 1))
        made.tell({"at": 0.1, "what": "killed"})
        made.tell({"at": 0.2, "what": "started"})
        made.hear(packet(2.5, 3, 2))
        self.assertEqual(self.kinds(made), ["restart"])

    def test_an_epoch_that_falls_is_found(self):
        made = watcher()
        made.see_position(1, position(epoch="1.5"))
        made.see_position(2, position(epoch="1.4"))
        self.assertEqual(self.kinds(made), ["epoch"])

    def test_a_console_that_says_otherwise_is_found(self):
        made = watcher()
        for number in range(20):
            made.hear(packet(number * 0.1, 3, number + 1))
            made.see_position(number * 0.1 + 0.05, position(4))
        self.assertEqual(self.kinds(made), ["agreement"])

    def test_a_page_that_says_otherwise_is_found(self):
        made = watcher()
        for number in range(20):
            made.hear(packet(number * 0.1, 3, number + 1))
            made.see_page(number * 0.1 + 0.05, "live", {"view": "live", "piece": 0, "measure": 4})
        self.assertEqual(self.kinds(made), ["page"])

    def test_a_page_that_was_told_a_moment_before_the_packet_agrees(self):
        made = watcher()
        made.hear(packet(0, 3, 1))
        made.see_page(0.1, "live", {"view": "live", "piece": 0, "measure": 4})
        made.hear(packet(0.2, 4, 2))
        made.see_page(1.3, "live", {"view": "live", "piece": 0, "measure": 5})
        made.hear(packet(1.4, 5, 3))
        self.assertEqual([each["kind"] for each in made.violations if each["kind"] == "page"], [])


class PhoneTests(unittest.TestCase):
    def test_a_phone_believes_the_highest_count(self):
        heard = [packet(0, 5, 10), packet(0.1, 4, 9, "b"), packet(0.2, 6, 11)]
        self.assertEqual([one.measure for one in phone.believed(heard)], [5, 6])
        self.assertEqual(phone.steps_back(heard), [])

    def test_a_step_back_with_a_higher_count_is_seen(self):
        self.assertEqual(len(phone.steps_back([packet(0, 5, 10), packet(0.1, 4, 1_000_010, "b")])), 1)

    def test_counts_are_judged_sender_by_sender(self):
        self.assertEqual(len(phone.not_rising([packet(0, 5, 10), packet(0.1, 5, 9, "b"), packet(0.2, 5, 10)])), 1)


if __name__ == "__main__":
    unittest.main()
