// The concerts that this device keeps: the owner's own, and those of the house at which the owner was.
import { make } from "/shared/dom.js";
import { savedWords } from "/shared/savedwords.js";
import { discard, othersPending, pending } from "./outbox.js";
import { mine, othersWaiting, waiting } from "./own.js";
import { byMonth, heading, sentence } from "./parts.js";
import { counted } from "./words.js";

export function minePage(view) {
  const concerts = mine();
  const count = waiting().length;
  const house = pending();
  const others = othersWaiting() + othersPending();
  view.show(...[
    heading("Mine", counted(concerts.length, "concert")),
    count > 0 ? make("p", { id: "waiting", class: "faint",
      text: `${counted(count, "concert")} not sent yet, safe on this device.` }) : null,
    others > 0 ? make("p", { id: "others", class: "faint", text: `${counted(others, "entry", "entries")} of another `
      + "account: kept on this device until that account signs in here." }) : null,
    ...waiting().filter(({ trouble }) => trouble).map((concert) => make("p", { class: "trouble" },
      `${concert.trouble} `, make("a", { class: "button", href: `#/concerts/${encodeURIComponent(concert.id)}/edit`,
        text: `Correct ${concert.title}` }))),
    ...house.map((call) => make("p", { class: "row" }, make("span", { text: call.what }),
      make("span", { class: "badge waits", text: call.trouble ?? savedWords.waiting }),
      call.trouble ? make("button", { type: "button", class: "danger", text: "Discard", onclick: () => {
        discard(call.id);
        minePage(view);
      } }) : null)),
    count + house.length > 0 ? make("button", { type: "button", id: "send", text: "Send now",
      onclick: () => view.sync(true) }) : null,
    concerts.length === 0 ? sentence("Nothing yet. Add a concert, or press “I was there” on one.")
      : make("div", {}, ...byMonth(concerts).sections),
  ].filter(Boolean));
}
