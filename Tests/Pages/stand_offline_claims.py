"""Without the server: playing goes on, reopening works, what was made is delivered later; several users on a device."""

import uuid

from stand_case import PASSWORD, USERS, StandCase


class OfflineTest(StandCase):
    def cached(self):
        self.until(lambda: self.later("""return Boolean(navigator.serviceWorker.controller)
            && (await (await caches.open('baton-stand-page')).keys()).length > 30"""), "the page is kept on the device",
                   10)

    def test_playing_goes_on_while_the_server_is_away(self):
        self.enter_room()
        self.rehearsal.wire.cut()
        self.until(lambda: self.text("#sign-offline") == "Without the server", "a quiet sign says so", 8)
        self.pedal()
        self.lies(1)
        self.rehearsal.wire.mend()
        self.until(lambda: not self.shown("#sign-offline"), "the stand is back", 8)
        self.until(lambda: self.rehearsal.page("otto") == 1, "the server hears of the page")

    def test_the_stand_reopens_without_the_server_where_it_was(self):
        self.enter_room()
        self.pedal()
        self.lies(1)
        self.until(lambda: self.script("return document.querySelectorAll('.leaf canvas').length >= 3"),
                   "pages around are kept")
        self.cached()
        self.rehearsal.wire.cut()
        self.open()
        self.lies(1, seconds=8)
        self.until(self.is_painted, "the page is painted", 8)
        self.rehearsal.wire.mend()
        self.until(lambda: self.joined("otto"), "it joins by itself", 8)

    def test_a_downloaded_score_plays_without_the_server(self):
        self.enter_home("otto")
        self.click("#scores-there .row:last-child button.small, #scores-there li:last-child button.small")
        self.until(lambda: self.shown("#scores-here .row"), "it is on this device", 15)
        title = self.text("#scores-here .title")
        self.cached()
        self.rehearsal.wire.cut()
        self.open()
        self.until(lambda: self.text("#scores-here .title") == title, "the lists are there", 8)
        self.click("#scores-here .entry")
        self.until(self.is_painted, "the music is there", 8)

    def test_what_was_made_without_the_server_is_delivered_later_with_the_same_id(self):
        self.enter_room("ines")
        since = self.rehearsal.newest("ines")
        self.rehearsal.wire.cut()
        self.until(lambda: self.text("#sign-offline") != "", "the server is away", 8)
        self.tap(0.4, 0.2, hold=0.8)
        kept = self.later(
            """const base = await new Promise((done) =>
                (indexedDB.open('baton-stand').onsuccess = (event) => done(event.target.result)));
            return await new Promise((done) => (base.transaction('things').objectStore('things')
                .getAll(IDBKeyRange.bound('unsent:room:', 'unsent:room:~'))
                .onsuccess = (event) => done(event.target.result)))""")
        self.assertEqual(len([each for each in kept if "pinpoint" in each]), 1)
        self.rehearsal.wire.mend()
        self.until(lambda: "pinpoint" in self.rehearsal.room(), "it is delivered", 8)
        self.assertIn(kept[-1]["id"], self.rehearsal.taken("ines", since))


class OtherUserTest(StandCase):
    """Two players share a device; nothing of one is read or written in the name of the other."""

    def switched_without_the_server(self, reload=False):
        """Otto has something to deliver; Ines was the last whom the server saw, Otto plays now."""
        self.enter_room("otto")
        event, self.since = str(uuid.uuid4()), self.rehearsal.newest("otto")
        # As the page kept it while remarks for everybody were acts of the room.
        place = {"id": str(uuid.uuid4()), "layer": self.rehearsal.room()["layers"][-1]["id"], "part": 0, "page": 0,
                 "author": self.rehearsal.id("otto"), "anchor": [1000, 1000], "shape": {"stamp": "p"},
                 "ink": {"colour": "#1a4fd6", "width": 300}}
        self.rehearsal.wire.cut()
        self.until(lambda: self.text("#sign-offline") != "", "the server is away", 8)
        self.leave()
        self.later(
            """const { things } = await import("/stand/store.js"); const { room, user, event, place } = given[0];
                const key = `outbox:${user}:${room}`;
            await things.put(key,
                [...((await things.get(key)) ?? []), { id: event, place }]);""",
            {"room": self.rehearsal.room_id, "user": self.rehearsal.id("otto"), "event": event, "place": place})
        self.rehearsal.wire.mend()
        self.sign_in("ines")
        self.until(lambda: self.shown("#rooms-owned .entry"), "ines plays", 8)
        if reload:
            OfflineTest.cached(self)
        self.rehearsal.wire.cut()
        self.leave(ends_in="sign-in")
        self.sign_in("otto")
        self.until(lambda: self.screen() in ("home", "reader"), "otto enters with the password checked here", 12)
        self.rehearsal.wire.asked.clear()
        return event

    def leave(self, ends_in="sign-in"):
        if self.screen() == "reader":
            self.script("document.getElementById('dialog').close()")
            if not self.shown("#top-bar"):
                self.tap(0.5)
            self.click("#leave")
            self.until(lambda: self.screen() == "home", "home is shown")
        self.click("#user")
        self.click("#sign-out")
        self.until(lambda: self.screen() == ends_in, f"{ends_in} is shown", 8)

    def into_the_room(self):
        if self.screen() == "home":
            self.click("#rooms-joined .entry")
            self.until(lambda: self.screen() == "reader", "the room opens")

    def asked_as(self, name):
        """The page's requests in the name of a user that concern stands or rooms."""
        return [(method, path) for method, path in self.rehearsal.asked_as(name) if "/api/rooms/" in path]

    def delivered(self, event):
        return event in self.rehearsal.taken("otto", self.since)

    def test_what_one_made_is_never_sent_in_the_name_of_the_other(self):
        event = self.switched_without_the_server()
        self.into_the_room()
        self.rehearsal.wire.mend()
        self.until(lambda: self.delivered(event), "it is delivered", 12)
        self.assertEqual(self.asked_as("ines"), [])
        self.assertTrue(self.asked_as("otto"))

    def test_after_a_reload_it_waits_until_its_own_player_has_signed_in(self):
        event = self.switched_without_the_server(reload=True)
        self.open()
        self.until(lambda: self.screen() in ("home", "reader"), "the stand opens", 8)
        self.rehearsal.wire.mend()
        self.script("dispatchEvent(new Event('online'))")
        self.until(lambda: self.screen() == "sign-in" or "sign in again" in self.text("#sign-offline"),
                   "it asks for the sign-in", 12)
        self.stays(lambda: self.asked_as("ines") == [], "nothing is sent in another's name", 1)
        self.assertFalse(self.delivered(event))

    def test_a_server_that_holds_somebody_elses_sign_in_is_told_nothing(self):
        self.enter_room("otto")
        # As another window of the same browser would.
        self.assertEqual(self.later("""const answer = await fetch("/api/login", { method: "POST",
                headers: { "X-Baton": "1", "Content-Type": "application/json" }, body: JSON.stringify(given[0]) });
            return answer.status""", {"name": "ines", "password": PASSWORD}), 200)
        self.rehearsal.wire.asked.clear()
        self.rehearsal.wire.drop()
        self.until(lambda: "Somebody else" in self.text("#sign-offline"), "a quiet sign says so", 8)
        self.assertEqual(self.screen(), "reader")
        self.pedal()
        self.lies(1)
        sent = lambda: [path for _, path in self.asked_as("ines") if f"user={self.rehearsal.id('otto')}" not in path]
        self.stays(lambda: sent() == [], "nothing is sent in another's name", 1)
        self.assertEqual(self.rehearsal.present(), [])


class ChangedServerTest(StandCase):
    def test_a_room_the_server_does_not_know_loses_nothing(self):
        self.enter_room("ines")
        self.rehearsal.hide_rooms()
        self.until(lambda: "does not know this room" in self.text("#sign-offline"), "a quiet sign says so", 8)
        self.tap(0.4, 0.2, hold=0.8)
        self.assertEqual(self.screen(), "reader")
        self.open()
        self.until(self.is_painted, "the music is there again", 8)
        self.until(lambda: "does not know this room" in self.text("#sign-offline"), "and the sign", 8)
        self.rehearsal.show_rooms()
        self.until(lambda: "pinpoint" in self.rehearsal.room(), "what was made is delivered", 10)


class DeviceTest(StandCase):
    def test_a_wrong_password_is_refused_with_a_sentence(self):
        self.open()
        self.sign_in(USERS[0], "wrong")
        self.until(lambda: "wrong" in self.text("#sign-in-say"), "it says so")

    def test_several_users_share_a_device_one_at_a_time(self):
        self.enter_home("ines")
        self.click("#user")
        self.click("#sign-out")
        self.until(lambda: self.script("return document.querySelectorAll('#known button').length") == 1,
                   "ines stays known")
        self.sign_in("otto")
        self.until(lambda: self.text("#user") == "Otto", "otto plays", 8)
        self.until(lambda: self.shown("#rooms-joined .entry"), "with otto's rooms")

    def test_without_the_server_the_password_is_checked_here(self):
        self.enter_home("ines")
        self.click("#user")
        self.click("#sign-out")
        self.until(lambda: self.screen() == "sign-in", "signed out")
        self.rehearsal.wire.cut()
        self.sign_in("ines", "wrong")
        self.until(lambda: "wrong" in self.text("#sign-in-say"), "a wrong one is refused", 8)
        self.sign_in("otto")
        self.until(lambda: "not signed in on this device" in self.text("#sign-in-say"), "a stranger is refused", 8)
        self.sign_in("ines")
        self.until(lambda: self.screen() == "home", "the right one enters", 8)
