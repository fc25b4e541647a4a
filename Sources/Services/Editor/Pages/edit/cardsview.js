// Glossary and messages: cards of fields, to add, order and remove.
import { make, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { findingsOf } from "./checking.js";
import { field } from "./fields.js";
import { keyed } from "./keyed.js";
import { heading, nothing, sign } from "./layout.js";
import { messageFields, messageKind } from "./messagekinds.js";
import { Nearby, buildRow } from "./nearby.js";
import { moveChange, orderTools } from "./ordering.js";
import { newID } from "./tree.js";

const sorts = {
  word: {
    title: "Glossary", one: "word", first: "name", fresh: { name: "New word", category: "Terms" },
    empty: ["No words yet",
      "Explain what listeners may not know. Wherever a word stands on a slide, it becomes a link."],
    fields: (book, id) => ({ update() {}, elements: [
      make("div", { class: "grid" }, field(book, id, "name", { label: "Word", what: "word" }),
        field(book, id, "category", { label: "Category", what: "category", list: "categories" }),
        field(book, id, "language",
          { label: "Language", what: "language", placeholder: "de, for listeners in German; empty for all" })),
      field(book, id, "description", { label: "What it means", kind: "text", what: "description" }),
      field(book, id, "history", { label: "Where it comes from", kind: "text", what: "history" }),
      field(book, id, "image",
        { label: "Picture", what: "picture", list: "pictures", placeholder: "Name of a file, or none" })] }),
  },
  message: {
    title: "Messages", one: "message", first: "title",
    fresh: { title: "Welcome", body: "The concert begins in five minutes.", style: "BUTTON", buttonText: "OK" },
    empty: ["No messages yet",
      "Make messages ready here; the technician sends them from the console during the concert."],
    fields: messageFields,
    named: (fields) => (messageKind(fields) === "link"
      ? `Link: ${fields.body || fields.buttonText || ""}` : fields.title || fields.body),
  },
};

export function cardsView(desk, kind, at) {
  const { book, checking } = desk;
  const sort = sorts[kind];
  const all = () => book.tree.children("concert", kind);
  const list = make("ol", { class: "cards", "aria-label": sort.title });
  const search = make("input",
    { type: "search", placeholder: `Find a ${sort.one}`, "aria-label": `Find a ${sort.one}` });
  const empty = nothing(...sort.empty);
  const add = make("button",
    { type: "button", class: "chief", "data-does": "add", text: `Add a ${sort.one}`, onclick: () => {
      const id = newID();
      search.value = "";
      book.edit([{ insert: kind, in: "concert", id, fields: sort.fresh }], `new ${sort.one}`);
      buildRow(list, id);
      const card = list.querySelector(`[data-node="${id}"]`);
      card?.scrollIntoView({ block: "center" });
      const name = card?.querySelector(`[data-field=${sort.first}]`);
      name?.focus({ preventScroll: true });
      name?.select();
    } });
  const element = make("div", { class: "page" }, heading(null, sort.title), make("div", { class: "row" }, add, search),
    list, empty);

  function build({ id }, item) {
    const name = make("p", { class: "card-title" });
    const found = findingsOf(checking, id);
    const parts = sort.fields(book, id);
    const order = orderTools({ row: () => item, list: () => list, name: () => book.tree.text(id, sort.first),
      move: (from, to) => book.edit([moveChange(all(), from, to, "concert")], `${sort.one}s in another order`) });
    const remove = sign("trash", "Remove", () => {
      const label = book.tree.text(id, sort.first);
      book.edit([{ remove: id }], `removed ${sort.one} ${label}`);
      notice(`“${label}” removed.`, { action: "Undo", act: () => desk.undo() });
    }, { "data-does": "remove" });
    item.append(make("div", { class: "card-top" }, order.handle, make("div", { class: "card-main" }, name),
      make("div", { class: "card-tools" }, order.up, order.down, remove)), ...parts.elements, found);
    return ({ fields }) => {
      parts.update();
      write(name, sort.named?.(fields) || fields[sort.first] || `Untitled ${sort.one}`);
      // A part of a list has no order of its own.
      for (const tool of [order.handle, order.up, order.down]) tool.hidden = search.value !== "";
      order.say();
      found.show();
    };
  }
  const rows = new Nearby({ build,
    words: ({ fields }) => `${fields[sort.first] ?? ""}: ${fields.description ?? fields.body ?? ""}`,
    count: () => all().length });

  function update() {
    const wanted = search.value.trim().toLowerCase();
    const nodes = all()
      .filter(({ fields }) => !wanted || Object.values(fields).some((text) => text.toLowerCase().includes(wanted)));
    keyed(list, nodes, ({ id }) => id,
      (node) => rows.row(node, { class: "card", "data-node": node.id, "data-row": true }));
    empty.hidden = all().length > 0;
    search.hidden = all().length < 6;
  }
  search.addEventListener("input", update);
  const stop = checking.onChange(update);
  update();
  const showNode = () => {
    buildRow(list, at);
    const card = list.querySelector(`[data-node="${at}"]`);
    card?.scrollIntoView({ block: "center" });
    card?.querySelector("input, textarea")?.focus({ preventScroll: true });
  };
  if (at) setTimeout(showNode);
  return { element, update, keys: { n: () => add.click() }, gone: () => {
    rows.close();
    stop();
  } };
}
