// What a person enters is kept on this device first. It goes to the server when there is one and somebody is signed in.
import { ask } from "/shared/api.js";
import { keep, readKept } from "/shared/kept.js";

const ownKey = "baton-diary-own"; // the concerts that were entered here, newest first
const heardKey = "baton-diary-heard"; // the house's concerts at which the owner of this device was
const goneKey = "baton-diary-gone"; // own concerts that were deleted here and not yet on the server
const accountKey = "baton-diary-account"; // the id of the person who was last signed in here
const mostKept = 2000; // concerts on one device

/** An id that no other device makes. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `own-${[...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("").slice(0, 20)}`;
}

/** The id of the person who was last signed in here; null for nobody. */
export const account = () => readKept(accountKey);

/** Remembers who is signed in, null for nobody; the event "account" says that it is somebody else than before. */
export function remember(id) {
  if (account() === id) return;
  keep(accountKey, id);
  dispatchEvent(new Event("account"));
}

/** Whether something kept here may be shown to, and sent for, who is signed in; what has no account is anybody's. */
const isOfAccount = (kept) => !kept.account || kept.account === account();

/** What is kept under a key, of all accounts. */
const all = (key) => readKept(key) ?? [];

/** Keeps an entry first in its list, in place of this account's entry with its id. */
function keepFirst(key, entry) {
  const others = all(key).filter((each) => each.id !== entry.id || !isOfAccount(each));
  keep(key, [{ ...entry, account: entry.account ?? account() }, ...others].slice(0, mostKept));
}

/** Removes this account's entry with an id. */
function drop(key, id) {
  keep(key, all(key).filter((each) => each.id !== id || !isOfAccount(each)));
}

export const ownConcerts = () => all(ownKey).filter(isOfAccount);
export const ownConcert = (id) => ownConcerts().find((concert) => concert.id === id) ?? null;

/** Keeps a concert as it is now; `waits` until the server has this very state of it. */
export function keepOwn(concert, waits = true) {
  const kept = { ...concert, waits, changedAt: Date.now() };
  keepFirst(ownKey, kept);
  return kept;
}

export function forgetOwn(id) {
  const concert = ownConcert(id);
  if (concert?.revision) keepFirst(goneKey, { id, account: concert.account });
  drop(ownKey, id);
}

export const waiting = () => ownConcerts().filter((concert) => concert.waits);

/** The fields that the server keeps of an own concert. */
const sentFields = (concert) => Object.fromEntries(["title", "date", "start", "venue", "city", "stage", "event",
  "ensemble", "isSupportAct", "works", "rating", "comment", "link"].map((name) => [name, concert[name]]));

const address = (id) => `/api/diary/mine/${encodeURIComponent(id)}`;

/** Sends one concert. Where another device was first, the state that was changed later stays. */
async function send(concert, revision = concert.revision ?? 0, isAgain = false) {
  try {
    return await ask(address(concert.id), { method: "PUT", json: { revision, concert: sentFields(concert) } });
  } catch (refusal) {
    if (refusal.code !== "conflict" || isAgain) throw refusal;
    return send(concert, refusal.value.revision, true);
  }
}

const gone = () => all(goneKey).filter(isOfAccount);

/**
 * Learns whose account it is and gets what its other devices have sent; what waits or was deleted here stays so. The
 * event "received" says that something is different now.
 */
async function receive() {
  const answer = await ask("/api/diary/mine", { patience: 8000 });
  remember(answer.account);
  const deleted = new Set(gone().map(({ id }) => id));
  let isChanged = false;
  for (const id of answer.gone ?? []) {
    if (!ownConcert(id) || ownConcert(id).waits) continue;
    drop(ownKey, id);
    isChanged = true;
  }
  for (const { id, revision, concert } of answer.concerts) {
    const known = ownConcert(id);
    if (known?.waits || known?.revision === revision || deleted.has(id)) continue;
    keepOwn({ ...concert, id, revision }, false);
    isChanged = true;
  }
  if (isChanged) dispatchEvent(new Event("received"));
}

/**
 * Gets what the account has and sends what waits for it. Gives the number that the server took and, where it took
 * none, why: "offline", "sign-in" or a sentence.
 */
export async function sync() {
  let sent = 0;
  try {
    await receive();
    for (const { id } of gone()) {
      await ask(address(id), { method: "DELETE" });
      drop(goneKey, id);
    }
    for (const concert of waiting()) {
      const { revision } = await send(concert);
      const now = ownConcert(concert.id);
      // Changed again meanwhile: the newer state waits for the next time.
      if (now) keepOwn({ ...now, revision }, now.changedAt !== concert.changedAt);
      sent += 1;
    }
  } catch (refusal) {
    if (refusal.status === 0) return { sent, why: "offline" };
    if (refusal.status === 401) return { sent, why: "sign-in" };
    return { sent, why: refusal.message };
  }
  return { sent, why: null };
}

// I was there.
export const heard = () => all(heardKey).filter(isOfAccount);
export const wasThere = (id) => heard().find((each) => each.id === id) ?? null;

export function keepHeard(concert) {
  keepFirst(heardKey, concert);
}

export function forgetHeard(id) {
  drop(heardKey, id);
}

/** All that this device keeps, newest first. */
export const mine = () => [...ownConcerts(), ...heard()].sort((one, other) =>
  (other.date ?? "").localeCompare(one.date ?? ""));
