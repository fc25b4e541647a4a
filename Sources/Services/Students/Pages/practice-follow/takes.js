// The takes that were kept: hear, report, delete.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { address, forgetTake, showReport } from "./report.js";
import { takeLine } from "./reportwords.js";

/** Reads and shows the list; gives the takes, newest first. */
export async function readTakes() {
  const { takes } = await ask("/api/practice/takes", { patience: 20_000 });
  const done = takes.filter(({ seconds }) => seconds !== null);
  find("take-list").replaceChildren(...done.map((take) => row(take, done)));
  find("no-takes").hidden = done.length > 0;
  return done;
}

function row(take, takes) {
  const name = takeLine(take);
  const element = make("li", { class: "take", "data-take": take.name },
    make("div", {}, make("p", { text: take.pieceName }), make("p", { class: "faint", text: name })));
  const button = (text, act, traits = {}) => make("button",
    { type: "button", text, "aria-label": `${text}: ${take.pieceName}, ${name}`, onclick: act, ...traits });
  element.append(make("div", { class: "row" },
    button("Report", () => showReport(take, takes)),
    button("Hear", () => hear(take, element)),
    button("Delete", (event) => remove(take, event.currentTarget), { class: "danger" })));
  return element;
}

function hear(take, element) {
  document.querySelector("audio")?.remove();
  const audio = make("audio", { controls: true, src: `${address(take)}/sound` });
  element.append(audio);
  audio.play().catch(() => {}); // The element's own controls tell.
}

/** The first press asks, the second deletes. */
async function remove(take, button) {
  if (button.dataset.asked !== "yes") {
    button.dataset.asked = "yes";
    button.textContent = "Delete for ever";
    setTimeout(() => {
      delete button.dataset.asked;
      button.textContent = "Delete";
    }, 4000);
    return;
  }
  button.disabled = true;
  try {
    await ask(address(take), { method: "DELETE" });
    forgetTake(take);
    await readTakes();
  } catch (refusal) {
    button.disabled = false;
    button.textContent = refusal.message;
  }
}
