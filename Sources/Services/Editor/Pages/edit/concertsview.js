// All concerts: make one, rename, remove, and choose which one listeners find.
import { ask } from "/shared/api.js";
import { fileButton, takeDrops } from "/shared/choosefiles.js";
import { icon, make } from "/shared/dom.js";
import { keep, readKept, storage } from "/shared/kept.js";
import { notice } from "/shared/notice.js";
import { complain, showSaved } from "/shared/saved.js";
import { unsentCount } from "/shared/unsent.js";
import { sure } from "./dialog.js";
import { keyed } from "./keyed.js";
import { heading, nothing, sign } from "./layout.js";
import { serveConcert, stopServing } from "./serving.js";
import { unsentEdits } from "./unsentedits.js";
import { newConcertOf } from "./uploads.js";

const typed = "baton.edit.title"; // where a title waits that was not taken yet

const session = storage("sessionStorage");
const kept = (name) => readKept(name, session) ?? "";
const keepTyped = (name, text) => keep(name, text || null, session);

export function concertsView() {
  const title = make("input",
    { id: "new-title", type: "text", maxlength: 300, placeholder: "Title of the concert", autocomplete: "off" });
  const form = make("form", { class: "row new-form" },
    make("label", { class: "spoken", for: "new-title", text: "Title of the new concert" }), title,
    make("button", { type: "submit", class: "chief" }, icon("plus"), "New concert"));
  const take = async ([file]) => {
    notice(`Reading ${file.name} …`, { seconds: 2 });
    try {
      const { concert, title: named, brought, notes } = await newConcertOf(file);
      location.hash = `#/${concert}`;
      notice(`“${named || "Untitled concert"}” was made: ${brought}.`, { tone: "good", seconds: 8 });
      for (const note of notes.slice(0, 2)) notice(note, { seconds: 8 });
    } catch (refusal) {
      complain(refusal);
    }
  };
  form.append(fileButton("From a ZIP …", ".zip,application/zip", take));
  const list = make("ul", { class: "cards", "aria-label": "Concerts" });
  const empty = nothing("No concerts yet",
    "Write a title above and press Enter. Then add the pieces, and the texts listeners read while they sound.");
  empty.hidden = true;
  const element = make("div", { class: "page" }, heading(null, "Concerts"), form, list, empty);
  takeDrops(element, take);

  let madeAt = -Infinity;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // The second click of a double click makes no second concert.
    if (performance.now() - madeAt < 1_000) return;
    madeAt = performance.now();
    try {
      // The sign-in may have run out: what was typed is here again when one comes back.
      keepTyped(typed, title.value);
      const { concert } = await ask("/api/edit/concerts",
        { method: "POST", json: { title: title.value.trim() || "Untitled concert" } });
      keepTyped(typed, "");
      location.hash = `#/${concert}`;
    } catch (refusal) {
      madeAt = -Infinity;
      complain(refusal);
    }
  });
  title.value = kept(typed);

  let complaint = null; // about what was tried last; the next attempt is no longer that
  async function attempt(work) {
    complaint?.remove();
    try {
      await work();
    } catch (refusal) {
      complaint = complain(refusal);
      return false;
    }
    await update();
    return true;
  }

  const rename = (concert, to) => attempt(() => ask(`/api/edit/concerts/${concert.id}/edits`,
    { method: "POST", json: { base: concert.revision, label: "title",
      changes: [{ set: "concert", field: "title", to }] }, patience: 10_000 }));

  function row(first) {
    let concert = first;
    const name = make("a", { class: "card-title", href: `#/${first.id}` });
    const field = make("input", { type: "text", class: "card-rename", "aria-label": "New title", hidden: true });
    const badge = make("span", { class: "badge live", text: "Listeners find this one" });
    const unsent = make("span",
      { class: "unsent", text: "Holds changes that are not saved yet: open it to send them" });
    const serve = make("button",
      { type: "button", "data-does": "serve", text: "Serve to listeners", onclick: () => attempt(async () => {
        if (await serveConcert(concert.id)) notice(`Listeners now find “${concert.title}”.`, { tone: "good" });
      }) });
    const stop = make("button",
      { type: "button", "data-does": "stop-serving", text: "Stop serving", onclick: () => attempt(async () => {
        if (await stopServing(concert)) notice(`Listeners no longer find “${concert.title}”.`, { tone: "good" });
      }) });
    const open = (value) => {
      field.value = value;
      [field.hidden, name.hidden] = [false, true];
    };
    const edit = sign("edit", "Rename", () => {
      open(concert.title);
      field.focus();
      field.select();
    }, { "data-does": "rename" });
    const another = `${typed}.${first.id}`;
    if (kept(another)) open(kept(another));
    const copy = make("button",
      { type: "button", text: "Copy", title: "Copy for another evening", onclick: () => attempt(async () => {
        const { concert: made } = await ask(`/api/edit/concerts/${concert.id}/copy`,
          { method: "POST", json: {}, patience: 15_000 });
        location.hash = `#/${made}`;
        notice(`“${concert.title || "Untitled concert"}” was copied with everything in it. Give the copy its title ` +
          `and date.`, { tone: "good", seconds: 8 });
      }), "data-does": "copy-concert" });
    const made = make("span", { class: "hint" });
    const remove = sign("trash", "Remove", async () => {
      if (await sure(`Remove “${concert.title}”?`, "It disappears from this list, with all its texts and pictures.",
        "Remove")) {
        attempt(() => ask(`/api/edit/concerts/${concert.id}`, { method: "DELETE" }));
      }
    }, { "data-does": "remove-concert" });
    const done = (wanted) => {
      if (field.hidden) return;
      [field.hidden, name.hidden] = [true, false];
      edit.focus();
      if (wanted && field.value.trim() && field.value !== concert.title) send(field.value.trim());
      else keepTyped(another, "");
    };
    async function send(to) {
      keepTyped(another, to);
      // A name that was refused stays in its field.
      if (await rename(concert, to)) keepTyped(another, "");
      else open(to);
    }
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") done(true);
      if (event.key === "Escape") done(false);
    });
    field.addEventListener("blur", () => done(true));
    return {
      element: make("li", { class: "card concert-card" },
        make("div", { class: "card-main" }, name, field, badge, made, unsent),
        make("div", { class: "card-tools" }, serve, stop, edit, copy, remove)),
      update(now) {
        concert = now;
        made.textContent = now.made
          ? `Made ${new Date(now.made).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}` : "";
        unsent.hidden = unsentCount(unsentEdits, now.id) === 0;
        name.textContent = now.title || "Untitled concert";
        [badge.hidden, stop.hidden] = [!now.served, !now.served];
        [serve.hidden, remove.hidden] = [now.served, now.served];
      },
    };
  }

  async function update() {
    try {
      const all = await ask("/api/edit/concerts");
      showSaved("saved"); // nobody is signed out any more
      keyed(list, all, ({ id }) => id, row);
      empty.hidden = all.length > 0;
    } catch (refusal) {
      complain(refusal);
    }
  }
  update();
  return { element, update, keys: {}, gone() {}, focus: () => title };
}
