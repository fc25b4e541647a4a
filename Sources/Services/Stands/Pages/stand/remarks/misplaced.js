// Remarks whose place is not to be trusted: drawn while the page had another size than its own.
import { whole } from "./geometry.js";
import { courseOf } from "./picture.js";

const tolerance = 0.01; // of the page's proportions

/** True if a remark may not stand where its author's pen was. `ratio` is the page's height to its width.
 *
 * A remark says the width and height of the page it was drawn on (`paper`). Older ones say nothing; a stroke of theirs
 * that was pressed flat lies with most of its points on the page's lower edge, where no hand draws. */
export function mayBeMisplaced(remark, ratio) {
  if (remark.paper) {
    const [width, height] = remark.paper;
    return Math.abs(height / width / ratio - 1) > tolerance;
  }
  const course = courseOf(remark);
  if (!course) return false;
  let low = 0;
  for (let at = 1; at < course.length; at += 2) if (remark.anchor[1] + course[at] >= whole) low += 1;
  return low * 4 >= course.length; // half of the points, each an x and a y
}
