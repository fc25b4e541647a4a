// Whom the owner of a tab lets read it: people by their names, such as a student. They find it in their lists.
import { Refusal, ask } from "/shared/api.js";
import { make, write } from "/shared/dom.js";

/** The part of the dialog in which a kept tab is shared with people. */
export function readersPart({ id, version }) {
  const address = `/api/practice/tabs/${id}/readers`;
  const list = make("ul", { class: "readers", "aria-label": "People who have this tab from you" });
  const said = make("p", { class: "faint", role: "status" });
  const name = make("input", { id: "reader-name", maxlength: "64", autocomplete: "off", autocapitalize: "words",
    spellcheck: false });

  const show = ({ readers }) => list.replaceChildren(...readers.map((reader) => make("li", {},
    make("span", {}, make("strong", { text: reader.name }),
      make("span", { class: "faint", text: reader.hasArrived ? " has it" : " does not have it yet" })),
    make("button", { type: "button", class: "plain danger-text", text: "End", "aria-label": `End it for ${reader.name}`,
      onclick: () => change("DELETE", reader.name) }))));

  async function change(method, person) {
    try {
      show(await ask(address, method === "GET" ? {} : { method, json: { name: person } }));
      write(said, "");
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      write(said, refusal.message);
      return;
    }
    if (method !== "PUT") return;
    name.value = "";
    write(said, `It is in the list of “${person}” from now on, if there is an account of this name.`);
  }

  if (version > 0) change("GET");
  else write(said, "The server does not have this tab yet. Open “More” again in a moment.");
  return make("form", { class: "group", onsubmit: (event) => {
    event.preventDefault();
    const person = name.value.trim();
    if (person) change("PUT", person);
  } },
  make("div", { class: "row" }, make("label", {}, "Share it with a student: the name of the account", name),
    make("button", { type: "submit", id: "add-reader", text: "Share" })), said, list);
}
