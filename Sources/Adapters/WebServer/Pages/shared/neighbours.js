// The other pages behind the same door, in `nav.neighbours`: one step away, by the names that the house gives them.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";

/** Fills `nav`; with `isAside` the pages open beside this one, which must stay. */
export async function showNeighbours(nav, isAside = false) {
  try {
    const { pages } = await ask("/api/me");
    const here = location.pathname;
    const door = pages.find(({ path }) => path === here)?.door;
    nav.replaceChildren(...pages.filter((page) => page.door === door && page.path !== here)
      .map(({ path, name, purpose }) => make("a", { href: path, title: purpose, text: name,
        target: isAside || path === "/screen" ? "_blank" : null })));
  } catch {
    // Whoever is not signed in, or not reached, has the mark, which leads to all pages.
  }
}

const own = document.querySelector("nav.neighbours");
if (own) showNeighbours(own);
