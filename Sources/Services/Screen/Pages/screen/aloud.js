// Plays videos with their sound. Browsers permit sound once somebody has clicked on the page; until then they are mute.

export class Aloud {
  #isArmed = false;
  #mute = new Map(); // videos that play without their sound, and whom to tell when they have it

  constructor() {
    const arm = () => {
      this.#isArmed = true;
      for (const [video, changed] of this.#mute) {
        video.muted = false;
        changed();
      }
      this.#mute.clear();
    };
    addEventListener("pointerdown", arm);
    addEventListener("keydown", arm);
  }

  /** Plays a video; `changed` is called when its sound goes off, or comes. */
  play(video, changed) {
    video.muted = this.#mute.has(video);
    video.play().catch((refusal) => {
      if (refusal.name !== "NotAllowedError" || this.#isArmed) return;
      video.muted = true;
      this.#mute.set(video, changed);
      video.play().catch(() => {}); // Its report says that it is paused.
      changed();
    });
  }

  /** Forgets a video that is not shown any more. */
  forget(video) {
    this.#mute.delete(video);
  }
}
