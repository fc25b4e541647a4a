"""Pages: by hand, by pedal, by the music, on every kind of screen."""

import json

from browser import bounce
from hall_case import size
from lib.repository import ROOT
from served_stands import new
from stand_case import DESKTOP, LANDSCAPE, PHONE, PORTRAIT, StandCase


class TurningTest(StandCase):
    def test_pedal_tap_swipe_and_thumbnail_turn(self):
        self.enter_room()
        self.pedal()
        self.lies(1)
        self.tap(0.9)
        self.lies(2)
        self.tap(0.1)
        self.lies(1)
        self.pedal(back=True)
        self.lies(0)
        self.script("""const at = (kind, x) => document.getElementById('stage').dispatchEvent(new PointerEvent(kind,
            {pointerId: 5, isPrimary: true, clientX: x, clientY: 500, bubbles: true})); at('pointerdown', 600);
            at('pointermove', 400); at('pointerup', 300)""")
        self.lies(1)
        self.tap(0.5)
        self.click(".thumbnail[data-page='4']")
        self.lies(4)
        self.assertTrue(
            self.script("return document.querySelector(\".thumbnail[data-page='4']\").hasAttribute('aria-current')"))

    def test_back_leads_to_the_list_and_forward_to_the_music_twice(self):
        self.enter_room()
        for _ in range(2):
            self.driver.back()
            self.until(lambda: self.screen() == "home", "the list is shown", 8)
            self.driver.forward()
            self.until(lambda: self.screen() == "reader" and self.is_painted(), "the music is shown", 8)
            self.script("document.getElementById('dialog').close()")
        self.tap(0.5)
        self.click("#leave")
        self.until(lambda: self.screen() == "home", "the list is shown", 8)
        self.script("window.isHere = true")
        self.driver.forward()
        self.until(lambda: self.screen() == "reader", "the step back is one")
        self.assertTrue(self.script("return window.isHere === true"), "the page has not been left")

    def test_nothing_is_in_the_way_until_the_middle_is_touched(self):
        self.enter_room()
        self.assertFalse(self.shown("#top-bar") or self.shown("#foot-bar"))
        self.tap(0.5)
        self.until(lambda: self.shown("#top-bar") and self.shown("#foot-bar"), "the controls come")
        self.tap(0.5)
        self.until(lambda: not self.shown("#top-bar"), "the controls go")

    def test_a_turn_is_there_with_the_next_frame(self):
        self.enter_room()
        self.until(lambda: self.script("return document.querySelectorAll('.leaf canvas').length >= 3 && "
                                       "[...document.querySelectorAll('.leaf')].slice(0, 3)"
                                       ".every((leaf) => leaf.querySelector('canvas').width > 300)"),
                   "the next pages are ready", 8)
        turned = self.later("""dispatchEvent(new KeyboardEvent('keydown', {key: 'PageDown'}));
            const shown = document.querySelector('.leaf.shown');
            return [Number(shown.dataset.page), shown.querySelector('canvas').width > 300]""")
        self.assertEqual(turned, [1, True])

    def test_a_pedal_that_bounces_turns_one_page(self):
        self.enter_room()
        self.lies(0)
        bounce(self.driver, "PageDown")
        self.lies(1)
        self.stays(lambda: self.pages() == [1], "one page for one foot", 0.3)
        self.pedal()
        self.lies(2)
        bounce(self.driver, "PageUp", times=8)
        self.lies(1)

    def test_wide_screens_show_facing_pages_and_others_one(self):
        self.enter_room()
        self.lies(0)
        for screen, pages in ((LANDSCAPE, (0, 1)), (DESKTOP, (0, 1)), (PHONE, (0,)), (PORTRAIT, (0,))):
            size(self.driver, screen)
            self.lies(*pages)
        size(self.driver, DESKTOP)
        self.lies(0, 1)
        self.pedal()
        self.lies(2, 3)
        self.assertEqual(self.rehearsal.settings("otto")["facing"], "pages")

    def test_half_pages_turn_the_upper_half_first(self):
        self.enter_room()
        self.tap(0.5)
        self.click("#settings")
        self.script("[...document.querySelectorAll('.tick')].find((each) => each.textContent.startsWith('Half "
                    "pages')).querySelector('input').click()")
        self.script("document.getElementById('dialog').close()")
        self.pedal()
        self.lies(0, 1)
        self.assertEqual(self.script("return document.querySelector('.leaf.ahead').dataset.page"), "1")
        self.pedal()
        self.lies(1)

    def test_the_music_turns_and_the_pedal_wins(self):
        self.enter_room(part=2)  # Violin I: two pages
        self.rehearsal.music(30)
        self.lies(0)
        self.rehearsal.music(80)
        self.lies(1)
        self.pedal(back=True)
        self.lies(0)
        self.until(lambda: self.rehearsal.page("otto") == 0, "the server has heard of it")
        self.rehearsal.music(81)
        self.stays(lambda: self.pages() == [0], "the player's own page", 0.5)

    def programme(self):
        """Otto's stand in a room of two pieces, the first of which lies there. Gives the second one's entry, its number
        in the show, a late bar, counted from 0 as it is played, and that bar's page."""
        self.enter_room(part=0)
        other, entry = self.rehearsal.other, new()
        self.rehearsal.act("ines", addScore={"entry": {"id": entry, "score": other["id"]}})
        pieces = json.loads((ROOT / "Recordings" / "concert.json").read_text(encoding="utf-8"))["pieces"]
        piece = pieces.index(other["movements"][0]["piece"])
        played = 84
        printed = self.rehearsal.technician.ask("GET", "/api/audience/concert")["pieces"][piece]["measures"]
        page = next(each["page"] for each in other["parts"][0]["places"]
                    if each["first"] <= printed[played]["printed"] <= each["last"])
        self.assertGreater(page, 0)
        return entry, piece, played, page

    def opens(self, *pages):
        """The second piece lies there, at these pages and no others."""
        self.until(lambda: self.text("#what-title") == self.rehearsal.other["title"], "the next piece is opened", 8)
        self.lies(*pages)
        self.stays(lambda: self.pages() == list(pages), "its page", 0.5)

    def test_the_next_piece_begins_at_its_first_page_whatever_bar_of_the_last_was_played(self):
        entry, _, played, _ = self.programme()
        self.rehearsal.music(played + 1)  # of the first piece
        self.rehearsal.act("ines", openScore={"entry": entry})
        self.opens(0)

    def test_a_page_that_the_music_turns_while_its_score_is_on_the_way_lies_there_with_it(self):
        _, piece, played, page = self.programme()
        self.rehearsal.wire.slow[f"/api/scores/{self.rehearsal.other['id']}"] = 0.7
        self.rehearsal.technician.go(piece, played)
        self.opens(page)

    def test_a_lost_follower_turns_nobody_and_says_so(self):
        self.enter_room(part=2)
        self.rehearsal.music(30)
        self.rehearsal.lose()
        self.until(lambda: self.shown("#sign-lost"), "a quiet sign says that the place is lost")
        self.assertEqual(self.pages(), [0])
        self.rehearsal.find()
        self.rehearsal.music(31)
        self.until(lambda: not self.shown("#sign-lost"), "the sign goes")

    def test_rests_are_counted_and_the_entry_announced(self):
        self.enter_room(part=1)  # Timpani: 41 bars of rest
        self.rehearsal.music(7)
        self.until(lambda: self.text("#sign-rest").startswith("7 of 41"), "the rest is counted")
        self.rehearsal.music(41)
        self.until(lambda: "Entry next bar" in self.text("#sign-rest"), "the entry is announced")
        self.rehearsal.music(42)
        self.until(lambda: not self.shown("#sign-rest"), "nothing is counted while one plays")

    def test_two_stands_of_one_player_are_facing_pages(self):
        self.enter_room()
        first = self.driver.current_window_handle
        self.tap(0.5)
        self.click("#settings")
        self.click("#dialog [data-value='left']")
        self.driver.switch_to.new_window("window")
        size(self.driver, PORTRAIT)
        second = self.driver.current_window_handle
        try:
            self.open()
            self.until(lambda: self.pages() == [0], "the second stand opens where the first is, as the left page")
            self.tap(0.5)
            self.click("#settings")
            self.click("#dialog [data-value='right']")
            self.script("document.getElementById('dialog').close()")
            self.lies(1)
            self.pedal()
            self.lies(3)
            self.driver.switch_to.window(first)
            self.lies(2)
        finally:
            self.driver.switch_to.window(second)
            self.driver.close()
            self.driver.switch_to.window(first)
