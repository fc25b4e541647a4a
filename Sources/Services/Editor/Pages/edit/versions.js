// Earlier versions: the author, time and content of each change, and the way back to a version.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { complain } from "/shared/saved.js";
import { dialog, sure } from "./dialog.js";
import { counted, fieldName, nameOf, nameOfFields } from "./names.js";
import { Tree } from "./tree.js";

const when = (at) => new Date(at).toLocaleString();

/** Fills the drawer: the newest first, more on demand. */
export async function fillHistory(desk, body) {
  const list = make("ol", { class: "past" });
  const more = make("button", { type: "button", text: "Show older ones", hidden: true });
  let oldest = null;
  async function load() {
    try {
      const past = await ask(`/api/edit/concerts/${desk.book.concert}/history${oldest ? `?before=${oldest}` : ""}`,
        { patience: 10_000 });
      list.append(...past.map((edit) => row(desk, edit)));
      oldest = past.at(-1)?.revision ?? oldest;
      more.hidden = past.length < 100;
      return true;
    } catch (refusal) {
      complain(refusal);
      return false;
    }
  }
  more.addEventListener("click", load);
  if (await load()) {
    body.replaceChildren(
      make("p", { class: "hint",
        text: "Look at how the concert was, and bring all of it back, or a part. Undo and redo step through your own " +
          "edits; what others did stays." }),
      list, more);
  }
}

function row(desk, { revision, at, author, label, course, undoneBy, touched, count }) {
  const names = touched.map((node) => nameOf(desk.book.tree, node)).filter(Boolean);
  const about = [...new Set(names)].join(", ") + (count > touched.length ? ` and ${count - touched.length} more` : "");
  return make("li", { "data-undone": undoneBy ? "true" : null, "data-revision": revision },
    make("p", { class: "past-label", text: course === "edit" ? label : `${course}: ${label}` }),
    about ? make("p", { class: "past-about", text: about }) : null,
    make("p", { class: "hint", text: `${author} · ${when(at)}${undoneBy ? " · undone" : ""}` }),
    make("button", { type: "button", "data-does": "look", text: "Look",
      "aria-label": `Look at the concert after “${label}”, ${when(at)}`, onclick: () => look(desk, revision) }));
}

/** One version over the page: what its edit changed, the whole concert as it was, and the ways back. */
async function look(desk, revision) {
  const { book } = desk;
  let past;
  try {
    await book.flush();
    past = await ask(`/api/edit/concerts/${book.concert}/history/${revision}`, { patience: 15_000 });
  } catch (refusal) {
    complain(refusal);
    return;
  }
  const tree = new Tree(past.nodes);
  const { edit } = past;

  async function restore(node) {
    try {
      const { revision: made } = await ask(`/api/edit/concerts/${book.concert}/restore`,
        { method: "POST", json: { revision, seen: past.newest, ...(node ? { node } : {}) }, patience: 15_000 });
      shown.close();
      await book.did(made);
      notice(made > past.newest ? "Restored." : "Nothing to restore: it is so already.",
        { tone: "good", seconds: 8, ...(made > past.newest ? { action: "Undo", act: () => desk.undo() } : {}) });
    } catch (refusal) {
      complain(refusal);
    }
  }

  const all = make("button",
    { type: "button", class: "chief", "data-does": "restore", text: "Restore this version", onclick: async () => {
      const since = past.newest - revision;
      if (since === 0 || await sure("Restore this version?",
        `The whole concert becomes as it was on ${when(edit.at)}. ${counted(since, "later edit")}, also of others, ` +
          `${since === 1 ? "is" : "are"} taken back. It is one new edit: Undo brings everything back.`, "Restore")) {
        restore(null);
      }
    } });
  const changes = past.changes.map((change) => changeRow(change, restore));
  const shown = dialog(`Version of ${when(edit.at)}`, [
    make("p", { class: "hint",
      text: `${edit.author}: ${edit.course === "edit" ? edit.label : `${edit.course}: ${edit.label}`}` }),
    make("div", { class: "row" }, all),
    make("h3", { text: "What this edit changed" }),
    changes.length ? make("ul", { class: "past-changes" }, ...changes)
      : make("p", { class: "hint", text: "Nothing that is seen." }),
    past.more ? make("p", { class: "hint", text: `and ${counted(past.more, "further change")}` }) : null,
    make("h3", { text: "The concert then" }),
    outline(tree),
  ].filter(Boolean), { wide: true });
}

const said = { made: "new", removed: "removed", moved: "moved" };

function changeRow({ node, kind, fields, change, field, from, to, isThere }, restore) {
  const only = ["measures", "waveform", "digest"].includes(field);
  return make("li", { "data-change": change },
    make("div", { class: "past-change" },
      make("p", { class: "past-label",
        text: `${nameOfFields(kind, fields)}: ${change === "wrote" ? fieldName(field) : said[change]}` }),
      isThere && kind !== "concert"
        ? make("button", { type: "button", "data-does": "restore-part", text: "Restore this alone",
          onclick: () => restore(node) }) : null),
    change === "wrote" && !only ? make("p", { class: "past-texts" },
      from ? make("del", { text: from }) : null, from && to ? " " : null,
      to ? make("ins", { text: to }) : make("span", { class: "hint", text: "left empty" })) : null,
    change === "made" && fields.text ? make("p", { class: "past-texts" }, make("ins", { text: fields.text })) : null,
    change === "removed" && fields.text ? make("p", { class: "past-texts" }, make("del", { text: fields.text }))
      : null);
}

/** Everything that can be read, as it was. */
function outline(tree) {
  const part = (text, lines, { open = false } = {}) => make("details", { class: "details", open },
    make("summary", { text }),
    make("ul", { class: "outline" }, ...lines.map((line) => make("li", {}, ...[line].flat()))));
  const pieces = tree.children("concert", "piece").map((piece) => part(piece.fields.name || "Untitled piece",
    [...tree.children(piece.id, "track")
      .map((track) => part(
        `${track.fields.name || "Untitled track"} · ${counted(tree.children(track.id, "slide").length, "slide")}`,
        tree.children(track.id, "slide")
          .map((slide) => [make("span", { class: "hint", text: `Bar ${slide.fields.printed ?? "–"}  ` }),
            slide.fields.text ?? ""]))),
    part(`Form · ${counted(tree.children(piece.id, "section").length, "section")}`,
      tree.children(piece.id, "section")
        .map(({ fields }) =>
          `Bar ${fields.printed ?? "–"}  ${fields.label ?? ""}${fields.key ? `, ${fields.key}` : ""}`))]));
  const shared = [["word", "Glossary", ({ fields }) => `${fields.name ?? ""}: ${fields.description ?? ""}`],
    ["message", "Messages", ({ fields }) => [fields.title, fields.body, fields.buttonText].filter(Boolean).join(" · ")],
    ["asset", "Files", ({ fields }) => fields.name ?? ""]]
    .map(([kind, text, line]) => [tree.children("concert", kind), text, line]).filter(([nodes]) => nodes.length)
    .map(([nodes, text, line]) => part(`${text} · ${nodes.length}`, nodes.map(line)));
  return make("div", { class: "outline-top" },
    make("p", { class: "past-label", text: tree.text("concert", "title") || "Untitled concert" }), ...pieces,
    ...shared);
}
