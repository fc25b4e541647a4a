// Conductors and soloists of a concert, as people edit them: one conductor for the evening, or each work its own.
import { make } from "/shared/dom.js";
import { workText } from "./words.js";

const split = (text) => text.split(/[;\n]/).map((name) => name.trim()).filter(Boolean);

/** “Argerich, Martha (piano); Kremer, Gidon” as soloists; one whose name stays keeps the role. */
export function soloistsOf(text, known = []) {
  return split(text).map((each) => {
    const [, name, instrument] = /^(.*?)\s*\(([^()]*)\)$/.exec(each) ?? [null, each, ""];
    const role = known.find((soloist) => soloist.name === name)?.role;
    return { name, ...(instrument ? { instrument } : {}), ...(role ? { role } : {}) };
  });
}

export const soloistsText = (soloists) => (soloists ?? []).map(({ name, instrument }) =>
  (instrument ? `${name} (${instrument})` : name)).join("; ");

/** Every name of a work's performers with the label of its field. */
export const performerNames = ({ conductors, soloists }) => [...conductors.map((name) => ["Conductor", name]),
  ...soloists.map(({ name }) => ["Soloists", name])];

/** The performers of each work of a concert of the house, as the server compares them. */
export const performersOf = (concert) => (concert.programme ?? []).filter(({ kind }) => kind === "work")
  .map(({ composer, title, conductors, soloists }) => ({ composer: composer ?? "", title,
    conductors: conductors ?? [], soloists: soloists ?? [] }));

/** The fields for the performers; `read()` gives them as they are now, null for a name without text. */
export function performerFields(groups) {
  if (groups.length === 0) return { element: null, read: () => [] };
  const rows = groups.map((group, index) => ({
    group,
    conductors: make("input", { name: `conductors-${index}`, maxlength: "300", autocomplete: "off",
      value: group.conductors.join("; ") }),
    soloists: make("input", { name: `soloists-${index}`, maxlength: "1500", autocomplete: "off",
      placeholder: "Name (instrument); name (instrument)", value: soloistsText(group.soloists) }),
  }));
  const common = new Set(rows.map(({ conductors }) => conductors.value));
  let shared = common.size === 1 ? rows[0].conductors.value : "";
  const all = make("input", { name: "conductor", maxlength: "300", autocomplete: "off", value: shared,
    placeholder: common.size > 1 ? "Different for each work" : "" });
  all.addEventListener("input", () => {
    for (const { conductors } of rows) {
      if (conductors.value === shared || common.size === 1) conductors.value = all.value;
    }
    shared = all.value;
  });
  const element = make("fieldset", { class: "across performers" },
    make("legend", { text: "Who played" }),
    make("label", {}, "Conductor", all),
    ...rows.map(({ group, conductors, soloists }) => make("details", { open: rows.length === 1 },
      make("summary", { text: workText(group) }),
      make("div", { class: "fields" }, make("label", {}, "Conductor of this work", conductors),
        make("label", {}, "Soloists", soloists)))));
  const read = () => rows.map(({ group, conductors, soloists }) => ({ composer: group.composer, title: group.title,
    conductors: conductors.value === group.conductors.join("; ") ? group.conductors : split(conductors.value),
    soloists: soloists.value === soloistsText(group.soloists) ? group.soloists
      : soloistsOf(soloists.value, group.soloists) }));
  return { element, read };
}
