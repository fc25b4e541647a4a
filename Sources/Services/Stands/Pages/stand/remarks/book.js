// All remarks that are seen here, by page, with what was done here a moment ago on top.

const keyOf = (part, page) => part * 100_000 + page;

export class Book {
  layers = { own: null };
  undelivered = new Set();
  names = {};
  layerNames = {};
  partNames = [];
  /** @type {(remark: import("/shared/exchanged").Remark) => boolean} */
  #corrects = () => false; // whether this user may change another's remark
  #remarks = new Map();
  #pages = new Map();
  #erased = new Map();

  constructor(userID) {
    this.userID = userID;
  }

  /**
   * Takes the present state, which includes whatever was made here. `layers` are the ids of those that can be written
   * on, by their keys. Cost: one look at each remark.
   */
  take({ remarks = [], layers, undelivered, names, layerNames, partNames, corrects }) {
    this.layers = { ...layers };
    this.undelivered = undelivered ?? new Set();
    this.names = names ?? {};
    this.layerNames = layerNames ?? {};
    this.partNames = partNames ?? [];
    this.#corrects = corrects ?? (() => false);
    this.#remarks = new Map();
    this.#pages = new Map();
    for (const remark of remarks) this.#add(remark);
  }

  get(id) {
    return this.#remarks.get(id);
  }

  /** Those of one page, in the order they are drawn in. */
  on(part, page) {
    return this.#pages.get(keyOf(part, page)) ?? [];
  }

  isOwn(remark) {
    return remark.author === this.userID;
  }

  /** True if this user may change, move and delete it: its author may, and for a section its leader and librarians. */
  mayChange(remark) {
    return !remark.copyOf && (this.isOwn(remark) || this.#corrects(remark));
  }

  authorOf(remark) {
    return this.isOwn(remark) ? "you" : this.names[remark.author] ?? "another member";
  }

  /** Who sees it, and where it was written if that is another part. */
  layerOf(remark) {
    if (remark.layer === this.layers.own) return "private";
    const layer = this.layerNames[remark.layer] ?? "everybody";
    const source = remark.copyOf ? this.partNames[this.get(remark.copyOf)?.part] : null;
    if (source) return `${layer}, written in ${source}`;
    return remark.parts ? `${layer}, in all parts` : layer === "everybody" ? "everybody in this part" : layer;
  }

  /** Does here at once what the server will do soon. */
  apply(act) {
    if (act.place) this.#put(act.place);
    else if (act.erase) {
      const old = this.get(act.erase);
      if (old) this.#erased.set(old.id, old);
      this.#remove(act.erase);
    } else if (act.restore) {
      const old = this.#erased.get(act.restore);
      if (old) this.#put(old);
    } else if (act.edit) {
      const old = this.get(act.edit.remark);
      if (!old) return;
      const { remark, ...fields } = act.edit;
      const next = { ...old, ...fields };
      if (next.page !== old.page) this.#put(next);
      else {
        this.#remarks.set(remark, next);
        const list = this.on(old.part, old.page);
        list[list.indexOf(old)] = next;
      }
    }
  }

  /** The act that takes another back, asked for before that one is done; null if there is none. */
  inverse(act) {
    if (act.place) return { erase: act.place.id };
    if (act.restore) return { erase: act.restore };
    if (act.erase) return { restore: act.erase };
    const old = this.get(act.edit.remark);
    if (!old) return null;
    const fields = Object.keys(act.edit).filter((field) => field !== "remark").map((field) => [field, old[field]]);
    return { edit: { remark: old.id, ...Object.fromEntries(fields) } };
  }

  #add(remark) {
    this.#remarks.set(remark.id, remark);
    const key = keyOf(remark.part, remark.page);
    const list = this.#pages.get(key);
    if (list) list.push(remark);
    else this.#pages.set(key, [remark]);
  }

  #put(remark) {
    this.#remove(remark.id);
    this.#add(remark);
  }

  #remove(id) {
    const old = this.#remarks.get(id);
    if (!old) return;
    this.#remarks.delete(id);
    const list = this.on(old.part, old.page);
    list.splice(list.indexOf(old), 1);
  }
}
