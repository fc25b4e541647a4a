"""Rooms: found, joined, led, and gone back into by themselves."""

import json
import os

from selenium.webdriver.common.keys import Keys

import served_stands
from hall_case import size
from stand_case import PHONE, StandCase


class RoomTest(StandCase):
    def test_the_lists_are_searched_with_the_match_marked(self):
        self.enter_home("otto")
        self.script("const seek = document.getElementById('seek'); seek.value = 'GRIEG hall'; seek.dispatchEvent(new "
                    "Event('input'))")
        self.until(lambda: self.script("return document.querySelectorAll('#scores li').length") == 1,
                   "one score is left")
        self.assertEqual(self.script("return [...document.querySelectorAll('#scores mark')].map((each) => "
                                     "each.textContent)"), ["Hall", "Grieg"])
        self.script("const seek = document.getElementById('seek'); seek.value = 'tuesd'; seek.dispatchEvent(new "
                    "Event('input'))")
        self.assertEqual(self.text("#rooms-joined mark"), "Tuesd")

    def test_a_new_room_is_unseen_until_it_is_published(self):
        self.enter_home("ines")
        self.click("#new-room")
        self.script("document.getElementById('room-name').value = 'Wind section'; "
                    "document.getElementById('room-passkey').value = 'reed'")
        self.click("#create-room")
        self.until(lambda: self.screen() == "reader", "the room opens")
        self.until(self.is_painted, "its score is on the stand")
        self.tap(0.5)
        self.click("#publish")
        self.until(lambda: not self.shown("#publish"), "it is published")

    def test_a_musician_with_fifty_published_rooms_is_told_why_another_one_stays_unseen(self):
        for number in range(49):  # besides the chamber evening
            self.rehearsal.make_room("vera", self.rehearsal.other, f"Quartet {number}", published=True)
        self.enter_home("vera")
        self.click("#new-room")
        self.script("document.getElementById('room-name').value = 'One too many'")
        self.click("#create-room")
        self.until(lambda: self.screen() == "reader", "the room opens")
        self.until(self.is_painted, "its score is on the stand")
        self.tap(0.5)
        self.click("#publish")
        self.until(lambda: self.text("#notice") == "You have opened 50 rooms for others, the most there may be; close "
                   "one first.", "the server's sentence is shown")
        self.until(lambda: self.shown("#publish"), "it can be published later")
        self.assertNotIn("One too many", [room["name"] for room in self.rehearsal.ask("otto", "/api/stand/home")[
            "rooms"]["notJoined"]])

    def test_joining_needs_the_passkey(self):
        self.rehearsal.lock_chamber("viol")
        self.enter_home("otto")
        self.click("#rooms-open .entry")
        self.script("document.getElementById('passkey').value = 'wrong'")
        self.click("#join")
        self.until(lambda: "passkey" in self.text("#notice"), "a wrong one is refused")
        self.assertTrue(self.script("""const box = document.getElementById("notice").getBoundingClientRect();
            return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.id === 'notice'"""),
            "the sentence lies over the dialog")
        self.script("document.getElementById('passkey').value = 'viol'")
        self.click("#join")
        self.until(lambda: self.screen() == "reader", "the right one opens the room")

    def test_a_session_that_begins_takes_the_stand_in(self):
        self.enter_room(begun=False)
        self.until(lambda: self.shown("#sign-waiting"), "the stand waits")
        self.rehearsal.begin()
        self.until(lambda: not self.shown("#sign-waiting"), "the session has begun")
        user = self.rehearsal.id("otto")
        self.until(lambda: any(each["user"] == user for each in self.rehearsal.room()["participations"]),
                   "the stand takes part")

    def test_reopening_leads_back_to_room_session_and_page_with_nothing_to_press(self):
        self.enter_room()
        self.pedal()
        self.pedal()
        self.lies(2)
        self.driver.get("about:blank")
        self.open()
        self.lies(2, seconds=4)
        self.until(self.is_painted, "the page is painted")
        self.until(lambda: self.joined("otto"), "the stand is in the room")
        user = self.rehearsal.id("otto")
        present = [each for each in self.rehearsal.room()["participations"] if each["user"] == user]
        self.assertEqual(len(present), 1)

    def test_one_stand_too_many_says_so_and_waits_for_its_player(self):
        self.enter_room()
        self.rehearsal.fill("otto")
        self.until(lambda: self.shown("#reopen"), "the stand says why it is not let in")
        self.assertIn("16 stands are open with your account", self.text("#surplus-why"))
        self.assertFalse(self.shown("#sign-offline"))

        def openings():
            return sum(each.path.startswith("/api/rooms/") and "/stream" in each.path
                       for each in list(self.rehearsal.wire.asked))
        before = openings()
        # Whatever makes a stand that was cut off come again.
        self.script("for (let count = 0; count < 3; count += 1) { window.dispatchEvent(new Event('online')); "
                    "window.dispatchEvent(new Event('focus')) }")
        self.rehearsal.act("ines", turn=[0, 3])
        self.stays(lambda: openings() == before, "nothing is asked again", 5)
        self.click("#reopen")
        self.until(lambda: openings() == before + 1 and self.shown("#reopen"), "it asks once, and is refused again")
        self.rehearsal.free()
        self.click("#reopen")
        self.until(lambda: not self.shown("#reopen"), "it is let in")
        self.until(lambda: self.pages() == [3], "and has what was ordered meanwhile")
    def write_down(self, page, age):
        """As a crash leaves both stores of the browser: with an older page than the one that lay there last."""
        self.later(
            """const { quick, things } = await import("/stand/store.js");
                const user = JSON.parse(localStorage.getItem("baton.stand.device")).current;
            const where = { ...quick.get(`where.${user}`), page: given[0], at: Date.now() - given[1] };
            quick.put(`where.${user}`, where); await things.put(`where:${user}`, where);""", page, age)

    def reopened(self):
        self.driver.get("about:blank")
        self.open()
        self.until(lambda: self.screen() == "reader" and self.is_painted(), "the music lies there again", 10)

    def test_after_a_crash_the_servers_page_counts_where_it_is_newer(self):
        self.enter_room()
        self.pedal()
        self.pedal()
        self.lies(2)
        self.until(lambda: self.rehearsal.page("otto") == 2, "the server knows it")
        self.write_down(1, 60_000)
        self.reopened()
        self.lies(2, seconds=6)
        self.stays(lambda: self.rehearsal.page("otto") == 2, "and the server is told no older one", 1)

    def test_after_a_crash_this_devices_page_counts_where_it_is_newer(self):
        self.enter_room()
        self.pedal()
        self.lies(1)
        self.until(lambda: self.rehearsal.page("otto") == 1, "the server knows it")
        self.write_down(3, 0)
        self.reopened()
        self.lies(3, seconds=6)
        self.stays(lambda: self.pages() == [3], "the server's older page does not take its place", 1)

    def test_a_page_is_kept_at_once_in_the_store_that_outlives_a_killed_browser(self):
        self.enter_room()
        self.pedal()
        self.lies(1)
        kept = """const { things } = await import("/stand/store.js");
            const user = JSON.parse(localStorage.getItem("baton.stand.device")).current;
            return (await things.get(`where:${user}`))?.page"""
        self.until(lambda: self.later(kept) == 1, "it is there", 0.5)

    def test_who_is_at_a_stand_is_who_is_connected(self):
        self.enter_room("otto")
        # Vera took part, and her tablet is gone.
        self.rehearsal.act("vera", enter={"participation": served_stands.new(), "part": 0})
        self.tap(0.5)
        self.click("#members")
        self.until(lambda: "1 at a stand now" in self.text("#dialog .hint"), "one is there")
        self.assertIn("stand gone", self.text(f"[data-user='{self.rehearsal.id('vera')}']"))
        self.assertIn("at a stand", self.text(f"[data-user='{self.rehearsal.id('otto')}']"))

    def test_the_members_are_told_anew_while_a_field_is_in_use(self):
        self.enter_room("ines")
        self.tap(0.5)
        self.click("#members")
        self.until(lambda: "1 at a stand now" in self.text("#dialog .hint"), "one is there")
        self.click(".owning summary")
        self.click(".owning input")
        self.key("New name")
        self.rehearsal.act("vera", enter={"participation": served_stands.new(), "part": 0})
        self.until(lambda: "stand gone" in self.text(f"[data-user='{self.rehearsal.id('vera')}']"),
                   "Vera's part is told")
        with self.rehearsal.stream("otto", served_stands.new()):
            self.until(lambda: "2 at their stands now" in self.text("#dialog .hint"), "Otto's stand is counted", 8)
            self.assertEqual(self.script("return document.activeElement.value"), "Tuesday rehearsalNew name")

    def test_a_long_name_leaves_the_buttons_alone(self):
        long = served_stands.LONGEST
        self.enter_room("ines")
        self.tap(0.5)
        for screen in (PHONE, (1024, 1366)):
            size(self.driver, screen)
            self.click("#members")
            self.until(lambda: long in self.text("#dialog .members"), "the members are listed")
            words, actions, dialog = self.script(
                """const row = document.querySelector("[data-user='" + arguments[0] + "']");
                const text = document.createRange();
                text.selectNodeContents(row.querySelector(".title"));
                return [text, row.querySelector(".actions"), document.getElementById("dialog")].map((each) =>
                    each.getBoundingClientRect().toJSON())""",
                                                self.rehearsal.id(long))
            apart = words["right"] <= actions["left"] or words["bottom"] <= actions["top"]
            self.assertTrue(apart and max(words["right"], actions["right"]) <= dialog["right"],
                            [words, actions, dialog])
            self.script("document.getElementById('dialog').close()")

    def test_what_is_locked_says_why(self):
        self.enter_room("otto", begun=False)
        self.tap(0.5)
        self.until(lambda: self.shown("#pencil"), "the controls are up")
        self.click("#pencil")
        self.until(lambda: self.shown("#toolbox"), "remarks are open: one's own need no session")
        self.click("[data-layer='public']")
        self.until(lambda: "when the leader begins a session" in self.text("#notice"), "it says so")
        pressed = lambda: self.script(  # noqa: E731
            "return document.querySelector('[data-layer=public]').getAttribute('aria-pressed')")
        self.assertNotEqual(pressed(), "true")
        self.rehearsal.begin()
        self.until(lambda: self.script("return !document.querySelector('[data-layer=public]')"
                                       ".hasAttribute('aria-disabled')"), "it opens")
        self.click("[data-layer='public']")
        self.until(lambda: pressed() == "true", "it is written on")
        self.script("document.getElementById('notice').hidden = true")
        self.click("[data-undo]")
        self.until(lambda: self.shown("#notice") and "Undo" in self.text("#notice"),
                   "it says that there is nothing to undo")

    def test_over_plain_http_nothing_promises_to_open_without_a_network(self):
        hint = lambda: self.text("#scores-here .empty")  # noqa: E731
        self.enter_home("otto")
        self.assertIn("opens without a network", hint())
        added = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "Object.defineProperty(window, 'isSecureContext', { value: false })"})
        try:
            self.open()
            self.until(lambda: hint() != "", "the lists are shown", 8)
            self.assertIn("opens only with the server", hint())
        finally:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added["identifier"]})

    def test_a_turn_for_all_reaches_other_parts_at_the_same_music(self):
        self.enter_room(part=2)  # Violin I
        self.rehearsal.act("ines", turn=[0, 5])
        self.lies(1)

    def test_a_place_shown_to_all_appears_on_ones_own_page(self):
        self.enter_room(part=2)
        self.pedal()
        self.lies(1)
        self.rehearsal.pin(30)
        self.lies(0)
        self.until(lambda: self.shown(".leaf.shown .pinpoint"), "the bar is ringed")
        self.assertEqual(self.text("#sign-pinpoint"), "From bar 30")
        self.assertIn("From bar 30", self.text("#say"))
        self.rehearsal.act("ines", endPinpoint=True)
        self.until(lambda: not self.shown(".pinpoint"), "the ring goes")

    def test_an_event_that_got_lost_is_asked_for(self):
        self.enter_room()
        self.rehearsal.lose_turn()
        self.rehearsal.act("ines", turn=[0, 3])
        self.stays(lambda: self.pages() == [0], "a turn that never came turns nothing", 0.3)
        self.rehearsal.pin(2)
        self.until(lambda: self.text("#sign-pinpoint") == "From bar 2", "both have come")
        self.rehearsal.act("ines", turn=[0, 4])
        self.lies(4)
        self.rehearsal.repeat()
        self.pedal(back=True)
        self.lies(3)

    def test_whoever_is_put_out_is_told_and_leaves(self):
        self.enter_room()
        self.rehearsal.act("ines", expel=self.rehearsal.id("otto"))
        self.until(lambda: self.screen() == "home", "the stand leaves")
        self.assertIn("put you out", self.text("#notice"))

    def test_on_a_phone_the_controls_are_one_line_however_long_a_part_is_called(self):
        self.enter_room()
        size(self.driver, PHONE)
        self.until(lambda: self.script("return innerWidth") == PHONE[0], "the page is as wide as the phone")
        self.tap(0.5)
        self.until(lambda: self.shown("#top-bar"), "the controls are up")
        self.script("document.getElementById('part').textContent = 'Second contrabassoon and heckelphone'")
        boxes = self.script(
            """return ["part", "pencil", "members", "tools-open", "settings"].map((id) => document.getElementById(id)
                .getBoundingClientRect())
            .map(({ top, left, right }) => ({ top, left, right }))""")
        self.assertEqual(len({box["top"] for box in boxes}), 1, boxes)
        self.assertTrue(all(box["left"] >= 0 and box["right"] <= PHONE[0] for box in boxes), boxes)


class LeadingTest(StandCase):
    def test_the_owner_begins_turns_for_all_and_ends(self):
        self.enter_room("ines", begun=False)
        self.tap(0.5)
        self.click("#session")
        self.click("#begin-session")
        self.until(lambda: self.text("#session") == "End session", "the session runs")
        self.assertEqual(self.rehearsal.room()["session"]["performances"], [])
        self.click("#turn-all")
        self.pedal()
        self.until(lambda: self.rehearsal.room().get("turn") == [0, 1], "all are turned")
        self.click("#session")
        self.click("#end-session")
        self.until(lambda: "ended" in self.rehearsal.room()["session"], "the session is over")

    def test_the_owner_says_which_repeats_and_cuts_are_played(self):
        self.enter_room("ines", begun=False)
        self.tap(0.5)
        self.click("#session")
        self.click("#played-passages")
        write = ("const field = document.getElementById('passages-0'); field.value = arguments[0]; "
                 "field.dispatchEvent(new Event('input'))")
        self.script(write, "1–32, 9000")
        self.click("#begin-session")
        self.assertIn("There is no measure 9000", self.text("#played-fault"))
        self.assertFalse(self.rehearsal.room().get("session"))
        self.script(write, "1–32, 1-40; 61")
        self.assertEqual(self.text("#played-fault"), "")
        self.click("#begin-session")
        self.until(lambda: self.text("#session") == "End session", "the session runs")
        self.assertEqual(self.rehearsal.room()["session"]["performances"], [[[1, 32], [1, 40], [61, 61]]])
        self.click("#members")
        self.until(lambda: self.text("#played") == "Played: measures 1–32, 1–40, 61", "everybody can read it")

    def test_a_long_press_on_a_bar_shows_it_to_all(self):
        self.enter_room("ines")
        self.tap(0.4, 0.2, hold=0.8)
        self.until(lambda: self.rehearsal.room().get("pinpoint", {}).get("measure"), "the place is shown to all")
        self.until(lambda: self.shown(".pinpoint"), "and ringed here")
        self.tap(0.5)
        self.click("#end-pinpoint")
        self.until(lambda: "pinpoint" not in self.rehearsal.room(), "it ends")

    def test_a_bar_named_by_its_number_is_shown_to_all(self):
        self.enter_room("ines")
        self.tap(0.5)
        self.click("#from-bar")
        self.until(lambda: self.shown("#from-number"), "it is asked for")
        self.until(lambda: "does not move" in self.text("#from-steers"), "nothing is promised of the follower")
        write = ("const field = document.getElementById('from-number'); field.value = arguments[0]; "
                 "field.dispatchEvent(new Event('input'))")
        self.script(write, "9999")
        self.click("#show-bar")
        self.until(lambda: "9999" in self.text("#from-fault"), "one that is nowhere is refused")
        self.assertNotIn("pinpoint", self.rehearsal.room())
        self.script(write, "30")
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.until(lambda: self.rehearsal.room().get("pinpoint", {}).get("measure") == 30, "it is shown to all")
        self.until(lambda: self.text("#sign-pinpoint") == "From bar 30" and self.shown(".leaf.shown .pinpoint"),
                   "and ringed here")
        self.assertFalse(self.shown("#top-bar") or self.shown("#dialog"))

    def test_a_bar_that_moves_the_follower_says_so(self):
        self.rehearsal.steer()
        self.enter_room("ines")
        self.tap(0.5)
        self.click("#from-bar")
        self.until(lambda: "waits for the players" in self.text("#from-steers"), "the follower goes there too")

    def test_a_leader_is_told_what_a_session_is_needed_for(self):
        self.enter_room("ines", begun=False)
        self.tap(0.4, 0.2, hold=0.8)
        self.until(lambda: "begin one first" in self.text("#notice"), "a place is shown to nobody")
        self.tap(0.5)
        for control in ("#turn-all", "#from-bar"):
            self.script("document.getElementById('notice').textContent = ''")
            self.click(control)
            self.until(lambda: "Begin session" in self.text("#notice"), f"{control} says why")
        self.assertEqual(self.script("return document.getElementById('turn-all').getAttribute('aria-pressed')"),
                         "false")

    def test_members_cannot_lead(self):
        self.enter_room("otto")
        self.tap(0.4, 0.2, hold=0.8)
        self.assertFalse(self.shown("#top-bar"))
        self.assertNotIn("pinpoint", self.rehearsal.room())
        self.tap(0.5)
        self.until(lambda: self.shown("#top-bar"), "the controls come")
        self.assertFalse(self.shown("#session") or self.shown("#turn-all") or self.shown("#from-bar")
                         or self.shown("#publish"))

    def test_the_owner_gives_roles(self):
        self.enter_room("ines")
        self.tap(0.5)
        self.click("#members")
        otto = self.rehearsal.id("otto")
        self.click(f"[data-user='{otto}'] .actions button")
        self.until(lambda: next(each for each in self.rehearsal.room()["members"]
                                if each["user"] == otto)["role"] == "leader", "otto leads")
        self.until(lambda: "Leader" in self.text(f"[data-user='{otto}']"), "the list says so")

    def test_a_page_is_given_a_lead_of_its_own(self):
        self.enter_room("otto")
        self.tap(0.5)
        self.script("""const page = document.querySelector(".thumbnail[data-page='1']"); page.focus();
            page.dispatchEvent(new KeyboardEvent('keydown', {key: 'l', bubbles: true}))""")
        self.script("const range = document.querySelector('#dialog input'); range.value = '2.5'; "
                    "range.dispatchEvent(new Event('input'))")
        self.click("#keep-lead")
        self.until(lambda: self.rehearsal.settings("otto")["pageLeads"] == [
            {"page": 1, "seconds": 2.5}], "the server knows it")


class ReportTest(StandCase):
    def test_the_report_tells_times_retakes_tempo_rhythm_and_who_was_there(self):
        self.rehearsal.rehearse()
        self.enter_home("ines")
        self.driver.get(f"{self.base}/rehearsal?room={self.rehearsal.room_id}")
        self.until(lambda: self.text("#title").startswith("Peer Gynt"), "the report is shown")
        self.assertEqual(self.script("return [...document.querySelectorAll('h2')].map((each) => each.textContent)"), [
            "Tempo against the reference", "Rhythm", "Intonation", "Retakes", "Time on each page",
            "Time on each passage", "Who was there", "Over the weeks"])
        self.assertEqual(self.script("return [...document.querySelectorAll('section')][3].querySelector('tbody "
                                     "tr').innerText.split('\\t').slice(0, 4)"),
                         ["26", "33", "2", "2"])
        # Of 88 bars; nothing tells how long the last one was.
        self.assertEqual(self.script("return document.querySelectorAll('svg circle').length"), 87)
        self.assertIn("bar 48 (+0.50 s)", self.text("#report"))
        strip = "return document.querySelectorAll('#history [class^=heat-]').length"
        self.until(lambda: self.script(strip) > 1, self.text("#history")[:300])
        self.assertIn("Coda", self.text("#history table"))
        # The music was scripted, so nothing was recorded: the page says so.
        self.click("#tuning button")
        self.until(lambda: "recording" in self.text("#tuning .problem"), "the page says why nothing is judged")

    def test_the_tuning_is_a_curve_with_the_bars_that_stand_out(self):
        self.rehearsal.rehearse()
        self.enter_home("ines")
        self.driver.get(f"{self.base}/rehearsal?room={self.rehearsal.room_id}")
        self.until(lambda: self.script("return document.querySelector('#tuning button') !== null"), "it is offered")
        # As the server keeps a result: twenty bars that rise by 30 cents, one of them sharp, one not judged.
        bars = [{"movement": 0, "played": place, "printed": place + 1, "playings": 1, "cents": 1.5 * place, "spread": 3}
                for place in range(20)]
        bars[11] |= {"cents": 42, "standsOutBy": 25}
        bars[4] = {"movement": 0, "played": 4, "printed": 5, "playings": 0, "reason": "too short or silent"}
        folder = self.rehearsal.server.data / "rehearsal-tuning"
        folder.mkdir(exist_ok=True)
        session = self.script("return document.querySelector('#session').value")
        (folder / f"{session}-{self.rehearsal.score['id']}.json").write_text(json.dumps({
            "bars": bars, "points": [[3 * each["played"], each.get("cents", 6)] for each in bars], "medianCents": 15,
            "driftCents": 30, "referenceCents": 2, "unrecordedSeconds": 0, "unlikeSeconds": 0}))
        self.driver.refresh()
        self.until(lambda: "bar 12 (+25)" in self.text("#tuning"), "the sharp bar is named")
        self.assertIn("rose by 30 cents", self.text("#tuning"))
        self.assertIn("1 bar: too short or silent", self.text("#tuning"))
        self.assertEqual(self.script("return document.querySelectorAll('#tuning .out').length"), 1)
        for name, wide in (("phone", 390), ("tablet", 768), ("desk", 1280)):
            size(self.driver, (wide, 1000))
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), wide, name)
            if os.environ.get("BATON_PICTURES"):
                self.script("document.querySelector('#tuning').scrollIntoView()")
                self.driver.save_screenshot(f"{os.environ['BATON_PICTURES']}/tuning-{name}.png")
                self.script("document.querySelector('#history').scrollIntoView()")
                self.driver.save_screenshot(f"{os.environ['BATON_PICTURES']}/history-{name}.png")

    def test_whoever_is_not_signed_in_is_told_so(self):
        self.driver.get(f"{self.base}/rehearsal?room={self.rehearsal.room_id}")
        self.until(lambda: "Sign in" in self.text("#when"), "it says so")
