// One slide as it is read: the first sentence large, the rest quieter, pictures with captions, words explained.
import { make } from "./dom.js";

/** The parts of a slide as elements; `missing` stands in the place of a picture that does not come. */
export function slideParts(slide, missing) {
  let leads = true;
  return slide.parts.flatMap((part, index) => {
    if (part.image) {
      return [pictureOf(part.image, part.caption, missing)];
    }
    const text = part.text ?? "";
    const links = (slide.links ?? []).filter((link) => link.part === index).sort((a, b) => a.start - b.start);
    const cut = leads ? leadLength(text) : 0;
    const pieces = [];
    if (cut > 0) pieces.push(make("p", { class: "lead", dir: "auto" }, ...linked(text, 0, cut, links)));
    if (cut < text.length) {
      pieces.push(make("p", { class: "rest", dir: "auto" }, ...linked(text, cut, text.length, links)));
    }
    leads = false;
    return pieces;
  });
}

/** A picture and its caption. In the place of a picture that does not come stands its caption, or else `missing`. */
export function pictureOf(address, caption, missing) {
  const gone = ({ target }) => {
    target.remove();
    figure.dataset.missing = "true";
    if (!caption) figure.append(make("figcaption", { text: missing }));
  };
  const figure = make("figure", { class: "picture" },
    make("img", { src: address, alt: "", decoding: "async", onerror: gone }),
    caption ? make("figcaption", { dir: "auto", text: caption }) : null);
  return figure;
}

const longestLead = 130; // characters; a longer sentence set large would fill a phone

/** The length of a text's first sentence in UTF-16 units; the whole text if it is short. */
export function leadLength(text) {
  if (text.length <= 70) return text.length;
  for (const end of sentenceEnds(text)) {
    // “No. 1” ends no sentence, and “Darker:” is none.
    if (/(?:^|\s)[\p{L}\d]{1,3}\.\s*$/u.test(text.slice(0, end))) continue;
    if (end > longestLead) break;
    return end;
  }
  return text.length <= longestLead + 50 ? text.length : 0;
}

function* sentenceEnds(text) {
  const ends = /[.!?…]["”’»)]*\s+/g;
  for (let match = ends.exec(text); match; match = ends.exec(text)) yield match.index + match[0].length;
  yield text.length;
}

function linked(text, from, to, links) {
  const nodes = [];
  let at = from;
  for (const link of links) {
    const end = link.start + link.length;
    if (link.start < at || end > to || !(link.length > 0)) continue;
    nodes.push(text.slice(at, link.start));
    nodes.push(make("a",
      { class: "word", href: `#/words/${link.item}`, "data-item": link.item, text: text.slice(link.start, end) }));
    at = end;
  }
  nodes.push(text.slice(at, to).trimEnd());
  return nodes.filter((node) => node !== "");
}
