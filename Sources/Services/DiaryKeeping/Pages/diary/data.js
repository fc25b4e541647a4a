// Feeds, export and import, and the tokens of applications.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { readText } from "/shared/textfile.js";
import { heading, sentence } from "./parts.js";
import { dayText } from "./words.js";

const download = (href, text) => make("a", { class: "button", href, text });

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

function importPart(view) {
  const file = make("input", { type: "file", accept: ".json,.csv", onchange: async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    const kind = chosen.name.toLowerCase().endsWith(".csv") ? "csv" : "json";
    try {
      const { added, changed, unchanged } = await ask(`/api/diary/import.${kind}`, { method: "POST",
        text: await readText(chosen), kind: kind === "csv" ? "text/csv" : "application/json", patience: 60_000 });
      view.say(`${added} added, ${changed} changed, ${unchanged} already there.`);
    } catch (refusal) {
      view.say(refusal.message);
    }
    file.value = "";
  } });
  return make("label", {}, "Import a diary that was exported as JSON or CSV", file);
}

export function dataPage(view) {
  const { role } = view.person ?? {};
  view.show(...[
    heading("Feeds and data"),
    make("p", { class: "row" }, download("/api/diary/calendar.ics", "Calendar"),
      download("/api/diary/concerts.jsonld", "JSON-LD"), download("/api/diary/openapi.json", "API description")),
    role === "administrator" || role === "editor" ? make("p", { class: "row" },
      download("/api/diary/export.json", "Export all as JSON"), download("/api/diary/export.csv", "Export all as CSV"))
      : null,
    role === "administrator" ? importPart(view) : null,
    role === "administrator" ? tokensPart(view) : null,
    role ? null : sentence("Strangers get what is published. Sign in to see and change more.", "faint"),
  ].filter(Boolean));
}
