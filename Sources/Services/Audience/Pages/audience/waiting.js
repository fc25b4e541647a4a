// The screen before the first content: nothing for a moment, then the concert's cover if this phone has it, and after a
// second a word. It asks the server for nothing, because every byte is for the first slide.
import { find, write } from "/shared/dom.js";
import { keptCover } from "./store.js";

const coverAfter = 250; // milliseconds
const wordsAfter = 1_000;

export class Waiting {
  #since = performance.now();
  #asked = false;

  /** `words` say what is waited for. */
  show(isWaiting, words) {
    const place = find("waiting");
    place.hidden = !isWaiting;
    if (!isWaiting) return;
    const waited = performance.now() - this.#since;
    write(find("waiting-words"), waited > wordsAfter ? words : "");
    if (waited > coverAfter && !this.#asked) {
      this.#asked = true;
      keptCover().then((address) => address && !place.hidden && showPicture(find("waiting-cover"), address))
        .catch(() => {});
    }
  }
}

const refused = new WeakSet(); // pictures whose address gave none

/** Shows a picture where there is an address; one that does not come leaves no gap. */
export function showPicture(image, address) {
  if (address && image.getAttribute("src") !== address) {
    refused.delete(image);
    image.onerror = () => {
      refused.add(image);
      image.hidden = true;
    };
    image.src = address;
  }
  image.hidden = !address || refused.has(image);
}
