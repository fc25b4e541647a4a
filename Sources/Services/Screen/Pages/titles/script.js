// The running script: all titles of the piece, the present one in the middle, and what needs a look before the show.
import { find, make, mark, write } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { acts, leastBetweenPresses } from "/shared/oneact.js";
import { titleDoubts } from "/shared/titlechecks.js";
import { showTitle } from "/shared/titletext.js";
import { titleName, where } from "./words.js";

const handed = 6_000; // ms for which the list stays where a person has scrolled it
const sizes = [0.8, 0.9, 1, 1.15, 1.35, 1.6, 1.9, 2.3];

export class Script {
  #goTo;
  #skip;
  #skipped = []; // the numbers of titles that are left out tonight
  #list = null;
  #number = null; // of the title in the middle
  #passed = new Set(); // the numbers that the music passed by
  #movedAt = -handed; // when a person scrolled

  /** `goTo` shows the title with a number on the screens, `skip` leaves it out tonight, or no longer. */
  constructor(goTo, skip) {
    [this.#goTo, this.#skip] = [goTo, skip];
    for (const kind of ["wheel", "pointerdown", "keydown"]) {
      find("list").addEventListener(kind, () => {
        this.#movedAt = performance.now();
      }, { passive: true });
    }
    find("list").addEventListener("scroll", () => this.#sayWhetherInSight(), { passive: true });
    find("list").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const number = Number(button.parentElement.dataset.number);
      if (button.classList.contains("skip")) this.#skip(number, !this.#skipped.includes(number));
      else this.#goTo(number);
    });
    find("back").addEventListener("click", () => this.#toTheMiddle(true));
    find("doubtful").addEventListener("click", () => {
      this.#showDoubtfulAlone(find("doubtful").ariaPressed !== "true");
      this.#toTheMiddle(false);
    });
    find("smaller").addEventListener("click", () => this.#resize(-1));
    find("larger").addEventListener("click", () => this.#resize(1));
    this.#resize(0);
    find("guard").value = String(readKept("baton-titles-guard") ?? leastBetweenPresses);
    find("guard").addEventListener("change", () => this.#guard());
    this.#guard();
    new ResizeObserver(() => this.#toTheMiddle(false)).observe(find("list"));
  }

  #showDoubtfulAlone(isWanted) {
    mark(find("doubtful"), "aria-pressed", isWanted ? "true" : "false");
    mark(find("list"), "data-doubtful", isWanted || null);
  }

  #guard() {
    acts.least = Number(find("guard").value) || leastBetweenPresses;
    keep("baton-titles-guard", acts.least);
  }

  #resize(by) {
    const now = sizes.indexOf(readKept("baton-titles-size") ?? 1);
    const size = sizes[Math.min(Math.max((now < 0 ? 2 : now) + by, 0), sizes.length - 1)];
    keep("baton-titles-size", size);
    find("list").style.fontSize = `${size}rem`;
    find("smaller").disabled = size === sizes[0];
    find("larger").disabled = size === sizes.at(-1);
    this.#toTheMiddle(false);
  }

  /** Another list, or the same one changed; null without one. */
  use(list, looksOnly) {
    if (list?.folder !== this.#list?.folder) this.#passed.clear();
    this.#list = list;
    const titles = list?.titles ?? [];
    const rows = titles.map((title, index) => {
      const doubts = titleDoubts(titles, index, list.languages);
      const content = [make("span", { class: "where", text: titleName(title) }),
        make("span", { class: "where", text: where(title) }),
        make("span", { class: "words" }, ...textsOf(title, list.languages)),
        title.note ? make("span", { class: "note", dir: "auto", text: title.note }) : null,
        doubts.length > 0 ? make("span", { class: "doubt", text: `▲ ${doubts.join(" · ")}` }) : null];
      return make("li", { "data-number": title.number, "data-doubt": doubts.length > 0 || null },
        looksOnly ? make("div", { class: "title-row" }, ...content)
          : make("button", { type: "button", class: "title-row" }, ...content),
        looksOnly ? null : make("button", { type: "button", class: "skip", text: "Skip",
          "aria-label": `Leave out title ${titleName(title)}`, title: "Leave it out tonight; the list stays" }));
    });
    find("list").replaceChildren(...rows);
    const doubted = rows.filter((row) => row.dataset.doubt !== undefined).length;
    find("doubtful").hidden = doubted === 0;
    write(find("doubtful"), `▲ ${doubted} to look at`);
    if (doubted === 0) mark(find("list"), "data-doubtful", null);
    this.#mark();
  }

  /** The present title's number, null before the first; those that the music passed by and those that are left out
   *  tonight are marked. */
  show(number, passed, skipped) {
    for (const each of passed) this.#passed.add(each);
    if (number === this.#number && passed.length === 0 && skipped.join() === this.#skipped.join()) return;
    // The music goes on: what was to look at before it hides nothing any more.
    if (number !== this.#number && this.#number !== null) this.#showDoubtfulAlone(false);
    [this.#number, this.#skipped] = [number, skipped];
    this.#mark();
  }

  #mark() {
    for (const item of find("list").children) {
      const number = Number(item.dataset.number);
      mark(item, "aria-current", number === this.#number ? "true" : null);
      mark(item, "data-gone", number < (this.#number ?? 0) || null);
      mark(item, "data-passed", this.#passed.has(number) || null);
      mark(item, "data-skipped", this.#skipped.includes(number) || null);
      const skip = item.querySelector(".skip");
      if (!skip) continue;
      mark(skip, "aria-pressed", this.#skipped.includes(number));
      write(skip, this.#skipped.includes(number) ? "Skipped" : "Skip");
    }
    this.#toTheMiddle(false);
  }

  /** Puts the present title into the middle, unless a person looks at another place. */
  #toTheMiddle(isWanted) {
    if (isWanted) this.#movedAt = -handed;
    if (performance.now() - this.#movedAt >= handed) {
      this.#scroll();
      // Rows that come into sight for the first time may be higher than they were taken for.
      requestAnimationFrame(() => this.#scroll());
    }
    this.#sayWhetherInSight();
  }

  #scroll() {
    const list = find("list");
    const row = list.querySelector("[aria-current]") ?? list.firstElementChild;
    if (row) list.scrollTop = row.offsetTop - (list.clientHeight - row.offsetHeight) / 2;
  }

  #sayWhetherInSight() {
    const row = find("list").querySelector("[aria-current]");
    const [seen, place] = [find("list").getBoundingClientRect(), row?.getBoundingClientRect()];
    find("back").hidden = !place || (place.bottom > seen.top && place.top < seen.bottom);
  }
}

const textsOf = (title, languages) => {
  const texts = languages.filter((language) => title.texts[language]);
  return texts.length === 0 ? [make("span", { class: "faint", text: "(empty)" })]
    : texts.map((language) => showTitle(make("span"), title.texts[language], language));
};
