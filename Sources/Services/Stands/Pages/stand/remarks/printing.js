// A part as PDF with the remarks of chosen layers, with and without a room.
import { make } from "/shared/dom.js";
import { intervalName } from "/shared/intervals.js";
import { openDialog } from "../words.js";
import { choices, chosen } from "./ticks.js";

/** Asks for the layers; those that are shown are ticked. */
export function askPrint({ remarking }) {
  const { wire, reader } = remarking;
  const { shown } = wire;
  const layers = choices("With the remarks of", "layer", shown.listed.map(({ id, name }) => [id, name]),
    shown.listed.filter(({ id }) => !shown.hidden.has(id)).map(({ id }) => id));
  const link = make("a", { class: "button primary", id: "print-part", target: "_blank", rel: "noopener",
    text: "Make the PDF" });
  const { reading } = reader;
  const key = reading ? make("fieldset", { class: "played ticks" }, make("legend", { text: "In which key" }),
    keyOption("read", intervalName(reading), true), keyOption("plain", "As the part is written", false)) : null;
  const margins = choices("Paper", "margins", [["0", "Without the margins, as on the stand"]], []);
  margins.hidden = !reader.score.parts[reader.part].pages.some((page) => page.crop);
  const aim = () => {
    const isWritten = key?.querySelector("input:checked").value === "read";
    link.href = `/api/scores/${wire.score}/parts/${reader.part}/pdf?layers=${chosen(layers).join(",")}` +
      `&user=${wire.user}${isWritten ? `&written=${reading}` : ""}` +
      (!isWritten && chosen(margins).length > 0 ? "&margins=0" : "");
    // The margins are those of the part as it is written.
    margins.disabled = isWritten;
  };
  for (const each of [layers, key, margins]) each?.addEventListener("change", aim);
  aim();
  const waiting = wire.undeliveredRemarks.size;
  openDialog(`Print “${reader.score.parts[reader.part].name}”`,
    waiting > 0 ? make("p", { class: "hint", text: `${waiting} of your remarks wait to be delivered; they are not in ` +
      "the PDF yet." }) : null, key, layers, margins, make("p", { class: "links" }, link),
    make("p", { class: "hint", text: "It opens beside this page. The first time, a full score takes half a minute." }));
}

const keyOption = (value, text, isChosen) => make("label", { class: "choice" },
  make("input", { type: "radio", name: "print-key", value, checked: isChosen }), text);
