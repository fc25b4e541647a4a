// A piece without slides: its name, the bar that sounds, its section and the next one, and what comes after the piece.
import { make, write } from "/shared/dom.js";
import { labelOf, pieceAfter, sectionAt } from "./concert.js";
import { say } from "./words.js";

/**
 * What is shown of a piece without slides: texts, "" for what there is nothing of.
 * @param {{ piece: any, live: any, name: string, next: any, played: number, language: string }} now `piece` is null if
 *   the concert does not have it; `live` is null while it does not sound
 */
export function plainWords({ piece, live, name, next, played, language }) {
  const last = Math.max(0, ...(piece?.measures ?? []).map(({ printed }) => printed));
  const section = piece?.structure?.sections[sectionAt(piece, played)];
  const { nextSection } = live ?? {};
  const labels = [...new Set((piece?.structure?.sections ?? []).map((each) => labelOf(each, language)))];
  const lead = piece?.movement || piece?.work || name;
  return {
    over: [piece?.composer, piece?.work !== lead && piece?.work].filter(Boolean).join(", "),
    lead,
    bar: live && Number.isInteger(live.measure) ? String(live.measure) : "",
    barWord: live ? say("bar") : "",
    of: last === 0 ? "" : live ? say("ofBars", { n: last }) : say("barsInAll", { n: last }),
    section: live ? (section ? labelOf(section, language) : live.section ?? "") : labels.join(" · "),
    then: nextSection ? say("thenSection", { name: nextSection.label, n: nextSection.measure }) : "",
    next: next ? say("comesNext", { name: next.movement || next.work || next.name }) : piece ? "" : say("noText"),
  };
}

export class Plain {
  #parts = {};
  element;

  constructor() {
    const part = (name, tag, className) => (this.#parts[name] = make(tag, { class: className }));
    const bar = make("p", { class: "plain-bar" }, part("barWord", "span", "plain-word"), part("bar", "strong", ""),
      part("of", "span", "plain-word"));
    // The bars are for the eyes; read aloud, they would never end.
    this.element = make("div", { class: "plain" }, part("over", "p", "over"), part("lead", "p", "lead"),
      make("div", { "aria-live": "off" }, bar, part("section", "p", "plain-section"), part("then", "p", "plain-then")),
      part("next", "p", "hint"));
  }

  show(hall) {
    const { piece, concert } = hall;
    const live = hall.isOfNow ? hall.live : null;
    const words = plainWords({ piece, live, name: hall.live?.pieceName ?? "", next: piece && pieceAfter(concert, piece),
      played: live ? hall.livePlayed : -1, language: hall.language });
    for (const [name, element] of Object.entries(this.#parts)) {
      write(element, words[name]);
      element.hidden = words[name] === "";
    }
    return words.lead;
  }
}
