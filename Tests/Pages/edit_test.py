#!/usr/bin/python3
"""Two editors prepare a concert in real browsers, from nothing to slides a phone follows.

    BATON=path/to/baton Tests/Pages/edit_test.py [--pages FOLDER] [--pictures FOLDER]

Starts `baton serve` with accounts of its own on loopback; the server is stopped and started again in between, as
after a power cut. The last line is `N passed, N failed`.
"""

import pathlib
import sys
import tempfile
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import resize, settle, sign_in, started
from checks import Checks, bar, text, until
from lib.processes import free_port
from lib.repository import ROOT, recording
from lib.servers import Server
from lib.waiting import hold_for

PIECE = "bach-well-tempered-clavier-1-prelude-in-c"
LIVE = recording(PIECE, "swift")
SCRIPT = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>"
BARS = (1, 3, 5, 7, 9, 12)
THERE = """const main = document.getElementById("main");
return main?.ariaBusy === null && !main.querySelector("[data-left]") && Boolean(main.querySelector("h1, .page"))"""
EDITORS = {"ed": "a quiet passphrase", "flo": "another passphrase"}


def visit(driver, place):
    """Goes to a place as a link does; what was shown before is gone then."""
    driver.execute_script("""
        if (location.hash === `#/${arguments[0]}`) return;
        document.getElementById("main").firstElementChild?.setAttribute("data-left", "");
        location.hash = `#/${arguments[0]}`;""", place)
    until(lambda: driver.execute_script(THERE), 30)
    settle(driver)


class EditorServer(Server):
    """A server of its own with two editors; it can be stopped and started again on the same data."""

    def __init__(self, pages):
        super().__init__(PIECE, "--new", "--no-listen-osc", "--ttl", "0", "--port", free_port(),
                         *(["--pages", pages] if pages else []), lives=[LIVE],
                         accounts=[(name, "editor", words) for name, words in EDITORS.items()])
        self.start()


class Editor:
    """The actions of a person on the editor's pages."""

    def __init__(self, driver, base):
        self.driver, self.base = driver, base

    def js(self, script, *words):
        return self.driver.execute_script(script, *words)

    def go(self, place):
        self.driver.get(f"{self.base}/edit#/{place}")

    def get(self, path):
        """The server's answer to the signed-in editor."""
        return self.driver.execute_async_script(
            "const done = arguments[1]; fetch(arguments[0]).then((r) => r.json()).then(done, () => done(null));", path)

    def nodes(self, concert, kind):
        return [node for node in self.get(f"/api/edit/concerts/{concert}")["nodes"] if node["kind"] == kind]

    def find(self, css):
        return until(lambda: next(iter(self.driver.find_elements(By.CSS_SELECTOR, css)), None), 8)

    def press(self, css):
        self.find(css)
        self.js("document.querySelector(arguments[0]).click()", css)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, *keys):
        chain = ActionChains(self.driver)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in reversed(keys[:-1]):
            chain.key_up(key)
        chain.perform()

    def leave(self):
        self.js("document.activeElement?.blur()")

    def state(self):
        return self.js("return document.getElementById('saved').dataset.state")

    def is_saved(self, seconds=8):
        hold_for(0.1)  # what was typed is not taken for saved before the page has seen it
        return until(lambda: self.state() == "saved", seconds)

    def bar(self):
        return text(self.driver, ".strip .bar")

    def phone(self):
        return text(self.driver, ".screen")

    def card(self, number):
        return f".slides > :nth-child({number})"

    def area(self, number):
        return self.find(f"{self.card(number)} textarea")

    def write(self, number, words):
        """Replaces the text of a slide."""
        area = self.area(number)
        self.js("arguments[0].focus(); arguments[0].select()", area)
        area.send_keys(words)

    def texts(self):
        return self.js("return [...document.querySelectorAll('.slides textarea')].map((area) => area.value)")

    def bars(self):
        return self.js("return [...document.querySelectorAll('.slides .bar-input')].map((field) => "
                       "Number(field.value))")


def main():
    option = lambda name: sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None
    checks = Checks()
    server = EditorServer(option("--pages"))
    try:
        with started() as first, started() as second, started() as phone:
            run(checks, server, first, second, phone, option("--pictures"))
    finally:
        server.remove()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


def run(checks, server, first, second, phone, pictures):
    for driver, (name, words) in zip((first, second), EDITORS.items()):
        resize(driver, "laptop")
        sign_in(driver, server.base, name, words)
    ed, flo = Editor(first, server.base), Editor(second, server.base)
    concert = make_concert(checks, ed)
    track = make_piece(checks, ed, concert)
    write_slides(checks, ed, concert)
    hear(checks, ed)
    order_and_undo(checks, ed, concert)
    stay_text(checks, ed, phone)
    find_faults(checks, ed)
    conflict(checks, ed, flo, concert, track)
    form_and_words(checks, ed, concert)
    reach(checks, ed, concert, track)
    serve_and_cut(checks, server, ed, concert, track)
    follow(checks, server, ed, flo, phone, concert, track)
    if pictures:
        photograph(ed, concert, track, pathlib.Path(pictures))
    hacked = [driver.execute_script("return Boolean(window.hacked)") for driver in (first, second, phone)]
    checks.that("no script in a text ever ran", not any(hacked), hacked)


def make_concert(checks, ed):
    ed.go("")
    field = ed.find("#new-title")
    checks.that("the list has the server's own concert", until(lambda: text(ed.driver, ".concert-card")))
    field.send_keys("An evening " + SCRIPT)
    ActionChains(ed.driver).double_click(ed.find(".new-form button[type=submit]")).perform()
    checks.that("a new concert opens", until(lambda: "An evening" in text(ed.driver, "h1")), text(ed.driver, "h1"))
    checks.that("script in its title stays text", text(ed.driver, "h1").endswith("</script>")
                and not ed.js("return document.querySelector('main img[src=x]')"))
    checks.that("an empty concert says what to do", "No pieces yet" in text(ed.driver, ".nothing"))
    concert = int(ed.js("return location.hash").split("/")[1])
    made = [each["title"] for each in ed.get("/api/edit/concerts") if each["title"].startswith("An evening")]
    checks.that("a double click on “New concert” makes one", len(made) == 1, made)
    ed.go("")
    ed.press(f"li:has(a[href='#/{concert}']) [data-does=rename]")
    ed.keys("Evening of one prelude", Keys.ENTER)
    checks.that("it is renamed",
                until(lambda: text(ed.driver, f".concert-card a[href='#/{concert}']") == "Evening of one prelude"))
    ed.go(concert)
    return concert


def make_piece(checks, ed, concert):
    ed.press("[data-does=add-piece]")
    ed.press(f"[data-folder={PIECE}]")
    checks.that("a piece comes with the name of its recording",
                until(lambda: text(ed.driver, "h1") == "Bach, Well-Tempered Clavier I: Prelude in C"),
                text(ed.driver, "h1"))
    checks.that("and its bars", until(lambda: "35 bars" in text(ed.driver, ".recording")),
                text(ed.driver, ".recording"))
    ed.press("[data-does=add-track]")
    checks.that("a track opens, still empty", until(lambda: "No slides yet" in text(ed.driver, ".work-list")))
    checks.that("everything is saved by itself", ed.is_saved())
    return ed.nodes(concert, "track")[0]["id"]


def write_slides(checks, ed, concert):
    until(lambda: ed.bar() == "Bar 1")
    ed.press("[data-does=slide-here]")
    ed.keys("The first slide. It comes with the first bar.")
    ed.leave()
    at = 1
    for number, to in enumerate(BARS[1:], 2):
        ed.leave()
        ed.keys(*([Keys.ARROW_RIGHT] * (to - at)))
        checks.that(f"arrows go to bar {to}", ed.bar() == f"Bar {to}", ed.bar())
        ed.keys("n")
        ed.keys(f"Slide number {number}, which belongs to bar {to}.")
        at = to
    ed.leave()
    checks.that("slides stand at their bars", ed.bars() == list(BARS), ed.bars())
    checks.that("what was typed is saved", ed.is_saved())
    kept = ed.nodes(concert, "slide")
    checks.that("and kept by the server", [int(node["fields"]["printed"]) for node in kept] == list(BARS)
                and "belongs to bar 5" in kept[2]["fields"]["text"], [node["fields"] for node in kept])


def hear(checks, ed):
    ed.leave()
    ed.js("document.querySelector('.stage').focus()")
    ed.keys(Keys.HOME, *([Keys.ARROW_RIGHT] * 3))
    checks.that("the phone shows the slide of the playhead's bar", until(lambda: "belongs to bar 3" in ed.phone()),
                ed.phone())
    ed.leave()
    ed.keys(" ")
    checks.that("the recording plays",
                until(lambda: ed.js("return document.querySelector('.play').getAttribute('aria-label')") == "Pause"))
    checks.that("and the phone turns at bar 5", until(lambda: "belongs to bar 5" in ed.phone(), 12),
                f"{ed.bar()} {ed.phone()}")
    heard = ed.bar()
    checks.that("where the playhead is", heard in ("Bar 5", "Bar 6"), heard)
    checks.that("the slide in the list is marked", text(ed.driver, ".slides [data-now] .number") == "3",
                text(ed.driver, ".slides [data-now] .number"))
    ed.keys(" ")
    checks.that("Space pauses it",
                until(lambda: ed.js("return document.querySelector('.play').getAttribute('aria-label')") != "Pause"))


def order_and_undo(checks, ed, concert):
    ed.press(ed.card(2) + " [data-does=nudge-on]")
    checks.that("a nudge moves a slide one bar on", until(lambda: ed.bars()[1] == 4), ed.bars())
    ed.press(ed.card(2) + " [data-does=nudge-back]")
    checks.that("and back", until(lambda: ed.bars()[1] == 3), ed.bars())
    before = ed.texts()
    ed.press(ed.card(2) + " [data-does=move-down]")
    checks.that("a slide changes places with the next", until(lambda: ed.texts()[1:3] == [before[2], before[1]]),
                ed.texts())
    checks.that("and the bars stay", ed.bars() == list(BARS), ed.bars())
    ed.is_saved()
    ed.leave()
    ed.chord(Keys.CONTROL, "z")
    checks.that("Ctrl Z takes it back", until(lambda: ed.texts() == before), ed.texts())
    ed.chord(Keys.CONTROL, Keys.SHIFT, "z")
    checks.that("Ctrl Shift Z does it again", until(lambda: ed.texts()[1:3] == [before[2], before[1]]), ed.texts())
    ed.chord(Keys.CONTROL, "z")
    until(lambda: ed.texts() == before)
    resize(ed.driver, (1280, 1500))
    handle = ed.find(ed.card(2) + " .handle")
    target = ed.find(ed.card(4))
    ActionChains(ed.driver).click_and_hold(handle).move_to_element(target).move_by_offset(0, 30).release().perform()
    checks.that("a slide is dragged behind the fourth", until(lambda: ed.texts()[3] == before[1]), ed.texts())
    resize(ed.driver, "laptop")
    ed.is_saved()
    ed.leave()
    ed.chord(Keys.CONTROL, "z")
    checks.that("which is one step to undo", until(lambda: ed.texts() == before), ed.texts())
    ed.write(6, "Words that will be taken back.")
    ed.is_saved()
    ed.chord(Keys.CONTROL, "z")
    checks.that("undo works in the middle of typing", until(lambda: ed.texts() == before), ed.texts())
    quick_undo(checks, ed, before)
    ed.press("#history")
    checks.that("the history tells who did what", until(lambda: "ed ·" in text(ed.driver, ".past")),
                text(ed.driver, ".past"))
    ed.press("#panel-close")
    checks.that("and the server agrees",
                until(lambda: [node["fields"].get("text") for node in ed.nodes(concert, "slide")] == before))


def quick_undo(checks, ed, before):
    """Ctrl Z twice while the first is not answered yet: the wire is slow by the page's own request."""
    for number, words in ((2, "Written first."), (3, "Written second.")):
        ed.write(number, words)
        ed.is_saved()
    ed.leave()
    ed.js("""
        const ask = window.fetch;
        window.steps = { now: 0, most: 0, all: 0 };
        window.fetch = async (path, options) => {
          if (!String(path).endsWith("/undo")) return ask(path, options);
          const { steps } = window;
          steps.all += 1;
          steps.now += 1;
          steps.most = Math.max(steps.most, steps.now);
          await new Promise((go) => setTimeout(go, 500));
          return ask(path, options).finally(() => (steps.now -= 1));
        };
        window.giveBack = () => (window.fetch = ask);""")
    ed.chord(Keys.CONTROL, "z")
    ed.chord(Keys.CONTROL, "z")
    checks.that("two quick Ctrl Z take back both edits", until(lambda: ed.texts() == before, 10), ed.texts())
    steps = ed.js("window.giveBack(); return window.steps")
    checks.that("and the second waits for the answer to the first", steps["all"] == 2 and steps["most"] == 1, steps)


def stay_text(checks, ed, phone):
    ed.write(6, "See this. " + SCRIPT)
    ed.is_saved()
    checks.that("script in a slide stays text on the phone", until(lambda: SCRIPT in ed.phone()), ed.phone())
    checks.that("and makes no element", not ed.js("return document.querySelector('.screen img, .screen script')"))


def find_faults(checks, ed):
    ed.write(5, "Too long for these bars. " * 60 + "\n\n$nowhere.png, A picture that is not there")
    ed.is_saved()
    rules = lambda: ed.js("return [...document.querySelectorAll(arguments[0])].map((row) => row.dataset.rule)",
                          ed.card(5) + " .finding")
    checks.that("a slide too long for its bars is told beside it",
                until(lambda: "slideTooLong" in rules() or "longSlide" in rules()), rules())
    checks.that("and a missing picture", until(lambda: "missingImage" in rules()), rules())
    ed.press("#findings")
    checks.that("all findings are in the drawer", until(lambda: "nowhere.png" in text(ed.driver, "#panel-body")))
    ed.js("[...document.querySelectorAll('#panel-body .finding')].find((row) => row.dataset.rule === "
          "'missingImage').querySelector('a').click()")
    checks.that("with a jump to the slide",
                until(lambda: ed.js("return document.activeElement === document.querySelector(arguments[0])",
                                    ed.card(5) + " textarea")))
    ed.press("#panel-close")
    ed.write(5, "Slide number 5, which belongs to bar 9.")
    ed.is_saved()
    checks.that("mended, it is told no more", until(lambda: rules() == []), rules())


def conflict(checks, ed, flo, concert, track):
    flo.go(f"{concert}/track/{track}")
    checks.that("another editor sees the same", until(lambda: flo.texts() == ed.texts(), 10), flo.texts())
    ed.write(3, "Ed writes this.")
    flo.write(4, "Flo writes that.")
    checks.that("two slides at once both stay", until(lambda: [page.texts()[2:4] for page in (ed, flo)]
                                                     == [["Ed writes this.", "Flo writes that."]] * 2, 8),
                (ed.texts(), flo.texts()))
    ed.is_saved(), flo.is_saved()
    for page in (ed, flo):
        page.leave()
        area = page.area(3)
        page.js("arguments[0].focus(); arguments[0].select()", area)
    ed.driver.find_element(By.CSS_SELECTOR, ed.card(3) + " textarea").send_keys("The bass is Ed’s.")
    flo.driver.find_element(By.CSS_SELECTOR, flo.card(3) + " textarea").send_keys("The bass is Flo’s.")
    loser = until(lambda: next((page for page in (ed, flo) if page.driver.find_elements(By.CSS_SELECTOR, ".conflict")),
                               None), 8)
    checks.that("the same slide at once asks one of them", loser is not None, (ed.texts(), flo.texts()))
    if not loser:
        return
    shown = loser.js("return [...document.querySelectorAll('.conflict textarea')].map((area) => area.value)")
    checks.that("with both texts side by side", sorted(shown) == ["The bass is Ed’s.", "The bass is Flo’s."], shown)
    mine = shown[0]
    loser.press("[data-keep=mine]")
    checks.that("the choice is kept", until(lambda: loser.nodes(concert, "slide")[2]["fields"]["text"] == mine))
    checks.that("and reaches the other", until(lambda: [page.texts()[2] for page in (ed, flo)] == [mine, mine]),
                (ed.texts(), flo.texts()))
    checks.that("nothing waits any more", ed.is_saved() and flo.is_saved())


def form_and_words(checks, ed, concert):
    piece = ed.nodes(concert, "piece")[0]["id"]
    ed.go(f"{concert}/form/{piece}")
    ed.press("[data-does=section-here]")
    ed.press(".section-card .swatch[aria-label=Plum]")
    key = ed.find(".section-card [data-field=key]")
    ed.js("arguments[0].focus()", key)
    key.send_keys("C major", Keys.ENTER)
    ed.is_saved()
    fields = ed.nodes(concert, "section")[0]["fields"]
    checks.that("a section has colour and key", (fields.get("colour"), fields.get("key")) == ("150,80,140", "C major"),
                fields)
    checks.that("and the form has an end", ed.nodes(concert, "piece")[0]["fields"].get("endPrinted") == "35")
    key = ed.find(".section-card [data-field=key]")
    ed.js("arguments[0].focus(); arguments[0].select()", key)
    key.send_keys("H major")
    checks.that("what the server refuses stays, with the reason",
                until(lambda: "not a key" in text(ed.driver, ".section-card .field:has([data-field=key]) .trouble"))
                and key.get_attribute("value") == "H major")
    ed.js("arguments[0].select()", key)
    key.send_keys("G major")
    ed.leave()
    ed.is_saved()
    checks.that("and is mended", until(lambda: ed.nodes(concert, "section")[0]["fields"].get("key") == "G major"))
    ed.go(f"{concert}/words")
    ed.press("[data-does=add]")
    name = ed.find(".card [data-field=name]")
    ed.js("arguments[0].select()", name)
    name.send_keys("slide")
    meaning = ed.find(".card [data-field=description]")
    meaning.send_keys("What you are reading.")
    ed.leave()
    checks.that("a word is explained",
                ed.is_saved() and ed.nodes(concert, "word")[0]["fields"]["description"] == "What you are reading.")
    with tempfile.TemporaryDirectory() as folder:
        foreign = pathlib.Path(folder) / "glossary.xml"
        foreign.write_text('<?xml version="1.0" encoding="ISO-8859-1"?>\n<glossary><item name="M\u00fcnchen">'
                           "<description>Gr\u00fc\u00dfe</description></item></glossary>", encoding="latin-1")
        ed.go(str(concert))
        ed.find("input[type=file][aria-label^='Import XML']").send_keys(str(foreign))
        checks.that("a file in another encoding, which it names, keeps its letters",
                    until(lambda: "Gr\u00fc\u00dfe" in [word["fields"].get("description")
                                                     for word in ed.nodes(concert, "word")]),
                    ed.nodes(concert, "word"))
        ed.is_saved()
    ed.go(f"{concert}/files")
    picture = ROOT / "Recordings" / PIECE / "content" / "bach-pattern.svg"
    ed.find(".drop input[type=file]").send_keys(str(picture))
    checks.that("a picture is uploaded and shown", until(lambda: ed.js(
        "const image = document.querySelector('.file img'); return image?.complete && image.naturalWidth > 0"), 8))


def reach(checks, ed, concert, track):
    """Everything has a name and is large enough for a finger; by keyboard one gets everywhere."""
    piece = ed.nodes(concert, "piece")[0]["id"]
    for size in ("phone", "laptop"):
        resize(ed.driver, size)
        for place in ("", str(concert), f"{concert}/piece/{piece}", f"{concert}/track/{track}",
                      f"{concert}/form/{piece}", f"{concert}/words", f"{concert}/files"):
            visit(ed.driver, place)
            bad = ed.js("""
                const seen = (e) => e.checkVisibility({visibilityProperty: true})
                    && e.getBoundingClientRect().width > 1;
                const found = [];
                for (const e of document.querySelectorAll("button, input, textarea, select")) {
                  if (!seen(e) || e.matches(".spoken")) continue;
                  const name = e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent.trim();
                  const box = e.getBoundingClientRect();
                  if (!name) found.push("no name: " + e.outerHTML.slice(0, 90));
                  // Flags stand as close as the bars do; the buttons of the list do the same.
                  if (!e.matches(".flag") && (box.height < 43.5 || box.width < 43.5)) found.push("small: "
                      + e.outerHTML.slice(0, 90));
                }
                if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the screen");
                return found;""")
            checks.that(f"{size} {place.split('/')[1] if '/' in place else place and 'concert' or 'list'}: named, "
                        f"large, fitting", not bad, bad[:3])
    resize(ed.driver, "laptop")


def serve_and_cut(checks, server, ed, concert, track):
    ed.go(f"{concert}/track/{track}")
    until(lambda: len(ed.texts()) == len(BARS))
    ed.press("#serve")
    checks.that("what changes for listeners is asked first",
                until(lambda: ed.js("return document.querySelector('dialog .danger') !== null")))
    checks.that("and nothing is served until it is confirmed", text(ed.driver, "#serve") != "Served")
    ed.press("dialog .danger")
    checks.that("the concert is served to listeners", until(lambda: text(ed.driver, "#serve") == "Served"))
    server.stop()
    ed.write(2, "Typed while the server was gone.")
    checks.that("without a server the page says so", until(lambda: ed.state() == "waiting", 12), ed.state())
    kept = ed.js("return JSON.stringify(localStorage)")
    checks.that("and keeps what is typed", "Typed while the server was gone." in kept, kept)
    server.start()
    checks.that("it is sent when the server is back", ed.is_saved(20) and until(
        lambda: ed.nodes(concert, "slide")[1]["fields"]["text"] == "Typed while the server was gone."), ed.state())


def follow(checks, server, ed, flo, phone, concert, track):
    """The show has begun anew with the server; a phone follows the slides that were just written."""
    resize(phone, "phone")
    phone.get(server.base + "/")
    flo.driver.get(server.base + "/console")
    until(lambda: bar(flo.driver), 20)
    early = wrong = seen = 0
    end = time.monotonic() + 14
    shown = lambda: text(phone, "#slide")
    expected = [node["fields"]["text"] for node in ed.nodes(concert, "slide")]
    while time.monotonic() < end:
        before, said, after = bar(flo.driver), shown(), bar(flo.driver)
        if before is None or after is None or not said or "comes with the music" in said:
            continue
        number = next((index for index, words in enumerate(expected) if words.split(".")[0] in said), None)
        if number is None:
            continue
        seen += 1
        early += BARS[number] > after + 1
        wrong += number not in {max((i for i, b in enumerate(BARS) if b <= at), default=0)
                                for at in range(before - 1, after + 2)}
        hold_for(0.15)  # between two looks
    checks.that("a phone shows the slides that were written", seen > 20, f"{seen} looks; {shown()}")
    checks.that("each at its bar, never early", early == wrong == 0, f"{early} early, {wrong} wrong of {seen}")
    ed.go(f"{concert}/track/{track}")
    until(lambda: len(ed.texts()) == len(BARS))
    late = {}
    for number in range(1, len(BARS) + 1):
        late[number] = f"Changed late, number {number}."
        ed.write(number, late[number])
    ed.leave()
    ed.is_saved()
    checks.that("a late edit reaches the phone during the concert", until(lambda: "Changed late, number" in shown(), 8),
                shown())


def photograph(ed, concert, track, folder):
    """The pages as they look, on three screens, dark and light."""
    folder.mkdir(parents=True, exist_ok=True)
    piece = ed.nodes(concert, "piece")[0]["id"]
    own = ed.get("/api/edit/concerts")[0]["id"]
    nodes = ed.get(f"/api/edit/concerts/{own}")["nodes"]
    whole = {kind: next(node["id"] for node in nodes if node["kind"] == kind) for kind in ("piece", "track")}
    places = {"list": "", "concert": own, "piece": f"{own}/piece/{whole['piece']}",
              "track": f"{own}/track/{whole['track']}",
              "form": f"{own}/form/{whole['piece']}", "words": f"{own}/words", "files": f"{own}/files",
              "messages": f"{own}/messages",
              "empty": f"{concert}/messages", "new": f"{concert}/piece/{piece}"}
    for theme in ("dark", "light"):
        ed.js("localStorage.setItem('baton.edit.theme', arguments[0])", theme)
        for size in ("phone", "tablet", "laptop"):
            resize(ed.driver, size)
            for name, place in places.items():
                ed.driver.get("about:blank")
                ed.go(place)
                until(lambda: ed.js(THERE), 30)
                settle(ed.driver)
                if name == "track":
                    ed.leave()
                    ed.keys(*([Keys.ARROW_RIGHT] * 6))
                    settle(ed.driver)
                ed.driver.save_screenshot(str(folder / f"{name}-{size}-{theme}.png"))


if __name__ == "__main__":
    sys.exit(main())
