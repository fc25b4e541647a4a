// The parts of a concert's content that both the audience page and the editor show.

/** The slide that is right while a played measure sounds: the last that has begun, never a later one; -1 before. */
export function slideAt(track, played) {
  let best = -1;
  track?.slides.forEach((slide, index) => {
    // A slide on a measure that is never played is never shown live.
    if (!Number.isInteger(slide.played) || slide.played > played) return;
    if (best < 0 || track.slides[best].played <= slide.played) best = index;
  });
  return best;
}

/** A section's colour, `70,130,180` or a colour name, as styles write it; a quiet grey where it is neither. */
export function colourOf(text) {
  const numbers = /^\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*$/.exec(text ?? "");
  if (numbers) return `rgb(${numbers.slice(1).join(" ")})`;
  return text && CSS.supports("color", text) && !/[(;]/.test(text) ? text : "slategray";
}
