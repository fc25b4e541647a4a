// Sheets that come over the page one at a time: from below on a phone, at the side on a larger screen.
import { find, make } from "/shared/dom.js";
import { sign } from "./sign.js";
import { say } from "./words.js";

const layer = find("sheets");
let current = null; // {name, dialog, focus}

export const openSheetName = () => current?.name ?? null;

/** Opens a sheet: `fill(body, dialog)` puts in what it holds. The phone's own Back closes it. */
export function openSheet(name, title, fill) {
  if (current?.name === name) return;
  const focus = current?.focus ?? document.activeElement;
  if (current) current.dialog.remove();
  else history.pushState({ sheet: true }, "", location.href);
  const close = make("button", { class: "quiet", type: "button", "aria-label": say("close"), onclick: closeSheet },
    sign("close"));
  const body = make("div", { class: "body" });
  const dialog = make("section",
    { class: `sheet ${name}`, role: "dialog", "aria-modal": "true", "aria-labelledby": "sheet-title", tabindex: "-1" },
    make("header", {}, make("h2", { id: "sheet-title", text: title }), close), body);
  current = { name, dialog, focus };
  fill(body, dialog);
  layer.replaceChildren(make("div", { class: "behind", onclick: closeSheet }), dialog);
  layer.hidden = false;
  settle();
  dialog.focus({ preventScroll: true });
}

/** Closes what is open by going back, so that the history holds no empty step. */
export function closeSheet() {
  if (current && history.state?.sheet) history.back();
  else dropSheet();
}

/** Takes the sheet away without touching the history. */
export function dropSheet() {
  if (!current) return;
  const { focus } = current;
  current = null;
  layer.hidden = true;
  layer.replaceChildren();
  settle();
  if (focus?.isConnected) focus.focus({ preventScroll: true });
}

/** Only the topmost layer may be reached by keys and screen readers. */
export function settle() {
  const dark = !find("black").hidden;
  find("app").inert = dark || current !== null;
  layer.inert = dark;
}

/** One of several choices as large radio buttons. `options` are [value, text, about]. */
export function choices(name, legend, options, chosen, choose) {
  return make("fieldset", { class: "choices" }, make("legend", { text: legend }),
    make("div", { class: "options" }, ...options.map(([value, text, about, lang]) =>
      make("label", {}, make("input",
        { type: "radio", name, value, checked: value === chosen, onchange: () => choose(value) }),
        make("span", { class: "text", lang }, text), about ? make("span", { class: "about", text: about }) : null))));
}
