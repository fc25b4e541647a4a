// Keeps the screen from locking while there is something to follow, and says so where that is not possible.

const againAfter = 1_000; // ms until it is asked for again after the system took it back
const sentences = {
  missing: "This device may go dark by itself: this browser cannot prevent it. Turn auto-lock or sleep off for "
    + "tonight.",
  insecure: "This device may go dark by itself: browsers prevent it only over https. Turn auto-lock or sleep off for "
    + "tonight.",
  refused: "This device may go dark by itself: it refuses to stay awake, as in Low Power Mode. Connect its charger, or "
    + "turn auto-lock off for tonight.",
};

export class Awake {
  #lock = null;
  #wanted = false;
  #cannot;
  #told = false;

  /** `cannot(sentence)` is called once if this device or address doesn't allow it; the sentence says what helps. */
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
    if (!navigator.wakeLock) return this.#tell(isSecureContext ? sentences.missing : sentences.insecure);
    try {
      const lock = await navigator.wakeLock.request("screen");
      if (!this.#wanted) return void lock.release();
      this.#lock = lock;
      this.#told = false;
      // The system takes it back when the page hides or the battery is low.
      lock.addEventListener("release", () => {
        if (this.#lock !== lock) return;
        this.#lock = null;
        setTimeout(() => this.#take(), againAfter);
      });
    } catch {
      if (document.visibilityState === "visible") this.#tell(sentences.refused);
    }
  }

  #release() {
    this.#lock?.release();
    this.#lock = null;
  }

  #tell(sentence) {
    if (this.#told) return;
    this.#told = true;
    this.#cannot(sentence);
  }
}
