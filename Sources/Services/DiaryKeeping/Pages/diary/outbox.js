// Entries that people of the house make on the page (events, ensembles, halls): kept on this device first, sent when
// the server answers. Each is one call that may be repeated, so that a lost answer does no harm.
import { ask } from "/shared/api.js";
import { keep, readKept } from "/shared/kept.js";
import { account } from "./own.js";

const key = "baton-diary-outbox";
const mostKept = 200;

const all = () => readKept(key) ?? [];

/** The entries of the signed-in person that are not sent yet, oldest first. */
export const pending = () => all().filter((each) => !each.account || each.account === account());

export const pendingOf = (id) => pending().find((each) => each.id === id) ?? null;

/** Keeps a call; a newer one takes the place of the one with its id. `what` is what people call it. */
export function post(call) {
  const others = all().filter((each) => each.id !== call.id);
  keep(key, [...others, { ...call, account: account(), trouble: null }].slice(-mostKept));
}

export function discard(id) {
  keep(key, all().filter((each) => each.id !== id));
}

/** Notes why the server does not take a call; it waits until a person corrects or discards it. */
function noteTrouble(id, trouble) {
  keep(key, all().map((each) => (each.id === id ? { ...each, trouble } : each)));
}

/** Sends what waits. Gives the number that the server took and, where it could not be reached, why. */
export async function sendPending() {
  let sent = 0;
  for (const call of pending().filter(({ trouble }) => !trouble)) {
    try {
      await ask(call.path, { method: call.method, json: call.body, patience: 15_000 });
      if (JSON.stringify(pendingOf(call.id)) === JSON.stringify(call)) discard(call.id);
      sent += 1;
    } catch (refusal) {
      if (refusal.status === 0) return { sent, why: "offline" };
      if (refusal.status === 401) return { sent, why: "sign-in" };
      if (refusal.status === 429 || refusal.status >= 500) return { sent, why: refusal.message };
      noteTrouble(call.id, refusal.message);
      return { sent, why: `${call.what} was not taken: ${refusal.message}` };
    }
  }
  return { sent, why: null };
}
