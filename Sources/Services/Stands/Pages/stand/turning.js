// Decides which view this stand shows: by its player's own hand, by the room, and by the music as the hub says.
import { keptSheet, pressed } from "./sheets.js";

const samePress = 400; // ms: a forward press so soon after the music turned means the same turn
const settling = 1_000; // ms in which the hub may still speak of a page before the player's own

export class Turning {
  view = { page: 0, ahead: null };
  facing = "single";
  count = 1;
  byHalves = false;
  /** @type {(page: number, next: number) => boolean} */
  canHalve = () => true; // whether a page can share the stage with another, without a system being cut
  #now;
  #turnedAt = -Infinity; // when the music turned last
  #owned = null; // { page, at } of the last own turn the hub has not confirmed
  #held = null; // what the hub wished meanwhile

  /** `now` gives milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  open({ page = 0, facing = this.facing, count = this.count }) {
    Object.assign(this, { facing, count });
    this.view = { page: keptSheet(page, facing, count), ahead: null };
    this.#owned = this.#held = null;
  }

  /** The pedal, a tap or a swipe. Returns the page to report to the hub; null if there is nothing to report. */
  press(direction, isFollowing = false) {
    if (direction === "forward" && this.#now() - this.#turnedAt < samePress) return null;
    const before = this.view;
    const view = pressed(before, direction, { facing: this.facing, count: this.count,
      byHalves: this.byHalves && !isFollowing && this.canHalve(before.page, before.page + 1) });
    this.view = view;
    if (view.page === before.page) return null;
    this.#mine(view.page);
    return view.page;
  }

  /** A tap on a thumbnail. Gives the page to tell the hub. */
  own(page) {
    this.view = { page: keptSheet(page, this.facing, this.count), ahead: null };
    this.#mine(this.view.page);
    return this.view.page;
  }

  #mine(page) {
    this.#owned = { page, at: this.#now() };
    this.#turnedAt = -Infinity;
    this.#held = null;
  }

  /** The leader's turn, or a place shown to all: at once, the hub does the same on its side. */
  ordered(page) {
    const sheet = keptSheet(page, this.facing, this.count);
    const turned = sheet !== this.view.page || this.view.ahead !== null;
    this.view = { page: sheet, ahead: null };
    this.#turnedAt = -Infinity;
    this.#owned = this.#held = null;
    return turned;
  }

  /** The page follows the music again; a page that was turned by hand does not count any more. */
  fallIn(page) {
    this.#owned = this.#held = null;
    return this.#go({ page: keptSheet(page, this.facing, this.count), ahead: null });
  }

  /** Obeys the view that the hub wishes. Returns true if the view changed. */
  follow(view) {
    const wished = { page: keptSheet(view.page + (view.page < 0 ? 1 : 0), this.facing, this.count), ahead: null };
    if (view.ahead !== null && view.ahead !== undefined) wished.ahead = keptSheet(view.ahead, this.facing, this.count);
    if (this.#owned) {
      if (wished.page === this.#owned.page) this.#owned = null;
      else if (this.#now() - this.#owned.at < settling) {
        this.#held = wished;
        return false;
      }
    }
    return this.#go(wished);
  }

  /** To be called now and then: what was held back counts once the own turn has settled. */
  settle() {
    if (!this.#held || !this.#owned || this.#now() - this.#owned.at < settling) return false;
    const wished = this.#held;
    this.#owned = this.#held = null;
    return this.#go(wished);
  }

  #go(wished) {
    const { view } = this;
    if (view.page === wished.page && (view.ahead ?? null) === wished.ahead) return false;
    if (wished.page !== view.page) this.#turnedAt = this.#now();
    this.view = wished;
    return true;
  }
}
