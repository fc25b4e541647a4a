// The programs that the show tells and that cues may name: added, tried and removed here.
import { ask } from "/shared/api.js";
import { icon, make, mark, write } from "/shared/dom.js";

const ways = { "": "UDP", "tcp:": "TCP, length first", "slip:": "TCP, SLIP" };

/** @param {import("./desk.js").Desk} desk */
export function targetsSection(desk) {
  const list = make("ul", { class: "target-list" });
  const say = make("p", { class: "say", role: "status" });
  const name = make("input", { maxlength: 40, autocomplete: "off", placeholder: "lights" });
  const address = make("input", { autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    placeholder: "192.168.1.20:8000" });
  const way = make("select", {}, ...Object.entries(ways).map(([value, text]) => make("option", { value, text })));
  const told = make("input", { type: "checkbox" });
  const tell = (sentence, isBad = false) => {
    write(say, sentence);
    mark(say, "data-bad", isBad);
  };

  /** Asks the server; gives its answer, or says why there is none. */
  async function attempt(path, method, json) {
    try {
      return await ask(path, { method, json, patience: 8_000 });
    } catch (refusal) {
      tell(refusal.message, true);
      return null;
    }
  }

  async function ping(target) {
    tell(`“${target}” is asked …`);
    const answer = await attempt("/api/targets/ping", "POST", { name: target });
    if (answer) tell(`“${target}”: ${answer.sentence}`, answer.failed);
  }

  const form = make("form", { class: "target-form", novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const wish = { name: name.value.trim(), address: way.value + address.value.trim(), receivesState: told.checked };
    if (!await attempt("/api/targets", "POST", wish)) return;
    form.reset();
    await ping(wish.name);
  } }, make("label", {}, "Name", name), make("label", {}, "Address and port", address), make("label", {}, "By", way),
  make("label", { class: "tick" }, told, "Tell it where the music is"),
  make("button", { type: "submit" }, icon("plus"), "Add the target"));

  async function remove(target) {
    const path = `/api/targets?${new URLSearchParams({ name: target })}`;
    if (await attempt(path, "DELETE")) tell(`“${target}” is removed.`);
  }

  /** @param {{ kind: string, name: string, address?: string, ok: boolean, detail: string, isAdded?: boolean }} one */
  const row = ({ kind, name: target, address: place, ok, detail, isAdded }) => make("li",
    { class: "target", "data-ok": Boolean(ok) }, icon(ok ? "finished" : "lost"),
    make("span", { text: `${kind.toUpperCase()} · ${target}` }),
    make("small", { text: [kind === "osc" && place !== target ? place : "", detail].filter(Boolean).join(" · ") }),
    kind === "osc" ? make("button", { type: "button", "aria-label": `Ping ${target}`, onclick: () => ping(target) },
      "Ping") : null,
    isAdded ? make("button", { type: "button", class: "plain", "aria-label": `Remove ${target}`,
      onclick: () => remove(target) }, icon("trash")) : null);

  let shown = "";
  desk.on("targets", (all) => {
    if (JSON.stringify(all) === shown) return;
    shown = JSON.stringify(all);
    list.replaceChildren(...all.map(row));
    if (all.every(({ kind }) => kind === "multicast")) {
      list.append(make("li", { class: "hint", text: "No OSC or MQTT targets are set up." }));
    }
  });
  return make("section", { class: "stack" }, make("h3", { text: "Targets" }),
    make("fieldset", { class: "commands", role: "presentation" }, list, form), say);
}
