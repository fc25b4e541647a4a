// Every key of the editor, in one table: what listens to them and what the help sheet says come from here.
import { undoKey } from "/shared/undo.js";

const isText = (element) =>
  element?.matches?.("input:not([type=checkbox]):not([type=range]):not([type=file]), textarea, select");

/** `[group, [[key, shown, words, act(editor, event)] …]]`; “S-” is Shift, “A-” Alt. */
/** @type {[string, [string, string, string, (editor: any, event?: any) => any][]][]} */
export const table = [
  ["Hear", [
    [" ", "Space", "Play or pause", (editor) => editor.playOrPause()],
    ["Enter", "Enter", "Play around the chosen bar", (editor) => editor.hear()],
    ["p", "P", "Play from the chosen bar on", (editor) => editor.playChosen()],
    ["l", "L", "Loop the chosen bars", (editor) => editor.toggleLoop()],
    ["c", "C", "Clicks on the bars", (editor) => editor.toggleClicks()],
    ["[", "[", "Slower", (editor) => editor.speed(-0.05)],
    ["]", "]", "Faster", (editor) => editor.speed(0.05)],
  ]],
  ["Choose and look", [
    ["ArrowLeft", "←", "Bar before", (editor) => editor.step(-1)],
    ["ArrowRight", "→", "Next bar", (editor) => editor.step(1)],
    ["S-ArrowRight", "Shift →", "Choose one bar more", (editor) => editor.step(1, true)],
    ["Home", "Home", "First bar", (editor) => editor.choose(0, { seeks: true })],
    ["End", "End", "Last bar", (editor) => editor.choose(Infinity, { seeks: true })],
    ["+", "+", "Closer", (editor) => editor.zoom(1.5)],
    ["-", "−", "Wider", (editor) => editor.zoom(1 / 1.5)],
    ["0", "0", "The whole piece", (editor) => editor.showAll()],
    ["z", "Z", "Only the chosen bars", (editor) => editor.showChosen()],
    ["PageUp", "Page ↑", "Back by a screen", (editor) => editor.pan(-0.8)],
    ["PageDown", "Page ↓", "On by a screen", (editor) => editor.pan(0.8)],
    ["g", "G", "Go to a bar by its number", (editor) => editor.ask.goTo()],
    ["v", "V", "Show or hide the spectrum", (editor) => editor.toggleSpectrum()],
  ]],
  ["Tap", [
    ["t", "T", "Tap bars; while tapping: this is the bar", (editor, event) => editor.ask.tap(event)],
    ["Backspace", "⌫", "While tapping: take the last tap back", (editor) => editor.ask.untap()],
  ]],
  ["Check", [
    ["n", "N", "Next bar to check, and hear it", (editor) => editor.nextDoubt(1)],
    ["S-N", "Shift N", "Bar to check before", (editor) => editor.nextDoubt(-1)],
    ["a", "A", "The bar is right; on to the next", (editor) => editor.ask.accept()],
    ["h", "H", "The bar is here, where it sounds now", (editor, event) => editor.ask.tapHere(event)],
  ]],
  ["Change", [
    ["A-ArrowLeft", "Alt ←", "The bar 10 ms earlier", (editor) => editor.nudge(-0.01)],
    ["A-ArrowRight", "Alt →", "The bar 10 ms later", (editor) => editor.nudge(0.01)],
    ["A-S-ArrowLeft", "Alt Shift ←", "It and all after it 10 ms earlier", (editor) => editor.nudge(-0.01, true)],
    ["A-S-ArrowRight", "Alt Shift →", "It and all after it 10 ms later", (editor) => editor.nudge(0.01, true)],
    ["m", "M", "Move the bar to the playhead", (editor) => editor.moveHere()],
    ["S-M", "Shift M", "Dragging moves everything after, too", (editor) => editor.toggleMovesAll()],
    ["i", "I", "Put in a bar at the playhead", (editor) => editor.insertHere()],
    ["Delete", "Del", "Take out the chosen bars", (editor) => editor.deleteChosen()],
    ["r", "R", "Renumber the bars from here", (editor) => editor.ask.renumber()],
    ["b", "B", "Section, letter or repeat at this bar", (editor) => editor.ask.mark()],
    ["e", "E", "The piece ends at the playhead", (editor) => editor.endHere()],
  ]],
];

const everywhere = [
  ["Ctrl Z", "Undo"], ["Ctrl Shift Z", "Redo"], ["?", "These keys"],
  ["Esc", "Stop tapping; close; choose nothing; leave a field as it was"],
];

/**
 * For the help sheet: `[group, [[shown, words] …]]`.
 * @type {[string, string[][]][]}
 */
export const helpTable = [
  ...table.map(([group, rows]) => /** @type {[string, string[][]]} */ (
    [group, rows.map(([, shown, words]) => [shown, words])])),
  ["Everywhere", everywhere]];

const acts = new Map(table.flatMap(([, rows]) => rows.map(([key, , , act]) => [key, act])));

function nameOf(event) {
  const isLetter = event.key.length === 1;
  const key = isLetter && !event.shiftKey ? event.key.toLowerCase() : event.key;
  const hasShift = event.shiftKey && (!isLetter || /[A-Z]/.test(key));
  return `${event.altKey ? "A-" : ""}${hasShift ? "S-" : ""}${key}`;
}

/**
 * Listens to the whole page. `current()` gives the editor or null; `common` has undo(), redo(), help(), close().
 * While bars are tapped, Space taps too.
 */
export function listenToKeys(current, common) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const control = event.ctrlKey || event.metaKey;
    const course = undoKey(event);
    if (course) {
      if (isText(document.activeElement)) return;
      event.preventDefault();
      common[course]();
      return;
    }
    if (control || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      if (isText(document.activeElement)) document.activeElement.blur();
      else common.close();
      return;
    }
    if (isText(document.activeElement)) return;
    if (event.key === "?") return void common.help();
    const editor = current();
    if (!editor) return;
    const isTapping = Boolean(editor.taps);
    // A button under the keyboard's focus keeps its own keys, except while bars are tapped.
    const onControl = document.activeElement?.matches?.("button, a, summary, [role=tab], input");
    if (onControl && (event.key === "Enter" || (event.key === " " && !isTapping))) return;
    if (onControl && document.activeElement.matches("[role=tab], [type=range]")
      && event.key.startsWith("Arrow")) return;
    let act = acts.get(nameOf(event));
    if (isTapping && event.key === " ") act = acts.get("t");
    if (!act || (event.key === "Backspace" && !isTapping)) return;
    event.preventDefault();
    if (event.repeat && ["t", " ", "h", "Enter"].includes(event.key)) return;
    act(editor, event);
  });
}
