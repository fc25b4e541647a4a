// The bin: scores that were removed, with what belongs to them, until they are restored or their time is over.
import { find, make } from "/shared/dom.js";
import { wallClock } from "/shared/wallclock.js";
import { complain, say } from "./say.js";
import { bin, list, restore } from "./store.js";

const days = 30;
const some = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What goes with a score, in a sentence. */
export function lossWords({ remarks, writers, readers }) {
  const written = remarks === 0 ? null : `${some(remarks, "remark")} of ${some(writers, "person", "people")}`;
  const losers = readers === 0 ? null : some(readers, "reader");
  if (!written) return `Nothing is written in it.${losers ? ` ${losers} can open it no more.` : ""}`;
  return `${written} ${remarks === 1 ? "goes" : "go"} with it${losers ? `, and ${losers} can open it no more` : ""}.`;
}

/** The whole days that a score stays in the bin. */
export const daysLeft = ({ removedAt }, now = wallClock()) =>
  Math.max(Math.ceil(days - (now - removedAt) / 86_400_000), 0);

/** Shows the bin below the list; nothing where it is empty. */
export async function drawBin() {
  const scores = await bin().catch(() => []);
  const place = find("bin");
  place.hidden = scores.length === 0;
  find("bin-name").textContent = `Bin: ${some(scores.length, "score")}`;
  find("binned").replaceChildren(...scores.map((score) => make("li", {},
    make("span", { class: "words" }, make("span", { class: "title", text: score.title }),
      make("span", { class: "facts", text: [some(score.remarks, "remark"), some(score.readers, "reader"),
        `${some(daysLeft(score), "day")} left`].join(" · ") })),
    make("button", { type: "button", "aria-label": `Restore ${score.title}`, text: "Restore", onclick: async () => {
      try {
        await restore(score.score);
        await list.read();
        say(`“${score.title}” is back, for everybody who had it.`);
      } catch (refusal) {
        complain(refusal);
      }
    } }))));
}
