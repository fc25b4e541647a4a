// Hearing of other editors' work; comes back by itself after a cut.

/** Listens for edits: `heard({concert, revision, author, label})`, `served()` when listeners find another concert,
 * `back()` after a cut, when anything may have happened. */
export class Live {
  #heard;
  #source = null;
  #wait = 1_000;
  #was = false;

  constructor(heard) {
    this.#heard = heard;
    addEventListener("online", () => this.#open());
    // A browser may keep a page that was left, with its connection, of which it has six for a server.
    addEventListener("pagehide", () => this.#source?.close());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#open());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#source?.readyState === 2 && this.#open());
    this.#open();
  }

  #open() {
    this.#source?.close();
    const source = new EventSource("/api/edit/events");
    this.#source = source;
    source.addEventListener("open", () => {
      this.#wait = 1_000;
      if (this.#was) this.#heard.back();
      this.#was = true;
    });
    source.addEventListener("edit", ({ data }) => this.#heard.edit(read(data)));
    source.addEventListener("concerts", ({ data }) => this.#heard.served(read(data)));
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return; // the browser tries again itself
      setTimeout(() => this.#source === source && this.#open(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, 15_000);
    });
  }
}

function read(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
