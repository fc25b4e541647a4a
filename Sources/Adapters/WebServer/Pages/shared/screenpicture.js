// A small picture of what a screen really shows, drawn from the screen's own heartbeat.
import { make } from "./dom.js";
import { showTitle } from "./titletext.js";

/** The trouble of a screen's video, by its report: in two words, and as a sentence that says what to do. */
export const videoTrouble = {
  muted: ["no sound", "The video plays without sound; click once on that screen's page."],
  failed: ["no video", "This screen's browser cannot play the video; send it as MP4 (H.264) or WebM."],
};

/** The same for tonight's films. */
export const filmTrouble = {
  loading: "The film is being loaded.",
  muted: "The film plays without sound; click once on that screen's page.",
  failed: "This screen's browser cannot play the film; make it an MP4 (H.264) or WebM.",
};

/** `1920 × 1080 · First line`, or since when it is silent. */
export function screenWords(screen) {
  const shows = screen.blank !== "none" ? screen.blank : screen.shows || "shows nothing";
  const missing = screen.picture?.missing ?? [];
  const lacks = (missing.length > 0 ? ` · the title has no ${missing.join(", ")}` : "")
    + (videoTrouble[screen.video] ? ` · ${videoTrouble[screen.video][1]}` : "")
    + (filmTrouble[screen.film?.state] ? ` · ${filmTrouble[screen.film?.state]}` : "");
  if (!screen.isHere) return `does not answer for ${age(screen.age)} · last: ${shows}`;
  const isNew = screen.isNew ? "new here, perhaps a stranger’s · " : "";
  const since = screen.age > 0 ? ` · ${age(screen.age)} ago` : "";
  return `${isNew}${screen.width} × ${screen.height}${since} · ${shows}${lacks}`;
}

const age = (seconds) => (seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`);

/** The picture; an empty frame for a screen that does not say what it shows. */
export function screenPicture({ name, width, height, blank, picture, isHere }) {
  const frame = make("div", { class: "screen-picture", role: "img", "data-here": isHere,
    "aria-label": `Picture of the screen ${name}` });
  frame.style.aspectRatio = `${Math.max(width, 1)} / ${Math.max(height, 1)}`;
  if (blank !== "none" || !picture) {
    frame.style.background = blank === "white" ? "#fff" : "#000";
    return frame;
  }
  frame.style.background = `#${picture.ground}`;
  if (picture.slide) frame.append(make("img", { src: picture.slide, alt: "" }));
  if (picture.lines.length > 0) {
    const title = make("div", { class: picture.isTop ? "screen-title top" : "screen-title" },
      ...picture.lines.map((text) => showTitle(make("p"), text)));
    // Thousandths of the screen's height, in hundredths of the picture's.
    title.style.fontSize = `${picture.letters / 10}cqh`;
    frame.append(title);
  }
  return frame;
}
