"""The drawers: keys, programme, cue editor, messages, check."""

import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from case import DeskCase


class PanelTest(DeskCase):
    """What is done before and between the pieces."""

    def bind(self, action):
        self.script("document.querySelector(`[data-bind='${arguments[0]}']`).click()", action)

    def test_the_overlay_rebinds_refuses_conflicts_and_resets(self):
        self.press("?")
        self.until(lambda: self.shown("panel") and self.text("panel-title") == "Keys", "overlay")
        self.bind("hold")
        self.press("t")
        self.assertIn("already means", self.text("panel-body"))
        self.bind("hold")
        self.press("7")
        self.assertIn("cannot be bound", self.text("panel-body"))
        self.bind("hold")
        self.press("x")
        self.assertIn("is now X", self.text("panel-body"))
        self.press("?")
        self.until(lambda: not self.shown("panel"), "closed")
        self.press("h")
        time.sleep(0.3)
        self.assertEqual(self.body("mode"), "following", "the old key is free")
        self.press("x")
        self.until(lambda: self.body("mode") == "held", "the new key holds")
        self.open(clean=False)
        self.press("x")
        self.until(lambda: self.body("mode") == "following", "kept over a reload")
        self.press(Keys.F1)
        self.until(lambda: self.shown("panel"), "F1 opens the overlay too")
        self.script("[...document.querySelectorAll('#panel button')].find((b) => b.textContent === 'Reset all keys').click()")
        self.press(Keys.F1)
        self.press("h")
        self.until(lambda: self.body("mode") == "held", "reset")

    def test_programme_starts_a_piece_and_switches(self):
        self.press("p")
        piece = self.need(self.facts.other_piece(), "the programme has no other piece with sections")
        section = piece["sections"][-1]
        self.driver.find_element(By.CSS_SELECTOR, f".piece:nth-child({piece['index'] + 1}) .start input").send_keys(
            section["label"] + Keys.ENTER)
        self.until(lambda: self.text("piece-name") == piece["name"] and self.text("section") == section["label"],
                   "that piece from there")
        self.script("[...document.querySelectorAll('.toggle')].find((b) => b.textContent.startsWith('Rehearsal')).click()")
        self.until(lambda: "Rehearsal" in self.text("show-flags"), "rehearsal")

    def test_cues_are_edited_refused_and_saved(self):
        self.press("c")
        rows = "#panel .cue-table tbody tr"
        count = len(self.facts.cues)
        self.until(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, rows)) == count, "the table")
        self.script("[...document.querySelectorAll('#panel button')].find((b) => b.textContent === 'Add a cue').click()")
        place = self.driver.find_element(By.CSS_SELECTOR, f"{rows}:last-child [data-column=place] input")
        place.clear()
        place.send_keys("4711")
        self.script("document.querySelector('#panel .primary').click()")
        self.assertIn("the name is empty", self.text("panel-body"))
        self.driver.find_element(By.CSS_SELECTOR, f"{rows}:last-child [data-column=name] input").send_keys('Bells, "far"')
        self.script("document.querySelector('#panel .primary').click()")
        self.until(lambda: "4711" in self.script("return document.querySelector('#panel .say').textContent"), "the server's sentence")
        place.clear()
        place.send_keys(str(self.facts.bar(0.7)))
        self.script("document.querySelector('#panel .primary').click()")
        self.until(lambda: self.script("return document.querySelector('#panel .say').textContent") == "Saved.", "saved")
        self.assertEqual(len(self.driver.find_elements(By.CSS_SELECTOR, rows)), count + 1)
        self.until(lambda: 'Bells, "far"' in self.text("cue-list"), "in the list")

    def test_what_is_typed_into_a_new_cue_takes_the_place_of_the_bar_that_stands_there(self):
        self.press("c")
        rows = "#panel .cue-table tbody tr"
        count = len(self.facts.cues)
        self.until(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, rows)) == count, "the table")
        self.script("[...document.querySelectorAll('#panel button')].find((b) => b.textContent === 'Add a cue').click()")
        place = self.driver.find_element(By.CSS_SELECTOR, f"{rows}:last-child [data-column=place] input")
        self.assertNotEqual(place.get_attribute("value"), "", "the bar that is played now is offered")
        self.driver.switch_to.active_element.send_keys("61")
        self.assertEqual(place.get_attribute("value"), "61")

    def test_a_mistake_names_the_cue(self):
        self.press("c")
        rows = "#panel .cue-table tbody tr"
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, rows), "the table")
        field = self.driver.find_element(By.CSS_SELECTOR, f"{rows}:first-child [data-column=earliness_ms] input")
        name = self.driver.find_element(By.CSS_SELECTOR, f"{rows}:first-child [data-column=name] input").get_attribute("value")
        field.clear()
        field.send_keys("soon")
        self.script("document.querySelector('#panel .primary').click()")
        self.assertIn(f"The cue “{name}”", self.script("return document.querySelector('#panel .say').textContent"))

    def test_a_message_is_previewed_refused_sent_and_withdrawn(self):
        self.press("e")
        self.until(lambda: self.shown("panel"), "panel")
        title = self.driver.find_element(By.CSS_SELECTOR, "#panel input[name=title]")
        title.send_keys("Late | start")
        self.assertIn("“|”", self.text("panel-body"))
        self.assertTrue(self.script("return document.querySelector('#panel [type=submit]').disabled"))
        title.clear()
        title.send_keys("Late start")
        self.assertIn("Late start", self.script("return document.querySelector('.phone-title').textContent"))
        title.send_keys(Keys.ENTER)
        self.until(lambda: self.script("return !document.querySelector('.current').hidden"), "on the phones")
        self.script("document.querySelector('.current button').click()")
        self.until(lambda: self.script("return document.querySelector('.current').hidden"), "withdrawn")

    def test_the_check_ends_with_a_verdict_and_sentences(self):
        self.press("k")
        self.script("document.querySelector('#panel .primary').click()")
        self.until(lambda: self.script("return document.querySelector('.verdict').dataset.state") is not None
                   and self.script("return document.querySelector('.verdict').textContent") != "", "a verdict", 60)
        self.assertGreaterEqual(self.script("return document.querySelectorAll('.check-item').length"), 5)
        self.assertTrue(self.script(
            "return [...document.querySelectorAll('.check-item')].every((e) => e.querySelector('.check-text').textContent)"))

    def test_text_from_the_server_is_never_markup(self):
        self.assertEqual(self.command("message", "<img src=x onerror=alert(1)>", "<b>x</b>", "AUTO", ""), 200)
        self.press("e")
        self.until(lambda: "<b>x</b>" in self.text("panel-body"), "shown as text")
        self.assertEqual(self.script("return document.querySelectorAll('.current img, .current b').length"), 0)
        self.command("withdraw")
