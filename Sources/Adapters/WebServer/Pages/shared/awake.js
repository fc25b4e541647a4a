// Keeps the screen from locking while there is something to follow.

export class Awake {
  #lock = null;
  #wanted = false;
  #cannot;
  #told = false;

  /** `cannot` is called once where this phone or address doesn't allow it. */
  constructor(cannot) {
    this.#cannot = cannot;
    document.addEventListener("visibilitychange", () => this.#take());
    // Some phones allow it only after the first touch.
    addEventListener("pointerdown", () => this.#take(), { passive: true });
  }

  get holds() {
    return this.#lock !== null && !this.#lock.released;
  }

  want(wanted) {
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    if (wanted) this.#take();
    else this.#release();
  }

  async #take() {
    if (!this.#wanted || this.holds || document.visibilityState !== "visible") return;
    if (!navigator.wakeLock) return this.#tell();
    try {
      const lock = await navigator.wakeLock.request("screen");
      if (!this.#wanted) return void lock.release();
      this.#lock = lock;
      this.#told = false;
      // The system takes it back when the page hides or the battery is low.
      lock.addEventListener("release", () => this.#lock === lock && (this.#lock = null));
    } catch {
      if (document.visibilityState === "visible") this.#tell();
    }
  }

  #release() {
    this.#lock?.release();
    this.#lock = null;
  }

  #tell() {
    if (this.#told) return;
    this.#told = true;
    this.#cannot();
  }
}
