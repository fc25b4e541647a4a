// The thumbnails of the own slides, and the other speakers to whom the floor can be handed.
import { make, mark } from "/shared/dom.js";

const minute = 60; // seconds

/** A button for each of the speaker's own slides; pressing one shows it, if the speaker has the floor. */
export function buildThumbnails(list, own, holds, session, go) {
  const document = own?.document ?? "";
  if (list.dataset.document !== document) {
    list.dataset.document = document;
    list.replaceChildren(...Array.from({ length: document ? own.pages : 0 }, (_, index) => make("li", {},
      make("button", { type: "button", "aria-label": `Slide ${index + 1}`, onclick: () => go(index + 1) },
        make("img", { src: session.picture(document, index + 1, "small"), alt: "", loading: "lazy" }),
        make("span", { text: index + 1 })))));
  }
  const before = list.querySelector("[aria-current]");
  [...list.querySelectorAll("button")].forEach((button, index) => {
    button.disabled = !holds;
    mark(button, "aria-current", index + 1 === own?.page ? "true" : null);
  });
  const present = list.querySelector("[aria-current]");
  // Within the list alone: the page stays where the speaker has it.
  if (!present || present === before) return;
  list.scrollTop = present.offsetTop - (list.clientHeight - present.offsetHeight) / 2;
}

/** Everybody who speaks, with what may be done; built anew only if something changes. */
export function buildPeople(list, floor, me, act) {
  const mayHandOn = floor.holder === me && floor.lender === null;
  const key = JSON.stringify([floor.presenters.map(({ id, name, connected, pages, doNotDisturb }) =>
    [id, name, connected, pages, doNotDisturb]),
    floor.requests, floor.holder, mayHandOn, me]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...floor.presenters.map((presenter) => person(presenter, floor, me, mayHandOn, act)));
}

function person({ id, name, connected, pages, doNotDisturb }, floor, me, mayHandOn, act) {
  const slides = pages === 1 ? "one slide" : `${pages || "no"} slides`;
  const facts = [id === me ? "you" : null, id === floor.holder ? "has the floor" : null,
    id === floor.holder && doNotDisturb ? "hears of requests later" : null,
    floor.requests.includes(id) ? "asks" : null, connected ? null : "not connected", slides];
  const button = (words, action, more = {}) => make("button", { type: "button", disabled: !connected,
    "aria-label": `${words}: ${name}`, onclick: () => act(action, { presenter: id, ...more }) }, words);
  const actions = mayHandOn && id !== me ? make("div", { class: "row" }, button("Hand on", "hand-over"),
    button("For a minute", "lend", { seconds: minute }), button("Invite", "lend")) : null;
  return make("li", { "data-asks": floor.requests.includes(id) },
    make("div", {}, make("p", { class: "who", text: name }),
      make("p", { class: "faint", text: facts.filter(Boolean).join(" · ") })), actions);
}
