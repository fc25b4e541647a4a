// The remarks of a score that a user sees: the server's rows, with the acts made here and not delivered yet on top.
// Everything comes by revisions; missing ones are asked for again.

const modulus = 1_000_003;

/** The one act of an event. */
export const actOf = (event) => ["place", "edit", "erase", "restore", "hide", "bookmark", "unbookmark"]
  .find((name) => event[name] !== undefined) ?? null;

export class ScoreState {
  /** `kept` is what `toJSON` gave before a crash. */
  constructor(user, kept = null) {
    this.user = user;
    this.revision = kept?.revision ?? 0;
    this.remarks = new Map((kept?.remarks ?? []).map(([remark, revision]) => [remark.id, { remark, revision }]));
    this.layers = kept?.layers ?? [{ id: user, kind: "own", name: "My remarks", parts: [], mayWrite: true }];
    this.hidden = new Set(kept?.hidden ?? []);
    this.bookmarks = kept?.bookmarks ?? [];
    this.names = kept?.names ?? {};
    this.leads = kept?.leads ?? []; // parts whose section this user leads
  }

  /**
   * Takes one piece of the server's answer; `isFresh` where it was asked for everything. Gives false if something is
   * missing after the last piece, so that everything is to be asked for.
   */
  take(page, isFresh) {
    if (isFresh) this.remarks.clear();
    page.remarks.forEach((remark, at) => this.remarks.set(remark.id, { remark, revision: page.revisions[at] }));
    for (const { id, layer } of page.erased) if (this.remarks.get(id)?.remark.layer === layer) this.remarks.delete(id);
    this.revision = page.revision;
    this.layers = page.layers;
    this.hidden = new Set(page.hidden);
    this.bookmarks = page.bookmarks;
    this.names = page.names ?? {};
    this.leads = page.leads ?? [];
    const seen = new Set(this.layers.map(({ id }) => id));
    for (const [id, { remark }] of this.remarks) if (!seen.has(remark.layer)) this.remarks.delete(id);
    if (!page.isAll) return true;
    let sum = 0;
    for (const { revision } of this.remarks.values()) sum = (sum + (revision % modulus)) % modulus;
    return this.remarks.size === page.check[0] && sum === page.check[1];
  }

  /** Does at once what the server did or will do. */
  apply(event) {
    const name = actOf(event);
    const value = event[name];
    if (name === "place" || name === "restore") {
      if (name === "restore" || !this.remarks.has(value.id)) this.remarks.set(value.id, { remark: value, revision: 0 });
    } else if (name === "edit") {
      const old = this.remarks.get(value.remark);
      if (!old) return;
      const { remark, ...fields } = value;
      this.remarks.set(remark, { remark: { ...old.remark, ...fields }, revision: old.revision });
    } else if (name === "erase") this.remarks.delete(value);
    else if (name === "hide") value.isHidden ? this.hidden.add(value.layer) : this.hidden.delete(value.layer);
    else if (name === "bookmark") {
      this.bookmarks = [...this.bookmarks.filter(({ id }) => id !== value.id), value];
    } else if (name === "unbookmark") this.bookmarks = this.bookmarks.filter(({ id }) => id !== value);
  }

  /** This state with events on top; it itself stays. */
  with(events) {
    if (events.length === 0) return this;
    const next = new ScoreState(this.user);
    Object.assign(next, { revision: this.revision, remarks: new Map(this.remarks), layers: this.layers,
      hidden: new Set(this.hidden), bookmarks: this.bookmarks, names: this.names,
      leads: this.leads });
    for (const event of events) next.apply(event);
    return next;
  }

  /** The layers of which something can be shown: a room's are there with their first remark. */
  get listed() {
    const written = new Set([...this.remarks.values()].map(({ remark }) => remark.layer));
    return this.layers.filter(({ id, kind }) => kind !== "everybody" || written.has(id));
  }

  layer(id) {
    return this.layers.find((layer) => layer.id === id) ?? null;
  }

  /** True if this user leads the section that plays a part, if the layer is a section's. */
  #leads(layer, part) {
    return layer?.kind === "section" && layer.parts.includes(part) && this.leads.includes(part);
  }

  /** True if this user may add remarks to a layer, in a part. */
  writesOn(layer, part) {
    return layer.mayWrite ? layer.parts.length === 0 || layer.parts.includes(part) : this.#leads(layer, part);
  }

  /** True if this user may change and delete others' remarks on a layer: librarians and the section's leader may. */
  corrects({ layer, part }) {
    const on = this.layer(layer);
    return on?.kind === "section" && (on.mayChange || this.#leads(on, part));
  }

  toJSON() {
    const { revision, layers, bookmarks, names, leads } = this;
    return { revision, layers, bookmarks, names, leads, hidden: [...this.hidden],
      remarks: [...this.remarks.values()].map((entry) => [entry.remark, entry.revision]) };
  }
}
