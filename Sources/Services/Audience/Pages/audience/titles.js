// The title that the screens of the hall show, in this listener's language. Loaded when the hall first allows it.
import { find, make, mark } from "/shared/dom.js";
import { showTitle } from "/shared/titletext.js";
import { languageName } from "./tracksheet.js";
import { say } from "./words.js";

const gap = 20_000; // ms without a title after which its room is given back

const primary = (tag) => (tag ?? "").split("-")[0].toLowerCase();

/** The language in which a listener reads: the chosen one, else that of the page, else the list's first. */
export function titleLanguage(languages, { titleLanguage: chosen, language }) {
  return languages.find((tag) => tag === chosen) ?? languages.find((tag) => tag === language)
    ?? languages.find((tag) => primary(tag) === primary(language)) ?? languages[0] ?? "";
}

/** The text in that language, else in the first one that the title has; empty without a title. */
export function titleText({ languages, texts }, settings) {
  const wanted = titleLanguage(languages, settings);
  const tag = [wanted, ...languages].find((other) => texts[other]);
  return { text: tag === undefined ? "" : texts[tag], language: tag ?? "" };
}

export class Titles {
  #settings;
  #title = null;
  #choice = make("select", { id: "title-language" });
  #words = make("p", { id: "title-words", "aria-live": "polite" });
  #offered = "";
  #shown = " "; // the language and the text
  #leaving = 0; // the timer that gives the room back

  constructor(settings) {
    this.#settings = settings;
    this.#choice.addEventListener("change", () => settings.set({ titleLanguage: this.#choice.value }));
    find("title").append(this.#words, this.#choice);
    settings.onChange(() => this.#draw());
  }

  /** Shows the title; null if the hall shows none on phones. */
  show(title) {
    this.#title = title;
    this.#draw();
  }

  #draw() {
    const title = this.#title;
    mark(find("title"), "aria-label", say("surtitles"));
    if (title === null) return this.#giveRoomBack();
    this.#offer(title.languages);
    const { text, language } = titleText(title, this.#settings.values);
    this.#takeRoom(text !== "");
    if (this.#shown === `${language} ${text}`) return;
    this.#shown = `${language} ${text}`;
    showTitle(this.#words, text, language);
  }

  /** The first title takes room; a gap between two keeps it, so that the slide above does not move at each. */
  #takeRoom(hasText) {
    if (hasText) {
      this.#giveRoomBack();
      find("title").hidden = false;
    } else if (this.#leaving === 0 && !find("title").hidden) {
      this.#leaving = setTimeout(() => this.#giveRoomBack(), gap);
    }
  }

  #giveRoomBack() {
    clearTimeout(this.#leaving);
    this.#leaving = 0;
    find("title").hidden = true;
  }

  #offer(languages) {
    const key = languages.join();
    if (key !== this.#offered) {
      this.#offered = key;
      this.#choice.replaceChildren(...languages.map((tag) => make("option",
        { value: tag, lang: tag || null, text: tag ? languageName(tag) : say("original") })));
    }
    this.#choice.hidden = languages.length < 2;
    mark(this.#choice, "aria-label", say("surtitleLanguage"));
    this.#choice.value = titleLanguage(languages, this.#settings.values);
  }
}
