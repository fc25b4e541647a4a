// The whole piece as one bar: sections, cue marks, the playhead, and where the follower hears itself.
import { draw, find, make, mark } from "/shared/dom.js";
import { isFollowed } from "./leading.js";
import { sectionPlace } from "./places.js";

const tints = ["#1b2530", "#222e3a"];

export function showTimeline(console) {
  const { desk } = console;
  const root = find("timeline");
  const strip = make("div", { class: "strip" });
  const cues = draw("svg",
    { class: "cue-marks", viewBox: "0 0 1000 14", preserveAspectRatio: "none", "aria-hidden": "true" });
  const head = make("div", { class: "playhead", "aria-hidden": "true" });
  const ghost = make("div", { class: "ghost", "aria-hidden": "true", title: "Where the follower hears itself" });
  root.append(strip, cues, head, ghost);
  let shownPiece = null;
  let count = 1;
  let ranges = new Map();

  const share = (played) => Math.max(0, Math.min(1, played / count));

  function sections() {
    const position = desk.get("position");
    const piece = desk.get("programme")?.pieces?.[position?.piece ?? -1];
    const key = JSON.stringify([position?.piece, position?.playedCount, piece?.sections]);
    if (key === shownPiece) return;
    shownPiece = key;
    count = Math.max(1, position?.playedCount ?? piece?.measures ?? 1);
    const list = piece?.sections?.length ? piece.sections : [{ label: "", place: "", played: 0 }];
    const shown = list[0].played > 0 ? [{ label: "", place: "", played: 0 }, ...list] : list;
    ranges = new Map();
    strip.replaceChildren(...shown.map((section, number) => {
      const until = shown[number + 1]?.played ?? count;
      const block = make("button", {
        type: "button", class: "block", "data-label": section.label,
        "aria-label": section.label
          ? `Section ${section.label}, from bar ${section.place}: go there` : "Start of the piece",
      }, make("span", { class: "block-label", text: section.label }),
        make("span", { class: "block-bar", text: section.place }));
      ranges.set(block, { begin: section.played, end: until });
      block.style.flexGrow = String(Math.max(0.001, until - section.played));
      block.style.background = tints[number % 2];
      block.addEventListener("click", (event) => {
        // By key the section's start; by mouse the very bar under the pointer. Either way Enter confirms.
        if (event.detail === 0) return console.place.open(section.label ? sectionPlace(section.label) : "p:0");
        const box = root.getBoundingClientRect();
        const played = Math.floor(((event.clientX - box.left) / box.width) * count);
        const start = Math.abs(((played - section.played) / count) * box.width) < 12 && section.label;
        console.place.open(start ? sectionPlace(section.label) : `p:${Math.max(0, Math.min(count - 1, played))}`);
      });
      return block;
    }));
    marks();
  }

  function marks() {
    const list = desk.get("cues")?.list ?? [];
    const standby = desk.get("cues")?.standby;
    cues.replaceChildren(...list.map((cue) => {
      const x = (share(cue.played) * 1000).toFixed(1);
      return draw("path", {
        d: `M${x} 0V14`, class: cue.id === standby ? "standby-mark" : cue.fired ? "fired-mark" : cue.auto
          ? "auto-mark" : "hand-mark",
        "vector-effect": "non-scaling-stroke",
      });
    }));
  }

  let place = "";
  desk.on("position", (position) => {
    sections();
    const now = `${(share((position.played ?? 0) + (position.fraction ?? 0)) * 100).toFixed(2)}%`;
    if (now !== place) head.style.left = place = now;
    // By its bars: a theme that returns has the same name each time.
    const played = position.played ?? -1;
    for (const [block, { begin, end }] of ranges) {
      mark(block, "data-now", block.dataset.label !== "" && begin <= played && played < end);
    }
  });
  desk.on("programme", sections);
  desk.on("cues", marks);
  desk.on("follower", (follower) => {
    const position = desk.get("position");
    const apart = position && isFollowed(desk.get("show"), follower) && follower.piece === position.piece
      && Math.abs(follower.played - position.played) >= 1;
    ghost.hidden = !apart;
    if (apart) ghost.style.left = `${(share(follower.played + (follower.fraction ?? 0)) * 100).toFixed(2)}%`;
  });
}
