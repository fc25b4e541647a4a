// Lists that change without being built anew, so that focus, caret and scrolling stay where they are.

/**
 * Makes the children of `parent` those of `items`, in order. `key` names an item, `make(item)` gives
 * `{element, update(item, index)}`. Rows that stay are kept and moved only where the order changed.
 */
export function keyed(parent, items, key, make) {
  const rows = (parent.keyedRows ??= new Map());
  const wanted = new Set(items.map(key));
  for (const [name, row] of rows) {
    if (wanted.has(name)) continue;
    row.element.remove();
    row.gone?.();
    rows.delete(name);
  }
  let before = null; // the row that should stand in front
  items.forEach((item, index) => {
    const name = key(item);
    if (!rows.has(name)) rows.set(name, make(item));
    const row = rows.get(name);
    const next = before ? before.nextSibling : parent.firstChild;
    if (next !== row.element) moveKeepingFocus(parent, row.element, next);
    before = row.element;
    row.update(item, index);
  });
  return rows;
}

/** Taking an element out of the page takes its focus away; it gets it back. */
function moveKeepingFocus(parent, element, next) {
  const active = document.activeElement;
  const had = active && active !== document.body && element.contains(active) ? active : null;
  parent.insertBefore(element, next);
  if (had && document.activeElement !== had) had.focus({ preventScroll: true });
}
