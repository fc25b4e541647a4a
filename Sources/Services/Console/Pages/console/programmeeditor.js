// Tonight's programme, put together: order, intermissions, a piece added while another is played.
import { ask } from "/shared/api.js";
import { icon, make } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { goToSignIn } from "/shared/signin.js";

/** `onClose` is called when the change was saved or given up. */
export function buildProgrammeEditor({ onClose }) {
  const title = make("input", { maxlength: 100, autocomplete: "off" });
  const list = make("ol", { class: "order", "aria-label": "Pieces in order" });
  const nothing = make("p", { class: "hint", text: "The programme is empty. Add a piece below." });
  const piece = make("select", {});
  const add = make("button", { type: "button" }, icon("plus"), "Add");
  const concert = make("select", {});
  const take = make("button", { type: "button" }, "Take its pieces");
  const concerts = make("div", { class: "stack" }, make("label", {}, "A concert of the editor", concert), take);
  const fewer = make("p", { class: "hint", hidden: true });
  const none = make("p", { class: "hint", hidden: true }, "No piece is prepared yet. ",
    make("a", { href: "/prepare", target: "_blank", rel: "noopener", text: "Prepare one" }), ".");
  const say = make("p", { class: "say", role: "alert", tabindex: "-1" });
  const again = make("button", { type: "button", hidden: true }, "Look at it as it is now");
  const save = make("button", { type: "submit", class: "primary" }, "Save the programme");
  const cancel = make("button", { type: "button", onclick: () => onClose() }, "Cancel");
  const element = make("form", { class: "stack programme-editor", novalidate: true },
    make("h3", { text: "Change the programme" }),
    make("p", { class: "hint", text: "The piece being played goes on while you change the others." }),
    make("label", {}, "Title of the evening", title), list, nothing,
    make("div", { class: "stack" }, make("label", {}, "Add a piece", piece), add, none), concerts, fewer, say, again,
    make("div", { class: "row" }, save, cancel));

  let known = null; // the programme as it was read
  let rows = []; // { folder, name, durationSeconds, rest }

  const spoken = (index) => `${rows[index].name}, number ${index + 1}`;

  function move(index, by) {
    const [row] = rows.splice(index, 1);
    rows.splice(index + by, 0, row);
    draw();
    const buttons = list.children[index + by].querySelectorAll("button");
    const same = buttons[by < 0 ? 0 : 1];
    (same.disabled ? buttons[by < 0 ? 1 : 0] : same).focus();
  }

  function draw() {
    list.replaceChildren(...rows.map((row, index) => {
      const isLast = index === rows.length - 1;
      const button = (name, label, act, isOff = false) => make("button",
        { type: "button", class: "plain", "aria-label": `${label} ${spoken(index)}`, disabled: isOff, onclick: act },
        icon(name));
      const rest = make("input", { type: "checkbox", checked: row.rest && !isLast, disabled: isLast,
        onchange: (event) => { row.rest = event.target.checked; } });
      return make("li", { class: "order-row" },
        make("span", { class: "piece-number", text: index + 1 }),
        make("div", { class: "order-piece" }, make("p", { class: "piece-title", text: row.name }),
          make("label", { class: "order-rest" }, rest, `${duration(row.durationSeconds)} · intermission after it`)),
        make("div", { class: "order-buttons" },
          button("back", "Earlier:", () => move(index, -1), index === 0),
          button("on", "Later:", () => move(index, 1), isLast),
          button("trash", "Take out:", () => {
            rows.splice(index, 1);
            draw();
            (list.querySelector("button:not(:disabled)") ?? piece).focus();
          })));
    }));
    nothing.hidden = rows.length > 0;
  }

  async function read() {
    say.textContent = "";
    again.hidden = true;
    save.disabled = true;
    try {
      known = await ask("/api/programme", { patience: 15_000 });
    } catch (refusal) {
      if (refusal.status === 401) goToSignIn();
      say.textContent = refusal.message;
      again.hidden = false;
      return;
    }
    save.disabled = false;
    title.value = known.title;
    rows = known.pieces.map((each, index) => ({ ...each, rest: known.intermissions.includes(index) }));
    piece.replaceChildren(...known.prepared.map((each) => make("option",
      { value: each.folder, text: `${each.name} (${duration(each.durationSeconds)})` })));
    none.hidden = known.prepared.length > 0;
    add.disabled = known.prepared.length === 0;
    const usable = known.concerts.filter((each) => each.pieces.length > 0);
    concert.replaceChildren(...usable.map((each) => make("option",
      { value: each.id, text: `${each.title || "Without a title"} (${each.pieces.length} pieces)` })));
    concerts.hidden = usable.length === 0;
    fewer.hidden = true;
    draw();
  }

  add.addEventListener("click", () => {
    const chosen = known?.prepared.find((each) => each.folder === piece.value);
    if (!chosen) return;
    rows.push({ ...chosen, rest: false });
    say.textContent = "";
    draw();
  });
  take.addEventListener("click", () => {
    const chosen = known?.concerts.find((each) => String(each.id) === concert.value);
    if (!chosen) return;
    rows = chosen.pieces.map((folder) => (
      { ...known.prepared.find((each) => each.folder === folder), rest: false }));
    if (chosen.title) title.value = chosen.title;
    fewer.hidden = chosen.missing.length === 0;
    fewer.textContent = `Not prepared, and so left out: ${chosen.missing.join("; ")}.`;
    draw();
  });
  again.addEventListener("click", read);
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!known || save.disabled) return;
    if (rows.length === 0 && known.pieces.length === 0 && !add.disabled) {
      say.textContent = "The programme is still empty. Choose a piece and press “Add”, then save.";
      add.focus();
      return;
    }
    save.disabled = true;
    say.textContent = "";
    try {
      await ask("/api/programme", { method: "PUT", patience: 60_000, json: {
        title: title.value.trim() || known.title,
        pieces: rows.map((row) => row.folder),
        intermissions: rows.flatMap((row, index) => (row.rest && index < rows.length - 1 ? [index] : [])),
        revision: known.revision,
      } });
      onClose();
    } catch (refusal) {
      if (refusal.status === 401) goToSignIn();
      say.textContent = refusal.message;
      again.hidden = false;
      say.focus();
    } finally {
      save.disabled = false;
    }
  });

  return { element, open: async ({ adds = false } = {}) => {
    await read();
    if (adds) piece.focus();
    else (list.querySelector("button:not(:disabled)") ?? piece).focus({ preventScroll: true });
  } };
}
