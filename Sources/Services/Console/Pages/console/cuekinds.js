// What a cue of each kind says, in fields with names; the row of the sheet keeps it as `target` and `payload`.
import { messageMistake } from "./messages.js";

/** The kinds in words, and their fields; a field is `key`, `title`, and an `example` or the `choices` it has. */
export const cueKinds = {
  osc: { title: "Light or sound", fields: [{ key: "target", title: "Target" },
    { key: "address", title: "Message", example: "/cue/12/start" },
    { key: "words", title: "Its values", example: "57 0.5 \"two words\"" }] },
  mqtt: { title: "MQTT", fields: [{ key: "topic", title: "Topic", example: "lights/main" },
    { key: "text", title: "Text", example: "on" }] },
  message: { title: "Message to phones", fields: [{ key: "title", title: "Title" }, { key: "body", title: "Text" },
    { key: "style", title: "It closes", choices: { AUTO: "by itself after 4 s", BUTTON: "by its button" } },
    { key: "button", title: "Button, or a Link’s address" }] },
  slide: { title: "Slide", fields: [{ key: "text", title: "Slide" }] },
  note: { title: "Note", fields: [] },
};

/** What can be added with a tap: each has `title`, and `cue`, the fields of a row that it fills in. */
export const templates = [
  { title: "Light: fire a cue", cue: { kind: "osc", name: "Light", payload: "/eos/cue/1/12/fire" } },
  { title: "Sound: start a cue", cue: { kind: "osc", name: "Sound", payload: "/cue/12/start" } },
  { title: "Message that closes by itself", cue: { kind: "message", name: "Message", payload: "Title|Text" } },
  { title: "Message with a button", cue: { kind: "message", name: "Message", payload: "Title|Text|BUTTON|OK" } },
  { title: "Slide", cue: { kind: "slide", name: "Slide", payload: "" } },
  { title: "MQTT", cue: { kind: "mqtt", name: "MQTT", target: "lights/main", payload: "on" } },
  { title: "Note", cue: { kind: "note", name: "", payload: "" } },
];

/**
 * The fields of a row by their keys.
 * @returns {Record<string, string>}
 */
export function partsOf({ kind, target, payload }) {
  if (kind === "osc") {
    const [, address, words] = /^\s*(\S*)\s*(.*)$/s.exec(payload);
    return { target, address, words };
  }
  if (kind === "mqtt") return { topic: target, text: payload };
  if (kind === "slide") return { text: payload };
  if (kind !== "message") return {};
  const [title = "", body = "", style = "", ...rest] = payload.split("|");
  return { title, body, style: style.toUpperCase() || "AUTO", button: rest.join("|") };
}

/** `target` and `payload` of a row in which a field is changed. */
export function withPart(row, key, value) {
  /** @type {Record<string, any>} */
  const parts = { ...partsOf(row), [key]: value };
  if (row.kind === "osc") return { target: parts.target, payload: `${parts.address} ${parts.words}`.trim() };
  if (row.kind === "mqtt") return { target: parts.topic, payload: parts.text };
  if (row.kind !== "message") return { target: row.target, payload: parts.text ?? row.payload };
  const { title, body, style, button } = parts;
  const rest = button !== "" ? [style, button] : style !== "AUTO" ? [style] : [];
  return { target: row.target, payload: [title, body, ...rest].join("|") };
}

/** Why what a cue says cannot be sent, as a sentence; null if the page sees nothing wrong. */
export function partMistake(row) {
  const parts = partsOf(row);
  if (row.kind === "message") {
    const { title, body, style, button: buttonText } = parts;
    return messageMistake({ title, body, style, buttonText });
  }
  if (row.kind === "osc" && parts.target === "") return "Choose its target; “Outputs” adds one.";
  if (row.kind === "osc" && !parts.address.startsWith("/")) return "Its message begins with “/”, as in /cue/12/start.";
  return row.kind === "mqtt" && parts.topic === "" ? "Write its topic." : null;
}
