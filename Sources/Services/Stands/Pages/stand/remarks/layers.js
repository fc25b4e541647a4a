// The layers of a score: shown and hidden, given to others, taken, imported and exported; librarians and leaders of
// sections make them for sections.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { newID } from "/shared/ids.js";
import { act, dialogShows, notice, openDialog, refreshDialog } from "../words.js";
import { giftRows, giveContents } from "./gifts.js";
import { importControls } from "./importing.js";
import { listLeaders } from "./leaders.js";
import { askPrint } from "./printing.js";
import { askSpread, editSection, mayHave } from "./sections.js";

const title = "Layers";
const librarians = ["editor", "administrator"];

export class LayerDialog {
  #gifts = { received: [], given: [] };
  #told = new Set();

  constructor(remarking) {
    this.remarking = remarking;
  }

  get #reader() {
    return this.remarking.reader;
  }

  get isLibrarian() {
    return librarians.includes(this.#reader.device.current?.role);
  }

  open() {
    openDialog(title, ...this.#contents());
    this.#readGifts();
  }

  /** Shows what has changed. Nothing is typed in this dialog. */
  refresh() {
    if (dialogShows(title)) refreshDialog(title, ...this.#contents());
  }

  /** Says once that somebody gives something. */
  async lookForGifts(wire) {
    await this.#readGifts();
    if (wire !== this.remarking.wire) return;
    for (const gift of this.#gifts.received) {
      if (this.#told.has(gift.id) || gift.score !== wire.score) continue;
      this.#told.add(gift.id);
      notice(gift.kind === "give" ? `${gift.from} gives you “${gift.name}”: Remarks, then Layers.`
        : `${gift.from} asks for your remarks: Remarks, then Layers.`);
    }
  }

  async #readGifts() {
    const { user } = this.#reader;
    this.#gifts = await ask(`/api/gifts?user=${user}`).catch(() => this.#gifts);
    this.refresh();
  }

  #contents() {
    const { wire } = this.remarking;
    if (!wire) return [make("p", { class: "hint", text: "Open a score first." })];
    const { shown } = wire;
    const counts = new Map();
    for (const { remark } of shown.remarks.values()) counts.set(remark.layer, (counts.get(remark.layer) ?? 0) + 1);
    const received = this.#gifts.received.filter((gift) => gift.score === wire.score);
    return [
      received.length > 0 ? make("h3", { text: "For you" }) : null,
      ...giftRows(received, (gift, takes) => this.#answer(gift, takes)),
      make("ul", { class: "members layers" },
        ...shown.listed.map((layer) => this.#row(layer, counts.get(layer.id) ?? 0))),
      make("p", { class: "links" },
        act("Ask for others’ remarks …", () => this.#give("ask", null), { class: "small", id: "ask-for-remarks" }),
        importControls(this.remarking, () => this.open()),
        act("Print …", () => askPrint(this), { class: "small", id: "print-remarks" }),
        this.isLibrarian || shown.leads.length > 0 ? act("New layer for a section …",
          () => editSection(this, null), { class: "small", id: "new-section" }) : null,
        this.isLibrarian ? act("Leaders of sections …", () => listLeaders(this),
          { class: "small", id: "section-leaders" }) : null),
      this.#gifts.given.length > 0 ? make("h3", { text: "Given and asked for" }) : null,
      ...this.#gifts.given.filter((gift) => gift.score === wire.score).map((gift) => this.#given(gift)),
    ];
  }

  #row(layer, count) {
    const { wire } = this.remarking;
    const { score } = this.#reader;
    const box = make("input", { type: "checkbox", "aria-label": `Show ${layer.name}`,
      checked: !wire.shown.hidden.has(layer.id), "data-shown": layer.id });
    box.addEventListener("change", () => wire.make({ hide: { layer: layer.id, isHidden: !box.checked } }));
    const parts = layer.parts.map((part) => score.parts[part]?.name).filter(Boolean).join(", ");
    const whose = { own: "only you see them", section: parts || "all parts", given: "only you see it",
      everybody: "all in the room see them" }[layer.kind];
    const isEmpty = count === 0;
    const actions = [
      isEmpty ? null : act("Give …", () => this.#give("give", layer), { class: "small" }),
      isEmpty ? null : make("a", { class: "button small", text: "Export",
        download: `${score.title} · ${layer.name}.json`,
        href: `/api/scores/${wire.score}/remarks/set?layer=${layer.id}` }),
      ...(layer.mayChange
        ? [act("Edit …", () => editSection(this, layer), { class: "small", "data-edit-section": layer.id }),
          isEmpty || mayHave(this, score).length < 2 ? null : act("Into other parts …", () => askSpread(this, layer),
            { class: "small", "data-spread": layer.id })]
        : []),
      layer.kind === "given" || layer.mayChange ? this.#remover(layer) : null,
    ];
    return make("li", { "data-layer-row": layer.id },
      make("label", { class: "lines layer-name" }, box, make("span", { class: "lines" },
        make("span", { class: "title", text: layer.name }),
        make("span", { class: "by", text: `${count} ${count === 1 ? "remark" : "remarks"} · ${whose}` }))),
      make("span", { class: "actions" }, ...actions.filter(Boolean)));
  }

  #remover(layer) {
    const button = act("Remove", async () => {
      if (button.dataset.sure === undefined) {
        button.dataset.sure = "";
        button.textContent = "Really remove?";
        return;
      }
      const { wire } = this.remarking;
      await ask(`/api/scores/${wire.score}/layers/${layer.id}?user=${wire.user}`, { method: "DELETE" });
    }, { class: "danger small" });
    return button;
  }

  // -- given and taken ------------------------------------------------------------------------------------

  async #answer(gift, takes) {
    const { user } = this.#reader;
    await ask(`/api/gifts/${gift.id}/answer?user=${user}`, { method: "POST", json: { takes }, patience: 12_000 });
    if (takes) notice(gift.kind === "give" ? `“${gift.name}” is a layer of its own now.` : "Your remarks were sent.");
    await this.#readGifts();
  }

  #given(gift) {
    const states = { waiting: "waits", taken: gift.kind === "give" ? "taken" : "sent", refused: "refused" };
    const answers = gift.recipients.map(({ name, state }) => `${name}: ${states[state]}`).join(" · ");
    return make("div", { class: "setting", "data-gift": gift.id },
      make("span", { class: "lines" },
        make("span", { class: "title", text: gift.kind === "give" ? gift.name : `Asked: ${gift.name}` }),
        make("span", { class: "by", text: answers })),
      act("Take back", async () => {
        await ask(`/api/gifts/${gift.id}?user=${this.#reader.user}`, { method: "DELETE" });
        await this.#readGifts();
      }, { class: "small" }));
  }

  async #give(kind, layer) {
    const { wire } = this.remarking;
    const { players } = await ask(`/api/scores/${wire.score}/players?user=${wire.user}`);
    const others = players.filter(({ id }) => id !== wire.user);
    openDialog(kind === "give" ? `Give “${layer.name}”` : "Ask for remarks",
      ...giveContents(kind, layer, others, async (name, to) => {
        const json = { id: newID(), kind, name, to, ...(layer ? { layer: layer.id } : {}) };
        await ask(`/api/scores/${wire.score}/gifts?user=${wire.user}`, { method: "POST", json, patience: 15_000 });
        notice(kind === "give" ? `Given to ${to.length}. Each may take it or refuse.` : `Asked ${to.length}.`);
        this.open();
      }));
  }
}
