// The cue list of a piece, a form for each cue: edit, add, test, delete, import, export. The server checks and names
// what is wrong.
import { ask } from "/shared/api.js";
import { icon, make, mark, write } from "/shared/dom.js";
import { readText } from "/shared/textfile.js";
import { cueKinds, fieldsOf, partsOf, templates, withPart } from "./cuekinds.js";
import {
  beginnings, columns, describeConflict, kinds, mergeRows, mistakeIn, rowsOf, textOf, titles,
} from "./cuerows.js";
import { looksOnly } from "./rights.js";

export function buildCueEditor({ desk }) {
  const choice = make("select", { "aria-label": "Piece" });
  const body = make("tbody");
  const say = make("p", { class: "say", role: "status" });
  const table = make("table", { class: "cue-table" }, body);
  const file = make("input",
    { type: "file", accept: ".csv,text/csv", class: "spoken", tabindex: "-1", "aria-label": "Cue list to import" });
  const save = make("button", { type: "button", class: "primary" }, "Save");
  const add = make("button", { type: "button" }, icon("plus"), "Add a cue");
  const ready = make("select", { "aria-label": "Add from a template" });
  const bring = make("button", { type: "button" }, "Import CSV");
  const revert = make("button", { type: "button" }, "Undo all changes");
  const keep = make("a", { class: "button", download: "" }, "Export CSV");
  const rights = make("p", { class: "hint", hidden: true });
  const element = make("div", { class: "stack" },
    make("div", { class: "row" }, choice, add, ready, bring, keep, file), rights,
    make("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": "Cues of the piece" }, table),
    make("div", { class: "row" }, save, revert, say));
  let piece = null; // the number of the piece whose rows are shown; null if it has left the programme
  let folder = null; // that piece, whatever its number becomes
  let tag = null; // the fingerprint of the list that the rows were made from; null if it could not be read
  let base = []; // that list
  let origins = new WeakMap(); // the row of it that a row was made from
  const said = new WeakMap(); // row → what it said as another kind
  let writable = kinds; // what the server takes from whoever is signed in
  let rows = [];
  let changed = false;

  const tell = (words, bad = false) => {
    write(say, words);
    mark(say, "data-bad", bad);
    if (bad) say.scrollIntoView({ block: "nearest" });
  };

  function paint() {
    const locked = desk.get("show")?.locked;
    save.disabled = Boolean(locked) || !changed || tag === null || piece === null;
    add.disabled = ready.disabled = bring.disabled = tag === null || piece === null;
    for (const button of body.querySelectorAll(".cue-test")) button.disabled = Boolean(locked) || looksOnly(desk);
    revert.disabled = !changed || piece === null;
    if (locked) tell("The show is locked: cues cannot be changed. L unlocks.", true);
    else if (say.textContent.startsWith("The show is locked")) tell("");
  }

  function touch() {
    changed = true;
    tell("Not saved yet.");
    paint();
  }

  const select = (traits, options, value) => {
    const menu = make("select", traits,
      ...Object.entries(options).map(([key, text]) => make("option", { value: key, text })));
    menu.value = value;
    return menu;
  };

  const words = (traits, value) => make("input", { autocomplete: "off", spellcheck: "false", value, ...traits });

  function cell(row, name, index, isOthers) {
    const traits = { "aria-label": `${titles[name]} of cue ${index + 1}`, disabled: isOthers };
    const change = (event) => {
      row[name] = name === "auto" ? (event.target.checked ? "yes" : "no") : event.target.value;
      touch();
    };
    const field = name === "begin" ? select({ ...traits, onchange: change }, beginnings, row.begin)
      : name === "auto" ? make("input", { ...traits, type: "checkbox", checked: row.auto === "yes", onchange: change })
        : words({ ...traits, oninput: change, spellcheck: String(name === "notes" || name === "name"),
          inputmode: name === "earliness_ms" ? "numeric" : null }, row[name]);
    return make("td", { "data-column": name, "data-title": titles[name] }, field);
  }

  /** What a cue says, in the fields of its kind. */
  function saying(row, index, isOthers) {
    const parts = partsOf(row);
    return make("td", { "data-column": "says" }, ...fieldsOf(row).map(
      ({ key, title, example, choices }) => {
        const change = (event) => {
          const { value } = event.target;
          // In a message a “|” ends a field, so none can be in it.
          if (row.kind === "message" && value.includes("|")) event.target.value = value.replaceAll("|", "/");
          Object.assign(row, withPart(row, key, event.target.value));
          if (key === "what") redraw(row, index, "[data-part=what]");
          touch();
        };
        const traits = { "aria-label": `${title} of cue ${index + 1}`, "data-part": key, disabled: isOthers };
        const menu = choices ?? (key === "target" ? targetChoices(row) : null);
        return make("label", {}, title, menu ? select({ ...traits, onchange: change }, menu, parts[key])
          : words({ ...traits, oninput: change, placeholder: example }, parts[key]));
      }));
  }

  /** A cue names a target that is set up, never an address; one that is gone stays to be seen. */
  function targetChoices({ kind, target: own }) {
    const known = targetsOf(kind).map(({ name }) => [name, name]);
    const none = kind === "osc" ? "None: add one in Outputs" : "None is set up";
    const first = own === "" ? [["", known.length ? "Choose" : none]]
      : known.some(([name]) => name === own) ? [] : [[own, `${own} (unknown)`]];
    return Object.fromEntries([...first, ...known]);
  }

  const targetsOf = (kind) => (desk.get("targets") ?? []).filter((each) => each.kind === kind);

  /** Makes a row's line anew, with the focus where it was. */
  function redraw(row, index, focused) {
    body.children[index].replaceWith(line(row, index));
    body.children[index].querySelector(focused).focus();
  }

  function kindCell(row, index, isOthers) {
    const offered = Object.fromEntries((isOthers ? [row.kind] : writable.includes(row.kind) ? writable
      : [row.kind, ...writable]).map((kind) => [kind, cueKinds[kind]?.title ?? kind]));
    return make("td", { "data-column": "kind", "data-title": titles.kind },
      select({ "aria-label": `Kind of cue ${index + 1}`, disabled: isOthers, onchange: (event) => {
        // Each kind has its own fields; what was written in those of another one is there again if it is chosen again.
        const written = { ...said.get(row), [row.kind]: { target: row.target, payload: row.payload } };
        said.set(row, written);
        row.kind = event.target.value;
        Object.assign(row, written[row.kind] ?? { target: "", payload: "" });
        redraw(row, index, "[data-column=kind] select");
        touch();
      } }, offered, row.kind));
  }

  async function test(row) {
    tell("It is sent …");
    try {
      const { name, kind, target, payload } = row;
      const json = { name, kind, target, payload };
      const { failed, sentence } = await ask("/api/cue-test", { method: "POST", json });
      tell(`Test of “${name}”: ${sentence}`, failed);
    } catch (refusal) {
      tell(refusal.message, true);
    }
  }

  function line(row, index) {
    const isOthers = kinds.includes(row.kind) && !writable.includes(row.kind);
    const trash = make("button", { type: "button", class: "plain", disabled: isOthers,
      "aria-label": `Delete cue ${index + 1}`, onclick: () => {
        rows.splice(index, 1);
        fill();
        touch();
      } }, icon("trash"));
    const trial = ["osc", "mqtt", "midi"].includes(row.kind) ? make("button", { type: "button", class: "cue-test",
      disabled: isOthers || looksOnly(desk), "aria-label": `Test cue ${index + 1}`, onclick: () => test(row) }, "Test")
      : null;
    const at = (name) => cell(row, name, index, isOthers);
    return make("tr", { "data-kind": row.kind,
      title: isOthers ? `A technician writes cues of the kind ${row.kind}.` : null },
    at("place"), at("name"), kindCell(row, index, isOthers), at("auto"), at("earliness_ms"), at("begin"),
    saying(row, index, isOthers), at("notes"), make("td", { class: "cue-does" }, trial, trash));
  }

  function fill() {
    body.replaceChildren(...rows.map(line));
    if (rows.length === 0) {
      const text = tag === null ? "The cues could not be read." : "No cues yet.";
      body.append(make("tr", {}, make("td", { text })));
    }
  }

  const folderOf = (index) => desk.get("programme")?.pieces?.[index]?.folder ?? null;

  /** The list of a piece as the server has it now; remembered as the one that the rows are made from. */
  async function read(index) {
    const answer = await ask(`/api/cues/${index}.csv`, { as: "tagged" });
    const found = rowsOf(answer.text);
    if (index !== piece) return null;
    tag = answer.tag;
    base = found;
    return found;
  }

  function take(list) {
    rows = list.map((row) => ({ ...row }));
    origins = new WeakMap(rows.map((row, index) => [row, list[index]]));
  }

  /** Shows a piece's list. If it cannot be read, rows that are shown stay, and nothing can be saved. */
  async function load(index) {
    if (folderOf(index) !== folder) {
      rows = [];
      changed = false;
      tag = null;
    }
    piece = index;
    folder = folderOf(index);
    keep.href = `/api/cues/${index}.csv`;
    keep.download = `${folder ?? `piece-${index + 1}`}-cues.csv`;
    try {
      const list = await read(index);
      if (list === null) return;
      take(list);
      changed = false;
      tell("");
    } catch (refusal) {
      if (index !== piece) return;
      tell(`${refusal.message} ${changed ? "Your changes are still here." : ""}`.trim(), true);
    }
    fill();
    paint();
  }

  /** Puts the changes into the list that somebody else has saved meanwhile. */
  async function merge() {
    const before = base;
    const theirs = await read(piece);
    if (theirs === null) return;
    const { rows: merged, both } = mergeRows(before, rows, theirs, (row) => origins.get(row));
    const unclaimed = new Set(theirs);
    origins = new WeakMap();
    for (const row of merged) {
      const old = [...unclaimed].find((each) => columns.every((name) => each[name] === row[name]));
      if (old) origins.set(row, old);
      unclaimed.delete(old);
    }
    rows = merged;
    fill();
    touch();
    tell("Somebody else has saved these cues meanwhile. Their changes are in the table now, with yours"
      + `.${both.map((conflict) => ` ${describeConflict(conflict)}`).join("")} `
      + "Look them over, then save again.", true);
  }

  /** Kinds that are not allowed are not offered; if the server does not answer, it refuses them itself. */
  async function askKinds() {
    writable = await ask("/api/cue-kinds").catch(() => kinds);
    const others = kinds.filter((kind) => !writable.includes(kind));
    ready.replaceChildren(make("option", { value: "", text: "Add from a template" }), ...templates.map(
      ({ title, cue }, index) => writable.includes(cue.kind) && make("option", { value: index, text: title }))
      .filter(Boolean));
    write(rights, others.length
      ? `Cues of the kinds ${others.join(", ")} are a technician’s to write, change and remove.` : "");
    rights.hidden = others.length === 0;
  }

  async function store() {
    const mistake = mistakeIn(rows, (row) => columns.some((name) => origins.get(row)?.[name] !== row[name]));
    if (mistake) return tell(mistake, true);
    try {
      await ask(`/api/cues/${piece}?${new URLSearchParams({ replacing: tag })}`,
        { method: "PUT", text: textOf(rows), kind: "text/csv" });
    } catch (refusal) {
      if (refusal.code === "cues-changed") {
        return merge().catch((trouble) => tell(trouble.message, true));
      }
      // The lines of the file, its head first, are the rows here: the row is shown, not its number.
      const [words, line] = /, line (\d+)/.exec(refusal.message) ?? ["", ""];
      tell(refusal.message.replace(words, ""), true);
      body.children[Number(line) - 2]?.querySelector("input")?.focus();
      return;
    }
    await load(piece);
    if (!changed) tell("Saved.");
  }

  save.addEventListener("click", store);
  revert.addEventListener("click", () => load(piece));
  function addCue(template = {}) {
    const here = desk.get("position");
    rows.push({ piece: String(piece + 1), place: here?.piece === piece ? String(here.measure) : "", name: "",
      kind: "note", auto: "no", earliness_ms: "0", notes: "", target: "", payload: "", begin: "certain", ...template });
    fill();
    touch();
    // The number typed now replaces the bar that stands there.
    const bar = body.lastElementChild.querySelector("input");
    bar.focus();
    bar.select();
  }
  add.addEventListener("click", () => addCue());
  ready.addEventListener("change", () => {
    const { cue } = templates[Number(ready.value)];
    ready.value = "";
    const [first, ...others] = targetsOf(cue.kind);
    const takesTarget = "target" in partsOf({ target: "", ...cue });
    addCue(takesTarget ? { ...cue, target: others.length ? "" : first?.name ?? "" } : cue);
  });
  bring.addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    try {
      // A sheet without the piece's column is for the piece shown; the server refuses rows of another one.
      rows = rowsOf(await readText(chosen)).map((row) => ({ ...row, piece: row.piece || String(piece + 1) }));
      fill();
      touch();
      tell(`${rows.length} cues from “${chosen.name}”. Look them over, then save.`);
    } catch (mistake) {
      tell(mistake.message, true);
    }
    file.value = "";
  });
  choice.addEventListener("change", () => {
    if (changed && !confirm("Leave the changes of this piece unsaved?")) {
      choice.value = piece === null ? "" : String(piece);
      return;
    }
    load(Number(choice.value));
  });

  // The rows stay with their piece, also if it has another number now.
  desk.on("programme", ({ pieces }) => {
    choice.replaceChildren(
      ...pieces.map((each) => make("option", { value: each.index, text: `${each.index + 1}. ${each.name}` })));
    if (folder === null) return;
    const found = pieces.findIndex((each) => each.folder === folder);
    const moved = found !== piece;
    piece = found < 0 ? null : found;
    choice.value = found < 0 ? "" : String(found);
    if (found < 0) tell("The piece of these cues is no longer in the programme.", true);
    else if (moved) {
      // A row names its piece by the number.
      for (const row of [...rows, ...base]) row.piece = String(found + 1);
      if (!changed) load(found);
    }
    paint();
  });
  addEventListener("beforeunload", (event) => {
    if (changed) event.preventDefault();
  });
  let wasLinked = true;
  desk.on("link", ({ linked }) => {
    const isBack = linked && !wasLinked;
    wasLinked = linked;
    if (isBack && piece !== null && !changed) load(piece);
  });
  let known = "";
  desk.on("targets", (all) => {
    const names = JSON.stringify(all.map(({ kind, name }) => [kind, name]));
    if (names === known) return;
    known = names;
    for (const [index, row] of rows.entries()) {
      const menu = body.children[index]?.querySelector("[data-part=target]");
      if (!menu) continue;
      menu.replaceChildren(...Object.entries(targetChoices(row))
        .map(([value, text]) => make("option", { value, text })));
      menu.value = row.target;
    }
  });
  desk.on("show", paint);
  return {
    element,
    async opened() {
      if (changed) return;
      await askKinds();
      const index = desk.get("position")?.piece ?? 0;
      choice.value = String(index);
      load(index);
    },
  };
}
