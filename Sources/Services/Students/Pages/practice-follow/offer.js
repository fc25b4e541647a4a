// Offers to keep the take that was played last: it is in this page alone until the student sends it.
import { ask } from "/shared/api.js";
import { find, write } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";

// What browsers do to sound, as the report tells it.
export const kinds = ["echoCancellation", "noiseSuppression", "autoGainControl"];
const patience = 900_000; // ms for half an hour of sound over a slow network

export class TakeOffer {
  #take = null; // { sound, piece, rate, settings, startedAt }
  #sent;
  isSending = false;

  /** `sent(name)` is called with the name of a take that the server has kept. */
  constructor(sent) {
    this.#sent = sent;
    find("send").addEventListener("click", () => this.#send());
  }

  /** Offers a take: what it is, and what happens to it. */
  show(take) {
    this.#take = take;
    const { sound, rate } = take;
    const megabytes = Math.max(1, Math.round(sound.bytes / 1_000_000));
    write(find("offer-words"), `This take (${duration(sound.count / rate)}, ${megabytes} MB) is in this page alone, `
      + "and gone when you leave the page or start again. To compare later takes with it, or to show its report to a "
      + "teacher, keep it on this server until you delete it; only you can hear it.");
    write(find("offer-say"), "");
    find("send").disabled = false;
    find("offer").hidden = sound.count === 0;
  }

  /** The take goes with its sound. */
  forget() {
    this.#take = null;
    find("offer").hidden = true;
  }

  async #send() {
    const take = this.#take;
    if (!take || this.isSending) return;
    this.isSending = true;
    find("send").disabled = true;
    write(find("offer-say"), "Sending …");
    try {
      const { name } = await ask(addressOf(take),
        { method: "POST", text: take.sound.wav(take.rate), kind: "audio/wav", patience });
      if (this.#take === take) this.forget();
      this.#sent(name);
    } catch (refusal) {
      if (this.#take === take) {
        const why = refusal.status === 0 ? "The server does not answer." : refusal.message;
        write(find("offer-say"), `${why} Your take is still here; you can send it again.`);
        find("send").disabled = false;
      }
    }
    this.isSending = false;
  }
}

function addressOf({ sound, piece, rate, settings, startedAt }) {
  const processed = Object.fromEntries(kinds.map((key) => [key, settings[key]]));
  const query = new URLSearchParams({ piece, ago: String(Math.round(performance.now() - startedAt)),
    lost: String(sound.lost / rate), settings: JSON.stringify(processed) });
  return `/api/practice/takes?${query}`;
}
