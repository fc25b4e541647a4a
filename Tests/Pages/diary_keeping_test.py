#!/usr/bin/python3
"""Tests of people's own entries in the diary: two devices, two tabs, a lost answer, no room, long texts, recordings.

    BATON=path/to/baton Tests/Pages/diary_keeping_test.py [TEST …]

The last line is unittest's.
"""

import json
import sqlite3
import sys
import unittest

from selenium.webdriver.common.by import By

from browser import ENGINE, resize
from diary_test import SIZES, DiaryCase

KEPT = "return JSON.parse(localStorage.getItem('baton-diary-own') ?? '[]')"
RECORDING = "https://video.example/watch?v=air"


class KeepingTest(DiaryCase):
    def setUp(self):
        self.open(who="max")
        self.script("localStorage.removeItem('baton-diary-own'); localStorage.removeItem('baton-diary-gone')")
        for each in self.mine():
            self.call(f"/api/diary/mine/{each['id']}", "DELETE")

    def mine(self):
        return self.call("/api/diary/mine")["body"]["concerts"]

    def waiting(self):
        return [each for each in self.script(KEPT) if each["waits"]]

    def form(self, hash_="#/new/by-hand"):
        self.go(hash_)
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#entry"), "the form is there", 6)
        self.script("document.querySelector('#entry details').open = true")

    def write(self, **fields):
        for name, text in fields.items():
            self.script("arguments[0].value = arguments[1]", self.driver.find_element(By.NAME, name), text)

    def keep(self):
        self.press_on("#entry [type=submit]")

    def enter(self, **fields):
        self.form()
        self.write(**fields)
        self.keep()
        self.until(lambda: not self.driver.find_elements(By.CSS_SELECTOR, "#entry"), "it is kept", 6)

    def sent(self, count):
        self.until(lambda: not self.waiting() and len(self.mine()) == count, f"{count} are sent", 8)

    def online(self):
        self.script("dispatchEvent(new Event('online'))")

    def offline(self, is_off):
        self.driver.set_network_conditions(offline=is_off, latency=0, throughput=10_000_000)

    def test_two_devices_change_different_fields_and_both_hold(self):
        self.enter(ensemble="Muster Quartet", works="Haydn: Quartet", comment="Good.")
        self.sent(1)
        known = self.mine()[0]
        other = {**known["concert"], "venue": "Town hall"}
        answer = self.call(f"/api/diary/mine/{known['id']}", "PUT", {"revision": known["revision"], "concert": other})
        self.assertEqual(answer["status"], 200)
        self.form(f"#/concerts/{known['id']}/edit")
        self.write(comment="Splendid.")
        self.keep()
        self.until(lambda: self.mine()[0]["concert"].get("comment") == "Splendid.", "the comment is sent", 8)
        self.assertEqual(self.mine()[0]["concert"]["venue"], "Town hall")
        self.until(lambda: "Town hall" in self.words(), "this device has both", 8)

    def test_one_that_is_refused_holds_up_no_other_and_is_corrected(self):
        self.enter(title="No\atitle", ensemble="The Long Names")
        self.enter(title="Short", ensemble="Muster Quartet")
        self.until(lambda: [each["concert"]["title"] for each in self.mine()] == ["Short"], "the other is sent", 8)
        self.go("#/mine")
        self.until(lambda: "contains a control character" in self.words(), "it says what is wrong", 6)
        self.press_on(".trouble a")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#entry"), "it can be corrected", 6)
        self.write(title="Notes")
        self.keep()
        self.sent(2)

    def test_a_comment_of_ten_thousand_characters_is_kept_whole_and_a_longer_one_is_not_cut(self):
        self.form()
        self.write(ensemble="Muster Quartet", comment="♪" * 10_001)
        self.keep()
        self.until(lambda: "10,000 are possible" in self.words("#trouble"), "it says so", 6)
        self.assertEqual(len(self.driver.find_element(By.NAME, "comment").get_attribute("value")), 10_001)
        self.write(comment="♪" * 10_000)
        self.keep()
        self.sent(1)
        self.assertEqual(self.mine()[0]["concert"]["comment"], "♪" * 10_000)

    def test_a_device_without_room_says_so_and_the_form_stays(self):
        self.form()
        self.write(ensemble="Muster Quartet")
        self.script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }")
        self.keep()
        self.until(lambda: "did not keep it" in self.words("#state"), "it says so", 6)
        self.assertEqual(self.driver.find_element(By.NAME, "ensemble").get_attribute("value"), "Muster Quartet")

    def test_two_tabs_without_the_network_lose_nothing_and_send_each_once(self):
        first = self.driver.current_window_handle
        self.offline(True)
        try:
            self.enter(ensemble="First tab")
            self.offline(False)
            self.driver.switch_to.new_window("tab")
            self.driver.get(f"{self.base}/diary")
            self.until(lambda: self.words() != "", "the page is there", 8)
            self.offline(True)
            self.enter(ensemble="Second tab")
        finally:
            self.offline(False)
        self.online()
        second = self.driver.current_window_handle
        self.driver.switch_to.window(first)
        self.offline(False)
        self.online()
        self.sent(2)
        self.assertEqual({each["concert"]["ensemble"] for each in self.mine()}, {"First tab", "Second tab"})
        self.driver.switch_to.window(second)
        self.driver.close()
        self.driver.switch_to.window(first)

    def test_an_answer_that_is_lost_in_the_middle_of_sending_makes_no_second_concert(self):
        self.script("""const real = window.fetch; let lost = 1;
            window.fetch = async (address, options) => {
              const answer = await real(address, options);
              if (options?.method === "PUT" && lost-- > 0) throw new TypeError("cut");
              return answer;
            };""")
        self.enter(ensemble="Muster Quartet", comment="Once.")
        self.until(lambda: len(self.mine()) == 1 and self.waiting(), "the server has it, this device does not know", 8)
        self.online()
        self.sent(1)

    def test_a_server_that_was_set_back_gets_what_it_had(self):
        self.enter(ensemble="Muster Quartet", comment="First.")
        self.enter(ensemble="Example Band", comment="Old.")
        self.sent(2)
        known = {each["concert"]["ensemble"]: each for each in self.mine()}
        self.form(f"#/concerts/{known['Example Band']['id']}/edit")
        self.write(comment="New.")
        self.keep()
        self.until(lambda: "New." in json.dumps(self.mine()), "the change is sent", 8)
        with sqlite3.connect(self.server.data / "diary.sqlite", timeout=20) as database:
            database.execute("DELETE FROM personal WHERE id = ?", (known["Muster Quartet"]["id"],))
            database.execute("UPDATE personal SET revision = ?, document = ? WHERE id = ?", (
                known["Example Band"]["revision"], json.dumps(known["Example Band"]["concert"]).encode(),
                known["Example Band"]["id"]))
        database.close()
        self.online()
        self.until(lambda: {each["concert"]["comment"] for each in self.mine()} == {"First.", "New."}, "both again", 8)

    def test_guided_creation_twice_makes_two_and_one_press_more_makes_no_third(self):
        for name in ("One", "Two"):
            self.go("#/new")
            self.press_on("#by-hand")
            self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#entry"), "the form is there", 6)
            self.write(ensemble=name)
            self.script("const b = document.querySelector('#entry [type=submit]'); b.click(); b.click();")
            self.until(lambda: name in self.words(), "it is kept", 6)
        self.sent(2)

    def test_own_concerts_are_found_also_without_the_server(self):
        self.enter(ensemble="Müster Quartet", works="Haydn: Emperor", city="Ráb")
        self.sent(1)
        self.go("#/search?q=muster%20emper")
        self.until(lambda: "My own" in self.words() and "Müster" in self.words(), "it is found", 6)
        self.offline(True)
        try:
            self.go("#/search?q=rab")
            self.until(lambda: "Müster" in self.words(), "also without the network", 10)
            self.go("#/search?q=beethoven")
            self.until(lambda: "Müster" not in self.words(), "only where it is meant", 10)
        finally:
            self.offline(False)

    def test_stars_rank_the_ensembles_and_are_taken_back(self):
        for name, stars in (("Good Band", 3), ("Best Band", 5)):
            self.form()
            self.write(ensemble=name)
            self.press_on(f".rate button:nth-child({stars})")
            self.keep()
            self.until(lambda: name in self.words(), "it is kept", 6)
        self.go("#/ensembles")
        self.until(lambda: self.words().find("Best Band") < self.words().find("Good Band") > 0, "the best first", 6)
        self.press_on("#ensembles a")
        self.until(lambda: "★★★★★ 5.0" in self.words() and "1 concert" in self.words(), "it has a page", 6)
        self.press_on(".concert a")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".rate"), "the concert too", 6)
        self.press_on(".rate button:nth-child(5)")
        self.sent(2)
        self.assertEqual(sorted(each["concert"].get("rating") for each in self.mine()), [0, 3])
        self.go("#/ensembles")
        self.until(lambda: 0 < self.words().find("Good Band") < self.words().find("Best Band"), "the order changes", 6)

    def test_a_recording_is_a_link_that_loads_nothing(self):
        self.form()
        self.write(ensemble="Muster Quartet", time="20:00", endTime="00:30", recordings="javascript:alert(1)")
        self.keep()
        self.until(lambda: "not the address of a recording" in self.words("#trouble"), "a script is none", 6)
        self.write(recordings=f"{RECORDING}\n")
        self.keep()
        self.sent(1)
        kept = self.mine()[0]["concert"]
        self.assertEqual(kept["recordings"], [RECORDING])
        self.assertEqual(kept["end"][11:], "00:30")
        self.assertGreater(kept["end"], kept["start"])
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".recordings a"), "its page is there", 6)
        link = self.driver.find_element(By.CSS_SELECTOR, ".recordings a")
        self.assertEqual(link.get_attribute("href"), RECORDING)
        self.assertIn("noopener", link.get_attribute("rel"))
        hosts = self.script("return performance.getEntriesByType('resource').map(({ name }) => new URL(name).host)")
        self.assertNotIn("video.example", hosts)
        for wrong in ("javascript:alert(1)", "https://a b", "file:///etc/passwd"):
            answer = self.call(f"/api/diary/mine/{self.mine()[0]['id']}", "PUT",
                               {"revision": 9, "concert": {**kept, "recordings": [wrong]}})
            self.assertIn(answer["status"], (400, 422), wrong)
            self.assertIn("recording", json.dumps(answer["body"]))

    def test_what_is_long_fits_a_phone(self):
        resize(self.driver, SIZES["phone"])
        try:
            self.enter(ensemble="Muster Quartet", comment="long" * 300, recordings=RECORDING + "x" * 300)
            self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".recordings a"), "its page is there", 6)
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth - innerWidth"), 0)
        finally:
            resize(self.driver, SIZES["desk"])


if __name__ == "__main__":
    if ENGINE != "chromium":
        sys.exit("diary_keeping_test: only Chromium is driven here.")
    unittest.main()
