// This stand as the microphone of the show, for the leader of a rehearsal.
import { ask } from "/shared/api.js";
import { make, write } from "/shared/dom.js";
import { ShowMicrophone } from "/shared/showmicrophone.js";
import { act, notice } from "./words.js";

const words = {
  off: "", offered: "Offered; the show does not hear it yet.", chosen: "The show hears this stand.",
  away: "The server does not answer; the show hears silence.",
};
const status = make("p", { class: "hint", id: "hearing", role: "status" });
let now = "off";

const microphone = new ShowMicrophone({
  state: (state, sentence) => {
    now = state;
    write(status, words[state]);
    if (sentence) notice(sentence);
  },
});

/** True while this stand is offered, or heard by the show. */
export const isHeard = () => now !== "off";

/** Offers the microphone and, as soon as its sound arrives, has the show hear it. */
async function begin(name) {
  await microphone.start({ name });
  // The server chooses a tablet only when sound comes from it.
  await new Promise((done) => setTimeout(done, 700));
  try {
    await ask("/api/microphone", { method: "PUT", json: { id: microphone.id } });
  } catch (refusal) {
    await microphone.stop();
    throw refusal;
  }
}

async function end() {
  // Whoever has no right any more, because an operator took it back, ends the offer all the same.
  if (now === "chosen") await ask("/api/microphone", { method: "DELETE" }).catch(() => {});
  await microphone.stop();
}

/** The part of the room's dialog: a button for the leader, and what it comes to. */
export function hearingPart(name, refresh) {
  const button = microphone.isOn
    ? act("Stop being the microphone", async () => {
      await end();
      refresh();
    }, { class: "small" })
    : act("This stand is the microphone", async () => {
      await begin(name);
      refresh();
    }, { class: "small" });
  return make("section", { class: "hearing" }, button, status);
}
