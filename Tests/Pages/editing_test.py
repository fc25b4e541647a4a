#!/usr/bin/python3
"""What happens to everything that people edit without the network, without a sign-in, and with somebody else.

    BATON=path/to/baton Tests/Pages/editing_test.py [TEST …]

The table of docs/editing.md: each case is tried with each kind of document of KINDS, by the modules of its own page,
in a real browser against a real server behind a wire that can be cut. The last line is unittest's.
"""

import sys
import unittest

import served_stands
from browser import ENGINE
from page_case import PageCase

ODE = "beethoven-symphony-9-ode-to-joy-variations"
ANNA = "four plain words here"
new = served_stands.new
UNREACHED = "The server does not answer. What you made is kept on this device and sent as soon as the server takes it."
FULL = "The disk is full. What you made is kept on this device and sent as soon as the server takes it."
OUT = "You are signed out. What you made is kept on this device and sent when you sign in."
OTHER = "anna is signed in now. What you made is kept on this device and sent when you sign in here again."
TAB = {"format": "baton-tab", "version": 1, "tempo": 120, "bars": [{}], "tracks": [
    {"name": "Guitar", "program": 25, "strings": [64, 59, 55, 50, 45, 40], "capo": 0, "bars": [{}]}]}


class Kind:
    """A kind of document: the page it is edited on, and how its modules open one.

    `open` is the body of a function of `given` (what `make` has made of the server, and `me`) that gives the document:
    `change(text)`, `waits()`, and where the page shows it `state()`, as a state and a sentence.
    """

    page = "/edit"
    open = ""
    shows = True  # the states of docs/editing.md
    theirs_stay = False  # after a conflict, until a person decides
    is_named = False  # to another person, as what somebody left here: `others` is how the page asks for the names

    def __init__(self, rehearsal, anna):
        self.rehearsal, self.anna = rehearsal, anna

    def mine(self, path, body=None, method=None):
        return self.rehearsal.ask("ines", path, body, method)

    def hers(self, path, body=None, method=None):
        answer = self.rehearsal.server.ask(method or ("GET" if body is None else "POST"), path, body, self.anna)
        assert answer.status == 200, f"{path}: {answer.status} {answer.text[:300]}"
        return answer.value

    def make(self):
        """Something new on the server, for one case."""
        return {}


class Concert(Kind):
    theirs_stay = is_named = True
    open = """
        const { Book } = await import("/edit/book.js");
        let state = [];
        let met = null;
        const book = new Book(given.concert, { state: (...said) => (state = said), refused() {},
          conflict: (entry) => (met = entry) }, given.me.name);
        await book.open();
        return { change: (text) => book.set("concert", "title", text, "title"), waits: () => book.hasUnsent,
          state: () => state, takeMine: () => book.decide(met) };"""
    others = """const { peopleWithUnsent } = await import("/shared/unsent.js");
        const { unsentEdits } = await import("/edit/unsentedits.js");
        return peopleWithUnsent(unsentEdits, given.concert, "anna")"""

    def make(self):
        self.concert = self.mine("/api/edit/concerts", {"title": "Before"})["concert"]
        return {"concert": self.concert}

    def read(self):
        tree = self.mine(f"/api/edit/concerts/{self.concert}")
        self.revision = tree["revision"]
        return next(each for each in tree["nodes"] if each["kind"] == "concert")["fields"]["title"]

    def change_elsewhere(self, text):
        self.read()
        self.hers(f"/api/edit/concerts/{self.concert}/edits", {"base": self.revision, "label": "title", "changes": [
            {"set": "concert", "field": "title", "to": text}]})


class Titles(Kind):
    theirs_stay = is_named = True
    open = """
        const { TitleBook } = await import("/edit/titlebook.js");
        const book = new TitleBook(given.folder, given.me.name, () => {});
        await book.open();
        const [{ id }] = book.rows;
        return { change: (text) => book.set(id, { texts: { ...book.title(id).texts, en: text } }),
          waits: () => book.hasUnsent, state: () => [book.state.name, book.state.sentence],
          takeMine: () => book.decide(book.conflicts[0], "mine") };"""
    others = """const { peopleWithTitles } = await import("/edit/titlebook.js");
        return peopleWithTitles(given.folder, "anna")"""
    address = f"/api/titles/@{ODE}"

    def make(self):
        self.change_elsewhere("Before")
        return {"folder": ODE}

    def read(self):
        return self.mine(self.address)["titles"][0]["texts"]["en"]

    def change_elsewhere(self, text):
        read = self.hers(self.address)
        keys = ("texts", "place", "lead", "fadeIn", "fadeOut", "doubleCut", "position", "note")
        title = read["titles"][0] | {"texts": {**read["titles"][0]["texts"], "en": text}}
        self.hers(f"{self.address}/edits", {"base": read["revision"], "index": 0, "remove": 1,
                                            "insert": [{key: title[key] for key in keys}]})


class Piece(Kind):
    page = "/prepare"
    is_named = True
    open = """
        const { Piece } = await import("/prepare/piece.js");
        let state = [];
        const piece = new Piece(given.piece, given.me.name, { say() {}, state: (...said) => (state = said) });
        await piece.open();
        return { change: (text) => piece.edit("rename", { name: { name: text } }), waits: () => piece.hasUnsent,
          state: () => state };"""
    others = """const { peopleWithChanges } = await import("/prepare/piece.js");
        return peopleWithChanges(given.piece, "anna")"""

    def make(self):
        self.piece = self.mine("/api/prepare/pieces", {"name": "Before"})["id"]
        return {"piece": self.piece}

    def read(self):
        return self.mine(f"/api/prepare/pieces/{self.piece}")["name"]

    def change_elsewhere(self, text):
        self.hers(f"/api/prepare/pieces/{self.piece}/edits", {"label": "rename", "edits": [{"name": {"name": text}}]})


class OwnConcert(Kind):
    """A concert of a person's own diary; the other one who edits it is the same person at another device."""

    page = "/diary"
    open = """
        const { keepOwn, ownConcert } = await import("/diary/own.js");
        const { DiaryOutbox } = await import("/diary/outbox.js");
        let state = [];
        const outbox = new DiaryOutbox((sent, ...said) => (state = said));
        await outbox.flush();
        const kept = () => JSON.parse(localStorage.getItem("baton-diary-own") ?? "[]");
        return { change: (text) => {
          keepOwn({ ...ownConcert(given.id), id: given.id, title: text });
          outbox.flush();
        }, waits: () => kept().some(({ id, waits }) => id === given.id && waits), state: () => state };"""

    def make(self):
        self.id = f"own-{new().replace('-', '')[:20]}"
        self.put(0, {"title": "Before", "ensemble": "Trio", "date": "2026-07-01"})
        return {"id": self.id}

    def put(self, revision, concert):
        self.mine(f"/api/diary/mine/{self.id}", {"revision": revision, "concert": concert}, "PUT")

    def entry(self):
        return next(each for each in self.mine("/api/diary/mine")["concerts"] if each["id"] == self.id)

    def read(self):
        return self.entry()["concert"]["title"]

    def change_elsewhere(self, text):
        entry = self.entry()
        self.put(entry["revision"], entry["concert"] | {"title": text, "venue": "Elsewhere"})

    def check_conflict(self, case):
        case.assertEqual(self.entry()["concert"].get("venue"), "Elsewhere", "the other device's field stays")


class Event(Kind):
    """A festival in the diary of the house: one call, which a person corrects where the server does not take it."""

    page = "/diary"
    theirs_stay = True
    open = """
        const { DiaryOutbox, post } = await import("/diary/outbox.js");
        let state = [];
        const outbox = new DiaryOutbox((sent, ...said) => (state = sent.refusals.length ? ["refused"] : said));
        await outbox.flush();
        return { change: (text) => {
          post({ id: given.id, what: text, method: "PUT", path: `/api/diary/events/${given.id}`,
            body: { ...given.body, description: text } });
          outbox.flush();
        }, waits: () => localStorage.getItem("baton-diary-outbox")?.includes(given.id), state: () => state };"""

    def make(self):
        self.id = f"event-{new()[:8]}"
        self.body = {"revision": "", "description": "Before", "startDate": "2026-07-01", "endDate": "2026-07-01",
                     "concerts": [{"date": "2026-07-01", "ensemble": "Trio"}]}
        self.mine(f"/api/diary/events/{self.id}", self.body, "PUT")
        self.body |= {key: value for key, value in self.event().items() if key in ("revision", "concerts")}
        return {"id": self.id, "body": self.body}

    def event(self):
        return self.mine(f"/api/diary/events/{self.id}")

    def read(self):
        return self.event()["description"]

    def change_elsewhere(self, text):
        self.hers(f"/api/diary/events/{self.id}", {**self.body, "description": text}, "PUT")


class Tab(Kind):
    """A tab; the other one who edits it is the same person at another device, and both versions are kept."""

    page = "/practice"
    shows = False
    theirs_stay = True
    open = """
        const { Store } = await import("/practice/store.js");
        const { Sync } = await import("/practice/sync.js");
        const store = await Store.open();
        const sync = new Sync(store, () => {});
        await sync.run();
        let dirty = (await store.all()).some(({ tab, isDirty }) => isDirty && tab.title.includes(given.id));
        return { change: async (text) => {
          dirty = true;
          await store.update(given.id, (now) => ({ ...now, changed: now.changed + 1, isDirty: true,
            tab: { ...now.tab, title: text } }));
          sync.run();
        }, look: async () => (dirty = Boolean((await store.read(given.id))?.isDirty)), waits: () => dirty };"""

    def make(self):
        self.id = new()
        self.put(0, "Before")
        return {"id": self.id}

    def put(self, base, title):
        self.mine(f"/api/practice/tabs/{self.id}?base={base}&shared=0&title={title}", {**TAB, "title": title}, "PUT")

    def listed(self):
        return next(each for each in self.mine("/api/practice/tabs")["tabs"] if each["id"] == self.id)

    def read(self):
        return self.mine(f"/api/practice/tabs/{self.id}")["tab"]["title"]

    def change_elsewhere(self, text):
        self.put(self.listed()["version"], text)

    def check_conflict(self, case):
        case.until(lambda: any(each["title"].startswith("Mine (copy") for each in
                               self.mine("/api/practice/tabs")["tabs"]), "the version of this device is kept too", 8)


class Remark(Kind):
    """A remark in a score; the later edit holds."""

    page = "/stand"
    shows = False
    open = """
        const { Device } = await import("/stand/device.js");
        const { ScoreWire } = await import("/stand/remarks/scorewire.js");
        const device = new Device();
        device.admit(given.me);
        const wire = new ScoreWire(device, given.score, { changed() {}, refused() {} });
        await wire.start();
        return { change: (text) => wire.make({ edit: { remark: given.remark, shape: { text } } }),
          waits: () => wire.undelivered.length > 0, close: () => wire.stop() };"""

    def make(self):
        rehearsal = self.rehearsal
        self.score, self.remark = rehearsal.score["id"], new()
        self.send({"place": {
            "id": self.remark, "layer": rehearsal.id("ines"), "author": rehearsal.id("ines"), "part": 0, "page": 0,
            "anchor": [3000, 3000], "shape": {"text": "Before"}, "ink": {"colour": "#c8191e", "width": 300}}})
        return {"score": self.score, "remark": self.remark}

    def send(self, act):
        [answer] = self.mine(f"/api/scores/{self.score}/remarks", {"v": 1, "id": new(), **act})
        assert "refused" not in answer, answer

    def read(self):
        remarks = self.mine(f"/api/scores/{self.score}/remarks?since=0")["remarks"]
        return next(each for each in remarks if each["id"] == self.remark)["shape"]["text"]

    def change_elsewhere(self, text):
        self.send({"edit": {"remark": self.remark, "shape": {"text": text}}})


class Room(Kind):
    """A room, by its name; the later act holds."""

    page = "/stand"
    shows = False
    open = """
        const { Device } = await import("/stand/device.js");
        const { RoomWire } = await import("/stand/roomwire.js");
        const device = new Device();
        device.admit(given.me);
        const nothing = () => {};
        const reader = { user: given.me.id, stand: crypto.randomUUID(), device, score: null, chrome: { paint: nothing },
          live: { silent: nothing }, listener: { signedOut: nothing }, took: nothing, heard: nothing, leave: nothing,
          prefer: nothing, followOpen: nothing };
        const wire = new RoomWire(reader, given.room);
        await wire.load();
        wire.start();
        return { change: (text) => wire.make({ rename: text }), waits: () => wire.copy.undelivered.length > 0,
          close: () => wire.stop() };"""

    def make(self):
        self.rehearsal.reset()
        self.rehearsal.act("ines", rename="Before")
        return {"room": self.rehearsal.room_id}

    def read(self):
        return self.rehearsal.room()["room"]["name"]

    def change_elsewhere(self, text):
        self.rehearsal.act("ines", rename=text)


KINDS = (Concert, Titles, Piece, OwnConcert, Event, Tab, Remark, Room)


class EditingTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.rehearsal = served_stands.shared()
        cls.begin(None, cls.rehearsal.base)
        cls.people = {"anna": {"id": "", "name": "anna", "role": "administrator", "password": ANNA},
                      "ines": {"id": cls.rehearsal.id("ines"), "name": "Ines", "role": "editor",
                               "password": served_stands.PASSWORD}}
        cookie = cls.rehearsal.server.sign_in("anna", ANNA)
        cls.people["anna"]["id"] = cls.rehearsal.server.ask("GET", "/api/practice/tabs", cookie=cookie).value["account"]
        cls.kinds = [kind(cls.rehearsal, cookie) for kind in KINDS]

    def setUp(self):
        self.rehearsal.wire.mend()
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": self.base, "storageTypes": "all"})

    def each(self, case):
        """Tries a case with each kind, as Ines on a fresh page of hers."""
        for kind in self.kinds:
            with self.subTest(kind=type(kind).__name__):
                self.setUp()
                self.driver.get(self.base + "/shared/mark.svg")
                self.sign_in("ines")
                self.given = kind.make()
                self.open(kind)
                try:
                    case(kind)
                finally:
                    self.rehearsal.wire.mend()

    def sign_in(self, name):
        person = self.people[name]
        self.assertEqual(self.later("""const answer = await fetch("/api/login", { method: "POST",
            headers: { "X-Baton": "1", "Content-Type": "application/json" }, body: JSON.stringify(given[0]) });
            return answer.status""", {"name": person["name"], "password": person["password"]}), 200)

    def open(self, kind, name="ines"):
        """A new page, on which the person opens the document."""
        self.driver.get("about:blank")
        self.driver.get(self.base + "/shared/mark.svg")
        self.driver.get(self.base + kind.page)
        me = {key: value for key, value in self.people[name].items() if key != "password"}
        self.later(f"""const open = async (given) => {{ {kind.open} }};
            window.opened = await open(given[0]);""", {**self.given, "me": me})

    def change(self, text):
        self.later("await window.opened.change(given[0])", text)

    def waits(self):
        return self.later("await window.opened.look?.(); return Boolean(window.opened.waits())")

    def come_back(self):
        """The person looks at the page again."""
        self.script("dispatchEvent(new Event('focus'))")

    def is_told(self, kind, state, sentence):
        if kind.shows:
            self.until(lambda: self.script("return window.opened.state()")[:2] == [state, sentence],
                       f"{state}: {sentence}, not {self.script('return window.opened.state()')}", 12)

    def is_sent(self, kind, text):
        # Chromium may forget a page's sessionStorage on its way over another address: it is another page then, which
        # takes over what the first one left after 15 to 20 s.
        self.until(lambda: kind.read() == text, f"the server has {text}, not {kind.read()}", 30)
        self.until(lambda: not self.waits(), "and nothing waits", 8)

    def waits_here(self, kind):
        self.until(self.waits, "it waits on this device", 8)
        self.assertEqual(kind.read(), "Before")

    def test_without_the_network_it_is_kept_here_and_sent_when_the_server_answers(self):
        def case(kind):
            self.rehearsal.wire.cut()
            self.change("Offline")
            self.is_told(kind, "waiting", UNREACHED)
            self.waits_here(kind)
            self.rehearsal.wire.mend()
            self.is_sent(kind, "Offline")

        self.each(case)

    def test_a_server_in_trouble_gets_it_later_and_its_own_words_are_shown(self):
        def case(kind):
            self.script("""window.real = window.fetch;
                window.fetch = (path, options) => (options?.method && options.method !== "GET"
                  ? Promise.resolve(new Response('{"error":"The disk is full."}', { status: 503 }))
                  : window.real(path, options));""")
            self.change("Trouble")
            self.is_told(kind, "waiting", FULL)
            self.waits_here(kind)
            self.script("window.fetch = window.real")
            self.is_sent(kind, "Trouble")

        self.each(case)

    def test_with_an_expired_sign_in_it_waits_for_the_next_one(self):
        def case(kind):
            self.later("await fetch('/api/logout', { method: 'POST', headers: { 'X-Baton': '1' }, body: '{}' })")
            self.change("Signed out")
            self.is_told(kind, "out", OUT)
            self.waits_here(kind)
            self.sign_in("ines")
            self.come_back()
            if isinstance(kind, Tab):
                self.open(kind)  # Its page asks who is there before it shows or sends a tab of an account.
            self.is_sent(kind, "Signed out")

        self.each(case)

    def test_what_one_person_made_is_never_sent_as_anothers(self):
        def case(kind):
            self.sign_in("anna")  # as another window of this browser would
            self.change("By Ines")
            if not isinstance(kind, OwnConcert | Event):
                self.is_told(kind, "other", OTHER)
            self.waits_here(kind)
            self.open(kind, "anna")
            if kind.is_named:
                self.assertEqual(self.later(f"const [given_] = given; return (async (given) => {{ {kind.others} }})"
                                            "(given_)", self.given), ["Ines"], "it is named to whoever is here")
            self.stays(lambda: kind.read() == "Before", "it is not sent", 0.5)
            self.sign_in("ines")
            self.open(kind)
            self.is_sent(kind, "By Ines")

        self.each(case)

    def test_of_two_who_change_the_same_neither_is_lost_unasked(self):
        def case(kind):
            self.rehearsal.wire.cut()
            self.change("Mine")
            self.until(self.waits, "it waits on this device", 8)
            kind.change_elsewhere("Theirs")
            self.rehearsal.wire.mend()
            self.come_back()
            if kind.theirs_stay:
                self.until(lambda: kind.read() == "Theirs", "theirs is there", 8)
            if isinstance(kind, Concert | Titles):
                self.is_told(kind, "conflict", "Somebody else has changed the same. Choose what stays.")
                self.stays(lambda: kind.read() == "Theirs", "and stays until a person decides", 0.5)
                self.script("window.opened.takeMine()")
            if isinstance(kind, Event):
                self.until(lambda: self.script("return window.opened.state()[0]") == "refused", "it is refused", 8)
                self.assertTrue(self.waits(), "and stays here to be corrected")
            elif not isinstance(kind, Tab):
                self.is_sent(kind, "Mine")
            if hasattr(kind, "check_conflict"):
                kind.check_conflict(self)

        self.each(case)

    def test_a_reload_loses_nothing(self):
        def case(kind):
            self.rehearsal.wire.cut()
            self.change("Before the reload")
            self.until(self.waits, "it waits on this device", 8)
            self.driver.get("about:blank")
            self.rehearsal.wire.mend()
            self.open(kind)
            self.is_sent(kind, "Before the reload")

        self.each(case)


if __name__ == "__main__":
    if ENGINE != "chromium":
        sys.exit("editing_test: only Chromium is driven here.")
    unittest.main()
