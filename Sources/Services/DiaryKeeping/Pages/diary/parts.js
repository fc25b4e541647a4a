// The pieces that several screens are made of.
import { make } from "/shared/dom.js";
import { waitingWord } from "/shared/savedwords.js";
import { signInAddress } from "/shared/signin.js";
import { clockText, counted, dayText, monthText, personText, placeText, sources, stars, workText } from "./words.js";

/** One concert as a row that leads to its page. */
export function concertRow(concert) {
  const works = (concert.works ?? []).map(workText).filter(Boolean);
  const more = (concert.workCount ?? works.length) - works.length;
  const facts = [clockText(concert.start), placeText(concert), concert.ensemble,
    (concert.conductors ?? []).map(personText).join(", ")].filter(Boolean).join(" · ");
  return make("li", { class: "concert" },
    make("a", { href: `#/concerts/${encodeURIComponent(concert.concert ?? concert.id)}` },
      make("span", { class: "day", "aria-hidden": "true", text: Number((concert.date ?? "").slice(8, 10)) || "·" }),
      make("span", { class: "what" },
        make("span", { class: "title", text: concert.title || works[0] || "A concert" }),
        works.length > 0 ? make("span", { class: "works",
          text: works.slice(0, 4).join("; ") + (more > 0 ? ` and ${more} more` : "") }) : null,
        make("span", { class: "faint", text: [dayText(concert.date), facts].filter(Boolean).join(" · ") })),
      badges(concert)));
}

/** The badges of a concert: not confirmed, private, stars. */
export function badges(concert) {
  const found = [
    concert.state === "proposed" ? make("span", { class: "badge proposed", text: "To confirm" }) : null,
    concert.isPrivate ? make("span", { class: "badge", text: "Private" }) : null,
    concert.waits ? make("span", { class: "badge waits", text: waitingWord(concert) }) : null,
    concert.rating ? make("span", { class: "stars", role: "img", "aria-label": counted(concert.rating, "star"),
      text: stars(concert.rating) }) : null,
  ].filter(Boolean);
  return found.length > 0 ? make("span", { class: "badges" }, ...found) : null;
}

/** Concerts in their order, under a heading for each month; `last` is the month that stands already. */
export function byMonth(concerts, last = null) {
  const sections = [];
  let month = last;
  for (const concert of concerts) {
    const heading = monthText(concert.date);
    if (heading !== month) {
      sections.push(make("section", { class: "month", "aria-label": heading }, make("h2", { text: heading }),
        make("ul", {})));
      month = heading;
    } else if (sections.length === 0) sections.push(make("section", { class: "month more" }, make("ul", {})));
    sections.at(-1).querySelector("ul").append(concertRow(concert));
  }
  return { sections, last: month };
}

/** The mark that says how a thing is known. */
export const sourceMark = (source) =>
  source ? make("span", { class: `source ${source}`, title: sources[source] ?? source, text: source }) : null;

export const heading = (title, ...facts) => make("div", { class: "heading" },
  make("h2", { class: "page", text: title }),
  ...facts.filter(Boolean).map((fact) => make("p", { class: "facts", text: fact })));

export const sentence = (text, name = "empty") => make("p", { class: name, text });

/** A choice of stars: buttons that a keyboard reaches; `chosen(value)` gets 0 if the same star is pressed again. */
export function starButtons(value, chosen) {
  const row = make("div", { class: "rate", role: "group", "aria-label": "Stars" });
  const show = (count) => {
    value = count;
    [...row.children].forEach((button, index) => {
      button.textContent = index < count ? "★" : "☆";
      button.setAttribute("aria-pressed", String(index < count));
    });
  };
  for (let star = 1; star <= 5; star += 1) {
    row.append(make("button", { type: "button", class: "plain", "aria-label": counted(star, "star"),
      onclick: () => {
        show(star === value ? 0 : star);
        chosen(value);
      } }));
  }
  show(value ?? 0);
  return row;
}

/** Addresses on the web that people may open; nothing is loaded from them before. */
export const recordingLinks = (addresses) => {
  const safe = (addresses ?? []).filter((each) => /^https?:\/\//i.test(each));
  return safe.length === 0 ? null : make("section", { class: "recordings", "aria-label": "Recordings" },
    make("h2", { text: "Recordings" }), make("ul", {}, ...safe.map((href) => make("li", {},
      make("a", { href, target: "_blank", rel: "noopener noreferrer",
        text: href.replace(/^https?:\/\/(www\.)?/i, "") })))));
};

/** The text that others see in place of a form of the house. */
export const houseOnly = (role) => make("p", { class: "empty" }, "Only those who run the house write here. ",
  role ? null : make("a", { href: signInAddress(), text: "Sign in" }));
