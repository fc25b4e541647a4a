// A quiet flash of the live tempo at the edge of the stand: the beat of the orchestra.

export class Metronome {
  #beat = null;
  #frame = null;

  constructor(edge, pace) {
    this.edge = edge;
    this.pace = pace;
  }

  /** Runs while `beats` a bar are wanted; 0 stops it. */
  run(beats) {
    cancelAnimationFrame(this.#frame);
    this.#beat = null;
    this.edge.hidden = beats === 0;
    if (beats === 0) return;
    const step = () => {
      this.#frame = requestAnimationFrame(step);
      const share = this.pace.share(performance.now() / 1000);
      // Beyond its expected end a bar is still on: no flash is invented.
      const beat = share === null || share >= 1 || share < 0 ? null : Math.floor(share * beats);
      if (beat === this.#beat) return;
      this.#beat = beat;
      if (beat !== null) this.#flash(beat === 0);
    };
    step();
  }

  #flash(isFirst) {
    this.edge.dataset.first = String(isFirst);
    this.edge.getAnimations().forEach((animation) => animation.cancel());
    this.edge.animate([{ opacity: isFirst ? 0.9 : 0.55 }, { opacity: 0 }], { duration: 220, easing: "ease-out" });
  }
}
