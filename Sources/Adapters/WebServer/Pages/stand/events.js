// Reading an event stream by hand: unlike EventSource it tells with which status it was refused.

/** Cuts text that comes in pieces into events: `feed(text)` gives those that are whole, as `{ name, data }`. */
export class EventCutter {
  #rest = "";

  feed(text) {
    // A line end at the very end of a piece may be the first half of one.
    const all = this.#rest + text;
    const held = all.endsWith("\r") ? "\r" : "";
    const blocks = all.slice(0, all.length - held.length).replace(/\r\n?/g, "\n").split("\n\n");
    this.#rest = blocks.pop() + held;
    return blocks.map(parse).filter(Boolean);
  }
}

function parse(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  return data.length > 0 || name !== "message" ? { name, data: data.join("\n") } : null;
}

/** Reads the stream at `path` until it ends or `signal` stops it. Gives the status; 200 where it ran. */
export async function readEvents(path, signal, take) {
  const response = await fetch(path, { headers: { Accept: "text/event-stream" }, cache: "no-store", credentials: "same-origin", signal });
  if (!response.ok || !response.body) {
    const refusal = await response.json().catch(() => ({}));
    return { status: response.status, sentence: refusal.error ?? null, code: refusal.code ?? "" };
  }
  take({ name: "open", data: "" });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const cutter = new EventCutter();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { status: 200, sentence: null, code: "" };
    for (const event of cutter.feed(decoder.decode(value, { stream: true }))) take(event);
  }
}
