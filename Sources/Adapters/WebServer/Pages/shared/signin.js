// Signing in: the form of the sign-in page and of a music stand, and the way to the sign-in page and back.
import { ask } from "./api.js";

const homes = { musician: "/stand", "title-operator": "/titles", editor: "/library", technician: "/console",
  administrator: "/console" };

/** The page at which somebody with this role begins. */
export const homeOf = (role) => homes[role] ?? "/stand";

/** The sign-in page, which leads back to this very place. */
export function signInAddress() {
  const { pathname, search, hash } = location;
  return `/login?next=${encodeURIComponent(pathname + search + hash)}`;
}

/** Leaves this page for the sign-in page. */
export const goToSignIn = () => location.assign(signInAddress());

const longestWait = 120_000; // ms, for one's turn

/**
 * Asks for something that takes a passphrase, and waits for its turn where many people do so at the same time: the
 * request is sent again by itself, and `said` gets the server's sentence with one's place. Throws other Refusals.
 * @param {string} path
 * @param {any} json
 * @param {(sentence: string) => void} [said]
 */
export async function askInTurn(path, json, said = () => {}) {
  const begun = performance.now();
  for (;;) {
    try {
      return await ask(path, { method: "POST", json, patience: 15_000 });
    } catch (refusal) {
      if (refusal.code !== "busy" || performance.now() - begun > longestWait) throw refusal;
      said(refusal.message);
      await new Promise((done) => setTimeout(done, refusal.value?.again ?? 2_000));
    }
  }
}

/**
 * Sends what is written in a sign-in form: `enter(name, password)` signs in, and throws a Refusal where the server
 * does not agree; its sentence is shown. `unfilled` is shown where something was left empty.
 */
export async function submitSignIn({ name, password, submit, say }, unfilled, enter) {
  if (name.value.trim() === "" || password.value === "") {
    say.textContent = unfilled;
    return;
  }
  submit.disabled = true;
  say.textContent = "";
  try {
    await enter(name.value.trim(), password.value);
  } catch (refusal) {
    say.textContent = refusal.message;
    password.select();
  } finally {
    submit.disabled = false;
  }
}
