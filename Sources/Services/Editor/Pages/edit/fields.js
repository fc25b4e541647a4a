// Fields that save themselves: what is typed is an edit at once, what others write appears unless one is typing.
import { make, mark, write } from "/shared/dom.js";

let count = 0;
const living = new Set();

/**
 * A labelled field of a node. `kind`: "line", "text" (grows with its words), "choice" (with `options`
 * [[value, label]]), "number". `hidden` hides the label from eyes. The element has `refresh(node)`.
 * @param {import("./book.js").Book} book
 * @param {string} node
 * @param {string} name
 * @param {{ label: string, kind?: "line" | "text" | "choice" | "number", hint?: string, options?: string[][],
 *   hidden?: boolean, list?: string, what: string, placeholder?: string, lang?: () => string }} how
 * @returns {any}
 */
export function field(book, node, name,
  { label, kind = "line", hint, options = [], hidden = false, list, what, placeholder, lang }) {
    const id = `field-${(count += 1)}`;
    /** @type {any} */
    const input = kind === "text" ? make("textarea", { id, rows: 2 })
      : kind === "choice" ? make("select", { id }, ...options.map(([value, text]) => make("option", { value, text })))
        : make("input", { id, type: "text", inputmode: kind === "number" ? "numeric" : null, list,
          autocomplete: "off" });
    mark(input, "placeholder", placeholder);
    mark(input, "data-field", name);
    const trouble = make("p", { class: "trouble", id: `${id}-trouble`, role: "alert" });
    mark(input, "aria-describedby", `${id}-trouble`);
    /** @type {any} */
    const box = make("div", { class: "field" },
      make("label", { for: id, class: hidden ? "spoken" : null, text: label }), input,
      hint ? make("p", { class: "hint", text: hint }) : null, trouble);
    let seen = 0;
    let typed = false;

    function show() {
      const value = book.tree.text(node, name);
      if (input.value !== value) put(value);
      if (kind === "text") grow(input);
    }

    function put(value) {
      if (kind === "choice" && ![...input.options].some((option) => option.value === value)) {
        input.append(make("option", { value, text: value }));
      }
      input.value = value;
    }

    function send(typing) {
      typed = true;
      write(trouble, "");
      mark(input, "aria-invalid", null);
    book.set(node, name, input.value, `${what ?? label.toLowerCase()}`, { typing, seen });
    }

    input.addEventListener("input", () => {
      if (kind === "text") grow(input);
      send(kind !== "choice");
    });
    input.addEventListener("blur", () => {
      typed = false;
      box.refresh("load");
    });
    if (kind !== "text") input.addEventListener("keydown", (event) => event.key === "Enter" && book.flush());

    box.input = input;
    box.node = node;
    box.name = name;
    /** Takes what the concert says now. Not while somebody types here, unless it was undone or decided. */
    box.refresh = (why) => {
      const refused = book.refusal(node, name);
      if (refused) {
        // It stays as typed, with the reason below, until it is mended or left out.
        if (document.activeElement !== input && input.value !== refused.to) put(refused.to);
        write(trouble, refused.sentence);
        mark(input, "aria-invalid", "true");
        return;
      }
      if (why === "saved" && typed) {
        seen = Math.max(seen, book.seen(node, name));
        return;
      }
      if (typed && document.activeElement === input && why !== "undo") {
        // Blanks that the server took away stay while one types; what somebody else wrote comes in.
        if (book.isUnsent(node, name) || book.seen(node, name) <= seen) return;
      }
      typed = false;
      write(trouble, "");
      mark(input, "aria-invalid", null);
      seen = book.seen(node, name);
      mark(input, "lang", lang?.() || null);
      show();
    };
    living.add(box);
    box.refresh("load");
    return box;
  }

/** Puts the cursor into the field of a node; false if it is not on the page. */
export function focusField(node, name) {
  for (const box of living) {
    if (!box.isConnected || box.node !== node || box.name !== name) continue;
    box.input.scrollIntoView({ block: "center" });
    box.input.focus({ preventScroll: true });
    return true;
  }
  return false;
}

/** All fields on the page take what the concert says now. */
export function refreshFields(why) {
  for (const box of living) {
    if (box.isConnected) box.refresh(why);
    else living.delete(box);
  }
}

const growsByItself = CSS.supports("field-sizing", "content");

/** As high as its words need. */
export function grow(area) {
  if (growsByItself) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + 2}px`;
}
