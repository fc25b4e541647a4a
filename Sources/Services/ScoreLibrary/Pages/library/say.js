// One line for the person, above everything.
import { find, make } from "/shared/dom.js";

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

/** Says why something was refused. Whoever is signed out signs in beside this page, which keeps what was written. */
export function complain(refusal) {
  if (refusal.status !== 401) return say(refusal.message, true);
  say("Not saved: you are signed out. What you wrote stays here. ", true);
  find("say").append(make("a", { href: "/login", target: "_blank", rel: "noopener", text: "Sign in in another tab" }),
    ", then try again here.");
}
