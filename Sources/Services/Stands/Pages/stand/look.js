// The look of the stand on this device: paper, brightness, size of the controls, what is shown next to the music.
import { quick } from "./store.js";

const plain = {
  paper: "white", // white, warm, dark (inverted for the pit)
  brightness: 1,
  crop: true, // margins that the library knows are left away
  size: "medium", // of the controls: small, medium, large
  bar: false, // the bar that sounds is marked
  rests: true, // rests are counted
  flash: false, // the live tempo flashes
  beats: 1, // flashes a bar
  pair: null, // this stand is the left or the right page of two
};

export class Look {
  constructor(changed) {
    this.changed = changed;
    this.value = { ...plain, ...quick.get("look") };
    this.#apply();
  }

  set(fields) {
    Object.assign(this.value, fields);
    quick.put("look", this.value);
    this.#apply();
    this.changed(fields);
  }

  #apply() {
    const { dataset, style } = document.documentElement;
    dataset.paper = this.value.paper;
    dataset.size = this.value.size;
    style.setProperty("--brightness", String(this.value.brightness));
    document.documentElement.toggleAttribute("data-dimmed", this.value.brightness < 1);
  }
}
