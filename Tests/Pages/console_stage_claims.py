"""The baton, places, cues and safety, by keyboard alone."""

import json
import re

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from console_case import DeskCase


class StageTest(DeskCase):
    """The technician's work during the music."""

    def test_everything_needed_is_on_the_page_at_once(self):
        for identifier in ("piece-name", "measure", "section", "state", "holder", "cue-bars", "cue-name", "tempo",
                           "confidence", "confidence-graph", "level", "level-text", "clock", "cue-list", "go", "lock"):
            self.assertTrue(self.shown(identifier), identifier)
        self.until(lambda: all(word in self.text("readings") for word in
                               ("Hop time", "Overruns", "Packets", "/s", "Clients", "Targets")), "health is shown")
        self.assertEqual(self.script("return document.documentElement.scrollHeight"), 800, "no scrolling on a laptop")

    def test_taking_and_giving_back_by_one_key(self):
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "taken")
        self.assertIn("Technician", self.text("holder"))
        held = self.bar()
        self.stays(lambda: self.bar() == held, "a technician's position does not run away", 2.2)
        self.press("m")
        self.until(lambda: self.body("mode") == "following", "given back")

    def test_what_giving_back_does_is_said_before(self):
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "taken")
        self.until(lambda: re.search(r"^M: the audience goes from \d+ to \d+$", self.text("going")), "said before")
        self.press("m")
        self.until(lambda: self.body("mode") == "following" and self.text("going") == "", "nothing to say any more")

    def test_tap_and_nudges_move_one_bar_each(self):
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "taken")
        start = self.bar()
        self.press("t")
        self.until(lambda: self.bar() == start + 1, "a tap is one bar")
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.until(lambda: self.bar() == start + 4, "three quick nudges are three bars, none refused")
        self.press(Keys.ARROW_LEFT)
        self.until(lambda: self.bar() == start + 3, "back by one")
        self.assertEqual(self.notices(), "")

    def test_hold_and_go_on(self):
        self.press("h")
        self.until(lambda: self.body("mode") == "held", "held")
        self.assertEqual(self.pressed("hold"), "true")
        self.press("h")
        self.until(lambda: self.body("mode") == "following", "following again")

    def test_bar_is_now_gives_the_baton_back_there(self):
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "taken")
        # Near the music, so that a real follower finds it there.
        there = self.bar() + 2
        self.type(there)
        self.press(Keys.ENTER)
        self.until(lambda: self.bar() == there, "at the bar")
        self.press("n")
        self.until(lambda: self.body("mode") == "following" and there <= self.bar() <= there + 1,
                   "the follower goes on from there")

    def test_digits_and_enter_go_to_a_bar(self):
        there = self.facts.bar(0.8)
        self.type(there)
        self.assertEqual(self.script("return document.getElementById('place').value"), str(there))
        self.assertNotEqual(self.bar(), there, "nothing happens before Enter")
        self.press(Keys.ENTER)
        self.until(lambda: self.bar() == there, "at the bar")
        self.assertEqual(self.script("return document.getElementById('place').value"), "")

    def test_g_opens_the_field_and_letters_are_sections_in_any_case(self):
        section = self.need(self.facts.far_section(), "the piece has no sections")
        self.press("g")
        self.type(section["label"].lower())
        self.press(Keys.ENTER)
        self.until(lambda: self.bar() == int(section["place"]) and self.text("section") == section["label"],
                   "at the section")

    def test_escape_leaves_the_field_and_only_the_next_one_is_panic(self):
        self.press("5", "7")
        self.press(Keys.ESCAPE)
        self.assertEqual(self.script("return document.activeElement.id"), "")
        self.press(Keys.ESCAPE)
        self.until(lambda: "has just closed" in self.notices(), "the hand meant to leave the field")
        self.stays(lambda: self.body("panic") == "none", "no panic", 1.0)
        self.press(Keys.ESCAPE)
        self.until(lambda: self.body("panic") == "safe", "panic")

    def test_after_a_refused_place_the_keys_are_the_shows_again(self):
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "taken")
        self.refuse_place("999")
        first = self.standby()
        self.press(Keys.SPACE)
        self.until(lambda: self.standby() != first, "Space is GO")
        self.press("p")
        self.until(lambda: self.shown("panel"), "P opens the programme")
        self.press("p", "m")
        self.until(lambda: self.body("mode") != "manual", "M gives the baton back")
        self.press("h")
        self.until(lambda: self.body("mode") == "held", "H holds")
        self.assertEqual(self.script("return document.getElementById('place').value"), "999", "still there")

    def test_a_place_that_does_not_exist_stays_to_be_mended(self):
        before = self.text("holder")
        self.press("9", "9", "9", Keys.ENTER)
        self.until(lambda: "999" in self.notices(), "a sentence names the place")
        self.assertEqual(self.script("return document.getElementById('place').value"), "999")
        self.assertEqual(self.script("return document.getElementById('place').getAttribute('aria-invalid')"), "true")
        self.assertEqual(self.text("holder"), before)

    def invalid_place(self):
        return self.script("return document.getElementById('place').getAttribute('aria-invalid')")

    def refuse_place(self, words):
        self.press(*words, Keys.ENTER)
        self.until(lambda: words in self.notices() and self.invalid_place() == "true", f"“{words}” is refused")

    def test_of_refused_places_only_the_newest_is_told_and_it_is_typed_over(self):
        for words in ("1e3", "abc", "999"):
            self.press("g")
            self.refuse_place(words)
            self.assertEqual(self.script("return document.querySelectorAll('.notice').length"), 1, words)
            self.press("g")
            self.assertEqual(self.script("return getSelection().toString()"), words, "the next one is typed over it")
            self.press(Keys.ESCAPE)

    def test_a_refused_place_is_red_until_another_one_is_typed(self):
        self.refuse_place("999")
        self.press("g")
        self.assertIsNone(self.invalid_place(), "to be mended")
        self.press(Keys.BACKSPACE)
        self.refuse_place("998")
        self.press("9")
        self.assertIsNone(self.invalid_place(), "typed anew")

    def test_a_click_on_the_timeline_asks_before_it_goes(self):
        before = self.bar()
        label = self.need(self.facts.far_section(), "the piece has no sections")["label"]
        self.driver.find_element(By.CSS_SELECTOR, f".block[data-label={json.dumps(label)}]").click()
        self.assertRegex(self.script("return document.getElementById('place').value"), rf"^({re.escape(label)}|p:\d+)$")
        self.assertLess(abs(self.bar() - before), 3)
        self.press(Keys.ENTER)
        self.until(lambda: self.text("section") == label, "in the section")

    def standby(self):
        return self.text("standby-name")

    def test_go_fires_the_standby_and_moves_it_on(self):
        self.press("m")
        first = self.standby()
        self.press(Keys.SPACE)
        self.until(lambda: self.standby() != first, "standby moved on")
        self.assertGreaterEqual(self.script("return document.querySelectorAll('.cue[data-fired]').length"), 1)

    def test_a_second_go_at_once_is_shown_as_misfire_and_fires_nothing(self):
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "taken")
        first = self.standby()
        self.press(Keys.SPACE, Keys.SPACE)
        self.until(lambda: self.shown("misfire"), "the page flashes")
        after = self.standby()
        self.assertNotEqual(after, first)
        self.stays(lambda: self.standby() == after, "only one cue fired", 0.7)
        self.until(lambda: not self.shown("misfire"), "the flash ends")

    def test_standby_moves_without_firing(self):
        self.press("m")
        fired = self.script("return document.querySelectorAll('.cue[data-fired]').length")
        first = self.standby()
        self.press(Keys.ARROW_DOWN)
        self.until(lambda: self.standby() != first, "down")
        self.press(Keys.ARROW_UP)
        self.until(lambda: self.standby() == first, "and up")
        self.press(Keys.PAGE_DOWN)
        self.until(lambda: self.standby() != first, "a clicker's key moves it too")
        self.assertEqual(self.script("return document.querySelectorAll('.cue[data-fired]').length"), fired)

    def test_space_is_go_and_never_presses_the_focused_button(self):
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "taken")
        first = self.standby()
        self.script("document.querySelector(\"[data-action='freeze']\").focus()")
        self.press(Keys.SPACE)
        self.until(lambda: self.standby() != first, "GO")
        self.stays(lambda: self.pressed("freeze") == "false", "GO presses no button", 0.2)
        self.press(Keys.ENTER)
        self.until(lambda: self.pressed("freeze") == "true", "Enter presses the button")

    def test_a_held_key_does_not_repeat_go_or_tap(self):
        sent = self.later("""
            let count = 0; const real = window.fetch;
            window.fetch = (...a) => { if (String(a[0]).includes('command')) count += 1; return real(...a); };
            for (const [key, code] of [[' ', 'Space'], ['t', 'KeyT'], ['Escape', 'Escape']])
                for (let i = 0; i < 5; i += 1)
                    document.body.dispatchEvent(new KeyboardEvent('keydown',
                        {key, code, bubbles: true, cancelable: true, repeat: i > 0}));
            await new Promise((r) => setTimeout(r, 500)); window.fetch = real; return count;""")
        self.assertEqual(sent, 3)

    def test_no_key_fires_while_somebody_types(self):
        self.press("e")
        self.until(lambda: self.shown("panel"), "messages open")
        self.script("document.querySelector('#panel input[name=title]').focus()")
        before, mode = self.standby(), self.body("mode")
        self.press("t", "m", "b", " ", "h")
        self.stays(lambda: (self.body("mode"), self.pressed("blackout")) == (mode, "false"), "no key is a command", 0.4)
        self.assertEqual(self.script("return document.querySelector('#panel input[name=title]').value"), "tmb h")
        self.assertEqual(self.standby(), before)

    def test_the_countdown_counts_bars(self):
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "taken")
        cue = self.need(self.facts.lonely_cue(3), "no cue has three free bars before it")
        self.type(int(cue["place"]) - 3)
        self.press(Keys.ENTER)
        self.until(lambda: self.text("cue-bars") == "3" and self.text("cue-name").startswith(cue["place"]),
                   "three bars to the cue")
        # A tap would say that this bar begins now.
        self.press(Keys.ARROW_RIGHT)
        self.until(lambda: self.text("cue-bars") == "2", "two")

    def test_panic_then_hard_stop_then_over(self):
        self.press(Keys.ESCAPE)
        self.until(lambda: self.body("panic") == "safe", "safe state")
        self.assertTrue(self.shown("panic-banner"))
        self.script("document.getElementById('go').click()")
        self.until(lambda: "end the panic first" in self.notices(), "GO says what to do")
        self.assertIn("End the panic", self.text("panic-banner"), "the button has the same words")
        self.press(Keys.ESCAPE)
        self.until(lambda: self.body("panic") == "stop", "hard stop")
        self.press(Keys.ESCAPE, modifier=Keys.SHIFT)
        self.until(lambda: self.body("panic") == "none", "over")
        self.assertFalse(self.shown("panic-banner"))
        self.until(lambda: "end the panic" not in self.notices(), "the sentence goes with the panic", 2)
        self.press(Keys.ESCAPE)
        self.until(lambda: self.body("panic") == "safe", "safe state")
        self.driver.find_element(By.CSS_SELECTOR, "#panic-banner button").click()
        self.until(lambda: self.body("panic") == "none", "over by the button")

    def test_show_lock_refuses_edits_and_not_the_baton(self):
        self.press("l")
        self.until(lambda: self.text("lock").startswith("Locked"), "locked")
        self.press("c")
        self.until(lambda: self.shown("panel"), "cue editor")
        self.assertIn("locked", self.text("panel-body"))
        self.press("p")
        piece = self.text("piece-name")
        self.driver.find_element(By.CSS_SELECTOR, "#panel .primary").click()
        self.until(lambda: "lock" in self.notices().lower(), "the server's sentence")
        self.assertEqual(self.text("piece-name"), piece)
        self.press("m")
        self.until(lambda: self.body("mode") == "manual", "taking stays allowed")
        self.press("l")
        self.until(lambda: self.text("lock").startswith("Unlocked"), "unlocked")

    def test_a_blackout_made_in_the_intermission_is_seen_and_can_be_ended_there(self):
        self.assertEqual(self.command("intermission", "on"), 200)
        self.until(lambda: self.text("audience") == "Audience: intermission", "intermission")
        packets = "return document.querySelector('#readings [data-bad=true]')?.textContent ?? ''"
        self.until(lambda: "0.0 /s" in self.text("readings"), "no packets are sent")
        self.assertNotIn("Packets", self.script(packets), "which is no trouble while nothing is live")
        self.press("b")
        self.until(lambda: self.pressed("blackout") == "true", "the button is lit")
        self.assertEqual(self.text("audience"), "Audience: intermission, then black")
        self.press("b")
        self.until(lambda: self.pressed("blackout") == "false", "and goes out by the same key")
        self.assertEqual(self.command("intermission", "off"), 200)
        self.until(lambda: "live" in self.text("audience"), "live, not black")

    def test_after_a_rehearsal_that_ends_in_the_music_the_audience_waits_for_a_pause(self):
        self.assertEqual(self.command("rehearsal", "on"), 200)
        self.until(lambda: self.text("audience") == "Audience: sees no rehearsal", "the audience sees nothing")
        self.assertEqual(self.command("rehearsal", "off"), 200)
        self.until(lambda: self.text("audience") == "Audience: waits for a pause", "the music goes on")
        self.until(lambda: "the audience sees nothing before it pauses; begin a piece, tap or go to a bar to go live "
                   "now" in self.notices(), "it is told, with what to do")
        self.stays(lambda: self.text("audience") == "Audience: waits for a pause", "as long as music sounds", 1)
        self.script_line("wait")
        self.until(lambda: self.text("audience") != "Audience: waits for a pause", "the music has paused")
        self.scenario("following")
        self.until(lambda: self.text("audience") == "Audience: live", "what sounds after it is live")

    def test_freeze_blackout_and_pause(self):
        self.press("f")
        self.until(lambda: "frozen" in self.text("audience"), "frozen")
        self.press("f")
        self.until(lambda: "live" in self.text("audience"), "live")
        self.press(".")
        self.until(lambda: "black" in self.text("audience"), "black by the full stop too")
        self.press("b")
        self.until(lambda: "live" in self.text("audience"), "live")
        self.press("f")
        self.until(lambda: self.pressed("freeze") == "true", "frozen, and then black over it")
        self.press("b")
        self.until(lambda: "black" in self.text("audience"), "black wins")
        self.press("f")
        self.until(lambda: self.pressed("freeze") == "false", "the freeze ends under the black")
        self.press("b")
        self.until(lambda: "live" in self.text("audience"), "live")
        self.press("[")
        self.until(lambda: self.pressed("pause") == "true", "paused")
        self.press("[")
        self.stays(lambda: self.pressed("pause") == "true", "pause is not a toggle by key", 0.2)
        self.press("]")
        self.until(lambda: self.pressed("pause") == "false", "resumed")
