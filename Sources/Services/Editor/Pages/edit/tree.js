// The concert as a tree of nodes, and what a change does to it. Pure: nothing here asks the server.

const inside = { concert: ["piece", "word", "message", "asset"], piece: ["track", "section"], track: ["slide"] };

export class Tree {
  #nodes = new Map();
  #children = new Map(); // "parent kind" → ids in order

  constructor(nodes = []) {
    for (const node of nodes) this.#put({ ...node, fields: { ...node.fields }, revisions: { ...node.revisions } });
  }

  get(id) {
    return this.#nodes.get(id) ?? null;
  }

  /** The living nodes of a kind that stand in another, in order. */
  children(parent, kind) {
    return (this.#children.get(`${parent} ${kind}`) ?? []).map((id) => this.#nodes.get(id));
  }

  text(id, field) {
    return this.#nodes.get(id)?.fields[field] ?? "";
  }

  /** The node itself or the nearest one above it of a kind. */
  above(id, kind) {
    let node = this.get(id);
    while (node && node.kind !== kind) node = this.get(node.parent);
    return node;
  }

  /** A node and all below it. */
  *below(id) {
    const node = this.get(id);
    if (!node) return;
    yield node;
    for (const kind of inside[node.kind] ?? []) {
      for (const child of this.children(id, kind)) yield* this.below(child.id);
    }
  }

  /** Makes one change; one that no longer fits is left out. `revision` is noted where fields are written. */
  apply(change, revision) {
    if (change.set !== undefined) this.#set(change, revision);
    else if (change.insert !== undefined) this.#insert(change, revision);
    else if (change.remove !== undefined) this.#remove(change.remove);
    else if (change.move !== undefined) this.#move(change);
  }

  copy() {
    const tree = new Tree();
    for (const node of this.#nodes.values()) {
      tree.#nodes.set(node.id, { ...node, fields: { ...node.fields }, revisions: { ...node.revisions } });
    }
    for (const [key, ids] of this.#children) tree.#children.set(key, [...ids]);
    return tree;
  }

  #put(node) {
    this.#nodes.set(node.id, node);
    if (node.kind !== "concert") this.#siblings(node).push(node.id);
  }

  #siblings({ parent, kind }) {
    const key = `${parent} ${kind}`;
    if (!this.#children.has(key)) this.#children.set(key, []);
    return this.#children.get(key);
  }

  #set({ set, field, to }, revision) {
    const node = this.get(set);
    if (!node) return;
    if (field === "played") {
      this.#place(node, Number(to), revision);
      return;
    }
    if (to === "" || to === null || to === undefined) delete node.fields[field];
    else node.fields[field] = to;
    if (revision !== undefined) node.revisions[field] = revision;
  }

  #place(node, played, revision) {
    const mark = measuresOf(this, node.id)[played];
    if (!mark) return;
    Object.assign(node, { played });
    Object.assign(node.fields, { printed: String(mark.printed), time: String(mark.time) });
    if (revision !== undefined) Object.assign(node.revisions, { printed: revision, time: revision });
  }

  #insert({ insert, in: parent, before, id, fields }, revision) {
    if (this.#nodes.has(id) || !this.#nodes.has(parent)) return;
    const node = { id, kind: insert, parent, fields: {}, revisions: {} };
    this.#nodes.set(id, node);
    this.#into(node, before);
    for (const [field, to] of Object.entries(fields ?? {})) this.#set({ set: id, field, to }, revision);
  }

  #into(node, before) {
    const siblings = this.#siblings(node);
    const at = before ? siblings.indexOf(before) : -1;
    siblings.splice(at < 0 ? siblings.length : at, 0, node.id);
  }

  #remove(id) {
    for (const node of [...this.below(id)].reverse()) {
      const siblings = this.#siblings(node);
      siblings.splice(siblings.indexOf(node.id), 1);
      this.#nodes.delete(node.id);
    }
  }

  #move({ move, in: parent, before }) {
    const node = this.get(move);
    if (!node || !this.#nodes.has(parent)) return;
    const siblings = this.#siblings(node);
    siblings.splice(siblings.indexOf(move), 1);
    node.parent = parent;
    this.#into(node, before);
  }
}

/** The measures of the piece a node belongs to, as performed: [{printed, time}]. */
export function measuresOf(tree, id) {
  const piece = tree.above(id, "piece");
  return (piece?.fields.measures ?? "").split("\n").flatMap((row) => {
    const [printed, time] = row.trim().split(/\s+/).map(Number);
    return Number.isInteger(printed) && Number.isFinite(time) ? [{ printed, time }] : [];
  });
}

/** A new id: twelve letters and digits. */
export function newID() {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => letters[byte % letters.length]).join("");
}
