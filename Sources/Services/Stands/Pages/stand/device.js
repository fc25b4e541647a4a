// The users who share this device; one at a time plays on it. A user who signed in once can do so offline.
import { Refusal, ask } from "/shared/api.js";
import { keepLastAccount } from "/shared/lastaccount.js";
import { askInTurn } from "/shared/signin.js";
import { quick } from "./store.js";

const rounds = 310_000; // of PBKDF2, some tenths of a second on a tablet

export class Device {
  #password = null; // of a sign-in without a network, until it can be told to the server
  #vouched = null; // the user whose sign-in the server was seen to hold
  #vouching = null;

  constructor() {
    const kept = quick.get("device");
    this.known = kept?.known ?? [];
    this.currentID = kept?.current ?? null;
  }

  get current() {
    return this.known.find((user) => user.id === this.currentID) ?? null;
  }

  /** True while the server still has to hear of a sign-in or sign-out that was made offline. */
  get owes() {
    return this.#password !== null || Boolean(quick.get("owes-sign-out"));
  }

  /** True if the server has confirmed that this user is signed in. */
  isVouched(user) {
    return user !== null && user === this.#vouched && user === this.currentID && !this.owes;
  }

  /**
   * Makes sure that the server holds the sign-in of whoever plays here, before anything is read or written in that
   * name. What it is owed is told first. Gives the home where it was asked, else null. Throws Refusal: status 0
   * without a network, 401 where nobody is signed in, 401 “other-user” where somebody else is, then with the server's
   * home as its value.
   */
  vouch() {
    if (this.isVouched(this.currentID)) return Promise.resolve(null);
    // Whoever asks meanwhile waits for the same answer.
    this.#vouching ??= this.#ask().finally(() => (this.#vouching = null));
    return this.#vouching;
  }

  /** The server refused the sign-in: it is asked again. */
  doubt() {
    this.#vouched = null;
  }

  async #ask() {
    await this.#settle();
    const user = this.currentID;
    const home = await ask("/api/stand/home", { patience: 4_000 });
    this.check(home, user);
    return home;
  }

  /** Throws Refusal where the server gives the home of somebody else than `user`. */
  check(home, user = this.currentID) {
    this.#vouched = null;
    if (home?.user?.id !== user || user !== this.currentID) {
      throw new Refusal("Somebody else is signed in with the server. Sign in again.", 401, "other-user", home);
    }
    this.#vouched = user;
  }

  /** Signs in with the server, or without it where it does not answer; `said` gets sentences meanwhile. Throws Refusal.
      */
  async signIn(login, password, said) {
    await this.settleSignOut();
    try {
      await askInTurn("/api/login", { name: login, password }, said);
    } catch (refusal) {
      if (refusal.status !== 0) throw refusal;
      return this.#enterOffline(login, password);
    }
    keepLastAccount(null);
    // The sign-in before has gone with this one.
    quick.put("owes-sign-out", undefined);
    this.#password = null;
    const home = await ask("/api/stand/home", { patience: 8_000 });
    this.admit(home.user, login, await verifierFor(password));
    return home;
  }

  /** The server has vouched for this user. */
  admit(user, login = null, verifier = null) {
    const before = this.known.find((each) => each.id === user.id);
    const entry = { ...before, id: user.id, name: user.name, role: user.role,
      login: login ?? before?.login ?? user.name };
    if (verifier) entry.verifier = verifier;
    this.known = [...this.known.filter((each) => each.id !== user.id), entry];
    this.currentID = user.id;
    this.#vouched = user.id;
    this.#save();
  }

  /** Tells the server first of a sign-out, then of a sign-in that were made without it. */
  async #settle() {
    await this.settleSignOut();
    if (quick.get("owes-sign-out")) throw new Refusal("The server does not answer.", 0, "no-answer");
    if (!this.#password) return;
    const owed = this.#password;
    const { login, password } = owed;
    try {
      await askInTurn("/api/login", { name: login, password });
    } catch (refusal) {
      // A password that was changed meanwhile is not tried over and over.
      if (refusal.status === 401 && this.#password === owed) this.#password = null;
      throw refusal;
    }
    if (this.#password === owed) this.#password = null;
    keepLastAccount(null);
  }

  /** Nobody plays here, but the users stay known. */
  async signOut() {
    this.currentID = this.#password = this.#vouched = null;
    this.#save();
    quick.put("owes-sign-out", true);
    await this.settleSignOut();
    keepLastAccount(null);
  }

  /** Tells the server of a sign-out it has not heard of. */
  async settleSignOut() {
    if (!quick.get("owes-sign-out")) return;
    try {
      await ask("/api/logout", { method: "POST", json: {}, patience: 3_000 });
    } catch (refusal) {
      if (refusal.status === 0 || refusal.status >= 500) return;
    }
    quick.put("owes-sign-out", undefined);
  }

  forget(id) {
    this.known = this.known.filter((each) => each.id !== id);
    if (this.currentID === id) this.currentID = null;
    this.#save();
  }

  async #enterOffline(login, password) {
    const user = this.known.find((each) => each.login.toLowerCase() === login.toLowerCase());
    if (!user) {
      throw new Refusal("The server does not answer, and this name has not signed in on this device before.", 0,
        "not-known");
    }
    if (!user.verifier || !crypto.subtle) {
      throw new Refusal("The server does not answer. Over this address a password cannot be checked without it.", 0,
        "no-check");
    }
    if (!(await isRight(password, user.verifier))) throw new Refusal("Name or password are wrong.", 401, "wrong");
    // The user before may still be signed in with the server, which hears of the change when it answers again.
    this.#password = { login: user.login, password };
    this.currentID = user.id;
    this.#vouched = null;
    this.#save();
    return null;
  }

  #save() {
    quick.put("device", { known: this.known, current: this.currentID });
  }
}

async function stretched(password, salt, count) {
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(password.normalize("NFKC")), "PBKDF2",
    false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations: count }, key, 256);
  return [...new Uint8Array(bits)];
}

/** A salted hash, kept instead of the password; null on addresses where browsers offer no cryptography. */
async function verifierFor(password) {
  if (!crypto.subtle) return null;
  const salt = crypto.getRandomValues(new Uint8Array(16));
  return { salt: [...salt], rounds, hash: await stretched(password, salt, rounds) };
}

async function isRight(password, verifier) {
  const hash = await stretched(password, new Uint8Array(verifier.salt), verifier.rounds);
  return hash.reduce((difference, byte, index) => difference | (byte ^ verifier.hash[index]), 0) === 0;
}
