// The arrangement of pages on a stand: alone or two and two. It computes as PageView.swift does.

export const facings = ["single", "pages", "book"];

/** The sheet a page is on: the page itself, or the left one of two (-1 where a book's first lies on the right). */
export function sheetOf(page, facing) {
  if (facing === "pages") return page - mod(page, 2);
  if (facing === "book") return page - mod(page + 1, 2);
  return page;
}

export const spanOf = (facing) => (facing === "single" ? 1 : 2);

/** The sheet a page is on, kept within a part of `count` pages. */
export function keptSheet(page, facing, count) {
  return sheetOf(Math.min(Math.max(page, 0), count - 1), facing);
}

/** The view that follows one press. */
export function pressed(view, direction, { facing, count, byHalves = false }) {
  const span = spanOf(facing);
  const last = sheetOf(count - 1, facing);
  const first = sheetOf(0, facing);
  if (direction === "forward") {
    // Forward is where the upper half is ahead already: after a repeat's end that may be an earlier page.
    if (view.ahead !== null && view.ahead !== undefined) return { page: view.ahead, ahead: null };
    const next = Math.min(view.page + span, last);
    return byHalves && next !== view.page ? { page: view.page, ahead: next } : { page: next, ahead: null };
  }
  if (byHalves && view.ahead !== null && view.ahead !== undefined) return { page: view.page, ahead: null };
  return { page: Math.max(view.page - span, first), ahead: null };
}

/** Pages worth having ready, the most likely first. */
export function likely(view, facing, count) {
  const span = spanOf(facing);
  const wanted = [];
  const sheets = [view.page, view.ahead, view.page + span, view.page - span, view.page + 2 * span];
  for (const sheet of sheets) {
    if (sheet === null || sheet === undefined) continue;
    for (let page = sheet; page < sheet + span; page += 1) {
      if (page >= 0 && page < count && !wanted.includes(page)) wanted.push(page);
    }
  }
  return wanted;
}

const mod = (value, by) => ((value % by) + by) % by;
