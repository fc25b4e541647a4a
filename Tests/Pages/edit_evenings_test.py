#!/usr/bin/python3
"""An editor's second evening: every field changed, earlier versions, copies, whole concerts as a ZIP.

    BATON=path/to/baton Tests/Pages/edit_evenings_test.py [--pages FOLDER] [--pictures FOLDER]

Starts `baton serve` with two editors of its own on loopback. The last line is `N passed, N failed`.
"""

import base64
import io
import json
import pathlib
import sys
import time
import zipfile

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import resize, settle, sign_in, started
from checks import Checks, text, until
from edit_test import EDITORS, Editor, EditorServer
from lib.waiting import hold_for, holds_for

SIZES = {"390": (390, 844), "820": (820, 1180), "1440": (1440, 900)}
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def main():
    option = lambda name: sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None
    checks = Checks()
    server = EditorServer(option("--pages"))
    try:
        with started() as first, started() as second:
            run(checks, server, first, second, option("--pictures"))
    finally:
        server.remove()
    return checks.end()


def run(checks, server, first, second, pictures):
    for driver, (name, words) in zip((first, second), EDITORS.items()):
        resize(driver, "laptop")
        sign_in(driver, server.base, name, words)
    ed, flo = Editor(first, server.base), Editor(second, server.base)
    ed.go("")
    ed.find(".concert-card")
    own = ed.get("/api/edit/concerts")[0]["id"]
    every_field(checks, ed, own)
    messages(checks, ed, own)
    refusals(checks, ed, own)
    form(checks, ed, own)
    undo_goes_on(checks, ed, flo, own)
    versions(checks, ed, flo, own, pictures)
    signed_out(checks, ed, own)
    others_words(checks, ed, flo, own)
    copies(checks, ed, own, pictures)
    zips(checks, ed, own, pictures)
    removed_elsewhere(checks, ed, flo)
    if pictures:
        photograph(ed, own, pathlib.Path(pictures))


def change(api, concert, *changes):
    """An edit past the page, from the newest revision."""
    return api.driver.execute_async_script("""
        const done = arguments[2], path = `/api/edit/concerts/${arguments[0]}`;
        fetch(path).then((r) => r.json()).then(({revision}) => fetch(path + "/edits", {method: "POST",
            headers: {"X-Baton": "1", "Content-Type": "application/json"},
            body: JSON.stringify({base: revision, label: "by hand", changes: arguments[1]})})).then((r) => r.json())
            .then(done, () => done(null));
        """, concert, list(changes))


def put(page, css, words):
    """Writes a field as a person does."""
    field = page.find(css)
    page.js(
        """const field = arguments[0];
            for (let at = field.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
        field.scrollIntoView({block: 'center'}); field.focus(); field.select?.()""", field)
    if field.tag_name == "select":
        page.js("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true})); "
                "arguments[0].dispatchEvent(new Event('change', {bubbles: true}))", field, words)
    elif words:
        field.send_keys(words)
    else:
        field.send_keys(Keys.BACKSPACE)


def every_field(checks, ed, own):
    """Each field that the page of a kind shows is changed alone, saved, and changed back."""
    nodes = ed.get(f"/api/edit/concerts/{own}")["nodes"]
    first = {}
    for node in nodes:
        first.setdefault(node["kind"], node)
    change(ed, own, {"insert": "message", "in": "concert", "id": "m-fields",
                     "fields": {"title": "Welcome", "body": "Soon.", "style": "BUTTON", "buttonText": "OK"}},
           {"insert": "word", "in": "concert", "id": "w-fields", "before": first["word"]["id"] if "word" in first
            else None, "fields": {"name": "Aria", "category": "Forms", "description": "A song."}})
    piece, track = first["piece"]["id"], first["track"]["id"]
    rows = [
        ("concert", "concert", f"{own}", "main",
         {"title": "Another title", "date": "2027-03-14", "link": "https://hall.example/", "credits": "Somebody",
          "cast": "Anna Berg, violin"}),
        ("piece", piece, f"{own}/piece/{piece}", "main",
         {"name": "Bach, Another Name: All", "endTime": "130.5", "endPrinted": "34", "measureCount": "34"}),
        ("track", track, f"{own}/track/{track}", "main",
         {"name": "Another track", "language": "fr", "level": "expert", "subject": "Sources"}),
        ("slide", first["slide"]["id"], f"{own}/track/{first['slide']['parent']}",
         f"[data-node='{first['slide']['id']}']", {"text": "Other words."}),
        ("section", first["section"]["id"], f"{own}/form/{first['section']['parent']}",
         f"[data-node='{first['section']['id']}']",
         {"label": "Bridge", "labels": "de: Zweiter Teil", "colour": "1,2,3", "key": "G major"}),
        ("word", "w-fields", f"{own}/words/w-fields", "[data-node='w-fields']",
         {"name": "Arioso", "category": "Terms", "description": "Nearly a song.", "history": "Italian.",
          "image": "a.png", "language": "de"}),
        ("message", "m-fields", f"{own}/messages", "[data-node='m-fields']",
         {"title": "Good evening", "body": "The doors are open.", "buttonText": "Thanks"}),
    ]
    for kind, node, place, start, fields in rows:
        ed.driver.get("about:blank")
        ed.go(place)
        ed.find(f"{start} [data-field={next(iter(fields))}]")
        for field, words in fields.items():
            css = f"{start} [data-field={field}]"
            saved = lambda: next(one for one in ed.get(f"/api/edit/concerts/{own}")["nodes"]
                                 if one["id"] == node)["fields"].get(field, "")
            old = saved()
            put(ed, css, words)
            ed.leave()
            done = until(lambda: ed.is_saved() and saved() == words, 30)
            checks.that(f"{kind}: {field} is changed alone", done, f"{saved()} {text(ed.driver, '#banner')}")
            put(ed, css, old)
            ed.leave()
            checks.that(f"{kind}: {field} is changed back", until(lambda: ed.is_saved() and saved() == old, 30),
                        f"{saved()!r} for {old!r} {text(ed.driver, '#banner')}")
    bar = f"[data-node='{first['slide']['id']}'] .bar-input"
    ed.driver.get("about:blank")
    ed.go(f"{own}/track/{first['slide']['parent']}")
    put(ed, bar, "2")
    ed.leave()
    checks.that("slide: its bar is changed alone",
                ed.is_saved() and until(lambda: next(one for one in ed.nodes(own, "slide")
                                                     if one["id"] == first["slide"]["id"])["fields"]["printed"] == "2"))


def messages(checks, ed, own):
    ed.driver.get("about:blank")
    ed.go(f"{own}/messages")
    ed.press("[data-does=add]")
    checks.that("a new message has the cursor in its title",
                until(lambda: ed.js("return document.activeElement.dataset.field") == "title"))
    ed.keys("Survey")
    ed.leave()
    ed.is_saved()
    node = ed.nodes(own, "message")[-1]["id"]
    card = f"[data-node='{node}']"
    fields = lambda: next(one for one in ed.nodes(own, "message") if one["id"] == node)["fields"]
    shown = lambda field: ed.js("return [...document.querySelectorAll(arguments[0])].some((one) => "
                                "one.checkVisibility())", f"{card} {field}")
    put(ed, f"{card} [data-field=kind]", "auto")
    checks.that("a message that goes by itself has no button field",
                ed.is_saved() and until(lambda: fields()["style"] == "AUTO") and not shown("[data-field=buttonText]"))
    put(ed, f"{card} [data-field=kind]", "link")
    before = fields()
    checks.that("choosing a link asks for its address first",
                until(lambda: ed.js("return document.activeElement.dataset.field") == "new-address")
                and fields() == before, fields())
    ed.keys("no address", Keys.TAB)
    checks.that("what is no address is said, and not called saved",
                until(lambda: "no address" in text(ed.driver, f"{card} .trouble:not(:empty)"))
                and ed.state() == "refused", ed.state())
    checks.that("and nothing half was sent", fields() == before, fields())
    put(ed, f"{card} [data-field=new-address]", "https://survey.example/x")
    ed.keys(Keys.TAB)
    checks.that("with its address it is a link, with the same fields as ever",
                ed.is_saved() and until(lambda: (fields()["title"], fields()["style"], fields()["buttonText"]) == (
                    "Link", "BUTTON", "https://survey.example/x")), fields())
    checks.that("its title is not shown, its address is",
                not shown("[data-field=title]") and shown("[data-field=buttonText]") and ed.state() == "saved")
    put(ed, f"{card} [data-field=body]", "Tell us how it was.")
    ed.leave()
    checks.that("the text of a link is changed alone",
                ed.is_saved() and until(lambda: fields()["body"] == "Tell us how it was."), fields())
    put(ed, f"{card} [data-field=kind]", "button")
    checks.that("back to a message it has its title and a button again", ed.is_saved()
                and until(lambda: (fields()["title"], fields()["buttonText"]) == ("Survey", "OK")), fields())


def refusals(checks, ed, own):
    """Nothing that was refused is called saved, wherever one goes, until it is mended or left out."""
    ed.driver.get("about:blank")
    ed.go(f"{own}/messages")
    node = "m-fields"
    css = f"[data-node='{node}'] [data-field=buttonText]"
    put(ed, css, "")
    ed.leave()
    checks.that("a button without words is refused, and not called saved", until(lambda: ed.state() == "refused"),
                ed.state())
    checks.that("with the reason at the field and at the top",
                until(lambda: "button without a text" in text(ed.driver, "#banner"))
                and "button without a text" in text(ed.driver, f"[data-node='{node}'] .trouble:not(:empty)"))
    states = []
    put(ed, f"[data-node='{node}'] [data-field=body]", "Another body.")
    ed.leave()
    end = time.monotonic() + 2
    while time.monotonic() < end:
        states.append(ed.state())
        hold_for(0.05)  # between two looks
    checks.that("another edit that is saved does not hide it", "saved" not in states and states[-1] == "refused",
                set(states))
    ed.js("location.hash = arguments[0]", f"#/{own}/words")
    checks.that("nor does another page", until(lambda: ed.find("h1").text == "Glossary") and ed.state() == "refused",
                ed.state())
    ed.driver.refresh()
    ed.find(".card")
    checks.that("nor loading it anew", until(lambda: ed.state() == "refused"), ed.state())
    ed.press("[data-does=show-refused]")
    checks.that("the banner leads to the message, as it was typed",
                until(lambda: ed.js("return document.querySelector(arguments[0])?.getAttribute('aria-invalid')",
                                    css) == "true") and ed.js("return document.querySelector(arguments[0]).value",
                                                              css) == "")
    ed.press("[data-does=leave-refused]")
    checks.that("left out, it is what was saved", until(lambda: ed.state() == "saved")
                and until(lambda: ed.js("return document.querySelector(arguments[0]).value", css) == "OK"), ed.state())
    put(ed, css, "")
    until(lambda: ed.state() == "refused")
    put(ed, css, "Fine")
    ed.leave()
    checks.that("mended, it is saved", until(lambda: ed.state() == "saved") and text(ed.driver, "#banner") == "",
                ed.state())
    put(ed, css, "")
    ed.leave()
    until(lambda: ed.state() == "refused")
    ed.chord(Keys.CONTROL, "z")
    checks.that("and undo gives up what was refused first",
                until(lambda: ed.js("return document.querySelector(arguments[0]).value", css) == "Fine")
                and ed.state() == "saved", ed.state())
    track = ed.nodes(own, "track")[0]["id"]
    ed.go(f"{own}/track/{track}")
    put(ed, f"{ed.card(1)} .bar-input", "9999")
    ed.leave()
    checks.that("a bar that the piece does not have is said, and not called saved",
                until(lambda: ed.state() == "refused") and "no bar 9999" in text(ed.driver, "#banner"), ed.state())
    put(ed, f"{ed.card(1)} .bar-input", "1")
    ed.leave()
    checks.that("until it is mended", until(lambda: ed.state() == "saved"), ed.state())
    put(ed, f"{ed.card(1)} .bar-input", "1/1")
    ed.leave()
    checks.that("and shown as its number", until(lambda: ed.bars()[0] == 1) and ed.state() == "saved", ed.bars())


def form(checks, ed, own):
    piece = ed.nodes(own, "piece")[0]["id"]
    ed.go(f"{own}/form/{piece}")
    until(lambda: "New section at bar" in text(ed.driver, "[data-does=section-here]"))
    ed.press("[data-does=section-here]")
    checks.that("a new section has the cursor in its name",
                until(lambda: ed.js("return document.activeElement.dataset.field") == "label"),
                ed.js("return document.activeElement.outerHTML.slice(0, 90)"))
    ed.keys("Coda of the test")
    ed.leave()
    checks.that("and what is typed is its name",
                ed.is_saved() and until(
                    lambda: any(one["fields"].get("label") == "Coda of the test" for one in ed.nodes(own, "section"))))


def undo_goes_on(checks, ed, flo, own):
    track = ed.nodes(own, "track")[0]["id"]
    slides = [one for one in ed.nodes(own, "slide") if one["parent"] == track]
    ed.driver.get("about:blank")
    ed.go(f"{own}/track/{track}")
    before = slides[1]["fields"]["text"]
    until(lambda: len(ed.texts()) > 1)
    ed.write(2, "The older edit.")
    ed.leave()
    ed.is_saved()
    ed.write(1, "The newer edit.")
    ed.leave()
    ed.is_saved()
    change(flo, own, {"set": slides[0]["id"], "field": "text", "to": "Flo has built on it."})
    until(lambda: ed.texts()[0] == "Flo has built on it.")
    ed.chord(Keys.CONTROL, "z")
    # Another notice tells that flo edits: only the refused undo offers the one before.
    notices = "return [...document.querySelectorAll('#notices > *')].map((each) => each.textContent)"
    checks.that("an undo that others built on says so",
                until(lambda: any("flo" in each and "Undo the one before" in each for each in ed.js(notices))),
                ed.js(notices))
    ed.chord(Keys.CONTROL, "z")
    checks.that("the next undo goes on with the edit before", until(lambda: ed.texts()[1] == before), ed.texts()[:2])
    checks.that("and the other's words stay", ed.texts()[0] == "Flo has built on it.", ed.texts()[0])
    ed.chord(Keys.CONTROL, Keys.SHIFT, "z")
    checks.that("redo brings it again", until(lambda: ed.texts()[1] == "The older edit."), ed.texts()[1])


def versions(checks, ed, flo, own, pictures):
    track = ed.nodes(own, "track")[0]["id"]
    slide = [one for one in ed.nodes(own, "slide") if one["parent"] == track][0]
    ed.go(f"{own}/track/{track}")
    until(lambda: len(ed.texts()) > 1)
    ed.write(1, "The good version.")
    ed.leave()
    ed.is_saved()
    ed.write(1, "The bad version.")
    ed.leave()
    ed.is_saved()
    ed.press("#history")
    checks.that("earlier versions tell time, person and what changed", until(lambda: "ed ·" in text(ed.driver, ".past"))
                and "Slide at bar" in text(ed.driver, ".past-about"), text(ed.driver, ".past")[:200])
    if pictures:
        shots(ed, pathlib.Path(pictures), "versions-panel")
    ed.js("document.querySelectorAll('.past [data-does=look]')[1].click()")
    checks.that("one of them is looked at: what it changed",
                until(lambda: "The good version." in text(ed.driver, "dialog .past-changes")),
                text(ed.driver, "dialog"))
    checks.that("and the whole concert as it was",
                "The good version." in ed.js("return document.querySelector('dialog .outline-top').textContent")
                and "The bad version." not in ed.js("return document.querySelector('dialog .outline-top').textContent"))
    if pictures:
        shots(ed, pathlib.Path(pictures), "versions-look")
    ed.press("dialog [data-does=restore-part]")
    checks.that("a part of it is restored", until(lambda: ed.texts()[0] == "The good version."), ed.texts()[0])
    ed.chord(Keys.CONTROL, "z")
    checks.that("as an edit that is undone like others", until(lambda: ed.texts()[0] == "The bad version."),
                ed.texts()[0])
    # Somebody else edits while one is looking: nothing of it is lost.
    until(lambda: len(ed.driver.find_elements(By.CSS_SELECTOR, ".past li")) > 2)
    ed.js("[...document.querySelectorAll('.past li')].find((row) => row.textContent.includes('slide text') && "
          "!row.textContent.includes('undo')).querySelectorAll('[data-does=look]')[0].click()")
    ed.find("dialog [data-does=restore]")
    change(flo, own, {"set": slide["id"], "field": "text", "to": "Flo was quicker."})
    ed.press("dialog [data-does=restore-part]")
    checks.that("what somebody wrote meanwhile is not overwritten",
                until(lambda: "look once more" in text(ed.driver, "#notices")), text(ed.driver, "#notices"))
    ed.js("document.querySelectorAll('dialog').forEach((one) => one.close())")
    ed.press("#panel-close")
    checks.that("it stays", until(lambda: ed.texts()[0] == "Flo was quicker."), ed.texts()[0])


def signed_out(checks, ed, own):
    track = ed.nodes(own, "track")[0]["id"]
    ed.driver.get("about:blank")
    ed.go(f"{own}/track/{track}")
    until(lambda: len(ed.texts()) > 1)
    ed.driver.execute_async_script("const done = arguments[0]; fetch('/api/logout', {method: 'POST', headers: "
                                   "{'X-Baton': '1'}}).then(done, done)")
    ed.write(1, "Typed after the sign-in had run out.")
    checks.that("signed out in the middle of typing is said", until(lambda: ed.state() == "out"), ed.state())
    ed.press("#banner a")
    ed.find("#name").send_keys("ed")
    ed.find("#password").send_keys(EDITORS["ed"], Keys.ENTER)
    place = f"#/{own}/track/{track}"
    checks.that("the sign-in leads back to where one was",
                until(lambda: ed.js("return location.pathname + location.hash") == "/edit" + place, 10),
                ed.js("return location.href"))
    checks.that("and what was typed is saved",
                until(lambda: ed.driver.find_elements(By.CSS_SELECTOR, "#saved") and ed.state() == "saved", 15)
                and until(lambda: ed.texts()[:1] == ["Typed after the sign-in had run out."]),
                ed.js("return JSON.stringify(localStorage)"))
    ed.driver.execute_async_script("const done = arguments[0]; fetch('/api/logout', {method: 'POST', headers: "
                                   "{'X-Baton': '1'}}).then(done, done)")
    ed.driver.get("about:blank")
    ed.go(f"{own}/words")
    ed.find("#name").send_keys("ed")
    ed.find("#password").send_keys(EDITORS["ed"], Keys.ENTER)
    checks.that("so does a page that was opened signed out",
                until(lambda: ed.js("return location.pathname + location.hash") == f"/edit#/{own}/words", 10),
                ed.js("return location.href"))
    until(lambda: text(ed.driver, "h1") == "Glossary")
    ed.go("")
    ed.find(".concert-card")
    sign_out = ("const done = arguments[0]; fetch('/api/logout', {method: 'POST', headers: {'X-Baton': "
                "'1'}}).then(done, done)")
    ed.driver.execute_async_script(sign_out)
    ed.find("#new-title").send_keys("Typed too late", Keys.ENTER)
    checks.that("a new concert's title typed signed out leads to the sign-in",
                until(lambda: "signed out" in text(ed.driver, "#banner")))
    ed.press("#banner a")
    ed.find("#name").send_keys("ed")
    ed.find("#password").send_keys(EDITORS["ed"], Keys.ENTER)
    checks.that("and stands there when one is back",
                until(lambda: ed.js("return document.getElementById('new-title')?.value") == "Typed too late", 10))
    ed.js("sessionStorage.removeItem('baton.edit.title')")
    ed.press(f"li:has(a[href='#/{own}']) [data-does=rename]")
    ed.driver.execute_async_script(sign_out)
    ed.keys("Renamed too late", Keys.ENTER)
    until(lambda: "signed out" in text(ed.driver, "#banner"))
    ed.press("#banner a")
    ed.find("#name").send_keys("ed")
    ed.find("#password").send_keys(EDITORS["ed"], Keys.ENTER)
    field = f"li:has(a[href='#/{own}']) .card-rename"
    checks.that("so does another title", until(lambda: ed.js("return document.querySelector(arguments[0])?.value",
                                                             field) == "Renamed too late", 10))
    ed.js("document.querySelector(arguments[0]).focus()", field)
    ed.keys(Keys.ESCAPE)
    checks.that("Escape leaves it as it was",
                until(lambda: ed.js("return document.querySelector(arguments[0]).hidden", field))
                and ed.nodes(own, "concert")[0]["fields"]["title"] != "Renamed too late")


def others_words(checks, ed, flo, own):
    """Text that one person left unsent in a browser is never sent under another's name."""
    flo.go(f"{own}/words")
    flo.find(".card")
    flo.js(
        """localStorage.setItem(`baton.edit.unsent.${arguments[0]}.gone.ed`,
            JSON.stringify({beat: 0, by: 'ed', entries: [
        {base: 1, label: 'left behind', changes: [{set: 'concert', field: 'title', to: 'Not by Flo'}]}]}))""", own)
    flo.driver.refresh()
    flo.find(".card")
    checks.that("another's unsent words are named", until(lambda: "ed left changes" in text(flo.driver, "#notices")),
                text(flo.driver, "#notices"))
    checks.that("and not sent",
                holds_for(lambda: flo.nodes(own, "concert")[0]["fields"]["title"] != "Not by Flo", 1))
    flo.js("localStorage.clear()")


def copies(checks, ed, own, pictures):
    ed.driver.get("about:blank")
    ed.go("")
    ed.press(f"li:has(a[href='#/{own}']) [data-does=copy-concert]")
    checks.that("a copy of a concert opens", until(lambda: ed.js("return location.hash") not in ("", "#/", f"#/{own}")
                                                   and "Copy of" in text(ed.driver, "h1")), text(ed.driver, "h1"))
    copy = int(ed.js("return location.hash").split("/")[1])
    texts = lambda concert: [one["fields"].get("text") for one in ed.nodes(concert, "slide")]
    checks.that("with all its texts", texts(copy) == texts(own) and len(texts(copy)) > 3, len(texts(copy)))
    ed.go("")
    ed.find("#new-title").send_keys("A third evening", Keys.ENTER)
    until(lambda: text(ed.driver, "h1") == "A third evening")
    third = int(ed.js("return location.hash").split("/")[1])
    ed.go("")
    complaints = lambda: ed.js("return [...document.querySelectorAll('.notice[data-tone=bad]')].map((one) => "
                               "one.textContent)")
    ed.press(f"li:has(a[href='#/{third}']) [data-does=serve]")
    checks.that("an empty concert is not served, and that is said", until(lambda: complaints()), complaints())
    ed.press(f"li:has(a[href='#/{copy}']) [data-does=serve]")
    checks.that("the next attempt takes the complaint about the last one away",
                until(lambda: ed.js("return Boolean(document.querySelector('dialog[open]'))")) and complaints() == [],
                complaints())
    ed.press("dialog[open] [autofocus]")
    stop_serving(checks, ed, own)
    ed.go(third)
    ed.find("[data-does=add-piece]")
    name = ed.nodes(own, "piece")[0]["fields"]["name"]
    ed.press("[data-does=add-piece]")
    ed.press("[data-does=copy-piece]")
    ed.find(f"[data-concert='{own}']")
    ed.js("document.querySelector(arguments[0]).open = true", f"[data-concert='{own}']")
    ed.press(".choice[data-piece]")
    checks.that("a piece of an earlier evening comes with its texts", until(lambda: text(ed.driver, "h1") == name, 8)
                and until(lambda: len(texts(third)) > 3), text(ed.driver, "h1"))
    ed.chord(Keys.CONTROL, "z")
    checks.that("as one step to undo", until(lambda: ed.nodes(third, "piece") == []))
    # Pieces that only a number or a composer tells apart.
    change(ed, third, *[{"insert": "piece", "in": "concert", "fields": {"name": name}} for name in (
        "Beethoven, Symphony 1: Allegro", "Beethoven, Symphony 2: Allegro", "Mozart, Sonata: Rondo",
        "Haydn, Sonata: Rondo", "Bach, Suite: Air", "Bach, Suite: Air", "Satie, Gymnopédie")])
    names = lambda: ed.js("return [...document.querySelectorAll('.side > .tree > li > a .side-name')].map((one) => "
                          "one.textContent)")
    ed.go(third)
    wanted = ["Symphony 1: Allegro", "Symphony 2: Allegro", "Mozart, Sonata: Rondo", "Haydn, Sonata: Rondo",
              "Bach, Suite: Air (1)", "Bach, Suite: Air (2)", "Gymnopédie"]
    checks.that("pieces at the side are told apart", until(lambda: names() == wanted), names())
    cut = ed.js("return [...document.querySelectorAll('.side > .tree > li > a .side-name')].filter((one) => "
                "one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)")
    checks.that("and none is cut off", cut == [], cut)
    if pictures:
        shots(ed, pathlib.Path(pictures), "alike", menu=True)


def stop_serving(checks, ed, own):
    """Listeners find no concert, until it is served again."""
    row = f"li:has(a[href='#/{own}'])"
    served = lambda: [one["id"] for one in ed.get("/api/edit/concerts") if one["served"]]
    ed.press(f"{row} [data-does=stop-serving]")
    checks.that("to stop serving is a question", until(lambda: "find no concert" in text(ed.driver, "dialog[open]"))
                and served() == [own], text(ed.driver, "dialog[open]"))
    ed.press("dialog[open] .danger")
    checks.that("then listeners find none, and the concert can be removed", until(lambda: served() == []) and until(
        lambda: not ed.js("return document.querySelector(arguments[0]).hidden", f"{row} [data-does=remove-concert]")))
    ed.press(f"{row} [data-does=serve]")
    ed.press("dialog[open] .danger")
    checks.that("and it is served again", until(lambda: served() == [own]), served())


def removed_elsewhere(checks, ed, flo):
    """A concert that another editor removes while it is open here."""
    ed.go("")
    ed.find("#new-title").send_keys("Not for long", Keys.ENTER)
    until(lambda: text(ed.driver, "h1") == "Not for long")
    concert = int(ed.js("return location.hash").split("/")[1])
    flo.go(concert)
    until(lambda: text(flo.driver, "h1") == "Not for long")
    checks.that("a concert of the page is not served by itself",
                not any(one["served"] for one in ed.get("/api/edit/concerts") if one["id"] == concert))
    ed.go("")
    ed.press(f"li:has(a[href='#/{concert}']) [data-does=remove-concert]")
    ed.press("dialog[open] .danger")
    checks.that("a concert that another editor removed is closed, and that is said",
                until(lambda: "it was removed" in text(flo.driver, "#main"), 8)
                and flo.js("return document.getElementById('saved').hidden"), text(flo.driver, "#main"))
    resize(ed.driver, "phone")
    ed.go("")
    # Below them is the row of the neighbours.
    apart, height = ed.js("const place = (one) => document.querySelector(one).getBoundingClientRect();"
                          "const [mark, tools] = [place('.top .house'), place('.top .tools')];"
                          "return [Math.abs(mark.y + mark.height / 2 - tools.y - tools.height / 2),"
                          " place('.top').height]")
    checks.that("on a phone, the list's tools stay beside the mark", apart < 5 and height < 100, (apart, height))
    resize(ed.driver, "laptop")


def drop(ed, css, name, kind, content):
    """A file from the desktop onto a part of the page."""
    ed.find(css)
    ed.js(
        """const bytes = Uint8Array.from(atob(arguments[3]), (one) => one.charCodeAt(0)), transfer = new DataTransfer();
        transfer.items.add(new File([bytes], arguments[1], {type: arguments[2]}));
        for (const name of ["dragover", "drop"]) document.querySelector(arguments[0])
            .dispatchEvent(new DragEvent(name, {dataTransfer: transfer, bubbles: true, cancelable: true}));""",
          css, name, kind, base64.b64encode(content).decode())


def zips(checks, ed, own, pictures):
    ed.go(own)
    link = f"/api/edit/concerts/{own}/zip"
    checks.that("the concert's page has its ZIP",
                until(lambda: ed.js("return document.querySelector('[data-does=zip]')?.getAttribute('href')") == link))
    content = base64.b64decode(ed.driver.execute_async_script("""
        const done = arguments[1];
        fetch(arguments[0]).then((r) => r.blob()).then((blob) => { const reader = new FileReader();
            reader.onload = () => done(reader.result.split(",")[1]); reader.readAsDataURL(blob); }, () => done(""));
        """, link))
    archive = zipfile.ZipFile(io.BytesIO(content))
    names = archive.namelist()
    checks.that("a concert is exported as a ZIP that others read", archive.testzip() is None
                and {"concert.json", "getPieces.txt", "glossary.xml"} <= set(names), names[:9])
    count = len(ed.get("/api/edit/concerts"))
    ed.go("")
    ed.find(".concert-card")
    drop(ed, "main .page", "anything.zip", "application/zip", content)
    title = json.loads(archive.read("concert.json"))["title"]
    checks.that("dropped on the list of concerts it becomes one of its own",
                until(lambda: text(ed.driver, "h1") == title, 15) and len(ed.get("/api/edit/concerts")) == count + 1,
                text(ed.driver, "h1"))
    made = int(ed.js("return location.hash").split("/")[1])
    told = lambda: text(ed.driver, "#notices")
    checks.that("and is named by what it holds",
                until(lambda: "piece" in told() or "Bach" in told()) and "anything.zip”" not in told(), told())
    kept = lambda concert: sorted(
        (one["kind"], *sorted(item for item in one["fields"].items() if item[0] not in ("measureCount", "waveform")))
        for one in ed.get(f"/api/edit/concerts/{concert}")["nodes"])
    checks.that("with everything in it", kept(made) == kept(own),
                [pair for pair in zip(kept(made), kept(own)) if pair[0] != pair[1]][:2])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as hand:
        hand.writestr("Evening/concert.json", json.dumps({"title": "Packed by hand", "credits": []}))
        hand.writestr("Evening/images/pixel.png", PIXEL)
    ed.go(made)
    ed.find("[data-does=zip]")
    drop(ed, ".block.drop", "evening.zip", "application/zip", packed.getvalue())
    checks.that("another program's ZIP goes into the open concert",
                until(lambda: text(ed.driver, "h1") == "Packed by hand", 15)
                and any(one["fields"]["name"] == "pixel.png" for one in ed.nodes(made, "asset")), told())
    ed.chord(Keys.CONTROL, "z")
    checks.that("as one step to undo", until(lambda: text(ed.driver, "h1") == title), text(ed.driver, "h1"))
    bad = io.BytesIO()
    with zipfile.ZipFile(bad, "w") as hand:
        hand.writestr("../../catalogue.sqlite", "x")
    drop(ed, ".block.drop", "bad.zip", "application/zip", bad.getvalue())
    checks.that("one that leads out of its folder is refused in a sentence",
                until(lambda: "leads out of its folder" in told()), told())
    if pictures:
        shots(ed, pathlib.Path(pictures), "files-in-and-out", css="[data-does=zip]")


def shots(ed, folder, name, menu=False, css=None):
    folder.mkdir(parents=True, exist_ok=True)
    for width, size in SIZES.items():
        resize(ed.driver, size)
        if menu and size[0] < 860:
            ed.js("document.body.dataset.menu = 'open'")
        if css:
            ed.js("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", css)
        settle(ed.driver)
        ed.driver.save_screenshot(str(folder / f"{name}-{width}.png"))
    ed.js("delete document.body.dataset.menu")
    resize(ed.driver, "laptop")


def photograph(ed, own, folder):
    ed.driver.get("about:blank")
    ed.go(f"{own}/messages")
    ed.find(".card")
    change(ed, own,
           {"insert": "message", "in": "concert", "id": "m-link",
            "fields": {"title": "Link", "body": "Tell us how it was.", "style": "BUTTON",
                       "buttonText": "https://survey.example/x"}},
           {"insert": "message", "in": "concert", "id": "m-auto",
            "fields": {"title": "Soon", "body": "Five minutes.", "style": "AUTO"}})
    ed.find("[data-node=m-auto]")
    put(ed, "[data-node='m-fields'] [data-field=buttonText]", "")
    ed.leave()
    until(lambda: ed.state() == "refused")
    shots(ed, folder, "messages", css="[data-node='m-fields']")
    ed.press("[data-does=leave-refused]")
    put(ed, "[data-node='m-auto'] [data-field=kind]", "link")
    shots(ed, folder, "message-to-link", css="[data-node=m-auto]")
    ed.go("")
    ed.find(".concert-card")
    shots(ed, folder, "concerts")
    ed.driver.execute_async_script("const done = arguments[0]; fetch('/api/logout', {method: 'POST', headers: "
                                   "{'X-Baton': '1'}}).then(done, done)")
    ed.find("#new-title").send_keys("Too late", Keys.ENTER)
    until(lambda: "signed out" in text(ed.driver, "#banner"))
    shots(ed, folder, "signed-out")


if __name__ == "__main__":
    sys.exit(main())
