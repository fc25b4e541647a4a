// Videos of a concert, found at an outside source; their links go into the form of the concert.
import { make } from "/shared/dom.js";
import { offered, sourceSection } from "./outside.js";

/** The words of the first search: the works, the performers, the year. */
function usualWords({ elements }) {
  const [work] = elements.works.value.split("\n");
  return [elements.title.value, elements.ensemble.value, work, elements.date.value.slice(0, 4)]
    .map((text) => text.trim()).filter(Boolean).join(" ").slice(0, 200);
}

/** The section that finds videos for a form; null if no source is configured or nobody is signed in. */
async function videoSection(form) {
  const [source] = (await offered()).videos ?? [];
  if (!source) return null;
  const words = make("input", { name: "video-words", type: "search", maxlength: "200", autocomplete: "off",
    placeholder: usualWords(form) });
  const take = (found) => make("button", { type: "button", class: "primary", text: "Take the link",
    onclick: ({ currentTarget }) => {
      const { recordings } = form.elements;
      const links = recordings.value.split("\n").map((line) => line.trim()).filter(Boolean);
      if (!links.includes(found.link)) recordings.value = [...links, found.link].join("\n");
      recordings.closest("details").open = true;
      currentTarget.disabled = true;
      currentTarget.textContent = "Taken; save the concert";
    } });
  return sourceSection({ source, kind: "videos", word: `Find on ${source}`,
    fields: [make("label", { class: "across" }, "Look for", words)],
    wanted: () => {
      const text = words.value.trim() || usualWords(form);
      return text ? { words: text } : null;
    }, actions: (found) => [take(found)] });
}

/** Adds that section below a form, once it is known whether there is a source. */
export async function offerVideos(view, form) {
  const section = await videoSection(form);
  if (section && !view.isGone && form.isConnected) form.after(section);
}
