#!/usr/bin/python3
"""The editor's looks, for every page of it, dark and light, on a phone and on a laptop: contrast, names, touch.

    BATON=path/to/baton Tests/Pages/edit_looks_test.py [--pages FOLDER]

Text needs a contrast of 4.5 to 1 (3 where it is large), whatever can be touched 44 pixels, and everything that can be
used a name in the accessibility tree. The last line is `N passed, N failed`.
"""

import sys

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import chromium, resize, settle
from checks import Checks, text, until
from edit_test import THERE, visit
from lib.repository import recording
from served import Served

PIECE = "bach-well-tempered-clavier-1-prelude-in-c"
SCREENS = ("phone", "laptop")
THEMES = ("dark", "light")
PANEL = "return !document.getElementById('panel').hidden && document.getElementById('panel-body').childElementCount > 0"
USED = {"button", "link", "textbox", "combobox", "searchbox", "checkbox", "radio", "slider", "dialog", "navigation",
        "heading", "listbox", "option", "DisclosureTriangle"}

CONTRAST = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
canvas.canvas.width = canvas.canvas.height = 1;
// Reading a canvas back is slow, and a page has few colours.
const known = new Map();
const colour = (words) => {
  if (!known.has(words)) {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = words; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    known.set(words, [r, g, b, a / 255]);
  }
  return known.get(words); };
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
// A flag is painted by what stands before its number.
const ground = (e) => { const layers = e.matches(".flag") ? [colour(getComputedStyle(e, "::before").backgroundColor)]
    : [];
  for (let n = e; n; n = n.parentElement) { const c = colour(getComputedStyle(n).backgroundColor); layers.push(c);
      if (c[3] > 0.99) break; }
  return layers.reverse().reduce((below, top) => over(top, below), [0, 0, 0, 1]); };
const light = ([r, g, b]) => { const f = (v) =>
    { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
const found = [];
for (const e of document.querySelectorAll("body *")) {
  const isField = e.matches("input:not([type=file]), textarea, select");
  const hasText = isField ? Boolean(e.value) : [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  if (!hasText || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      || e.closest(".spoken, .skip, noscript, .stage, option, datalist, script, style")) continue;
  if (e.closest("[aria-disabled=true], :disabled")) continue;
  const style = getComputedStyle(e), below = ground(e), ink = over(colour(style.color), below);
  const [a, b] = [light(ink), light(below)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
  if (parseFloat(style.fontSize) === 0) continue;
  const size = parseFloat(style.fontSize), isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (isLarge ? 3 : 4.5))
    found.push(`${ratio.toFixed(2)} ${e.tagName}.${e.className} “${(e.value ?? e.textContent).trim().slice(0, 30)}”`);
}
return [...new Set(found)];"""

# A card's last button below the one before it.
ALONE = """
const tools = ":is(.card-top:has(> .card-main), .card-top > .card-tools) > button:last-of-type";
return [...document.querySelectorAll(tools)].filter((e) =>
    e.checkVisibility() && e.previousElementSibling
  && e.getBoundingClientRect().top > e.previousElementSibling.getBoundingClientRect().bottom)
      .map((e) => e.parentElement.textContent.slice(0, 60))"""

# A link within a text is as high as its line; a field whose label is touched counts as large as both.
SMALL = """
const found = [];
const box = (e) => { const all = [e, ...(e.labels ?? [])].map((one) => one.getBoundingClientRect())
    .filter((one) => one.width > 1);
  return [Math.max(...all.map((one) => one.width)), Math.max(...all.map((one) => one.height))]; };
const touched = "button, a[href], input, select, textarea, summary, [role=button], [role=slider], .handle";
for (const e of document.querySelectorAll(touched)) {
  if (!e.checkVisibility({ visibilityProperty: true }) || e.matches(".spoken, .skip")
      || e.closest("[hidden], p")) continue;
  const rect = e.getBoundingClientRect();
  if (rect.width <= 1 || e.matches("a") && getComputedStyle(e).display === "inline") continue;
  let [width, height] = box(e);
  const after = getComputedStyle(e, "::after");
  if (after.position === "absolute" && after.content !== "none" && after.inset === "0px")
    [width, height] = [e.closest("li")?.clientWidth ?? width, e.closest("li")?.clientHeight ?? height];
  if (width < 43.5 || height < 43.5)
    found.push(`${Math.round(width)}×${Math.round(height)} ${e.outerHTML.slice(0, 100)}`);
}
return found;"""


def main():
    pages = sys.argv[sys.argv.index("--pages") + 1] if "--pages" in sys.argv else None
    checks = Checks()
    with Served(PIECE, [recording(PIECE, "swift")], "--new", pages=pages) as server, chromium() as driver:
        driver.set_script_timeout(60)
        run(checks, driver, server)
    return checks.end()


def run(checks, driver, server):
    concert = server.ask("GET", "/api/edit/concerts").value[0]["id"]
    nodes = server.ask("GET", f"/api/edit/concerts/{concert}").value["nodes"]
    first = {kind: next(node["id"] for node in nodes if node["kind"] == kind) for kind in ("piece", "track", "slide")}
    places = {"the concerts": "", "a concert": concert, "a piece": f"{concert}/piece/{first['piece']}",
              "a track": f"{concert}/track/{first['track']}", "the form": f"{concert}/form/{first['piece']}",
              "the titles": f"{concert}/titles/{first['piece']}", "the glossary": f"{concert}/words",
              "the messages": f"{concert}/messages",
              "the files": f"{concert}/files"}
    titles = "bar,text_de,text_en,note\n1,Eins,One,slow\n3,Zwei,Two,\n"
    server.ask("PUT", "/api/titles/0.csv", titles)
    panels = {"the help": "#help", "the findings": "#findings", "the history": "#history"}
    for theme in THEMES:
        for screen in SCREENS:
            resize(driver, screen)
            open_editor(driver, server, theme)
            for name, place in places.items():
                visit(driver, place)
                judge(checks, driver, theme, screen, name)
            visit(driver, places["a track"])
            for name, css in panels.items():
                driver.execute_script("document.querySelector(arguments[0]).click()", css)
                until(lambda: driver.execute_script(PANEL))
                settle(driver)
                judge(checks, driver, theme, screen, name)
                driver.execute_script("document.getElementById('panel-close').click()")
    flags(checks, driver, server, places["a track"])


def open_editor(driver, server, theme):
    """Loads the page, once for all that is visited in it."""
    driver.get(server.base + "/edit")
    driver.execute_script("localStorage.setItem('baton.edit.theme', arguments[0])", theme)
    driver.refresh()
    until(lambda: driver.execute_script(THERE), 30)


def judge(checks, driver, theme, screen, name):
    where = f"{theme}, {screen}, {name}"
    bad = driver.execute_script(CONTRAST)
    checks.that(f"{where}: contrast", not bad, bad[:4])
    # In other colours everything has the same place and the same name.
    if theme != THEMES[0]:
        return
    bad = driver.execute_script(SMALL)
    checks.that(f"{where}: large enough to touch", not bad, bad[:4])
    width = driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
    checks.that(f"{where}: not wider than the screen", width <= 0, width)
    alone = driver.execute_script(ALONE)
    checks.that(f"{where}: no bin stands alone in a line", not alone, alone[:4])
    nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    seen = [(node["role"]["value"], (node.get("name") or {}).get("value", "").strip()) for node in nodes
            if not node.get("ignored") and "role" in node]
    nameless = [role for role, name in seen if role in USED | {"image"} and not name]
    checks.that(f"{where}: everything has a name", not nameless, nameless)
    checks.that(f"{where}: there is a heading", any(role == "heading" for role, _ in seen))


def flags(checks, driver, server, place):
    """The strip's flags are for finger and mouse; keys and screen readers have the list, which says and does the
    same.
    """
    resize(driver, "phone")
    open_editor(driver, server, THEMES[0])
    visit(driver, place)
    checks.that("flags are no second list for keys and screen readers", driver.execute_script(
        "return document.querySelector('.flags').ariaHidden === 'true' && !document.querySelector('.flags :is(button, "
        "a, [tabindex])')"))
    driver.execute_script("document.querySelector('.strip').scrollIntoView({block: 'center'})")
    box = driver.execute_script("""
        const all = [...document.querySelectorAll('.flag')].map((f) => [f.textContent, f.getBoundingClientRect()]);
        const last = all.at(-1), before = all.at(-2), area = document.querySelector('.flags').getBoundingClientRect();
        return { number: last[0], x: last[1].left + last[1].width / 2,
            gap: last[1].left - before[1].left, top: area.top, bottom: area.bottom };""")
    checks.that("a flag can be touched over 44 pixels of height", box["bottom"] - box["top"] >= 44, box)
    beside = min(18, box["gap"] / 2 - 1)
    for name, y in (("top", box["top"] + 2), ("bottom", box["bottom"] - 2)):
        driver.execute_script("document.querySelector('.stage').focus()")
        ActionChains(driver).send_keys(Keys.HOME).perform()
        tap(driver, box["x"] - beside, y)
        checks.that(f"a finger {beside:.0f} pixels beside a flag, at its {name}, means it",
                    until(lambda: text(driver, ".slides [data-now] .number") == box["number"], 3),
                    text(driver, ".slides [data-now] .number"))
    bars = lambda: driver.execute_script("return [...document.querySelectorAll('.slides .bar-input')].map((field) => "
                                         "Number(field.value))")
    before = bars()
    for kind, x in (("mousePressed", box["x"]), ("mouseMoved", box["x"] - 8), ("mouseMoved", box["x"] - 13),
                    ("mouseReleased", box["x"] - 13)):
        driver.execute_cdp_cmd("Input.dispatchMouseEvent",
                               {"type": kind, "x": x, "y": box["top"] + 20, "button": "left", "clickCount": 1})
    checks.that("dragged, its slide is on an earlier bar", until(lambda: bars()[-2] < bars()[-1] < before[-1], 3),
                (before, bars()))
    checks.that("and only its slide", bars()[:-1] == before[:-1], (before, bars()))


def tap(driver, x, y):
    for kind in ("mousePressed", "mouseReleased"):
        driver.execute_cdp_cmd("Input.dispatchMouseEvent",
                               {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})


if __name__ == "__main__":
    sys.exit(main())
