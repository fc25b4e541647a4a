// What things are called to a person, and where they are found.

const kinds = { piece: "Piece", track: "Track", slide: "Slide", section: "Section", word: "Word", message: "Message", asset: "File", concert: "Concert" };

/** `Slide at bar 12`, `Word “fugue”`; empty for what is gone. */
export function nameOf(tree, id) {
  const node = tree.get(id);
  if (!node) return "";
  const text = node.fields.name ?? node.fields.label ?? node.fields.title ?? "";
  if (node.kind === "slide") return `Slide at bar ${node.fields.printed ?? "–"}`;
  return text ? `${kinds[node.kind]} “${text}”` : kinds[node.kind];
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
  return { composer: comma < 0 ? "" : name.slice(0, comma), work: colon < 0 ? rest : rest.slice(0, colon), movement: colon < 0 ? "" : rest.slice(colon + 2) };
}

/** `1 slide`, `3 slides`. */
export const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** A language by its own tag, said in English; the tag where nobody knows. */
export function languageName(tag) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
