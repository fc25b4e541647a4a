// The time code that follows the music: what is sent, how fast, how far from the music; on and off.
import { ask } from "/shared/api.js";
import { make, mark, write } from "/shared/dom.js";

/**
 * The state in a sentence.
 * @param {import("/shared/exchanged").TimeCode} now
 */
export function timeCodeWords({ on, running, code, rate, speed, distanceMs, outputs }) {
  if (!on) return "Off: nothing is sent.";
  const troubles = outputs.map(({ trouble }) => trouble).filter(Boolean);
  const sent = outputs.filter(({ trouble }) => !trouble).map(({ name }) => name);
  if (sent.length === 0) return troubles.join(" ");
  const ways = `(${sent.join(", ")}, ${rate})`;
  const distance = distanceMs === null ? "runs on without the music"
    : Math.abs(distanceMs) < 20 ? "with the music"
      : `${Math.abs(distanceMs)} ms ${distanceMs > 0 ? "behind" : "ahead of"} the music`;
  const state = running ? `${code} · speed ${speed.toFixed(2)} · ${distance} ${ways}.`
    : code ? `Stands at ${code} ${ways}.` : `Waits for the music ${ways}.`;
  return [state, ...troubles].join(" ");
}

/**
 * A section for the outputs; hidden while no time code is set up.
 * @param {import("./desk.js").Desk} desk
 */
export function timeCodeSection(desk) {
  const state = make("p", { "data-time-code": true });
  const say = make("p", { class: "say", role: "status" });
  let isOn = true;
  const turn = make("button", { type: "button", onclick: async () => {
    try {
      await ask("/api/time-code", { method: "POST", json: { on: !isOn }, patience: 8_000 });
      write(say, "");
    } catch (refusal) {
      write(say, refusal.message);
      mark(say, "data-bad", true);
    }
  } });
  const element = make("section", { class: "stack", hidden: true }, make("h3", { text: "Time code" }), state,
    make("fieldset", { class: "commands", role: "presentation" }, turn), say);
  desk.on("timecode", (now) => {
    element.hidden = false;
    isOn = now.on;
    write(state, timeCodeWords(now));
    mark(state, "data-warn", now.on && now.outputs.some(({ trouble }) => trouble !== null));
    write(turn, now.on ? "Switch off" : "Switch on");
  });
  return element;
}
