// Asking the server: every change carries the header no other site can set.
import { probe } from "./probe.js";

/** A refusal with the server's own sentence; `status` is 0 if no answer came at all; `value` is the decoded answer. */
export class Refusal extends Error {
  constructor(sentence, status, code, value = null) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.value = value;
  }
}

const againAfter = 800; // ms without an answer, until a request that may be repeated is sent once more
const probes = 5; // with the request itself, as many as a browser has connections to a server

/** A new id, by which the server knows a command that is sent again. */
export const newCommandID = () => [...crypto.getRandomValues(new Uint8Array(8))]
  .map((byte) => byte.toString(16).padStart(2, "0")).join("");

const silence = "The server does not answer. When it is back, check whether your last step was saved.";

/**
 * Asks the server and gives back its JSON, its text where `as` is "text", or `{ text, tag }` with the answer's entity
 * tag where `as` is "tagged". `by` is the name or id of the account in whose name it is asked: the server refuses with
 * the code "other-person" if somebody else is signed in by then.
 * Throws Refusal with a sentence for the person; gives up after `patience` milliseconds, never if that is null, or when
 * `signal` says so. With `isRepeatable` a request that gets no answer is sent again on another connection: the server
 * must see that it is the same one.
 * @param {string} path
 * @param {{ method?: string, json?: any, text?: BodyInit, kind?: string | null, as?: "json" | "text" | "tagged",
 *   by?: string, patience?: number | null, isRepeatable?: boolean, signal?: AbortSignal }} how
 * @returns {Promise<any>}
 */
export async function ask(path,
  { method = "GET", json, text, kind = "text/plain", as = "json", by, patience = 4000, isRepeatable = false,
    signal = patience === null ? undefined : AbortSignal.timeout(patience) } = {}) {
    /** @type {Record<string, string>} */
    const headers = {};
    if (method !== "GET") headers["X-Baton"] = "1";
    if (json !== undefined) headers["Content-Type"] = "application/json";
    if (text !== undefined && kind) headers["Content-Type"] = kind;
    if (by) headers["X-Baton-By"] = encodeURIComponent(by);
    let response;
    let answer;
    try {
      const send = () => fetch(path, {
        method,
        headers,
        body: json !== undefined ? JSON.stringify(json) : text,
        credentials: "same-origin",
        cache: "no-store",
        signal,
      });
      response = await (isRepeatable ? sendAgain(send, signal) : send());
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
    throw new Refusal(value?.error ?? `The server refused (${response.status}).`, response.status,
      value ? value.code ?? "" : "foreign", value);
    }
    if (value === null) throw new Refusal("The server's answer could not be read.", response.status, "unreadable");
    return value;
  }

/** Sends a request; once more, without connections that lead nowhere, if no answer comes. The first answer counts. */
async function sendAgain(send, signal) {
  const first = send();
  let isOver = false;
  const over = first.finally(() => (isOver = true));
  const second = (async () => {
    await Promise.race([over.catch(() => {}), new Promise((done) => setTimeout(done, againAfter))]);
    if (!isOver) await probe(probes, "/", signal);
    // A request that failed may have been carried out by a server that has forgotten it since.
    return isOver ? first : send();
  })();
  return Promise.any([first, second]).catch(() => first);
}
