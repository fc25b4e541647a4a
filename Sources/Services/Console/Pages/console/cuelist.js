// GO, the cue on standby, and the list: the last cue, and as many of the next as fit.
import { find, icon, make, mark, write } from "/shared/dom.js";
import { partsOf } from "./cuekinds.js";
import { isNumber, plural } from "./format.js";
import { keyLabel } from "./keymap.js";

/** A cue's effect in words; a message without the signs of the wire. */
function detailOf({ kind, detail }) {
  if (kind !== "message" || !detail) return detail || kind;
  const { title, body, button } = partsOf({ kind, target: "", payload: detail });
  return `${[title, body].filter(Boolean).join(": ")}${button ? ` (${button})` : ""}`;
}

export function showCues(console) {
  const { desk } = console;
  const [list, standbyName, standbyNotes, go] = ["cue-list", "standby-name", "standby-notes", "go"].map(find);
  const [bars, unit, seconds, nextName] = ["cue-bars", "cue-unit", "cue-seconds", "cue-name"].map(find);
  // On a phone GO stands alone under the thumb; what stands by is far up the page.
  const goCue = make("span", { class: "go-cue" });
  go.append(goCue);
  // After a jump back, or cues that fired at a bar that was not played.
  const [rearm, rearmWords] = ["rearm", "rearm-words"].map(find);
  rearm.addEventListener("click", () => console.act("rearm", true));
  let rows = new Map();
  let made = "";
  let lookedAt = "";

  function build(cues) {
    const isEmpty = desk.get("programme")?.empty === true;
    const key = JSON.stringify([isEmpty, cues.list.map(({ id, place, name, kind, auto, earlinessMs, notes, detail,
      trouble }) => [id, place, name, kind, auto, earlinessMs, notes, detail, trouble])]);
    if (key === made) return;
    made = key;
    rows = new Map(cues.list.map((cue) => [cue.id, row(cue)]));
    list.replaceChildren(...[...rows.values()].map((entry) => entry.element));
    if (cues.list.length === 0) {
      list.append(make("li", { class: "empty", text: isEmpty
        ? "The programme is empty. Open “Programme” and press “Change the programme” to add a piece."
        : "This piece has no cues. Add some in “Cues”." }));
    }
  }

  function row(cue) {
    const away = make("span", { class: "cue-away" });
    const early = cue.earlinessMs ? ` · ${cue.earlinessMs} ms early` : "";
    const element = make("li", { class: "cue", "data-id": cue.id, "data-trouble": cue.trouble ? "true" : null },
      make("button", { type: "button", class: "cue-button",
        "aria-label": `${cue.name}, bar ${cue.place}: put on standby`,
        onclick: (event) => {
          console.send("standby", cue.id);
          if (event.detail > 0) event.currentTarget.blur();
        } },
      make("span", { class: "cue-place", text: cue.place }),
      make("span", { class: "cue-kind", title: cue.kind }, icon(cue.kind)),
      make("span", { class: "cue-text" },
        make("span", { class: "cue-title", text: cue.name }),
        cue.notes ? make("span", { class: "cue-notes", text: cue.notes }) : null,
        make("span", { class: "cue-detail", text: `${detailOf(cue)}${early}` }),
        cue.trouble ? make("span", { class: "cue-trouble", text: cue.trouble }) : null),
      make("span", { class: "cue-when" }, away,
        cue.auto ? null : make("span", { class: "cue-mode", text: "by hand" }))));
    return { element, away };
  }

  function paint() {
    const cues = desk.get("cues");
    if (!cues) return;
    const played = desk.get("position")?.played ?? 0;
    for (const cue of cues.list) {
      const entry = rows.get(cue.id);
      if (!entry) continue;
      const distance = cue.played - played;
      mark(entry.element, "data-fired", cue.fired);
      mark(entry.element, "data-failed", cue.fired && cue.failed);
      mark(entry.element, "data-past", !cue.fired && distance < 0);
      mark(entry.element, "data-standby", cue.id === cues.standby);
      mark(entry.element.firstChild, "aria-current", cue.id === cues.standby ? "true" : null);
      write(entry.away, cue.fired && cue.failed ? "failed" : cue.fired ? "done" : distance < 0
        ? "passed" : distance === 0 ? "now" : `in ${distance}`);
    }
    const standby = cues.list.find((cue) => cue.id === cues.standby);
    write(standbyName, standby ? `${standby.place} · ${standby.name}` : "Nothing stands by");
    write(goCue, standby ? standby.name : "Nothing stands by");
    write(standbyNotes, standby?.notes ?? "");
    mark(go, "data-empty", !standby);
    const done = cues.list.filter((cue) => cue.fired && cue.auto && cue.played > played).length;
    rearm.hidden = done === 0;
    write(rearmWords, `${plural(done, "cue", "cues")} ahead done: arm again`);
    write(rearm.lastElementChild, keyLabel(console.keymap.keys("rearm")[0] ?? ""));
    countdown(cues, played);
    look(cues, played);
  }

  function countdown(cues, played) {
    const next = cues.next && cues.list.find((cue) => cue.id === cues.next.id);
    if (!next) {
      write(bars, "–");
      write(unit, "");
      write(seconds, "");
      write(nextName, "No cue ahead");
      return;
    }
    const distance = Math.max(0, next.played - played);
    write(bars, distance === 0 ? "now" : distance);
    write(unit, distance === 0 ? "" : distance === 1 ? "bar" : "bars");
    write(seconds, isNumber(cues.next.inSeconds) && distance > 0
      ? `${plural(Math.round(cues.next.inSeconds), "second", "seconds")}` : "");
    write(nextName, `${next.place} · ${next.name}${next.auto ? "" : " (by hand)"}`);
    mark(bars.closest("section"), "data-near", distance <= 2);
  }

  /** Scrolls the list so that the last cue and as many of the next as fit are in view. */
  function look(cues, played) {
    const ahead = cues.list.findIndex((cue) => !cue.fired && cue.played >= played);
    const standby = cues.list.findIndex((cue) => cue.id === cues.standby);
    const first = ahead < 0 ? standby : standby < 0 ? ahead : Math.min(ahead, standby);
    const key = `${made.length} ${first} ${standby}`;
    if (key === lookedAt) return;
    lookedAt = key;
    const top = rows.get(cues.list[Math.max(0, first - 1)]?.id)?.element;
    if (top) list.scrollTo({ top: top.offsetTop });
    const entry = rows.get(cues.standby)?.element;
    if (!entry) return;
    const below = entry.offsetTop + entry.offsetHeight - list.scrollTop - list.clientHeight;
    if (below > 0) list.scrollTop += below;
  }

  function show() {
    const cues = desk.get("cues");
    if (!cues) return;
    build(cues);
    paint();
  }
  for (const section of ["cues", "programme"]) desk.on(section, show);
  let played = null;
  desk.on("position", (position) => {
    if (position.played === played) return;
    played = position.played;
    paint();
  });
}
