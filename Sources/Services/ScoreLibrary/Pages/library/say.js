// One line for the person, above everything.
import { find } from "/shared/dom.js";

let timer = 0;

/** Says a sentence; troubles stay until the next one, the rest goes by itself. */
export function say(sentence, isTrouble = false) {
  const line = find("say");
  clearTimeout(timer);
  line.textContent = sentence;
  line.hidden = sentence === "";
  line.dataset.trouble = String(isTrouble);
  if (!isTrouble && sentence) timer = setTimeout(() => say(""), 4000);
}
