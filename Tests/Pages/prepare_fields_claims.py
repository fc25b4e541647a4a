"""The fields of a bar and of its piece: what is refused, and Esc; and a piece that somebody deletes."""

from selenium.webdriver.common.keys import Keys

from prepare_case import PrepareCase

CHOSEN = 4  # the place of the bar that the tests choose


class FieldTest(PrepareCase):
    """What is typed into the fields of a bar and into the piece's name."""

    def setUp(self):
        super().setUp()
        self.open(self.restored())
        self.focus_stage()
        self.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * CHOSEN)
        self.before = self.bars()

    def test_an_empty_or_senseless_number_is_not_sent_and_the_old_one_returns(self):
        for typed in ("", "-1", "1.5", "100000"):
            with self.subTest(typed):
                self.type("Number", typed, Keys.ENTER)
                self.until(lambda: self.value("Number") == "5", "the old number returns")
                self.until(lambda: self.said("The number of bar 5 stays as it was. Write a whole number from 0 to "
                                             "99999."), "it is said what is possible")
                self.forget_notices()
        self.nothing_was_sent()

    def test_every_number_of_the_server_can_be_typed(self):
        self.type("Number", "99999", Keys.ENTER)
        self.until(lambda: self.bars()[CHOSEN]["printed"] == 99_999, "it is taken")
        self.assertTrue(self.script("return arguments[0].validity.valid", self.field("Number")))
        self.type("Number", "0", Keys.ENTER)
        self.until(lambda: self.bars()[CHOSEN]["printed"] == 0, "so is the least one")

    def test_an_empty_or_senseless_time_is_not_sent_and_the_old_one_returns(self):
        old = self.value("Begins at")
        for typed in ("", "abc", "-1", "1:2:3:4"):
            with self.subTest(typed):
                self.type("Begins at", typed, Keys.ENTER)
                self.until(lambda: self.value("Begins at") == old, "the old time returns")
                self.until(lambda: self.said("The time of bar 5 stays as it was. Write minutes and seconds, such as "
                                             "1:05.24."), "it is said what is possible")
                self.forget_notices()
        self.nothing_was_sent()

    def test_a_typed_time_beyond_a_neighbour_is_refused_with_the_times_of_both(self):
        old = self.value("Begins at")
        before, after = [self.shown(self.before[at]["seconds"]) for at in (CHOSEN - 1, CHOSEN + 1)]
        for typed in ("0:00", after, "1:00"):
            with self.subTest(typed):
                self.type("Begins at", typed, Keys.ENTER)
                self.until(lambda: self.value("Begins at") == old, "the old time returns")
                self.until(lambda: self.said(f"It can only begin after bar 4 ({before}) and before bar 6 ({after})."),
                           "the neighbours' times are said")
                self.forget_notices()
        self.nothing_was_sent()
        between = self.before[CHOSEN]["seconds"] + 0.2
        self.type("Begins at", self.shown(between), Keys.ENTER)
        self.until(lambda: abs(self.times()[CHOSEN] - between) < 1e-3, "one between them is taken")

    def test_the_last_bar_cannot_begin_after_the_end_of_the_recording(self):
        self.focus_stage()
        self.keys(Keys.END)
        old = self.value("Begins at")
        self.type("Begins at", "9:00", Keys.ENTER)
        self.until(lambda: self.said("before the recording ends (1:35.0"), "the end is said")
        self.assertEqual(self.value("Begins at"), old)
        self.nothing_was_sent()

    def test_esc_in_a_field_brings_back_what_it_showed_and_stores_nothing(self):
        draft = self.draft()
        self.find("#tab-form").click()
        for label, typed in (("Number", "77"), ("Begins at", self.shown(self.before[CHOSEN]["seconds"] + 0.1)),
                             ("Name", "Another name"), ("Beats in a bar", "7")):
            with self.subTest(label):
                old = self.value(label)
                self.type(label, typed, Keys.ESCAPE)
                self.assertEqual(self.value(label), old, "it shows what it showed")
                self.assertFalse(self.script("return document.activeElement === arguments[0]", self.field(label)),
                                 "the keys are the editor's again")
        self.nothing_was_sent()
        self.assertEqual([self.draft().get(name) for name in ("name", "beatsPerBar")],
                         [draft.get(name) for name in ("name", "beatsPerBar")])

    def field(self, label):
        """The field whose label begins with these words."""
        return self.script("""return [...document.querySelectorAll(".below label")].find((each) =>
            each.checkVisibility() && each.textContent.startsWith(arguments[0])).querySelector("input")""", label)

    def value(self, label):
        return self.field(label).get_property("value")

    def type(self, label, text, *keys):
        field = self.field(label)
        self.script("arguments[0].focus(); arguments[0].select()", field)
        self.keys(Keys.DELETE, *text, *keys)

    def said(self, words):
        return words in self.text("#notices")

    def forget_notices(self):
        self.script("document.getElementById('notices').replaceChildren()")

    def nothing_was_sent(self):
        self.settle()
        self.assertEqual(self.text("#saved"), "Saved")
        self.assertEqual(self.bars(), self.before)

    @staticmethod
    def shown(seconds):
        minutes, rest = divmod(round(1000 * seconds), 60_000)
        return f"{minutes}:{rest / 1000:06.3f}"


class DeletedTest(PrepareCase):
    """A piece that is open here and deleted elsewhere."""

    def setUp(self):
        super().setUp()
        self.piece = self.ask("POST", "/pieces", {"name": "Short-lived"})["id"]

    def test_a_piece_that_somebody_deletes_is_left_for_the_list_and_it_is_said(self):
        self.open(self.piece)
        self.ask("DELETE", f"/pieces/{self.piece}")
        self.at_the_list()

    def test_the_deletion_of_another_piece_is_no_matter(self):
        other = self.ask("POST", "/pieces", {"name": "Another"})["id"]
        self.open(self.piece)
        self.ask("DELETE", f"/pieces/{other}")
        self.stays(lambda: self.script("return Boolean(document.querySelector('.piece'))"), "it stays open", 1)
        self.ask("DELETE", f"/pieces/{self.piece}")
        self.at_the_list()

    def test_a_question_about_a_deleted_piece_is_closed(self):
        self.open(self.piece)
        self.keys("?")
        self.until(lambda: self.script("return Boolean(document.querySelector('dialog[open]'))"), "a dialog is open")
        self.ask("DELETE", f"/pieces/{self.piece}")
        self.at_the_list()
        self.assertFalse(self.script("return Boolean(document.querySelector('dialog[open]'))"))

    def at_the_list(self):
        self.until(lambda: self.script("return Boolean(document.querySelector('.pieces'))"), "the list is shown")
        self.assertIn("Somebody deleted “Short-lived”.", self.text("#notices"))
        self.assertEqual(self.text("#crumb"), "")
