// What people enter on the page is kept on this device first and sent when the server answers: their own concerts
// (./own.js), and entries of the house (events, ensembles, halls), each of which is one call that may be repeated.
import { ask } from "/shared/api.js";
import { keep, readKept } from "/shared/kept.js";
import { Outbox } from "/shared/outbox.js";
import { account, ownWork, receive, write } from "./own.js";

const key = "baton-diary-outbox";

const all = () => readKept(key) ?? [];

const isOurs = (call) => !call.account || call.account === account();

/** The entries of the signed-in person that are not sent yet, oldest first. */
export const pending = () => all().filter(isOurs);

/** The number of entries of other accounts that wait on this device. */
export const othersPending = () => all().length - pending().length;

export const pendingOf = (id) => pending().find((each) => each.id === id) ?? null;

/** Keeps a call; a newer one takes the place of the one with its id. `what` is what people call it. False if this
    device did not keep it. */
export function post(call) {
  const mine = { ...call, account: account(), trouble: null };
  return write(key, [...all().filter((each) => each.id !== call.id || !isOurs(each)), mine]);
}

export function discard(id) {
  keep(key, all().filter((each) => each.id !== id || !isOurs(each)));
}

async function send(call) {
  await ask(call.path, { method: call.method, json: call.body, by: call.account ?? account(), patience: 15_000 });
  if (JSON.stringify(pendingOf(call.id)) === JSON.stringify(call)) discard(call.id);
}

/** What the server does not take waits until a person corrects or discards it. */
const refuse = ({ id }, trouble) =>
  keep(key, all().map((each) => (each.id === id && isOurs(each) ? { ...each, trouble } : each)));

/** What is to be sent: { what, isOwn, send(), refuse(sentence) }. */
const work = () => [...ownWork(), ...pending().filter(({ trouble }) => !trouble).map((call) =>
  ({ what: call.what, send: () => send(call), refuse: (sentence) => refuse(call, sentence) }))];

export class DiaryOutbox {
  #isWanted = false; // what the account has is to be received
  #sent = { own: 0, house: 0, refusals: [] }; // since it was said last
  #outbox;

  /**
   * `said(sent, state, sentence)` is told what was sent since the last time, as the numbers `own` and `house` and the
   * sentences `refusals`, and what holds up the rest.
   */
  constructor(said) {
    const receiving = { send: async () => {
      await receive();
      this.#isWanted = false;
    }, refuse: () => (this.#isWanted = false) };
    this.#outbox = new Outbox({
      entries: () => [...(this.#isWanted ? [receiving] : []), ...work()],
      send: async ([each]) => {
        await each.send();
        if (each.what) this.#sent[each.isOwn ? "own" : "house"] += 1;
      },
      // Another device sent a change in between: both are merged anew.
      met: ({ code }, [each]) => (code === "conflict" && each.isOwn ? "again" : null),
      refused: ([each], { message }) => {
        each.refuse(message);
        if (each.what && !each.isOwn) this.#sent.refusals.push(`${each.what} was not taken: ${message}`);
      },
      said: (state, sentence) => {
        if (state === "saving") return;
        const sent = this.#sent;
        this.#sent = { own: 0, house: 0, refusals: [] };
        said(sent, state, sentence);
      },
    });
  }

  /** Receives what the account has, and sends what waits for it. */
  flush() {
    this.#isWanted = true;
    return this.#outbox.flush();
  }
}
