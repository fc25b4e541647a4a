// All scores, filtered by the search.
import { find, make } from "/shared/dom.js";
import { findIn, highlighted } from "/shared/search.js";
import { drawBin } from "./bin.js";
import { list, picture } from "./store.js";

const fieldsOf = ({ title, composer, lyricist, arranger }) => [title, composer ?? "", lyricist ?? "", arranger ?? ""];

/** One line of the list; each field of the score comes in the pieces that the search found. */
function line(score, [title, composer, lyricist, arranger]) {
  const unmarked = score.parts.filter((part) => part.places === 0).length;
  const arrangement = arranger.length > 0 ? [{ text: "arr. ", isMatch: false }, ...arranger] : [];
  const people = [composer, lyricist, arrangement].filter((pieces) => pieces.length > 0).map(highlighted);
  const image = make("img",
    { src: picture(score.id, 0, 0, "thumbnail", score.revision), alt: "", loading: "lazy", width: 44, height: 60 });
  const facts = [`${score.parts.length} ${score.parts.length === 1 ? "part" : "parts"}`];
  if (unmarked) facts.push(`${unmarked === score.parts.length ? "" : `${unmarked} `}not marked`);
  return make("li", {},
    make("a", { href: `#/score/${score.id}`, "data-id": score.id, "aria-current": location.hash.includes(score.id)
      ? "true" : null },
      image,
      make("span", { class: "words" },
        make("span", { class: "title" }, ...highlighted(title)),
        make("span", { class: "people" }, ...people.flatMap((nodes, index) => (index > 0 ? [" · ", ...nodes] : nodes))),
        make("span", { class: unmarked ? "facts todo" : "facts", text: facts.join(" · ") }))));
}

/** Draws the list as it is now. */
export function drawList() {
  const keyword = find("search").value;
  const found = list.scores.map((score) => [score, findIn(keyword, fieldsOf(score))]).filter(([, match]) => match)
    .sort(([one], [other]) => one.title.localeCompare(other.title));
  find("scores").replaceChildren(...found.map((entry) => line(...entry)));
  const all = list.scores.length;
  find("count").textContent = all === 0 ? "There are no scores yet. Add a PDF or a MusicXML file."
    : keyword.trim() === "" ? `${all} ${all === 1 ? "score" : "scores"}`
    : found.length === 0 ? "No score matches. Try fewer letters." : `${found.length} of ${all} scores`;
}

export function wireSearch() {
  find("search").addEventListener("input", drawList);
  list.watchers.push(drawList, drawBin);
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, textarea, select")
      || document.body.dataset.view === "marking") {
      return;
    }
    event.preventDefault();
    find("search").focus();
  });
}
