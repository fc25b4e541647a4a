// The choice of a piece to read, and of its language.
import { languagesOf } from "./concert.js";
import { choices, openSheet } from "./sheets.js";
import { say } from "./words.js";

/** A language named in itself: Deutsch, English. */
export function languageName(tag) {
  try {
    const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag);
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return tag;
  }
}

export function languageChoice(hall, settings, after) {
  const offered = languagesOf(hall.concert);
  if (offered.length < 2) return null;
  const chosen = offered.find((tag) => tag.split("-")[0] === settings.values.language?.split("-")[0])
    ?? hall.track?.language;
  return choices("language", say("language"), offered.map((tag) => [tag, languageName(tag), null, tag]), chosen,
    (language) => {
      settings.set({ language });
      after();
    });
}

export function openTracks(hall, settings) {
  const fill = (body) => {
    const { piece, track } = hall;
    const same = piece?.tracks.filter((other) => (other.language ?? null) === (track?.language ?? null)) ?? [];
    body.replaceChildren(...[
      choices("track", say("track"),
        same.map((other) => [other.name, other.name, other.level ? say(other.level) : "", other.language]), track?.name,
        (name) => {
          const { subject = null, level = null } = same.find((other) => other.name === name);
          settings.set({ track: name, subject, level, ...(track.language && { language: track.language }) });
        }),
      languageChoice(hall, settings, () => {
        fill(body);
        body.querySelector("input[name=language]:checked")?.focus();
      }),
    ].filter(Boolean));
  };
  openSheet("tracks", say("tracks"), fill);
}
