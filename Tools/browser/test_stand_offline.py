"""Without the server: playing goes on, reopening works, what was made is delivered later; several users on a device."""

from stand_case import USERS, StandCase


class OfflineTest(StandCase):
    def cached(self):
        self.until(lambda: self.later("""return Boolean(navigator.serviceWorker.controller)
            && (await (await caches.open('baton-stand-page')).keys()).length > 30"""), "the page is kept on the device", 10)

    def test_playing_goes_on_while_the_server_is_away(self):
        self.enter_room()
        self.mock("gone")
        self.until(lambda: self.text("#sign-offline") == "Without the server", "a quiet sign says so", 8)
        self.pedal()
        self.lies(1)
        self.mock("here")
        self.until(lambda: not self.shown("#sign-offline"), "the stand is back", 8)
        self.until(lambda: 1 in self.mock("state")["whereabouts"].values(), "the hub hears of the page")

    def test_the_stand_reopens_without_the_server_where_it_was(self):
        self.enter_room()
        self.pedal()
        self.lies(1)
        self.until(lambda: self.script("return document.querySelectorAll('.leaf canvas').length >= 3"), "pages around are kept")
        self.cached()
        self.mock("gone")
        self.open()
        self.lies(1, seconds=8)
        self.until(self.is_painted, "the page is painted", 8)
        self.mock("here")
        self.until(lambda: self.joined("otto"), "it joins by itself", 8)

    def test_a_downloaded_score_plays_without_the_server(self):
        self.enter_home("otto")
        self.click("#scores-there .row:last-child button.small, #scores-there li:last-child button.small")
        self.until(lambda: self.shown("#scores-here .row"), "it is on this device", 15)
        title = self.text("#scores-here .title")
        self.cached()
        self.mock("gone")
        self.open()
        self.until(lambda: self.text("#scores-here .title") == title, "the lists are there", 8)
        self.click("#scores-here .entry")
        self.until(self.is_painted, "the music is there", 8)

    def test_what_was_made_without_the_server_is_delivered_later_with_the_same_id(self):
        self.enter_room("ines")
        self.mock("gone")
        self.until(lambda: self.text("#sign-offline") != "", "the server is away", 8)
        self.tap(0.4, 0.2, hold=0.8)
        kept = self.later("""const base = await new Promise((done) => (indexedDB.open('baton-stand').onsuccess = (event) => done(event.target.result)));
            const keys = await new Promise((done) => (base.transaction('things').objectStore('things').getAllKeys().onsuccess = (event) => done(event.target.result)));
            const key = keys.find((each) => each.startsWith('outbox:'));
            return await new Promise((done) => (base.transaction('things').objectStore('things').get(key).onsuccess = (event) => done(event.target.result)))""")
        self.assertEqual(len([each for each in kept if "pinpoint" in each]), 1)
        self.mock("here")
        self.until(lambda: "pinpoint" in self.mock("state")["room"], "it is delivered", 8)
        self.assertIn(kept[-1]["id"], self.server.hub.room.taken)


class DeviceTest(StandCase):
    def test_a_wrong_password_is_refused_with_a_sentence(self):
        self.open()
        self.sign_in(USERS[0], "wrong")
        self.until(lambda: "wrong" in self.text("#sign-in-say"), "it says so")

    def test_several_users_share_a_device_one_at_a_time(self):
        self.enter_home("ines")
        self.click("#user")
        self.click("#sign-out")
        self.until(lambda: self.script("return document.querySelectorAll('#known button').length") == 1, "ines stays known")
        self.sign_in("otto")
        self.until(lambda: self.text("#user") == "Otto", "otto plays", 8)
        self.until(lambda: self.shown("#rooms-joined .entry"), "with otto's rooms")

    def test_without_the_server_the_password_is_checked_here(self):
        self.enter_home("ines")
        self.click("#user")
        self.click("#sign-out")
        self.until(lambda: self.screen() == "sign-in", "signed out")
        self.mock("gone")
        self.sign_in("ines", "wrong")
        self.until(lambda: "wrong" in self.text("#sign-in-say"), "a wrong one is refused", 8)
        self.sign_in("otto")
        self.until(lambda: "not signed in on this device" in self.text("#sign-in-say"), "a stranger is refused", 8)
        self.sign_in("ines")
        self.until(lambda: self.screen() == "home", "the right one enters", 8)
