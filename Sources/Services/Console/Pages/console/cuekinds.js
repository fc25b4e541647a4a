// What a cue of each kind says, in fields with names; the row of the sheet keeps it as `target` and `payload`.
import { messageMistake } from "./messages.js";

const showControl = [{ key: "class", title: "For", choices: { lighting: "lighting", sound: "sound", video: "video",
  all: "all" } }, { key: "cue", title: "Cue", example: "12" }, { key: "list", title: "List", example: "1" },
{ key: "path", title: "Path" }, { key: "device", title: "Device", example: "all" }];
const numbered = [{ key: "number", title: "Number", example: "0 to 127" }];
const channel = { key: "channel", title: "Channel", example: "1" };

/** What a MIDI cue can send, in words, and its fields. */
const midiMessages = {
  "msc-go": { title: "Show control: go", fields: showControl },
  "msc-stop": { title: "Show control: stop", fields: showControl },
  "msc-resume": { title: "Show control: resume", fields: showControl },
  "msc-go-off": { title: "Show control: go off", fields: showControl },
  program: { title: "Program change", fields: [...numbered, channel] },
  note: { title: "Note", fields: [...numbered, { key: "velocity", title: "Velocity", example: "100" }, channel] },
  controller: { title: "Controller", fields: [...numbered, { key: "value", title: "Value", example: "127" }, channel] },
};

/** The kinds in words, and their fields; a field is `key`, `title`, and an `example` or the `choices` it has. */
export const cueKinds = {
  osc: { title: "Light or sound", fields: [{ key: "target", title: "Target" },
    { key: "address", title: "Message", example: "/cue/12/start" },
    { key: "words", title: "Its values", example: "57 0.5 \"two words\"" }] },
  mqtt: { title: "MQTT", fields: [{ key: "topic", title: "Topic", example: "lights/main" },
    { key: "text", title: "Text", example: "on" }] },
  midi: { title: "MIDI", fields: [{ key: "target", title: "Port" }, { key: "what", title: "Message",
    choices: Object.fromEntries(Object.entries(midiMessages).map(([key, { title }]) => [key, title])) }] },
  message: { title: "Message to phones", fields: [{ key: "title", title: "Title" }, { key: "body", title: "Text" },
    { key: "style", title: "It closes", choices: { AUTO: "by itself after 4 s", BUTTON: "by its button" } },
    { key: "button", title: "Button, or a Link’s address" }] },
  slide: { title: "Slide", fields: [{ key: "text", title: "Slide" }] },
  note: { title: "Note", fields: [] },
};

const midiFields = (what) => midiMessages[what]?.fields ?? [];

/** The fields of a row; those of a MIDI cue are also its message's. */
export const fieldsOf = (row) => [...cueKinds[row.kind]?.fields ?? [],
  ...row.kind === "midi" ? midiFields(partsOf(row).what) : []];

/** What can be added with a tap: each has `title`, and `cue`, the fields of a row that it fills in. */
export const templates = [
  { title: "Light: fire a cue", cue: { kind: "osc", name: "Light", payload: "/eos/cue/1/12/fire" } },
  { title: "Sound: start a cue", cue: { kind: "osc", name: "Sound", payload: "/cue/12/start" } },
  { title: "Message that closes by itself", cue: { kind: "message", name: "Message", payload: "Title|Text" } },
  { title: "Message with a button", cue: { kind: "message", name: "Message", payload: "Title|Text|BUTTON|OK" } },
  { title: "Slide", cue: { kind: "slide", name: "Slide", payload: "" } },
  { title: "MIDI show control: go", cue: { kind: "midi", name: "MIDI", payload: "msc-go cue=12" } },
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
  if (kind === "midi") {
    const [what, ...words] = payload.trim().split(/\s+/);
    const written = Object.fromEntries(words.map((word) => word.split("=")).filter((pair) => pair.length === 2));
    const said = midiFields(what).map(({ key, choices }) => [key, written[key] ?? (choices ? "lighting" : "")]);
    return { target, what, ...Object.fromEntries(said) };
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
  if (row.kind === "midi") {
    const said = midiFields(parts.what).map((field) => [field.key, (parts[field.key] ?? "").replace(/[\s=]/g, "")])
      .filter(([, text]) => text !== "").map((pair) => pair.join("="));
    return { target: parts.target, payload: [parts.what, ...said].join(" ") };
  }
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
  if (row.kind === "midi" && parts.target === "") return "Choose its port; the server’s --midi-out sets it up.";
  if (row.kind === "midi" && parts.what === "") return "Choose what it sends.";
  if (row.kind === "midi" && parts.number === "") return "Write its number, 0 to 127.";
  return row.kind === "mqtt" && parts.topic === "" ? "Write its topic." : null;
}
