// The names of remarks for screen readers.
import { stampNamed } from "./stamps.js";

/** Of what kind it is, and what it says. */
function kindOf({ shape }) {
  if (shape.highlight) return "Highlight";
  if (shape.line) return "Line";
  if (shape.text !== undefined) return `Text “${shape.text}”`;
  return stampNamed(shape.stamp).title;
}

/** Kind, author, layer, whether it is on its way, and where it stands. */
export function sentenceFor(remark, { author, layer, isUndelivered, isUnsure = false }) {
  const [x, y] = remark.anchor.map((part) => Math.round(part / 100));
  const parts = [kindOf(remark), `by ${author}`, layer];
  if (isUndelivered) parts.push("not sent yet");
  if (isUnsure) parts.push("perhaps not where it was drawn");
  parts.push(`${x} percent from the left, ${y} percent from the top`);
  return parts.join(", ");
}
