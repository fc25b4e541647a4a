// Whoever may only look gets a sign, and no control that commands: every one of them stands in a `fieldset.commands`.
import { askRights, onlyLooks } from "/shared/rights.js";
import { find, mark, write } from "/shared/dom.js";

const sign = `${onlyLooks} You may write cues that are notes, slides or messages.`;

/**
 * Sets the desk's section `rights`: { looksOnly }.
 * @param {import("./desk.js").Desk} desk
 */
export async function showRights(desk) {
  const looksOnly = !(await askRights());
  desk.set("rights", { looksOnly });
  mark(document.body, "data-looks", looksOnly);
  write(find("rights"), looksOnly ? sign : "");
  find("rights").hidden = !looksOnly;
  switchCommands(document, desk);
}

/** True if the person may only look. */
export const looksOnly = (desk) => desk.get("rights")?.looksOnly === true;

/** Switches off the controls below an element that command, where the person may only look. */
export function switchCommands(root, desk) {
  for (const controls of root.querySelectorAll("fieldset.commands")) controls.disabled = looksOnly(desk);
}
