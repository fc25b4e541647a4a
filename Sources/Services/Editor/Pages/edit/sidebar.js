// The concert's contents at the side: pieces with their tracks, and what belongs to all of them.
import { icon, make, mark, write } from "/shared/dom.js";
import { keyed } from "./keyed.js";
import { shortNames } from "./names.js";

export class Sidebar {
  #desk;
  #root;
  #list = make("ol", { class: "tree" });
  #others;
  #names = []; // of the pieces, in order
  #title = make("a", { class: "side-link side-title" });

  constructor(root, desk) {
    this.#root = root;
    this.#desk = desk;
    const { book } = desk;
    const start = `#/${book.concert}`;
    this.#title.href = start;
    this.#others = [["list", "Glossary", "words", "word"], ["message", "Messages", "messages", "message"],
      ["slide", "Files", "files", "asset"]].map(([sign, text, path, kind]) => {
        const count = make("span", { class: "count" });
        return { link: make("a", { class: "side-link", href: `${start}/${path}` }, icon(sign),
          make("span", { class: "side-name", text }), count), count, kind };
      });
    root.replaceChildren(this.#title, make("p", { class: "side-head", text: "Pieces" }), this.#list,
      make("p", { class: "side-head", text: "For all pieces" }), ...this.#others.map(({ link }) => link));
    root.hidden = false;
  }

  show(hash) {
    const { book } = this.#desk;
    write(this.#title, book.tree.text("concert", "title") || "Untitled concert");
    const pieces = book.tree.children("concert", "piece");
    this.#names = shortNames(pieces.map(({ fields }) => fields.name ?? ""));
    keyed(this.#list, pieces, ({ id }) => id, (node) => this.#piece(node.id));
    for (const { count, kind } of this.#others) write(count, book.tree.children("concert", kind).length || "");
    for (const link of this.#root.querySelectorAll("a")) {
      const href = link.getAttribute("href");
      mark(link, "aria-current", hash === href || (href !== `#/${book.concert}` && hash.startsWith(`${href}/`))
        ? "page" : null);
    }
  }

  #piece(id) {
    const { book, checking } = this.#desk;
    const name = make("span", { class: "side-name" });
    const trouble = make("span", { class: "dot" });
    const link = make("a", { class: "side-link", href: `#/${book.concert}/piece/${id}` }, name, trouble);
    const tracks = make("ol", { class: "tree inner" });
    const row = (href, key) => {
      const text = make("span", { class: "side-name" });
      const language = make("span", { class: "count" });
      return { key, element: make("li", {}, make("a", { class: "side-link", href }, text, language)), update(node) {
        write(text, node.fields.name || "Untitled track");
        write(language, node.fields.language ?? "");
      } };
    };
    return {
      element: make("li", {}, link, tracks),
      update: (node, index) => {
        write(name, this.#names[index]);
        mark(link, "title", node.fields.name);
        const found = checking.countBelow(id);
        write(trouble, found || "");
        mark(trouble, "aria-label", found ? `${found} findings` : null);
        const further = ["Form", "Titles"].map((title) => ({ id: `${title} ${id}`, fields: { name: title },
          href: `#/${book.concert}/${title.toLowerCase()}/${id}` }));
        keyed(tracks, [...book.tree.children(id, "track"), ...further], (one) => one.id,
          (one) => row(one.href ?? `#/${book.concert}/track/${one.id}`, one.id));
      },
    };
  }
}
