// Files on their way to the server, in chunks: each goes on where it was after a cut, and, when the file is chosen
// again, after a reload.
import { keep, readKept } from "/shared/kept.js";
import { beginUpload, giveUpUpload, sendChunk, uploadState } from "./server.js";
import { UnusableSound, soundToSend } from "./soundfile.js";

const place = "baton.prepare.uploads";
const longestWait = 8000; // ms
const ownChunk = 1 << 20; // bytes; the server may take more, but a cut then costs more

/**
 * Uploads that this browser has begun and not finished: `{piece, upload, name, bytes, purpose, received, chosen}`.
 * `chosen` has name and bytes of the chosen file; of a video only the sound is sent.
 */
export const begunUploads = () => {
  const kept = readKept(place);
  return Array.isArray(kept) ? kept : [];
};

function remember(entry) {
  keep(place, [...begunUploads().filter(({ upload }) => upload !== entry.upload), entry]);
}

function forget(upload) {
  keep(place, begunUploads().filter((entry) => entry.upload !== upload));
}

/** Gives up an upload of which only its entry is known. */
export async function giveUp(entry) {
  forget(entry.upload);
  await giveUpUpload(entry.piece, entry.upload).catch(() => {});
}

export class Upload {
  piece;
  chosen; // the file as it was chosen
  file; // the file that is sent
  purpose;
  received = 0;
  state = "waiting"; // "running", "cut", "checking", "done", "refused", "givenUp"
  sentence = "";
  #id = null;
  #chunk = ownChunk;
  #changed;
  #stop = new AbortController();
  #wake = null;
  #wasLast = false;

  /** `changed(upload)` is called whenever there is something new to show. */
  constructor(piece, file, purpose, changed) {
    Object.assign(this, { piece, chosen: file, file, purpose });
    this.#changed = changed;
  }

  get share() {
    return this.file.size > 0 ? this.received / this.file.size : 0;
  }

  /** Sends the whole file; gives whether the server took it. */
  async run() {
    if (!(await this.#readFile())) return false;
    let trials = 0;
    while (!this.#stop.signal.aborted) {
      try {
        const answer = this.#id ? await this.#sendNext() : await this.#begin();
        trials = 0;
        if (answer?.done) return this.#end("done", "");
      } catch (refusal) {
        if (this.#stop.signal.aborted) break;
        if (refusal.status === 409 && Number.isFinite(refusal.value?.received)) {
          this.received = refusal.value.received;
        } else if (refusal.status === 0 || refusal.status >= 500 || refusal.status === 429) {
          trials += 1;
          this.#show("cut", "The connection was cut. It goes on by itself.");
          await this.#wait(Math.min(400 * 2 ** trials, longestWait));
          if (this.#id && await this.#ask()) return this.#end("done", "");
        } else return this.#end("refused", refusal.message ?? String(refusal));
      }
    }
    return false;
  }

  async giveUp() {
    this.#stop.abort();
    this.#wake?.();
    if (this.#id) await giveUp({ piece: this.piece, upload: this.#id });
    this.#end("givenUp", "");
  }

  /** Reads a recording before it is sent; gives whether it can be sent. */
  async #readFile() {
    if (this.purpose !== "recording" && this.purpose !== "reference") return true;
    this.#show("checking", "");
    try {
      this.file = await soundToSend(this.chosen);
    } catch (refusal) {
      if (this.#stop.signal.aborted) return false;
      const sentence = refusal instanceof UnusableSound ? refusal.message
        : `“${this.chosen.name}” could not be read here. Choose it again.`;
      return this.#end("refused", sentence);
    }
    return !this.#stop.signal.aborted;
  }

  async #begin() {
    const { name, size } = this.file;
    const known = begunUploads().find((entry) =>
      entry.piece === this.piece && entry.name === name && entry.bytes === size && entry.purpose === this.purpose);
    if (known) {
      const state = await uploadState(this.piece, known.upload).catch((refusal) => {
        if (refusal.status === 404) return null;
        throw refusal;
      });
      if (state) {
        [this.#id, this.received] = [known.upload, state.received];
        return null;
      }
      forget(known.upload);
    }
    const begun = await beginUpload(this.piece, this.file, this.purpose);
    [this.#id, this.received] = [begun.upload, begun.received];
    this.#chunk = Math.min(begun.chunkBytes ?? ownChunk, ownChunk);
    this.#remember();
    return null;
  }

  async #sendNext() {
    const to = Math.min(this.received + this.#chunk, this.file.size);
    this.#wasLast = to === this.file.size;
    this.#show(to === this.file.size ? "checking" : "running", "");
    const answer = await sendChunk(this.piece, this.#id, this.received, this.file.slice(this.received, to),
      this.#stop.signal);
    this.received = answer.received ?? to;
    this.#remember();
    this.#show(this.state, "");
    return answer;
  }

  /** Asks how much the server has. Gives true if it has the whole file: only the answer to it was lost. */
  async #ask() {
    try {
      ({ received: this.received } = await uploadState(this.piece, this.#id));
    } catch (refusal) {
      if (refusal.status !== 404) return false;
      if (this.#wasLast) return true;
      this.#id = null;
    }
    return false;
  }

  #remember() {
    remember({ piece: this.piece, upload: this.#id, name: this.file.name, bytes: this.file.size, purpose: this.purpose,
      received: this.received, chosen: { name: this.chosen.name, bytes: this.chosen.size } });
  }

  #end(state, sentence) {
    if (this.#id) forget(this.#id);
    this.#show(state, sentence);
    return state === "done";
  }

  #wait(milliseconds) {
    return new Promise((done) => {
      this.#wake = done;
      setTimeout(done, milliseconds);
      addEventListener("online", done, { once: true });
    });
  }

  #show(state, sentence) {
    Object.assign(this, { state, sentence });
    this.#changed(this);
  }
}
