// The right to a score: one switch for each person.
import { make } from "/shared/dom.js";
import { bundles, give, take, users } from "./store.js";
import { complain, say } from "./say.js";

/** The list of people for a score. */
export async function bundleList(id) {
  const [people, given] = await Promise.all([users(), bundles(id)]);
  const held = new Map(given.map((bundle) => [bundle.user, bundle.id]));
  const section = make("section", { class: "bundles" }, make("h2", { text: "Who has it" }));
  const others = people.filter((person) => !person.holdsAll);
  if (others.length === 0) {
    section.append(make("p", { class: "faint" }, "There are no musicians yet. Invite them on the page ",
      make("a", { href: "/accounts", text: "Accounts" }), "."));
  } else {
    section.append(make("ul", {}, ...others.map((person) => row(id, person, held))));
  }
  const all = people.filter((person) => person.holdsAll).map((person) => person.name);
  if (all.length) {
    section.append(make("p",
      { class: "faint", text: `Editors and administrators see every score: ${all.join(", ")}.` }));
  }
  return section;
}

function row(id, person, held) {
  const box = make("input", { type: "checkbox", checked: held.has(person.id) });
  box.addEventListener("change", async () => {
    box.disabled = true;
    try {
      if (box.checked) held.set(person.id, (await give(person.id, id)).bundle);
      else await take(held.get(person.id));
      say(box.checked ? `${person.name} has the score now.` : `${person.name} no longer has the score.`);
    } catch (refusal) {
      box.checked = !box.checked;
      complain(refusal);
    }
    box.disabled = false;
    box.focus();
  });
  return make("li", {},
    make("label", { class: "tick" }, box, make("span", { text: person.name }),
      make("span", { class: "faint", text: person.role })));
}
