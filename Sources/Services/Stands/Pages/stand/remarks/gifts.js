// Sets given to others and asked for, in the dialog of the layers.
import { make } from "/shared/dom.js";
import { act } from "../words.js";

/** A row for each set or request that waits for an answer. */
export function giftRows(gifts, answer) {
  return gifts.map((gift) => {
    const isGiven = gift.kind === "give";
    return make("div", { class: "setting gift", "data-gift": gift.id },
      make("span", { class: "lines" },
        make("span", { class: "title", text: isGiven ? `${gift.from}: ${gift.name}` : gift.name }),
        make("span", { class: "by", text: isGiven
          ? `${gift.remarks} ${gift.remarks === 1 ? "remark" : "remarks"}, as a layer that only you see`
          : `${gift.from} asks for a copy of your own remarks` })),
      make("span", { class: "actions" },
        act(isGiven ? "Take" : "Send mine", () => answer(gift, true), { class: "small", "data-takes": true }),
        act("Refuse", () => answer(gift, false), { class: "small", "data-refuses": true })));
  });
}

/** Whom to give a set, or whom to ask. `send(name, users)` does it. */
export function giveContents(kind, layer, others, send) {
  const name = make("input", { maxlength: 200, id: "gift-name", value: layer ? layer.name : "Your remarks" });
  if (others.length === 0) {
    return [make("p", { class: "hint", text: "Nobody else has this score yet; a librarian gives it." })];
  }
  const boxes = others.map(({ id, name: who }) => make("label", { class: "choice" },
    make("input", { type: "checkbox", name: "recipient", value: id }), who));
  const all = make("input", { type: "checkbox", id: "gift-all" });
  const each = () => boxes.map((box) => box.querySelector("input"));
  all.addEventListener("change", () => each().forEach((box) => (box.checked = all.checked)));
  return [
    make("p", { class: "hint", text: kind === "give" ? "They get a copy as it is now. Each may take it or refuse."
      : "Each may send a copy of the own remarks, or refuse. You get them as layers." }),
    make("label", { text: "Name" }, name),
    make("fieldset", { class: "played ticks" }, make("legend", { text: "To" }),
      make("label", { class: "choice" }, all, `All ${others.length}`), ...boxes),
    act(kind === "give" ? "Give" : "Ask",
      () => send(name.value.trim(), each().filter((box) => box.checked).map((box) => box.value)),
      { class: "primary", id: "give" }),
  ];
}
