"""From piece to piece in a room, and the pen that remembers."""

from hall_case import size
from served_stands import new
from stand_case import PHONE, StandCase


class OnwardTest(StandCase):
    def kept(self):
        return self.rehearsal.room()["remarks"]

    def takes_part(self):
        user = self.rehearsal.id("otto")
        return [(each["part"], each.get("score")) for each in self.rehearsal.room()["participations"]
                if each["user"] == user]

    def test_a_bowing_for_everybody_is_two_taps_and_then_one_for_each(self):
        self.enter_room(part=2)
        public_opens = lambda: self.until(lambda: self.script(  # noqa: E731
            "return document.querySelector('[data-layer=public]')?.dataset.why === undefined"), "the session is known")
        public_opens()
        self.tap(0.5)
        for control in ("#pencil", "[data-layer='public']", "[data-tool='stamp']", "[data-stamp='up-bow']"):
            self.click(control)
        self.tap(0.5, 0.4)
        self.until(lambda: len(self.kept()) == 1, "six taps the first time")
        self.driver.refresh()
        self.until(self.is_painted, "the page is painted", 8)
        public_opens()
        self.tap(0.5)
        self.click("#pencil")
        for count, height in enumerate((0.5, 0.6), 2):
            self.tap(0.5, height)
            self.until(lambda: len(self.kept()) == count, f"{count} bowings")  # noqa: B023
        self.assertEqual([(each["shape"], each.get("parts")) for each in self.kept()],
                         3 * [({"stamp": "up-bow"}, "all")])

    def test_a_member_looks_at_another_piece_and_comes_back_in_one_tap(self):
        entry, other, score = new(), self.rehearsal.other, self.rehearsal.score
        self.rehearsal.act("ines", addScore={"entry": {"id": entry, "score": other["id"]}})
        self.enter_room(part=2)
        self.until(lambda: self.takes_part() == [(2, None)], "he takes part")
        self.pedal()
        self.lies(1)
        self.tap(0.5)
        self.click("#programme")
        self.click(f"#dialog [data-entry='{entry}']")
        self.until(lambda: self.text("#what-title") == other["title"], "the other piece lies here")
        if len(other["parts"]) > 1:
            self.until(lambda: self.shown("#dialog [data-part='0']"), "the parts are offered")
            self.assertIn(f"There is no {score['parts'][2]['name']}", self.text("#dialog"))
            self.script("document.getElementById('dialog').close()")
        self.assertEqual(self.takes_part(), [(2, None)])
        self.click("#sign-away")
        self.until(lambda: self.text("#what-title") == score["title"], "the music is back")
        self.lies(1)
        self.assertFalse(self.shown("#sign-away"))
        self.assertEqual(self.text("#part"), score["parts"][2]["name"])

    def test_who_has_not_chosen_a_part_is_not_said_to_play_one(self):
        self.rehearsal.begin()
        self.enter_home("otto")
        self.click(f"[data-room='{self.rehearsal.room_id}']")
        self.until(lambda: self.shown("#dialog [data-part='0']"), "the parts are offered")
        self.until(lambda: self.joined("otto"), "the server knows the stand")
        self.script("document.getElementById('dialog').close()")
        self.stays(lambda: self.takes_part() == [], "nobody is told", 0.5)
        self.driver.refresh()
        self.until(lambda: self.shown("#dialog [data-part='2']"), "it asks again", 8)
        self.click("#dialog [data-part='2']")
        self.until(lambda: self.takes_part() == [(2, None)], "he takes part")

    def test_the_button_that_starts_the_rehearsal_covers_no_music(self):
        for screen in (PHONE, (820, 1180)):
            size(self.driver, screen)
            self.enter_room("ines", begun=False)
            self.until(lambda: self.shown("#start"), "it may be started")
            self.until(lambda: self.script("""const box = (id) => document.getElementById(id).getBoundingClientRect();
                return box("stage").bottom <= box("start").top"""), "the music ends above it")
            self.forget()

    def test_the_layers_are_a_whole_button_on_a_phone(self):
        self.enter_room(part=2)
        size(self.driver, PHONE)
        self.settle()
        self.tap(0.5)
        self.click("#pencil")
        for tool in ("line", "stamp", "text"):
            self.click(f"[data-tool='{tool}']")
            self.until(lambda: self.script("""const { left, right, top, width, height } =
                document.querySelector("[data-layers]").getBoundingClientRect();
                const hit = document.elementFromPoint(left + width / 2, top + height / 2);
                return width >= 44 && left >= 0 && right <= innerWidth && hit?.closest("[data-layers]") !== null"""),
                       f"with {tool} in hand")
