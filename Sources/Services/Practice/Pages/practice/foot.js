// Messages stand above the keys and the transport: the style sheet is told how high these are.
import { find } from "/shared/dom.js";

export function tellFoot() {
  const parts = ["palette", "playing"].map(find);
  const tell = () => {
    const height = parts.reduce((sum, part) => sum + part.offsetHeight, 0);
    document.documentElement.style.setProperty("--foot", `${height}px`);
  };
  const watcher = new ResizeObserver(tell);
  for (const part of parts) watcher.observe(part);
}
