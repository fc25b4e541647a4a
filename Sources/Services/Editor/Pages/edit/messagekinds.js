// The kinds of a ready message, as a person thinks of them; each is a certain set of fields on the wire.
import { make, mark, write } from "/shared/dom.js";
import { field } from "./fields.js";

const noAddress = "This is no address; it begins with http:// or https:// and has no blanks.";

const linkTitle = "Link"; // a message of this title carries an address in the place of its button
const kinds = [
  ["button", "Message with a button"],
  ["auto", "Message that goes away by itself"],
  ["link", "Link to a web page"],
];

/** The kind that the fields of a message make. */
export function messageKind({ title = "", style = "" }) {
  if (title === linkTitle) return "link";
  return style.toUpperCase() === "AUTO" ? "auto" : "button";
}

const isAddress = (text) => /^https?:\/\/[^\s"<>\\^`{|}]+$/i.test(text) && /^https?:\/\/[^/?#:@]/i.test(text);

const pending = "new-address"; // of a message that is to become a link
let count = 0;

/** The fields of one message; `update(fields)` brings them to the kind it has. */
export function messageFields(book, id) {
  const name = `message-kind-${(count += 1)}`;
  const choice = make("select", { id: name, "data-field": "kind" },
    ...kinds.map(([value, text]) => make("option", { value, text })));
  const title = field(book, id, "title", { label: "Title", what: "message title" });
  const button = field(book, id, "buttonText", { label: "Words on the button", what: "button" });
  const address = field(book, id, "buttonText",
    { label: "Address", what: "address", placeholder: "https://", hint: "Phones offer “Ignore” and “Take me there”." });
  const body = field(book, id, "body", { label: "Text", kind: "text", what: "message text" });
  // A message becomes a link with its address and not before: half a link no phone could show.
  const wanted = make("input", { id: `${name}-address`, type: "url", placeholder: "https://", autocomplete: "off",
    "data-field": pending, "aria-describedby": `${name}-trouble` });
  const trouble = make("p", { class: "trouble", id: `${name}-trouble`, role: "alert" });
  const coming = make("div", { class: "field" }, make("label", { for: `${name}-address`, text: "Address" }), wanted,
    make("p", { class: "hint", text: "With the address the message becomes a link; until then it stays as it is." }),
    trouble);
  const kindBox = make("div", { class: "field" }, make("label", { for: name, text: "Kind" }), choice);
  // A typed text that cannot be an address stays and is not called saved, also when somebody comes back to it.
  const refusals = () =>
    book.refusals.filter(({ changes }) => changes.some((one) => one.set === id && one.field === pending));
  const forget = () => refusals().forEach((one) => book.leave(one));
  let asked = refusals().length ? "link" : null; // the kind chosen here that the message does not have yet
  let before = ""; // the title it had before it became a link

  const fields = () => book.tree.get(id)?.fields ?? {};
  const edit = (changes, label) => book.edit(changes.map(([one, to]) => ({ set: id, field: one, to })), label);

  choice.addEventListener("change", () => {
    const { title: now = "", buttonText = "", body: text = "" } = fields();
    const kind = choice.value;
    asked = null;
    forget();
    if (kind === "link" && isAddress(buttonText)) become(buttonText);
    else if (kind === "link") {
      asked = "link";
      wanted.value = "";
    } else {
      const wasLink = now === linkTitle;
      edit([
        ...(wasLink ? [["title", before || (text ? "" : "Message")]] : []),
        ["style", kind === "auto" ? "AUTO" : "BUTTON"],
        ...(wasLink || (kind === "button" && !buttonText) ? [["buttonText", "OK"]] : []),
      ], "message kind");
    }
    update();
    if (asked) wanted.focus();
  });

  function become(to) {
    before = fields().title === linkTitle ? before : (fields().title ?? "");
    asked = null;
    forget();
    edit([["title", linkTitle], ["style", "BUTTON"], ["buttonText", to]], "message is a link");
  }

  wanted.addEventListener("change", () => {
    const to = wanted.value.trim();
    if (isAddress(to)) become(to);
    else if (to) book.refuse(id, pending, to, "address", noAddress);
    else forget();
    update();
  });
  wanted.addEventListener("keydown", (event) => event.key === "Enter" && wanted.dispatchEvent(new Event("change")));

  function update() {
    const kind = asked ?? messageKind(fields());
    if (messageKind(fields()) === asked) asked = null;
    choice.value = kind;
    title.hidden = kind === "link";
    button.hidden = kind !== "button";
    address.hidden = kind !== "link" || asked !== null;
    coming.hidden = asked !== "link";
    const refused = book.refusal(id, pending);
    write(trouble, refused?.sentence ?? "");
    mark(wanted, "aria-invalid", refused ? "true" : null);
    if (refused && document.activeElement !== wanted) wanted.value = refused.to;
  }

  update();
  return { elements: [make("div", { class: "grid" }, kindBox, title, button, address, coming), body], update };
}
