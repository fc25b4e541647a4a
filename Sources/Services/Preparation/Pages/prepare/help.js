// The help sheet: all keys, and what mouse and fingers do.
import { Dialog } from "/shared/dialog.js";
import { icon, make } from "/shared/dom.js";
import { helpTable } from "./keys.js";

const hands = [["Click a line", "Choose the bar"], ["Drag a line", "Move the bar; with Alt all after it, too"],
  ["Double-click", "Put in a bar"], ["Drag on the numbers", "Choose several bars"], ["Wheel, two fingers", "Zoom"],
  ["Drag the sound, Shift wheel", "Scroll"]];

let sheet = null;

export function showHelp() {
  sheet ??= new Dialog({ id: "help-sheet", sign: icon("close"), isWide: true, closesOutside: true });
  if (sheet.isOpen) return sheet.close();
  const group = ([title, rows]) => make("section", {}, make("h3", { text: title }), make("dl", {},
    ...rows.flatMap(([shown, words]) => [make("dt", {}, make("kbd", { text: shown })), make("dd", { text: words })])));
  sheet.show("Keys and hands", make("div", { class: "help" }, ...helpTable.map(group),
    group(["Mouse and fingers", hands])));
  return null;
}
