// The cue list of a piece as a table: edit, add, delete, import, export. The server checks and names what is wrong.
import { ask } from "/shared/api.js";
import { icon, make, mark, write } from "/shared/dom.js";
import { readCsv, readText, shield, unshield, writeCsv } from "./csv.js";

export const columns = ["piece", "place", "name", "kind", "auto", "earliness_ms", "notes", "target", "payload"];
const kinds = ["osc", "mqtt", "message", "slide", "note"];
const titles = { place: "Bar", name: "Name", kind: "Kind", auto: "Auto", earliness_ms: "ms early", notes: "Notes",
  target: "Target", payload: "Payload" };

/**
 * The first mistake in the rows as a sentence, or null: only what the page can know; places are the server's to judge.
 */
function mistakeIn(rows) {
  for (const [index, row] of rows.entries()) {
    const where = row.name.trim() ? `The cue “${row.name.trim()}”` : `Cue ${index + 1}`;
    if (row.place.trim() === "") {
      return `${where}: the bar is empty. Write a bar number, a rehearsal letter or p: and a played index.`;
    }
    if (row.name.trim() === "") return `${where}: the name is empty. Write what the cue does.`;
    if (!kinds.includes(row.kind)) return `${where}: kind “${row.kind}” is none of ${kinds.join(", ")}.`;
    if (!["yes", "no"].includes(row.auto)) return `${where}: auto is “${row.auto}”; write yes or no.`;
    if (!/^\d{1,5}$/.test(row.earliness_ms) || Number(row.earliness_ms) > 60_000) {
      return `${where}: “${row.earliness_ms}” is no earliness. Write milliseconds from 0 to 60000.`;
    }
    if (row.kind === "slide" && Number(row.earliness_ms) > 0) return `${where}: a slide is never early. Write 0 ms.`;
  }
  return null;
}

const unsaid = { auto: "yes", earliness_ms: "0" };
const spelled = { true: "yes", 1: "yes", on: "yes", "": "yes", false: "no", 0: "no", off: "no" };

/** Rows of a CSV text: columns in any order, at least place, name and kind. Throws with a sentence. */
export function rowsOf(text) {
  const [header, ...lines] = readCsv(text);
  const names = (header ?? []).map((name) => name.trim().toLowerCase());
  const missing = ["place", "name", "kind"].filter((name) => !names.includes(name));
  const unknown = names.filter((name, at) => !columns.includes(name) || names.indexOf(name) !== at);
  if (missing.length || unknown.length) throw new SyntaxError(`Line 1: the header must read “${columns.join(",")}”.`);
  return lines.map((line, index) => {
    if (line.length !== names.length) {
      throw new SyntaxError(`Row ${index + 2}: ${line.length} columns, ${names.length} wanted.`);
    }
    const row = Object.fromEntries(
      columns.map((name) => [name, unshield(line[names.indexOf(name)] ?? unsaid[name] ?? "")]));
    // “250,0” and “250.4” as spreadsheets write numbers; an empty cell is the usual value.
    row.earliness_ms = row.earliness_ms.trim() === "" ? unsaid.earliness_ms : row.earliness_ms.trim();
    if (/^\d+[.,]\d+$/.test(row.earliness_ms)) {
      row.earliness_ms = String(Math.round(Number(row.earliness_ms.replace(",", "."))));
    }
    row.auto = spelled[row.auto.toLowerCase()] ?? row.auto.toLowerCase();
    return row;
  });
}

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
  let piece = null;
  let writable = kinds; // what the server takes from whoever is signed in
  let rows = [];
  let changed = false;

  const tell = (words, bad = false) => {
    write(say, words);
    mark(say, "data-bad", bad);
  };

  function paint() {
    const locked = desk.get("show")?.locked;
    save.disabled = Boolean(locked) || !changed;
    revert.disabled = !changed;
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
    if (rows.length === 0) body.append(make("tr", {}, make("td", { colspan: columns.length, text: "No cues yet." })));
  }

  async function load(index) {
    piece = index;
    keep.href = `/api/cues/${index}.csv`;
    keep.download = `${desk.get("programme")?.pieces?.[index]?.folder ?? `piece-${index + 1}`}-cues.csv`;
    try {
      rows = rowsOf(await ask(`/api/cues/${index}.csv`, { as: "text" }));
      changed = false;
      tell("");
    } catch (refusal) {
      rows = [];
      tell(refusal.message, true);
    }
    fill();
    paint();
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
    const text = writeCsv([columns, ...rows.map((row) => columns.map((name) => shield(row[name])))]);
    try {
      await ask(`/api/cues/${piece}`, { method: "PUT", text, kind: "text/csv" });
      await load(piece);
      tell("Saved.");
    } catch (refusal) {
      // The lines of the file, its head first, are the rows here: the row is shown, not its number.
      const [words, line] = /, line (\d+)/.exec(refusal.message) ?? ["", ""];
      tell(refusal.message.replace(words, ""), true);
      body.children[line - 2]?.querySelector("input")?.focus();
    }
  }

  save.addEventListener("click", store);
  revert.addEventListener("click", () => load(piece));
  add.addEventListener("click", () => {
    const here = desk.get("position");
    rows.push({ piece: String(piece + 1), place: here?.piece === piece ? String(here.measure) : "", name: "",
      kind: "note", auto: "no", earliness_ms: "0", notes: "", target: "", payload: "" });
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
      choice.value = String(piece);
      return;
    }
    load(Number(choice.value));
  });

  desk.on("programme", ({ pieces }) => {
    const chosen = choice.value;
    choice.replaceChildren(
      ...pieces.map((each) => make("option", { value: each.index, text: `${each.index + 1}. ${each.name}` })));
    if (chosen !== "") choice.value = chosen;
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
