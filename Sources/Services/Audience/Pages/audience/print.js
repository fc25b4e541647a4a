// On paper a piece is a document: every slide that may be read, in order.
import { find, make } from "/shared/dom.js";
import { slideParts } from "/shared/slideparts.js";
import { say } from "./words.js";

export function fillPaper(hall) {
  const { piece, track, concert, limit } = hall;
  const paper = find("paper");
  if (hall.screen !== "slides" || !piece || !track) return paper.replaceChildren();
  paper.lang = track.language ?? "";
  paper.replaceChildren(make("h1", { text: piece.name }),
    make("p", { class: "about", text: `${concert?.title ?? ""} · ${track.name}` }),
    make("ol", {}, ...track.slides.slice(0, limit + 1).map((slide) =>
      make("li", {}, make("p", { class: "about", text: say("measure", { from: slide.measure }) }),
        ...slideParts(slide, say("noPicture"))))));
}
