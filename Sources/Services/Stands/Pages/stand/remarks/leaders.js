// The leaders of sections, such as the concertmaster: a librarian names them for a score.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { act, openDialog } from "../words.js";
import { choices, chosen } from "./ticks.js";

const title = "Leaders of sections";

/** Lists all who have the score, with the parts that each leads. */
export async function listLeaders(dialog) {
  const { wire, reader } = dialog.remarking;
  const of = (path) => ask(`/api/scores/${wire.score}/${path}?user=${wire.user}`);
  const [{ players }, { leaders }] = await Promise.all([of("players"), of("leaders")]);
  const led = new Map(leaders.map(({ id, parts }) => [id, parts]));
  const nameOf = (part) => reader.score.parts[part]?.name;
  openDialog(title,
    make("p", { class: "hint", text: "A leader writes on the layers of the section’s parts, corrects what others " +
      "write there, and makes layers for these parts." }),
    make("ul", { class: "members" }, ...players.map(({ id, name }) => {
      const parts = led.get(id) ?? [];
      return make("li", {},
        make("span", { class: "lines" }, make("span", { class: "title", text: name }),
          make("span", { class: "by",
            text: parts.length > 0 ? `leads ${parts.map(nameOf).filter(Boolean).join(", ")}` : "leads no section" })),
        make("span", { class: "actions" }, act("Parts …", () => chooseParts(dialog, { id, name }, parts),
          { class: "small", "data-leader": id, "aria-label": `Parts that ${name} leads` })));
    })),
    act("Back to the layers", () => dialog.open(), { class: "small" }));
}

function chooseParts(dialog, { id, name }, led) {
  const { wire, reader } = dialog.remarking;
  const parts = choices("Leads", "part", reader.score.parts.map((part, index) => [index, part.name]), led);
  openDialog(`What ${name} leads`, parts, act("Save", async () => {
    await ask(`/api/scores/${wire.score}/leaders/${id}?user=${wire.user}`,
      { method: "PUT", json: { parts: chosen(parts).map(Number) } });
    await listLeaders(dialog);
  }, { class: "primary", id: "save-leader" }));
}
