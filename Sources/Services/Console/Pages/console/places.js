// Writes a place for the server: `57`, `57/2`, a section's label, `p:60`.

/** A section's label as a place; one that reads like a number or a played index says that it is a label. */
export const sectionPlace = (label) => (/^(\d|[ps]:)/.test(label) ? `s:${label}` : label);

/** The typed place, with a section's label spelled as the score spells it: “c” is section “C”. */
export function placeOf(typed, sections = []) {
  const text = typed.trim();
  if (/^\d+(\/\d+)?$/.test(text) || sections.some(({ label }) => label === text)) return text;
  const alike = sections.filter(({ label }) => label.toLowerCase() === text.toLowerCase());
  return alike.length === 1 ? sectionPlace(alike[0].label) : text;
}
