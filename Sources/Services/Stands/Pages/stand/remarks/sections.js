// Layers of sections, as librarians and leaders of sections make, change and copy them.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { newID } from "/shared/ids.js";
import { act, closeDialog, openDialog } from "../words.js";
import { choices, chosen } from "./ticks.js";

/** The parts that this user's layers may be about, as `[index, part]`: a leader's are those of the own section. */
export const mayHave = ({ isLibrarian, remarking }, score) => [...score.parts.entries()]
  .filter(([index]) => isLibrarian || remarking.wire.shown.leads.includes(index));

/** Asks for the name, the parts and the writers of a layer; `layer` is null for a new one. */
export async function editSection(dialog, layer) {
  const { wire, reader } = dialog.remarking;
  const { players } = await ask(`/api/scores/${wire.score}/players?user=${wire.user}`);
  const parts = mayHave(dialog, reader.score);
  const name = make("input", { maxlength: 200, value: layer?.name ?? "Bowings", id: "section-name" });
  const about = choices("Parts", "part", parts.map(([index, part]) => [index, part.name]),
    layer?.parts ?? (dialog.isLibrarian ? [] : parts.map(([index]) => index)));
  const writers = choices("Who writes", "writer", players.map(({ id, name: who }) => [id, who]),
    layer?.writers ?? []);
  const fault = make("p", { class: "fault", role: "alert" });
  const save = act("Save", async () => {
    const json = { name: name.value.trim(), parts: chosen(about).map(Number), writers: chosen(writers) };
    fault.textContent = !dialog.isLibrarian && json.parts.length === 0 ? "Tick at least one part." : "";
    if (fault.textContent) return;
    await ask(`/api/scores/${wire.score}/layers/${layer?.id ?? newID()}?user=${wire.user}`, { method: "PUT", json });
    dialog.open();
  }, { class: "primary", id: "save-section" });
  openDialog(layer ? `Edit “${layer.name}”` : "New layer for a section",
    make("p", { class: "hint", text: "All who have this score see the layer, on these parts. Those named here write, " +
      "and the leaders of these parts." }),
    make("label", { text: "Name" }, name), about, writers, fault, save);
}

/** Asks into which parts the remarks of a layer are copied, and says what has no place there. */
export function askSpread(dialog, layer) {
  const { wire, reader } = dialog.remarking;
  const into = mayHave(dialog, reader.score);
  const parts = choices("Into", "part", into.map(([index, part]) => [index, part.name]),
    into.map(([index]) => index).filter((index) => !layer.parts.includes(index)));
  openDialog(`“${layer.name}” into other parts`,
    make("p", { class: "hint", text: "Each remark goes to the same place of the same measure. Copying again brings " +
      "the copies up to date." }),
    parts, act("Copy", async () => {
      const done = await ask(`/api/scores/${wire.score}/layers/${layer.id}/spread?user=${wire.user}`,
        { method: "POST", json: { parts: chosen(parts).map(Number) }, patience: 30_000 });
      const { placed, unplacedCount, unplaced } = done;
      openDialog(`${placed} placed, ${unplacedCount} without a place`,
        make("p", { class: "hint", text: unplacedCount === 0 ? "Every remark has its place." : "Without a place:" }),
        make("ul", { class: "unplaced" }, ...unplaced.map(({ sentence }) => make("li", { text: sentence }))),
        act("Back to the layers", () => dialog.open(), { class: "primary" }));
    }, { class: "primary", id: "spread" }), act("Cancel", () => closeDialog(), { class: "small" }));
}
