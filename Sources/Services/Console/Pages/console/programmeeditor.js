// An evening, put together: what it is, its pieces in order, intermissions, encores; tonight's or a planned one. What
// was not saved yet is kept in the browser.
import { ask } from "/shared/api.js";
import { icon, make } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { duration } from "/shared/numbers.js";
import { goToSignIn } from "/shared/signin.js";
import { eveningFields } from "./evening.js";

const drafted = "baton.programme.draft";

/** `onClose` is called when the change was saved or given up. */
export function buildProgrammeEditor({ desk, onClose }) {
  const fields = eveningFields();
  const { title } = fields.inputs;
  const heading = make("h3");
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
  const close = () => {
    keep(drafted, null);
    onClose();
  };
  const cancel = make("button", { type: "button", onclick: close }, "Cancel");
  const element = make("form", { class: "stack programme-editor", novalidate: true },
    heading,
    make("p", { class: "hint", text: "The piece being played goes on while you change the others." }), list, nothing,
    make("div", { class: "stack" }, make("label", {}, "Add a piece", piece), add, none), concerts, fewer,
    make("fieldset", { class: "stack" }, make("legend", { text: "The evening" }), ...fields.labels), say, again,
    make("div", { class: "row" }, save, cancel));

  let known = null; // the programme as it was read
  let plan = null; // the planned evening that is changed; null for tonight's
  let rows = []; // { folder, name, durationSeconds, rest }
  let encores = 0; // the rows at the end that are encores
  let addsEncores = false;

  const draftOf = () => (plan ? plan.id : known.revision);
  const keepDraft = () => known && keep(drafted, { of: draftOf(), rows, encores, fields: fields.read() });
  const isEncore = (index) => index >= Math.max(rows.length - encores, 1);

  const spoken = (index) => `${rows[index].name}, number ${index + 1}`;

  function move(index, by) {
    const [row] = rows.splice(index, 1);
    rows.splice(index + by, 0, row);
    changed();
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
        onchange: (event) => {
          row.rest = event.target.checked;
          keepDraft();
        } });
      const encore = make("input", { type: "checkbox", checked: isEncore(index), onchange: (event) => {
        encores = rows.length - index - (event.target.checked ? 0 : 1);
        changed();
      } });
      return make("li", { class: "order-row" },
        make("span", { class: "piece-number", text: index + 1 }),
        make("div", { class: "order-piece" }, make("p", { class: "piece-title", text: row.name }),
          make("label", { class: "order-rest" }, rest, `${duration(row.durationSeconds)} · intermission after it`),
          index > 0 && (isEncore(index) || isLast || isEncore(index + 1)) ? make("label", { class: "order-rest" },
            encore, "encore: nobody is told of it before it is played") : null),
        make("div", { class: "order-buttons" },
          button("back", "Earlier:", () => move(index, -1), index === 0),
          button("on", "Later:", () => move(index, 1), isLast),
          button("trash", "Take out:", () => {
            rows.splice(index, 1);
            changed();
            (list.querySelector("button:not(:disabled)") ?? piece).focus();
          })));
    }));
    nothing.hidden = rows.length > 0;
  }

  function changed() {
    encores = Math.min(encores, Math.max(rows.length - 1, 0));
    draw();
    keepDraft();
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
    const { intermissions = [] } = plan ?? known;
    const named = new Map(known.prepared.map((each) => [each.folder, each]));
    const pieces = plan ? plan.pieces.map((folder) => named.get(folder) ?? { folder, name: folder }) : known.pieces;
    rows = pieces.map((each, index) => ({ ...each, rest: intermissions.includes(index) }));
    encores = (plan ?? known).encores ?? 0;
    fields.fill(plan ?? desk.get("show") ?? {});
    takeDraft();
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

  /** What was not saved before the page was left, if it changes what is there now. */
  function takeDraft() {
    const draft = readKept(drafted);
    if (draft?.of !== draftOf()) return;
    ({ rows, encores } = draft);
    fields.fill(draft.fields);
    say.textContent = "These are your changes from before; they are not saved yet.";
    again.hidden = false;
  }

  add.addEventListener("click", () => {
    const chosen = known?.prepared.find((each) => each.folder === piece.value);
    if (!chosen) return;
    rows.push({ ...chosen, rest: false });
    if (addsEncores && rows.length > 1) encores += 1;
    say.textContent = "";
    changed();
  });
  take.addEventListener("click", () => {
    const chosen = known?.concerts.find((each) => String(each.id) === concert.value);
    if (!chosen) return;
    rows = chosen.pieces.map((folder) => (
      { ...known.prepared.find((each) => each.folder === folder), rest: false }));
    encores = 0;
    if (chosen.title) title.value = chosen.title;
    fewer.hidden = chosen.missing.length === 0;
    fewer.textContent = `Not prepared, and so left out: ${chosen.missing.join("; ")}.`;
    changed();
  });
  again.addEventListener("click", () => {
    keep(drafted, null);
    read();
  });
  element.addEventListener("input", keepDraft);
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
      await ask(plan ? `/api/evenings/planned/${plan.id}` : "/api/programme", { method: "PUT", patience: 60_000, json: {
        ...fields.read(), title: title.value.trim() || (plan ?? known).title, encores,
        pieces: rows.map((row) => row.folder),
        intermissions: rows.flatMap((row, index) => (row.rest && index < rows.length - 1 ? [index] : [])),
        revision: known.revision,
      } });
      close();
    } catch (refusal) {
      if (refusal.status === 401) goToSignIn();
      say.textContent = refusal.message;
      again.hidden = false;
      say.focus();
    } finally {
      save.disabled = false;
    }
  });

  return { element, open: async ({ adds = false, plan: chosen = null } = {}) => {
    plan = chosen;
    addsEncores = adds;
    heading.textContent = plan ? `Change the plan: ${plan.title}` : "Change the programme";
    await read();
    if (adds) piece.focus();
    else (list.querySelector("button:not(:disabled)") ?? piece).focus({ preventScroll: true });
  } };
}
