// Asking the server: every change carries the header no other site can set.

/** A refusal with the server's own sentence; `status` is 0 if no answer came at all; `value` is the decoded answer. */
export class Refusal extends Error {
  constructor(sentence, status, code, value = null) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.value = value;
  }
}

const silence = "The server does not answer. When it is back, check whether your last step was saved.";

/**
 * Asks the server and gives back its JSON, its text where `as` is "text", or `{ text, tag }` with the answer's entity
 * tag where `as` is "tagged".
 * Throws Refusal with a sentence for the person; gives up after `patience` milliseconds.
 */
export async function ask(path,
  { method = "GET", json, text, kind = "text/plain", as = "json", patience = 4000 } = {}) {
    const headers = {};
    if (method !== "GET") headers["X-Baton"] = "1";
    if (json !== undefined) headers["Content-Type"] = "application/json";
    if (text !== undefined) headers["Content-Type"] = kind;
    let response;
    let answer;
    try {
      response = await fetch(path, {
        method,
        headers,
        body: json !== undefined ? JSON.stringify(json) : text,
        credentials: "same-origin",
        cache: "no-store",
        signal: AbortSignal.timeout(patience),
      });
      answer = await response.text();
    } catch {
      throw new Refusal(silence, 0, "no-answer");
    }
    if (response.ok && as === "text") return answer;
    if (response.ok && as === "tagged") {
      return { text: answer, tag: (response.headers.get("ETag") ?? "").replace(/^(W\/)?"|"$/g, "") };
    }
    let value = null;
    try {
      value = answer === "" ? {} : JSON.parse(answer);
    } catch {
      value = null;
    }
    if (!response.ok) {
    throw new Refusal(value?.error ?? `The server refused (${response.status}).`, response.status, value?.code ?? "",
      value);
    }
    if (value === null) throw new Refusal("The server's answer could not be read.", response.status, "unreadable");
    return value;
  }
