// The player's settings: how pages turn, how they look, what is shown next to the music.
import { make } from "/shared/dom.js";
import { intervalChoice } from "/shared/intervals.js";
import { adjustMargins, maySetMargins } from "./cropping.js";
import { act, closeDialog, notice, openDialog } from "./words.js";
import { isMusicMissing, isRewritable } from "./written.js";

/** A row of choices of which one holds. */
function choice(label, options, value, set) {
  const buttons = options.map(([key, text]) => {
    const button = make("button",
      { type: "button", text, "aria-pressed": String(key === value), "data-value": String(key) });
    button.addEventListener("click", () => {
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
      set(key);
    });
    return button;
  });
  return make("div", { class: "setting" }, make("span", { text: label }),
    make("div", { class: "choice", role: "group", "aria-label": label }, ...buttons));
}

function slider(label, { min, max, step, value, shown }, set) {
  const output = make("output", { text: shown(value) });
  const input = make("input", { type: "range", min, max, step, value: String(value), "aria-label": label });
  input.addEventListener("input", () => {
    output.textContent = shown(Number(input.value));
    set(Number(input.value));
  });
  return make("label", { class: "setting" }, make("span", { text: label }),
    make("span", { class: "slide" }, input, output));
}

function check(label, value, set) {
  const input = make("input", { type: "checkbox", checked: value });
  input.addEventListener("change", () => set(input.checked));
  return make("label", { class: "setting tick" }, make("span", { text: label }), input);
}

/** The key in which the open part is read; null if its pages are a PDF. */
function keyChoice(reader) {
  if (!reader.score) return null;
  if (isMusicMissing(reader.score, reader.part)) {
    const why = "The server does not have the music of this part, only its pages. Ask your librarian to add the same " +
      "MusicXML file on the library page again: then you can choose a key here, and all remarks stay.";
    return make("div", { class: "setting" }, make("span", { text: "Read this part in another key" }),
      make("p", { class: "hint", id: "music-missing", text: why }));
  }
  if (!isRewritable(reader.score, reader.part)) return null;
  const choice = intervalChoice({ label: "Read this part in another key", value: reader.reading ?? "",
    plain: "As the part is written" });
  const state = make("span", { class: "hint", role: "status" });
  choice.addEventListener("change", async () => {
    choice.disabled = true;
    state.textContent = "Being engraved …";
    try {
      await reader.readIn(choice.value);
      state.textContent = "";
    } catch (refusal) {
      state.textContent = "";
      choice.value = reader.reading ?? "";
      notice(refusal.message);
    }
    choice.disabled = false;
    choice.focus();
  });
  return make("div", { class: "setting" }, make("label", { for: "interval", text: "Read this part" }), choice, state);
}

export function openSettings(reader) {
  const { look, preferences } = reader;
  const { value } = preferences;
  const inRoom = reader.room !== null;
  const margins = make("div", { hidden: true }); // until it is known whether this user may set them
  maySetMargins(reader).then((may) => may && margins.replaceWith(make("div", { class: "setting" },
    make("span", { text: "Margins of this part" }), act("Set for everybody …", () => {
      closeDialog();
      adjustMargins(reader);
    }, { class: "small", id: "set-margins" }))));
  openDialog("Settings",
    make("h3", { text: "Look" }),
    choice("Paper", [["white", "White"], ["warm", "Warm"], ["dark", "Dark pit"]], look.value.paper,
      (paper) => look.set({ paper })),
    slider("Brightness",
      { min: 0.25, max: 1, step: 0.05, value: look.value.brightness, shown: (share) => `${Math.round(share * 100)} %` },
      (brightness) => look.set({ brightness })),
    choice("Controls", [["small", "Small"], ["medium", "Medium"], ["large", "Large"]], look.value.size,
      (size) => look.set({ size })),
    check("Crop the margins", look.value.crop, (crop) => look.set({ crop })),
    margins,
    keyChoice(reader),
    make("h3", { text: "Turning" }),
    inRoom ? check("The music turns my pages", value.followsMusic, (followsMusic) => reader.prefer({ followsMusic }))
      : null,
    inRoom ? slider("Turn before the end of the page",
      { min: 0, max: 4, step: 0.1, value: value.leadSeconds, shown: (seconds) => `${seconds.toFixed(1)} s` },
      (leadSeconds) => later(() => reader.prefer({ leadSeconds }))) : null,
    inRoom ? check("Earlier in slow music, later in fast", value.leadFollowsTempo,
      (leadFollowsTempo) => reader.prefer({ leadFollowsTempo })) : null,
    check("Half pages: the upper half turns first", value.halfTurns, (halfTurns) => reader.prefer({ halfTurns })),
    choice("Pages", [["auto", "By itself"], ["single", "One"], ["pages", "Two"], ["book", "Two, as a book"],
      ["systems", "System by system"]],
      preferences.facing, (facing) => reader.prefer({ facing })),
    choice("This stand is", [[null, "Alone"], ["left", "Left of a pair"], ["right", "Right of a pair"]],
      look.value.pair, (pair) => look.set({ pair })),
    make("p", { class: "links" }, make("button", { type: "button", id: "set-keys", text: "Keys, pedals, MIDI …",
      onclick: () => reader.tools.actions.openDialog() })),
    make("h3", { text: "Beside the music" }),
    check("Count rests and announce entries", look.value.rests, (rests) => look.set({ rests })),
    check("Mark the bar that sounds", look.value.bar, (bar) => look.set({ bar })),
    check("Flash the live tempo", look.value.flash, (flash) => look.set({ flash })),
    choice("Flashes a bar", [1, 2, 3, 4, 6].map((beats) => [beats, String(beats)]), look.value.beats,
      (beats) => look.set({ beats })),
    make("p", { class: "hint",
      text: "Hold a page in the strip to give its turn a lead of its own. Two fingers, a double tap in the middle or " +
        "the keys + and − make the page larger." }));
}

let waiting = null;
/** Not at every hair the slider moves. */
function later(run) {
  clearTimeout(waiting);
  waiting = setTimeout(run, 250);
}

/** The lead of one page, asked for by a long press on its thumbnail. */
export function askPageLead(reader, page) {
  const { value } = reader.preferences;
  let seconds = value.pageLeads.find((lead) => lead.page === page)?.seconds ?? value.leadSeconds;
  const keep = (lead) => {
    reader.preferences.lead(page, lead);
    reader.prefer({});
    closeDialog();
  };
  openDialog(`Page ${page + 1}`,
    make("p", { class: "hint", text: "How long before its end this page is turned, whatever the tempo." }),
    slider("Lead", { min: 0, max: 8, step: 0.1, value: seconds, shown: (lead) => `${lead.toFixed(1)} s` },
      (lead) => (seconds = lead)),
    make("p", { class: "links" }, act("Keep", () => keep(seconds), { class: "primary", id: "keep-lead" }),
      act("As all pages", () => keep(null))));
}
