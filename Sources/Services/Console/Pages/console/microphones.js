// The tablets that offer their microphones: in a rehearsal one of them can be heard instead of the server's own input.
import { ask } from "/shared/api.js";
import { make, mark, write } from "/shared/dom.js";
import { meterShare } from "/shared/level.js";
import { goToSignIn } from "/shared/signin.js";

const isOff = (setting) => setting === "off";

/** Short facts about a tablet. */
export function factsOf({ isSilent, peakDb, delayMs, lostSeconds, processing }) {
  const on = Object.values(processing).filter((setting) => !isOff(setting)).length;
  return [
    isSilent ? "no sound arrives" : `peak ${Math.round(peakDb)} dB`.replace("-", "−"),
    `${delayMs} ms late`,
    lostSeconds > 0 ? `${lostSeconds.toFixed(1)} s lost` : "nothing lost",
    on > 0 ? "its browser alters the sound" : null,
  ].filter(Boolean);
}

/** @param {import("./desk.js").Desk} desk */
export function microphonesSection(desk) {
  const now = make("p");
  const list = make("ul", { class: "speaker-list", "aria-label": "Tablets that offer their microphones" });
  const own = make("button", { type: "button", onclick: () => order({ method: "DELETE" }) });
  const hint = make("p", { class: "hint" });
  const say = make("p", { class: "say", role: "alert" });
  const element = make("section", { class: "stack", id: "microphones" }, make("h3", { text: "Microphone" }), now, own,
    list, hint, say);
  const rows = new Map(); // by id; kept, so that a button under a finger stays

  async function order(options) {
    write(say, "");
    try {
      await ask("/api/microphone", options);
    } catch (refusal) {
      if (refusal.status === 401) goToSignIn();
      else write(say, refusal.message);
    }
  }

  function rowOf({ id, name, person }) {
    if (!rows.has(id)) {
      const meter = make("meter", { min: 0, max: 1, "aria-label": `Level of ${name}` });
      const facts = make("p", { class: "hint" });
      const use = make("button", { type: "button", "aria-label": `Hear ${name}`,
        onclick: () => order({ method: "PUT", json: { id } }) }, "Hear this tablet");
      const row = make("li", { class: "speaker", "data-tablet": id },
        make("div", {}, make("p", { class: "piece-title", text: `${name} · ${person}` }), meter, facts),
        make("div", { class: "row" }, use));
      rows.set(id, { row, meter, facts, use });
    }
    return rows.get(id);
  }

  function show({ own: ownName, chosen, refusal, offers }) {
    const heard = offers.find(({ isChosen }) => isChosen);
    write(now, heard ? `Heard: the tablet “${heard.name}”${heard.isSilent ? ", but no sound arrives from it" : ""}.`
      : `Heard: ${ownName}.`);
    mark(now, "data-warn", heard?.isSilent || null);
    own.hidden = chosen === null;
    write(own, `Go back to ${ownName}`);
    for (const offer of offers) {
      const { meter, facts, use } = rowOf(offer);
      meter.value = offer.isSilent ? 0 : meterShare(offer.peakDb);
      write(facts, factsOf(offer).join(" · "));
      use.disabled = refusal !== null || chosen !== null;
    }
    const ids = offers.map(({ id }) => id);
    for (const id of rows.keys()) if (!ids.includes(id)) rows.delete(id);
    if ([...list.children].map((row) => row.dataset.tablet).join() !== ids.join()) {
      list.replaceChildren(...ids.map((id) => rows.get(id).row));
    }
    write(hint, offers.length === 0
      ? `Open ${location.origin}/microphone on a tablet to offer its microphone for a rehearsal.`
      : chosen === null && refusal !== null ? refusal : "");
  }

  desk.on("microphones", show);
  return element;
}
