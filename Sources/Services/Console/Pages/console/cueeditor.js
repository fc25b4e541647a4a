// The cue list of a piece as a table: edit, add, delete, import, export. The server checks and names what is wrong.
import { ask } from "/shared/api.js";
import { icon, make, mark, write } from "/shared/dom.js";
import { readText } from "/shared/textfile.js";
import {
  beginnings, columns, describeConflict, kinds, mergeRows, mistakeIn, rowsOf, textOf, titles,
} from "./cuerows.js";

export function buildCueEditor({ desk }) {
  const choice = make("select", { "aria-label": "Piece" });
  const body = make("tbody");
  const say = make("p", { class: "say", role: "status" });
  const table = make("table", { class: "cue-table" },
    make("thead", {}, make("tr", {},
      ...columns.slice(1).map((name) => make("th", { scope: "col", text: titles[name] })),
      make("th", {}, make("span", { class: "spoken", text: "Delete" })))), body);
  const file = make("input",
    { type: "file", accept: ".csv,text/csv", class: "spoken", tabindex: "-1", "aria-label": "Cue list to import" });
  const save = make("button", { type: "button", class: "primary" }, "Save");
  const add = make("button", { type: "button" }, icon("plus"), "Add a cue");
  const bring = make("button", { type: "button" }, "Import CSV");
  const revert = make("button", { type: "button" }, "Undo all changes");
  const keep = make("a", { class: "button", download: "" }, "Export CSV");
  // A cue names a target that the server was started with, never an address.
  const targets = make("datalist", { id: "cue-targets" });
  const rights = make("p", { class: "hint", hidden: true });
  const element = make("div", { class: "stack" }, targets,
    make("div", { class: "row" }, choice, add, bring, keep, file), rights,
    make("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": "Cues of the piece" }, table),
    make("div", { class: "row" }, save, revert, say));
  let piece = null; // the number of the piece whose rows are shown; null if it has left the programme
  let folder = null; // that piece, whatever its number becomes
  let tag = null; // the fingerprint of the list that the rows were made from; null if it could not be read
  let base = []; // that list
  let origins = new WeakMap(); // the row of it that a row was made from
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
    add.disabled = bring.disabled = tag === null || piece === null;
    revert.disabled = !changed || piece === null;
    if (locked) tell("The show is locked: cues cannot be changed. L unlocks.", true);
    else if (say.textContent.startsWith("The show is locked")) tell("");
  }

  function touch() {
    changed = true;
    tell("Not saved yet.");
    paint();
  }

  function cell(row, name, index, isOthers) {
    const label = `${titles[name]} of cue ${index + 1}`;
    const change = (event) => {
      row[name] = name === "auto" ? (event.target.checked ? "yes" : "no") : event.target.value;
      touch();
    };
    let field;
    if (name === "kind") {
      field = make("select", { "aria-label": label, onchange: change },
        ...(isOthers ? [row.kind] : writable).map((kind) => make("option", { value: kind, text: kind })));
      field.value = row.kind;
    } else if (name === "begin") {
      field = make("select", { "aria-label": label, onchange: change },
        ...Object.entries(beginnings).map(([value, text]) => make("option", { value, text })));
      field.value = row.begin;
    } else if (name === "auto") {
      field = make("input", { type: "checkbox", "aria-label": label, checked: row.auto === "yes", onchange: change });
    } else {
      field = make("input",
        { "aria-label": label, value: row[name], oninput: change, spellcheck: name === "notes" || name === "name"
          ? "true" : "false",
          inputmode: name === "earliness_ms" ? "numeric" : null, list: name === "target" ? targets.id : null });
    }
    field.disabled = isOthers;
    return make("td", { "data-column": name, "data-title": titles[name] }, field);
  }

  function fill() {
    body.replaceChildren(...rows.map((row, index) => {
      const isOthers = kinds.includes(row.kind) && !writable.includes(row.kind);
      const trash = make("button",
        { type: "button", class: "plain", "aria-label": `Delete cue ${index + 1}`, onclick: () => {
          rows.splice(index, 1);
          fill();
          touch();
        } }, icon("trash"));
      trash.disabled = isOthers;
      return make("tr", { title: isOthers ? `A technician writes cues of the kind ${row.kind}.` : null },
        ...columns.slice(1).map((name) => cell(row, name, index, isOthers)), make("td", {}, trash));
    }));
    if (rows.length === 0) {
      const text = tag === null ? "The cues could not be read." : "No cues yet.";
      body.append(make("tr", {}, make("td", { colspan: columns.length, text })));
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
    write(rights, others.length
      ? `Cues of the kinds ${others.join(", ")} are a technician’s to write, change and remove.` : "");
    rights.hidden = others.length === 0;
  }

  async function store() {
    const mistake = mistakeIn(rows);
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
  add.addEventListener("click", () => {
    const here = desk.get("position");
    rows.push({ piece: String(piece + 1), place: here?.piece === piece ? String(here.measure) : "", name: "",
      kind: "note", auto: "no", earliness_ms: "0", notes: "", target: "", payload: "",
      begin: "certain" });
    fill();
    touch();
    // The number typed now replaces the bar that stands there.
    const bar = body.lastElementChild.querySelector("input");
    bar.focus();
    bar.select();
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
  desk.on("targets",
    (known) => targets.replaceChildren(...known.filter(({ kind }) => kind === "osc")
      .map(({ name }) => make("option", { value: name }))));
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
