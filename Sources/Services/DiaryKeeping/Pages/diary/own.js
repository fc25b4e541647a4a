// A person's own entries are kept on this device first. They go to the server when it answers and somebody is signed
// in.
import { ask } from "/shared/api.js";
import { keep, readKept, storage } from "/shared/kept.js";
import { wallClock } from "/shared/wallclock.js";

const ownKey = "baton-diary-own"; // the concerts that were entered here, newest first
const heardKey = "baton-diary-heard"; // where earlier versions kept the concerts of the house
const goneKey = "baton-diary-gone"; // own concerts that were deleted here and not yet on the server
const accountKey = "baton-diary-account"; // the id of the person who was last signed in here
const mostKept = 5000; // concerts on one device; as many as an account has

/** An id that no other device makes. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `own-${[...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("").slice(0, 20)}`;
}

let person = readKept(accountKey); // another window may sign in somebody else

/** The id of the person who was last signed in, as far as this window knows; null for nobody. */
export const account = () => person;

/** Remembers who is signed in, null for nobody; the event "account" says that it is somebody else than before. */
export function remember(id) {
  keep(accountKey, id);
  if (person === id) return;
  person = id;
  dispatchEvent(new Event("account"));
}

/** True if an entry kept here may be shown to the signed-in person and sent for them; an entry without an account
    belongs to anybody. */
const isOfAccount = (kept) => !kept.account || kept.account === account();

/** The entries under a key, of all accounts. */
const all = (key) => readKept(key) ?? [];

/**
 * Keeps a list; the oldest that are kept elsewhere too leave it if it is too long, never what waits to be sent. The
 * event "unkept" says that this device took nothing.
 */
export function write(key, entries) {
  let room = mostKept - entries.filter(({ waits }) => waits !== false).length;
  const list = entries.length <= mostKept ? entries
    : entries.filter(({ waits }) => waits !== false || (room -= 1) >= 0);
  try {
    storage().setItem(key, JSON.stringify(list));
    return true;
  } catch {
    dispatchEvent(new Event("unkept"));
    return false;
  }
}

/** Keeps an entry first in its list, in place of this account's entry with its id. False if it was not kept. */
function keepFirst(key, entry) {
  const others = all(key).filter((each) => each.id !== entry.id || !isOfAccount(each));
  return write(key, [{ ...entry, account: entry.account ?? account() }, ...others]);
}

/** Removes this account's entry with an id. */
function drop(key, id) {
  keep(key, all(key).filter((each) => each.id !== id || !isOfAccount(each)));
}

export const ownConcerts = () => all(ownKey).filter(isOfAccount);
export const ownConcert = (id) => ownConcerts().find((concert) => concert.id === id) ?? null;

/** The id under which each device of a person keeps a concert of the house: it is made of that concert's id. */
export function heardID(id) {
  let [one, other] = [0x811c9dc5, 0x1000193];
  for (const byte of new TextEncoder().encode(id)) {
    one = Math.imul(one ^ byte, 0x1000193);
    other = Math.imul(other ^ byte, 0x85ebca6b) + 1;
  }
  const sums = [one, other].map((sum) => (sum >>> 0).toString(36)).join("-");
  return `heard-${id.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 30)}-${sums}`;
}

/** Takes over what an earlier version kept on this device alone. */
export function adoptHeard() {
  const kept = all(heardKey);
  if (kept.length === 0) return;
  const known = new Set(all(ownKey).map(({ id }) => id));
  const added = kept.filter(({ id }) => !known.has(heardID(id))).map((entry) => ({ ...entry, id: heardID(entry.id),
    concert: entry.id, base: null, waits: true, trouble: null, changedAt: wallClock() }));
  if (write(ownKey, [...all(ownKey), ...added])) storage().removeItem(heardKey);
}

/** The fields that the server keeps of an own concert. */
const sentFields = (concert) => Object.fromEntries(["title", "date", "start", "end", "venue", "city", "stage", "event",
  "ensemble", "isSupportAct", "works", "rating", "comment", "link", "recordings", "concert"].map((name) =>
  [name, concert[name]]));

/**
 * Keeps a concert as somebody has just written it; it waits until the server has this very state of it. `base` is the
 * state of which the server knows. Gives it as it is kept; null if this device has no room.
 */
export function keepOwn(concert) {
  const known = ownConcert(concert.id);
  const base = known && !known.waits ? sentFields(known) : known?.base ?? null;
  const kept = { ...concert, base, waits: true, trouble: null, changedAt: wallClock() };
  return keepFirst(ownKey, kept) ? kept : null;
}

export function forgetOwn(id) {
  const concert = ownConcert(id);
  if (concert?.revision) keepFirst(goneKey, { id, account: concert.account });
  drop(ownKey, id);
}

export const waiting = () => ownConcerts().filter((concert) => concert.waits);

/** The number of concerts of other accounts that wait on this device. */
export const othersWaiting = () => all(ownKey).filter((each) => each.waits && !isOfAccount(each)).length;

const address = (id) => `/api/diary/mine/${encodeURIComponent(id)}`;

const written = (value) => (!value || value.length === 0 ? "" : JSON.stringify(value));

/** Merges the versions of two devices: each field comes from the one that changed it; if both did, from this one. */
export function mergedFields(mine, theirs, base) {
  if (!theirs || !base) return mine;
  return Object.fromEntries(Object.keys(mine).map((name) =>
    [name, written(mine[name]) === written(base[name]) ? theirs[name] : mine[name]]));
}

/** Sends one concert, together with what another device has changed meanwhile. Gives what the server has now. */
async function send(concert) {
  const by = concert.account ?? account();
  const put = async (revision, fields) => ({ fields,
    ...await ask(address(concert.id), { method: "PUT", json: { revision, concert: fields }, by }) });
  const mine = sentFields(concert);
  try {
    return await put(concert.revision ?? 0, mine);
  } catch (refusal) {
    if (refusal.code !== "conflict") throw refusal;
    return put(refusal.value.revision, mergedFields(mine, refusal.value.concert, concert.base));
  }
}

/** Notes that the server has a state of a concert; what was changed here meanwhile goes on waiting. */
function noteSent(concert, { fields, revision }) {
  const now = ownConcert(concert.id);
  if (!now) return;
  if (now.changedAt !== concert.changedAt) keepFirst(ownKey, { ...now, revision, base: fields });
  else keepFirst(ownKey, { ...now, ...fields, revision, base: null, waits: false, trouble: null });
}

const gone = () => all(goneKey).filter(isOfAccount);

/**
 * Learns whose account it is and gets what its other devices have sent; what waits or was deleted here stays so. The
 * event "received" says that something is different now.
 */
export async function receive() {
  const answer = await ask("/api/diary/mine", { patience: 8000 });
  remember(answer.account);
  const deleted = new Set(gone().map(({ id }) => id));
  const known = new Map(ownConcerts().map((concert) => [concert.id, concert]));
  const lost = new Set((answer.gone ?? []).filter((id) => known.has(id) && !known.get(id).waits));
  const newer = answer.concerts.filter(({ id, revision }) =>
    !known.get(id)?.waits && revision > (known.get(id)?.revision ?? 0) && !deleted.has(id));
  // A server that was set back to an older state gets what it had already.
  const revisions = new Map(answer.concerts.map(({ id, revision }) => [id, revision]));
  const forgotten = [...known.values()].filter(({ id, waits, revision }) =>
    !waits && !lost.has(id) && (revisions.get(id) ?? 0) < (revision ?? 0));
  if (lost.size + newer.length + forgotten.length === 0) return;
  const replaced = new Set([...lost, ...[...newer, ...forgotten].map(({ id }) => id)]);
  const now = { waits: false, changedAt: wallClock(), account: account() };
  write(ownKey, [...newer.map(({ id, revision, concert }) => ({ ...concert, id, revision, ...now })),
    ...forgotten.map((concert) => ({ ...concert, base: null, waits: true })),
    ...all(ownKey).filter((each) => !replaced.has(each.id) || !isOfAccount(each))]);
  dispatchEvent(new Event("received"));
}

/** What is to be sent: { what, isOwn, send(), refuse(sentence) }. One that is refused does not hold up the others. */
export const ownWork = () => [
  ...gone().map(({ id }) => ({
    isOwn: true, refuse: () => drop(goneKey, id),
    send: async () => {
      await ask(address(id), { method: "DELETE", by: account() });
      drop(goneKey, id);
    } })),
  ...waiting().filter(({ trouble }) => !trouble).map((concert) => ({
    what: concert.id, isOwn: true,
    send: async () => noteSent(concert, await send(concert)),
    refuse: (trouble) => {
      const now = ownConcert(concert.id);
      if (now) keepFirst(ownKey, { ...now, trouble });
      dispatchEvent(new Event("received"));
    } })),
];

// I was there: a concert of the house is kept as an own one that knows the house's.
export const wasThere = (id) => ownConcerts().find((each) => each.concert === id) ?? null;

/** A row of the house as an own concert. */
export const heardEntry = ({ id, title, date, start, venue, city, stage, ensemble, event, works }) =>
  ({ id, title, date, start, venue, city, stage, ensemble, event, works, ...wasThere(id), concert: id });

/** Keeps a concert of the house; `entry` has its id and facts, and what the person wrote of it. */
export function keepHeard(entry) {
  const concert = entry.concert ?? entry.id;
  return keepOwn({ ...entry, id: heardID(concert), concert });
}

export function forgetHeard(id) {
  const kept = wasThere(id);
  if (kept) forgetOwn(kept.id);
}

/** All that this device keeps, newest first. */
export const mine = () => ownConcerts().sort((one, other) => (other.date ?? "").localeCompare(one.date ?? ""));
