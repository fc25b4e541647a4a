// The names of things for people, and the addresses at which they are found.

const kinds = { piece: "Piece", track: "Track", slide: "Slide", section: "Section", word: "Word", message: "Message",
  asset: "File", concert: "Concert" };

/** `Slide at bar 12`, `Word “fugue”`; empty for what is gone. */
export function nameOf(tree, id) {
  const node = tree.get(id);
  return node ? nameOfFields(node.kind, node.fields) : "";
}

/** The same of what is known by its kind and some fields only. */
export function nameOfFields(kind, fields) {
  const text = fields.name ?? fields.label ?? fields.title ?? "";
  if (kind === "slide") return `Slide at bar ${fields.printed ?? "–"}`;
  return text ? `${kinds[kind] ?? kind} “${text}”` : (kinds[kind] ?? kind);
}

/** The address within the editor at which a node is worked on. */
export function placeOf(book, id) {
  const start = `#/${book.concert}`;
  const node = book.tree.get(id);
  switch (node?.kind) {
    case "piece": return `${start}/piece/${id}`;
    case "track": return `${start}/track/${id}`;
    case "slide": return `${start}/track/${node.parent}/${id}`;
    case "section": return `${start}/form/${node.parent}/${id}`;
    case "word": return `${start}/words/${id}`;
    case "message": return `${start}/messages/${id}`;
    case "asset": return `${start}/files/${id}`;
    default: return start;
  }
}

/** Composer, work and movement of a piece's name, as far as it has them. */
export function partsOf(name) {
  const comma = name.indexOf(", ");
  const rest = comma < 0 ? name : name.slice(comma + 2);
  const colon = rest.lastIndexOf(": ");
  return { composer: comma < 0 ? "" : name.slice(0, comma), work: colon < 0 ? rest : rest.slice(0, colon),
    movement: colon < 0 ? "" : rest.slice(colon + 2) };
}

/** Names of pieces, each as short as it can be while no two are alike; a number where nothing else differs. */
export function shortNames(names) {
  const all = names.map((name) => ({ name, ...partsOf(name) }));
  const forms = [({ movement, work }) => movement || work,
    ({ work, movement }) => [work, movement].filter(Boolean).join(": "), ({ name }) => name];
  const short = all.map((parts) => forms[0](parts) || "Untitled piece");
  const alike = () => {
    const groups = new Map();
    short.forEach((name, index) => groups.set(name.toLowerCase(), [...(groups.get(name.toLowerCase()) ?? []), index]));
    return [...groups.values()].filter((group) => group.length > 1);
  };
  for (const form of forms.slice(1)) {
    for (const group of alike()) for (const index of group) short[index] = form(all[index]) || short[index];
  }
  for (const group of alike()) group.forEach((index, place) => (short[index] = `${short[index]} (${place + 1})`));
  return short;
}

const fieldNames = { "new-address": "address", buttonText: "button", labels: "name in other languages",
  endPrinted: "last bar", endTime: "end", measureCount: "number of bars", measures: "bars", played: "bar",
  printed: "bar", programNotes: "programme notes" };

/** The name of a field for people. */
export const fieldName = (field) => fieldNames[field] ?? field;

/** `1 slide`, `3 slides`. */
export const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** The English name of a language for its tag; the tag itself if no name is known. */
export function languageName(tag) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
