"""The console on a phone: under the thumb stands what it fires, and nothing lies beyond the edge."""


from browser import resize
from console_case import DeskCase


class PhoneTest(DeskCase):
    """A phone of 390 by 844."""

    def setUp(self):
        super().setUp()
        resize(self.driver, "phone")
        self.open()

    def tearDown(self):
        resize(self.driver, "laptop")
        super().tearDown()

    def test_go_says_what_it_fires(self):
        self.until(lambda: " · " in self.text("standby-name"), "a cue stands by")
        name = self.text("standby-name").split(" · ", 1)[1]
        self.assertEqual(self.script("return document.querySelector('#go .go-cue').textContent"), name)
        height, bottom = self.script("""
            const box = document.querySelector('#go .go-cue').getBoundingClientRect();
            return [box.height, box.bottom]""")
        self.assertGreater(height, 0)
        self.assertLessEqual(bottom, 844)

    def test_every_field_of_a_cue_is_within_the_screen(self):
        self.press("c")
        self.until(lambda: self.script("return document.querySelectorAll('.cue-table input').length") > 0,
                   "the cue editor")
        self.settle()
        outside = self.script("""
            return [...document.querySelectorAll('.cue-table :is(input, select, button)')]
                .filter((e) => { const b = e.getBoundingClientRect();
                    return b.width > 0 && (b.left < 0 || b.right > innerWidth); })
                .map((e) => e.ariaLabel)""")
        self.assertEqual(outside, [])
        self.press("c")

    def test_a_qr_code_that_no_phone_reaches_is_said_to_be_one(self):
        self.press("q")
        self.until(lambda: "Only this machine reaches this address" in self.script(
            "return document.querySelector('.share')?.textContent ?? ''"), "the warning")
        self.assertGreater(self.script("return document.querySelector('.share .address').clientWidth"), 220,
                           "the address has a line to itself")
        self.press("q")
