// One player's choice of how pages turn in one score: kept here, and sent to the hub, which turns them.
import { ask } from "/shared/api.js";
import { quick } from "./store.js";
import { hasSystems } from "./systems.js";

const plainSettings = {
  leadSeconds: 1, leadFollowsTempo: true, pageLeads: [], halfTurns: false, facing: "single", latencySeconds: 0,
  followsMusic: true,
};

export class Preferences {
  #told = null;
  #fetched = Promise.resolve();

  /** `vouch` must end before the hub is called in this user's name. */
  constructor(user, score, vouch = async () => {}) {
    this.user = user;
    this.score = score;
    this.vouch = vouch;
    this.key = `settings.${user}.${score}`;
    const kept = quick.get(this.key);
    this.isKept = kept !== null;
    this.value = { ...plainSettings, ...kept };
    /** The player's choice: "auto", or one of the facings. */
    this.facing = kept?.facingChoice ?? "auto";
  }

  set(fields) {
    const { facing, ...rest } = fields;
    if (facing) this.facing = facing;
    Object.assign(this.value, rest);
    quick.put(this.key, { ...this.value, facingChoice: this.facing });
  }

  lead(page, seconds) {
    const others = this.value.pageLeads.filter((lead) => lead.page !== page);
    this.set({ pageLeads: seconds === null ? others : [...others, { page, seconds }].sort((a, b) => a.page - b.page) });
  }

  /** The arrangement of pages on a stage of this size. */
  facingOn({ clientWidth, clientHeight }, count, pair) {
    if (pair) return this.facing === "book" ? "book" : "pages";
    if (this.facing === "systems") return "single";
    if (this.facing !== "auto") return this.facing;
    return count > 1 && clientWidth >= 900 && clientWidth / clientHeight > 1.2 ? "pages" : "single";
  }

  /** True if systems are read one after the other: because the player wants it, or because the screen is too narrow for
      a whole page to be read. */
  readsSystems({ clientWidth, clientHeight }, part) {
    if (!part || !hasSystems(part)) return false;
    return this.facing === "systems" || (this.facing === "auto" && Math.min(clientWidth, clientHeight) < 500);
  }

  /** Takes over what another stand of this player has chosen, where this one has nothing of its own. How pages lie is
      this stand's own affair: it depends on the screen. */
  fetch(room, stand) {
    if (this.isKept) return Promise.resolve(null);
    const wanted = this.vouch()
      .then(() => ask(`/api/rooms/${room}/stands/${stand}?user=${this.user}&score=${this.score}`,
        { patience: 4_000 })).then((found) => {
        if (!found?.settings) return found;
        const { facing: _, ...settings } = found.settings;
        this.set(settings);
        return found;
      }, () => null);
    // Before the hub's settings are known, nothing is sent that would overwrite them.
    this.#fetched = wanted;
    return wanted;
  }

  /** Tells the hub what it needs to turn this stand's pages; again only where something changed. `lies()` gives what
      lies there, or null where that is another score by then; it is asked when `settled` has come. */
  async tell(room, stand, lies, settled) {
    await this.#fetched;
    await settled;
    const there = lies();
    if (!there) return;
    const { score, part, page, facing, pair } = there;
    const { facing: _, ...rest } = this.value;
    const settings = { ...Object.fromEntries(Object.keys(plainSettings).map((name) => [name, rest[name]])), facing };
    const word = JSON.stringify({ part, settings, pair });
    if (word === this.#told) return;
    this.#told = word;
    try {
      await this.vouch();
      await ask(`/api/rooms/${room}/stands/${stand}?user=${this.user}`,
        { method: "PUT", json: { score, part, page, settings, ...(pair ? { pair } : {}) }, patience: 6_000 });
    } catch {
      if (this.#told === word) this.#told = null;
    }
  }

  /** The hub may have forgotten the settings: they are sent again. */
  forget() {
    this.#told = null;
  }
}
