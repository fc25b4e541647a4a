"""Moving, erasing and undoing; private and public."""

from selenium.webdriver.common.keys import Keys

from remarks_case import RemarksCase


class ChangingTest(RemarksCase):
    line = {"id": "1", "anchor": [2000, 2000], "shape": {"line": [0, 0, 2000, 0]},
            "ink": {"colour": "#c8191e", "width": 36}}

    def test_a_long_press_takes_an_own_remark_and_drags_it_whatever_the_tool(self):
        for fields in ({}, {"kind": "line"}, {"kind": "stamp"}, {"kind": "select"}):
            self.open()
            self.give(self.line)
            self.tool(**fields)
            self.point("touch", (3000, 2000), (4000, 4000), (4000, 5000), hold=0.55)
            [remark] = self.remarks
            self.near(remark["anchor"], [3000, 5000])
            self.assertEqual(remark["shape"]["line"], [0, 0, 2000, 0])
            self.assertEqual(self.seen("long") + self.seen("taps") + self.seen("swipes"), 0,
                             "the stand forgot the finger")

    def test_a_remark_is_dragged_to_the_other_page(self):
        self.give(self.line)
        self.tool(kind="select")
        self.point("mouse", (3000, 2000), (9000, 2000), (3000, 6000, "right"), hold=0.55, duration=60)
        self.assertEqual(self.remarks[0]["page"], 1)
        self.near(self.remarks[0]["anchor"], [2000, 6000], off=150)
        self.script("r.undo()")
        self.assertEqual((self.remarks[0]["page"], self.remarks[0]["anchor"]), (0, [2000, 2000]))

    def test_what_is_chosen_can_be_deleted_recoloured_and_moved_without_waiting(self):
        self.give(self.line)
        self.tool(kind="select")
        self.tap(3000, 2000)
        self.assertEqual(self.count(".remark-frame"), 1)
        self.picture("chosen")
        self.script("document.querySelector('[data-colour=\"#0b7a3e\"]').click(); "
                    "document.querySelector('[data-width=\"2\"]').click()")
        self.assertEqual(self.remarks[0]["ink"], {"colour": "#0b7a3e", "width": 70})
        self.point("touch", (3000, 2000), (4000, 3000), (4000, 4000))
        self.near(self.remarks[0]["anchor"], [3000, 4000])
        self.script("document.querySelector('.remark-delete').click()")
        self.assertEqual(self.remarks, [])
        for _ in range(4):
            self.script("r.undo()")
        self.assertEqual(self.remarks[0],
                         {**self.remarks[0], "anchor": [2000, 2000], "ink": {"colour": "#c8191e", "width": 36}})

    def test_anothers_remark_tells_its_author_and_cannot_be_changed(self):
        self.give({**self.line, "by": "anna"})
        self.tap(3000, 2000, kind="touch")
        self.assertEqual(self.count(".remark-name"), 0, "at the side of the stage a tap turns")
        self.give({**self.line, "id": "2", "by": "anna", "page": 1})
        self.tap(3000, 2000, kind="touch", page="right")
        self.assertEqual(self.script("return document.querySelector('.remark-name').textContent"),
                         "Anna Berg · everybody in this part")
        self.picture("author")
        self.tool(kind="select")
        self.tap(3000, 2000)
        self.assertIn("Anna Berg", self.script("return document.querySelector('.remark-bar').textContent"))
        self.assertEqual(self.count(".remark-delete"), 0)
        self.point("touch", (3000, 2000), (4000, 4000), hold=0.6)
        self.tool(kind="eraser")
        self.point("touch", (3000, 1500), (3000, 2500))
        self.press(Keys.DELETE)
        self.assertEqual((self.acts, self.remarks[0]["anchor"]), ([], [2000, 2000]))

    def test_the_eraser_takes_what_it_touches_as_one_step(self):
        self.give(self.line, {**self.line, "id": "2", "anchor": [2000, 3000]},
                  {**self.line, "id": "3", "anchor": [2000, 8000]})
        self.tool(kind="eraser")
        self.point("pen", (3000, 1500), (3000, 3500), pressure=0.5, duration=60)
        self.assertEqual([remark["id"] for remark in self.remarks], ["3"])
        self.script("r.undo()")
        self.assertEqual(sorted(remark["id"] for remark in self.remarks), ["1", "2", "3"])

    def test_undo_and_redo_are_acts_of_the_room(self):
        self.tool(kind="line")
        self.point("mouse", (2000, 2000), (4000, 3000))
        identity = self.remarks[0]["id"]
        self.press("z", modifiers=[Keys.CONTROL])
        self.assertEqual(self.remarks, [])
        self.press("z", modifiers=[Keys.CONTROL, Keys.SHIFT])
        self.assertEqual([remark["id"] for remark in self.remarks], [identity])
        self.assertEqual(self.acts[1:], [{"erase": identity}, {"restore": identity}])
        disabled = self.script("return ['undo', 'redo'].map((name) => "
                               "document.querySelector(`[data-${name}]`).getAttribute('aria-disabled') === 'true')")
        self.assertEqual(disabled, [False, True])

    def test_undo_passes_over_what_was_erased_elsewhere(self):
        self.tool(kind="line")
        self.point("mouse", (2000, 2000), (4000, 3000))
        self.point("mouse", (2000, 5000), (4000, 6000))
        self.script("room.remarks.pop(); r.update(room.state); r.undo()")
        self.assertEqual(self.remarks, [])


class LayerTest(RemarksCase):
    def test_private_and_public_remarks_go_to_their_layers(self):
        self.tool(kind="stamp", stamp="p")
        self.tap(2000, 2000)
        self.script("document.querySelector('[data-layer=\"public\"]').click()")
        self.tap(2000, 4000)
        own, public = self.script("return [layers.own, layers.public]")
        self.assertEqual([(remark["layer"], remark.get("parts")) for remark in self.remarks],
                         [(own, None), (public, "all")])

    def test_a_layer_that_is_not_open_is_asked_for_and_nothing_is_drawn(self):
        self.script("""room.layers = { public: null, own: null }; r.update(room.state); window.asked = [];
            addEventListener("remark-layer", (event) => asked.push(event.detail))""")
        self.tool(kind="line")
        self.point("mouse", (2000, 2000), (4000, 3000))
        self.assertEqual((self.remarks, self.script("return asked")), ([], ["own"]))
        self.assertIn("not open", self.script("return document.querySelector('.remark-said').textContent"))

    def test_what_is_not_delivered_is_marked_until_it_is(self):
        self.script("room.isOnline = false")
        for kind in ("line", "highlight"):
            self.tool(kind=kind)
            self.point("mouse", (2000, 2000 if kind == "line" else 4000), (6000, 3000 if kind == "line" else 4500))
        self.tool(kind="stamp", stamp="breath")
        self.tap(5000, 6000)
        self.assertEqual((self.count(".remark.undelivered"), self.count(".remark-note")), (3, 3))
        self.assertIn("not sent yet", self.script("return left.querySelector('.remark').getAttribute('aria-label')"))
        self.picture("undelivered")
        self.script("room.isOnline = true; room.waiting.clear(); r.update(room.state)")
        self.assertEqual((self.count(".undelivered"), self.count(".remark-note")), (0, 0))

    def test_two_stands_show_the_same_picture_whatever_came_first(self):
        same = self.script("""
            const all = fill(40, 1);
            const orders = [[all], [all.slice(20), all.slice(10, 30), all], [all.slice(0, 5).reverse(), all]];
            const pictures = orders.map((states) => {
                r.update({ ...room.state, remarks: [] });
                for (const remarks of states) r.update({ ...room.state, remarks: structuredClone(remarks) });
                return left.querySelector(".remarks").innerHTML;
            });
            return [pictures[0].length, pictures.every((each) => each === pictures[0])];""")
        self.assertGreater(same[0], 1_000)
        self.assertTrue(same[1])

    def test_of_concurrent_edits_both_stands_show_what_the_room_decided(self):
        shown = self.script("""
            const start = fill(2, 1)[1],
                [a, b] = [{ anchor: [100, 100] }, { anchor: [9000, 9000], ink: { colour: "#c8191e", width: 50 } }];
            const decided = { ...start, ...a, ...b };
            const run = (states) => { r.update({ ...room.state, remarks: [] });
                for (const each of states) r.update({ ...room.state, remarks: [each] });
                return left.querySelector(".remark").outerHTML; };
            return [run([start, { ...start, ...a }, decided]), run([start, { ...start, ...b }, decided]),
                run([decided])];""")
        self.assertEqual(len(set(shown)), 1)
