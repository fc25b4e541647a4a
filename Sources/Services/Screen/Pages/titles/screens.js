// The screens: a small picture of what each really shows, and how it looks.
import { ask } from "/shared/api.js";
import { find, make, mark } from "/shared/dom.js";
import { screenPicture, screenWords } from "/shared/screenpicture.js";

const USUAL = { shows: "both", languages: [], size: 1, colours: [], sizes: [], position: "bottom", area: 0,
  align: "centre", lettering: "plain", font: "", margins: [], brightness: 1, ground: "000000", ignoresBlank: false,
  fallsBack: true, filmOffset: 0 };

const isSize = (size) => size >= 0.3 && size <= 3;

/** The first of the written sizes that cannot be one: its field and a sentence; null if all can. */
function wrongSize({ size, sizes, margins }) {
  if (!isSize(size)) {
    return { field: "set-size", sentence: "The size of the letters must be a number from 0.3 to 3, such as 1.2." };
  }
  if (!sizes.every(isSize)) {
    return { field: "set-sizes",
      sentence: "Each size of the languages must be a number from 0.3 to 3, with commas between, such as 1, 0.7." };
  }
  if (margins.every((share) => share >= 0 && share <= 0.45)) return null;
  return { field: "set-margins",
    sentence: "Each edge may stay free by 0 to 45 %; write one number or four, such as 4.5." };
}

/** Four shares of what was written in percent; one that is no share for what is no list of one or four. */
function readMargins(text) {
  const shares = text.replaceAll("%", " ").split(/[,;\s]+/).filter(Boolean).map((one) => Number(one) / 100);
  if (shares.length === 1) return Array(4).fill(shares[0]);
  return shares.length === 0 || shares.length === 4 ? shares : [NaN];
}

const usualColours = ["ffffff", "ffe9a8"]; // of the first language and of the further ones

let kept = {}; // the settings that the server keeps, by the screen's name
let drawn = [];
let mayChange = true;

/** Screens are shown without a way to set them up: the person may not. */
export function takeSettingsAway() {
  mayChange = false;
  drawScreens(drawn);
}

/** Makes a screen darker or brighter at once, by a step that the eye sees. */
export async function dim(name, factor) {
  const brightness = Math.min(Math.max((kept[name]?.brightness ?? 1) * factor, 0.05), 1);
  try {
    await ask(`/api/screens/${name}`, { method: "POST", json: { brightness: Math.round(1000 * brightness) / 1000 } });
  } finally {
    await readScreenSettings();
  }
}

/** All screens that are open. */
export const dimAll = (factor) => Promise.all(drawn.map(({ name }) => dim(name, factor)));

const step = 1.25;
const dimmer = (name) => make("span", { class: "dimmer", role: "group", "aria-label": `Brightness of ${name}` },
  make("button", { type: "button", class: "plain", "aria-label": `${name} darker`, text: "−",
    onclick: () => dim(name, 1 / step) }),
  make("span", { class: "faint", text: `${Math.round(100 * (kept[name]?.brightness ?? 1))} %` }),
  make("button", { type: "button", class: "plain", "aria-label": `${name} brighter`, text: "+",
    onclick: () => dim(name, step) }));

const setUp = (name) => make("button", { type: "button", class: "plain", "data-screen": name,
  "aria-label": `Set up the screen ${name}`, text: "Set up", onclick: () => edit(name) });

/** Draws the screens; those that are open and those that only have settings. */
export function drawScreens(screens) {
  drawn = screens;
  const open = new Set(screens.map(({ name }) => name));
  const closed = Object.keys(kept).filter((name) => !open.has(name)).sort();
  const item = (name, isHere, ...content) => make("li", { "data-here": String(isHere) }, ...content,
    mayChange ? make("span", { class: "screen-tools" }, setUp(name), isHere ? dimmer(name) : null) : null);
  const rows = [
    ...screens.map((screen) => item(screen.name, screen.isHere, screenPicture(screen),
      make("p", { class: "screen-words" }, make("strong", { text: screen.name }), ` ${screenWords(screen)}`))),
    ...closed.map((name) => item(name, false,
      make("p", { class: "screen-words" }, make("strong", { text: name }), " is not open"))),
  ];
  if (screens.length === 0) {
    rows.push(make("li", { "data-here": "false",
      text: "No screen is open; open /screen on the projector's machine." }));
  }
  const focused = document.activeElement?.dataset?.screen;
  find("screens").replaceChildren(...rows);
  if (focused) find("screens").querySelector(`[data-screen="${CSS.escape(focused)}"]`)?.focus();
}

export async function readScreenSettings() {
  try {
    kept = await ask("/api/screens", { patience: 10_000 });
    drawScreens(drawn);
  } catch {
    // The screens are shown without their settings; the next opening of the dialog asks again.
  }
}

/** Opens the dialog with the settings of a screen. */
async function edit(name) {
  await readScreenSettings();
  const own = kept[name];
  const shown = { ...USUAL, ...own };
  const { shows, languages, size, colours, sizes, position, area, ground, ignoresBlank, fallsBack } = shown;
  const { align, lettering, font, margins, filmOffset } = shown;
  const colourOf = (place) => colours[place] || usualColours[Math.min(place, 1)];
  const coloured = Math.min(Math.max(languages.length, colours.length, 2), 8);
  const dialog = find("screen-dialog");
  const choice = (id, label, options, value) => {
    const select = make("select", { id }, ...options.map(([key, text]) => make("option", { value: key, text })));
    select.value = value;
    return [make("label", { for: id, text: label }), select];
  };
  const text = (id, label, value, hint, traits = {}) => [make("label", { for: id, text: label }),
    make("input", { id, value, autocomplete: "off", "aria-describedby": `${id}-hint`, ...traits }),
    make("p", { id: `${id}-hint`, class: "faint", text: hint })];
  const tick = (id, label, checked) => make("label", { class: "tick" },
    make("input", { type: "checkbox", id, checked }), make("span", { text: label }));
  const colour = (id, label, value) => make("label", { class: "tick" },
    make("input", { type: "color", id, value: `#${value}` }), make("span", { text: label }));
  const pickedColour = (id) => find(id).value.replace("#", "").toLowerCase();
  const pickedColours = () => {
    const picked = Array.from({ length: coloured }, (_, place) => pickedColour(`set-colour-${place}`));
    return picked.every((one, place) => one === colourOf(place).toLowerCase()) ? colours : picked;
  };
  const trouble = make("p", { class: "trouble", role: "alert" });
  const listed = (id) => find(id).value.split(",").map((one) => one.trim()).filter(Boolean);
  const close = () => dialog.close();
  const save = async (event) => {
    event.preventDefault();
    const wanted = {
      shows: find("set-shows").value, position: find("set-position").value,
      languages: listed("set-languages"),
      size: Number(find("set-size").value.replace(",", ".")),
      colours: pickedColours(), sizes: listed("set-sizes").map(Number),
      area: Number(find("set-area").value), ground: pickedColour("set-ground"),
      align: find("set-align").value, lettering: find("set-lettering").value, font: find("set-font").value.trim(),
      margins: readMargins(find("set-margins").value),
      ignoresBlank: find("set-ignores").checked, fallsBack: find("set-falls").checked,
      filmOffset: Math.round(Number(find("set-film").value)) || 0,
    };
    const wrong = wrongSize(wanted);
    for (const id of ["set-size", "set-sizes", "set-margins"]) {
      mark(find(id), "aria-invalid", wrong?.field === id ? "true" : null);
    }
    if (wrong) {
      trouble.textContent = wrong.sentence;
      return find(wrong.field).select();
    }
    // Only what was changed here, so that a change by somebody else stays.
    const changed = Object.entries(wanted)
      .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(shown[key]));
    await send({ method: "POST", json: Object.fromEntries(changed) });
  };
  const send = async (request) => {
    try {
      await ask(`/api/screens/${name}`, request);
      close();
      await readScreenSettings();
    } catch (refusal) {
      trouble.textContent = refusal.message;
    }
  };
  dialog.replaceChildren(make("form", { method: "dialog", onsubmit: save },
    make("h2", { text: `Screen ${name}` }),
    make("p", { class: "faint",
      text: "What its own address says goes before these settings. An open screen changes at once." }),
    ...choice("set-shows", "Shows",
      [["both", "Titles, slides and film"], ["titles", "Titles only"], ["slides", "Slides only"],
        ["film", "Film only"]], shows),
    ...text("set-languages", "Languages", languages.join(", "), "Such as de, en; empty for all, one below the other"),
    ...choice("set-position", "Place", [["bottom", "Bottom"], ["middle", "Middle"], ["top", "Top"]], position),
    ...choice("set-align", "Lines stand", [["left", "Left"], ["centre", "In the centre"], ["right", "Right"]], align),
    ...choice("set-lettering", "Letters", [["plain", "Plain"], ["outline", "With an outline"],
      ["shadow", "With a shadow"], ["ground", "On a dark strip"]], lettering),
    ...text("set-font", "Font", font, "A family that the screen's machine has, such as Noto Serif; empty for the usual",
      { maxlength: "60" }),
    ...text("set-margins", "Free at the edges, in %", margins.map((share) => Math.round(1000 * share) / 10).join(", "),
      "Top, right, bottom, left, such as 5, 5, 10, 5; one number for all four; empty for nothing"),
    ...text("set-size", "Size of the letters", String(size), "0.3 to 3; 1 is the usual one", { inputmode: "decimal" }),
    ...choice("set-area", "Height that titles may take", [[0, "As usual: half of a picture, all of a board"],
      ...[0.2, 0.3, 0.5, 0.7, 0.9, 1].map((share) => [share, `${Math.round(100 * share)} % of the screen`]),
      ...([0, 0.2, 0.3, 0.5, 0.7, 0.9, 1].includes(area) ? [] : [[area, `${Math.round(100 * area)} %`]])], area),
    ...Array.from({ length: coloured }, (_, place) => colour(`set-colour-${place}`,
      `Colour of ${languages[place] ?? `the ${["first", "second"][place] ?? `${place + 1}th`} language`}`,
      colourOf(place))),
    ...text("set-sizes", "Sizes of the languages", sizes.join(", "),
      "One for each, such as 1, 0.7; empty for the usual ones"),
    colour("set-ground", "Background; pure green for keying", ground),
    ...text("set-film", "Film earlier by, in milliseconds", String(filmOffset),
      "What the projector needs to show a picture; less than 0 for later", { inputmode: "numeric" }),
    tick("set-ignores", "Stays on when the screens are blanked", ignoresBlank),
    tick("set-falls", "Shows a title that lacks these languages in its first language", fallsBack),
    make("div", { class: "dialog-foot" }, trouble, make("div", { class: "row" },
      make("button", { type: "submit", class: "primary", text: "Save" }),
      own ? make("button", { type: "button", text: "Delete the settings", onclick: () => send({ method: "DELETE" }) })
        : null,
      make("button", { type: "button", text: "Cancel", onclick: close })))));
  dialog.showModal();
}
