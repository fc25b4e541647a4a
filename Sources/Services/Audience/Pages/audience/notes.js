// The programme notes in the page's own look: headings, paragraphs, lists, bold words, rules, as the PDF has them.
import { find, make } from "/shared/dom.js";
import { say } from "./words.js";

let shown = null; // the address whose text is shown
let asked = null; // the address that is being loaded

/** Shows the notes of the concert, loaded once. */
export async function showNotes(concert) {
  const { programNotesText: address, programNotes: pdf } = concert ?? {};
  if (!address || address === shown || address === asked) return;
  asked = address;
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    find("notes-text").replaceChildren(...blocks(await answer.text()), ...pdfLink(pdf));
    shown = address;
  } catch {
    // Tried again when the listener comes back.
    find("notes-text").replaceChildren(make("p", { class: "hint", text: say("notesMissing") }), ...pdfLink(pdf));
  }
  asked = null;
}

const pdfLink = (address) => address
  ? [make("p", { class: "as-pdf" },
    make("a", { class: "button", href: address, target: "_blank", rel: "noopener", text: say("notesBright") }))] : [];

/** The elements of a text in which `#` begins a heading, `-` an item, `---` is a rule and `**` marks bold words. */
export function blocks(text) {
  const elements = [];
  let [paragraph, list] = [[], null];
  const finish = (keepsList = false) => {
    if (paragraph.length) elements.push(make("p", {}, ...runs(paragraph.join(" "))));
    paragraph = [];
    if (!keepsList) list = null;
  };
  for (const row of text.split(/\r\n|\r|\n/)) {
    const words = row.trim();
    const heading = /^(#+)\s*(.*)$/.exec(words);
    const item = /^[-*]\s+(.*)$/.exec(words);
    if (words === "") finish();
    else if (heading) {
      finish();
      elements.push(make(heading[1].length === 1 ? "h2" : "h3", {}, ...runs(heading[2])));
    } else if (words.startsWith("---")) {
      finish();
      elements.push(make("hr"));
    } else if (item) {
      finish(true);
      if (!list) elements.push(list = make("ul"));
      list.append(make("li", {}, ...runs(item[1])));
    } else paragraph.push(words);
  }
  finish();
  return elements;
}

/** Every second run between `**` is bold. */
const runs = (text) => text.split("**").map((run, index) => (index % 2 ? make("strong", { text: run }) : run))
  .filter((run) => run !== "");
