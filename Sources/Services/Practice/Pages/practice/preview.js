// What was understood of a file, shown before a tab is made of it.
import { Dialog } from "/shared/dialog.js";
import { make } from "/shared/dom.js";
import { instruments, pitchName } from "./instruments.js";
import { meters } from "/shared/tabmodel.js";

const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

const notesOf = (track) => track.bars.reduce((sum, bar) => sum + (bar.voices ?? []).reduce((inner, voice) => inner
  + (voice.beats ?? []).reduce((each, beat) => each + (beat.notes?.length ?? 0), 0), 0), 0);

/** The values of a list without repetitions, in their order. */
const distinct = (values) => [...new Set(values)];

function stringsOf({ strings = [] }) {
  const known = instruments.find((each) => each.strings.join() === strings.join());
  const names = strings.toReversed().map(pitchName).join(" ");
  return `${counted(strings.length, "string")}, the lowest first: ${names}${known ? ` (${known.name})` : ""}`;
}

/** What was understood of a tab: rows of [name, value]. */
export function understoodOf(tab) {
  const all = meters(tab);
  const tempos = distinct([tab.tempo ?? 120, ...all.map(({ tempo }) => tempo)].map((tempo) => Math.round(tempo)));
  const rows = [
    ["Bars", String(tab.bars.length)],
    ["Meter", distinct(all.map(({ time }) => time.join("/"))).join(", ")],
    ["Tempo", `${tempos.join(", ")} quarters a minute`],
  ];
  for (const track of tab.tracks) {
    const isAlone = tab.tracks.length === 1;
    const named = (name) => (isAlone ? name : `${track.name || "Track"}: ${name.toLowerCase()}`);
    rows.push([named("Notes"), String(notesOf(track))]);
    if (!track.percussion && track.strings?.length) rows.push([named("Strings"), stringsOf(track)]);
    if (track.strings?.length) rows.push([named("Capo"), track.capo ? `fret ${track.capo}` : "none"]);
  }
  return rows;
}

/** Shows what was understood of a file, and what not. Resolves to whether the person wants the tab. */
export function confirmImport(fileName, tab, remarks) {
  return new Promise((resolve) => {
    let isWanted = false;
    const dialog = new Dialog({ closed: () => {
      dialog.element.remove();
      resolve(isWanted);
    } });
    const take = () => {
      isWanted = true;
      dialog.close();
    };
    dialog.show(tab.title || fileName,
      make("dl", { class: "understood" }, ...understoodOf(tab).flatMap(([name, value]) =>
        [make("dt", { text: name }), make("dd", { text: value })])),
      remarks.length > 0 && make("h3", { text: "Remarks" }),
      remarks.length > 0 && make("ul", { id: "import-remarks" },
        ...remarks.map((remark) => make("li", { text: remark }))),
      make("div", { class: "row" },
        make("button", { type: "button", id: "import-take", class: "primary", text: "Import", onclick: take }),
        make("button", { type: "button", id: "import-leave", text: "Leave it", onclick: () => dialog.close() })));
    dialog.element.querySelector("#import-take").focus();
  });
}
