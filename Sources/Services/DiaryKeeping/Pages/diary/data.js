// The API for other programs, and the tokens of applications.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { heading, sentence } from "./parts.js";
import { dayText } from "./words.js";

function tokenRow(view, token, reload) {
  const facts = [token.kind, `made ${dayText(token.createdAt.slice(0, 10))}`,
    token.lastUsedAt ? `last used ${dayText(token.lastUsedAt.slice(0, 10))}` : "never used"].join(" · ");
  return make("li", { "data-token": token.id }, make("span", { class: "title", text: token.name }),
    make("span", { class: "faint", text: facts }),
    make("button", { type: "button", class: "danger", "aria-label": `Withdraw ${token.name}`, text: "Withdraw",
      onclick: async () => {
        try {
          await ask(`/api/diary/tokens/${encodeURIComponent(token.id)}`, { method: "DELETE" });
          await reload();
        } catch (refusal) {
          view.say(refusal.message);
        }
      } }));
}

/** The tokens, for administrators. The text of a token is shown once. */
function tokensPart(view) {
  const list = make("ul", { id: "tokens" });
  const made = make("p", { id: "made", role: "status", hidden: true });
  const name = make("input", { name: "name", required: true, maxlength: "80", autocomplete: "off" });
  const kind = make("select", { name: "kind" }, make("option", { value: "application", text: "Application: reads" }),
    make("option", { value: "administrator", text: "Administrator: reads and writes" }));
  const reload = async () => {
    const { tokens } = await ask("/api/diary/tokens");
    list.replaceChildren(...tokens.map((token) => tokenRow(view, token, reload)));
    if (tokens.length === 0) list.append(make("li", { class: "faint", text: "There are no tokens." }));
  };
  const form = make("form", { class: "fields" }, make("label", {}, "For what", name), make("label", {}, "Kind", kind),
    make("button", { type: "submit", class: "primary", text: "Make a token" }));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { token } = await ask("/api/diary/tokens", { method: "POST",
        json: { name: name.value.trim(), kind: kind.value } });
      made.hidden = false;
      made.replaceChildren("Copy it now; it is shown only once: ", make("code", { text: token }));
      name.value = "";
      await reload();
    } catch (refusal) {
      view.say(refusal.message);
    }
  });
  reload().catch((refusal) => view.say(refusal.message));
  return make("section", { "aria-label": "Tokens" }, make("h2", { text: "Tokens of applications" }), list, form, made);
}

export function dataPage(view) {
  const { role } = view.person ?? {};
  view.show(...[
    heading("Data for others"),
    make("p", { class: "row" }, make("a", { class: "button", href: "/api/diary/openapi.json",
      text: "Description of the API" })),
    role === "administrator" ? tokensPart(view) : null,
    role ? null : sentence("Applications get what is published. Administrators make their tokens here.", "faint"),
  ].filter(Boolean));
}
