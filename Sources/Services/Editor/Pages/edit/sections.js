// The bars to which sections may move, and colours that tell them apart in the dark.
import { moveToMeasure } from "./ordering.js";

/** Calm colours, told apart by brightness too: name and what the format keeps. */
export const swatches = [
  ["Steel blue", "70,130,180"], ["Amber", "200,140,40"], ["Plum", "150,80,140"], ["Teal", "95,158,160"],
  ["Moss", "90,140,80"],
  ["Brick", "170,80,65"], ["Slate", "112,128,144"], ["Rose", "200,120,150"], ["Night", "60,70,130"],
  ["Sand", "190,170,120"],
];

export const sectionColour = (index) => swatches[index % swatches.length][1];

/** Puts a section on another measure. */
export function placeSection(book, id, played) {
  const section = book.tree.get(id);
  const count = book.tree.text(section?.parent, "measures").split("\n").length;
  moveToMeasure(book, section, played, count, "section moved");
}
