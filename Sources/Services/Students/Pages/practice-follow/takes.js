// The takes that were kept: hear, report, delete, let a teacher see the report; and reports that students let one see.
import { ask } from "/shared/api.js";
import { find, make, mark } from "/shared/dom.js";
import { address, forgetTake, showReport } from "./report.js";
import { takeLine } from "./reportwords.js";

/** Reads and shows the list; gives the takes, newest first. */
export async function readTakes() {
  const { takes, teachers } = await ask("/api/practice/takes", { patience: 20_000 });
  const done = takes.filter(({ seconds }) => seconds !== null);
  find("take-list").replaceChildren(...done.map((take) => row(take, done, teachers)));
  find("no-takes").hidden = done.length > 0;
  return done;
}

/** Reads and shows the reports that students let this account see. */
export async function readSharedTakes() {
  const { takes } = await ask("/api/practice/shared", { patience: 20_000 });
  const of = ({ id }) => takes.filter(({ student }) => student.id === id);
  find("shared-list").replaceChildren(...takes.map((take) => make("li", { class: "take", "data-take": take.name },
    make("div", {}, make("p", { text: `${take.student.name}: ${take.pieceName}` }),
      make("p", { class: "faint", text: takeLine(take) })),
    make("div", { class: "row" }, make("button", { type: "button", text: "Report",
      "aria-label": `Report: ${take.student.name}, ${take.pieceName}, ${takeLine(take)}`,
      onclick: () => showReport(take, of(take.student)) })))));
  find("shared").hidden = takes.length === 0;
  mark(find("shared"), "aria-busy", "false");
}

/** The switch that lets a teacher see the report on a take. */
function switchFor(take, { id, name }) {
  const button = make("button", { type: "button", text: `${name} may see the report`,
    "aria-pressed": String(take.readers.includes(id)) });
  button.onclick = async () => {
    const isShared = button.getAttribute("aria-pressed") !== "true";
    button.disabled = true;
    try {
      await ask(`${address(take)}/readers`, { method: "PUT", json: { reader: id, isShared } });
      button.setAttribute("aria-pressed", String(isShared));
    } catch (refusal) {
      button.textContent = refusal.message;
    }
    button.disabled = false;
  };
  return button;
}

function row(take, takes, teachers) {
  const name = takeLine(take);
  const element = make("li", { class: "take", "data-take": take.name },
    make("div", {}, make("p", { text: take.pieceName }), make("p", { class: "faint", text: name })));
  const button = (text, act, traits = {}) => make("button",
    { type: "button", text, "aria-label": `${text}: ${take.pieceName}, ${name}`, onclick: act, ...traits });
  element.append(make("div", { class: "row" },
    button("Report", () => showReport(take, takes)),
    button("Hear", () => hear(take, element)),
    button("Delete", (event) => remove(take, event.currentTarget), { class: "danger" })));
  if (teachers.length > 0) {
    element.append(make("div", { class: "row", role: "group", "aria-label": `Who may see the report: ${name}` },
      ...teachers.map((teacher) => switchFor(take, teacher))));
  }
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
