// The few ways this project touches a page. Text always goes in as text, never as markup.

/**
 * The element with this id; a missing one is a mistake in the page and says so at once.
 * @param {string} id
 * @returns {any} whoever wrote the page knows which element has the id
 */
export function find(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element “${id}”.`);
  return element;
}

const painted = new WeakMap();

/** Writes text only where it differs, so that an unchanged value costs no layout. */
export function write(element, text) {
  const value = String(text);
  if (painted.get(element) === value) return;
  painted.set(element, value);
  element.textContent = value;
}

/** Sets, or with null or false removes, an attribute where it differs. */
export function mark(element, name, value) {
  const text = value === null || value === false || value === undefined ? null : String(value);
  if (element.getAttribute(name) === text) return;
  if (text === null) element.removeAttribute(name);
  else element.setAttribute(name, text);
}

/**
 * Makes an element: `make("p", { class: "x", text: "hello", onclick: f }, child, …)`.
 * @template {string} Name
 * @param {Name} name
 * @param {Record<string, any>} [traits]
 * @param {...(Node | string | null)} children
 * @returns {Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement}
 */
export function make(name, traits = {}, ...children) {
  /** @type {any} */
  const element = document.createElement(name);
  for (const [trait, value] of Object.entries(traits)) {
    if (value === null || value === undefined || value === false) continue;
    if (trait === "text") element.textContent = value;
    else if (trait.startsWith("on")) element.addEventListener(trait.slice(2), value);
    else if (trait === "value") element.value = value;
    else if (trait === "checked") element.checked = Boolean(value);
    else element.setAttribute(trait, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const svgSpace = "http://www.w3.org/2000/svg";

/**
 * Makes an SVG element with attributes.
 * @template {string} Name
 * @param {Name} name
 * @param {Record<string, any>} [traits]
 * @param {...(Node | string)} children
 * @returns {Name extends keyof SVGElementTagNameMap ? SVGElementTagNameMap[Name] : SVGElement}
 */
export function draw(name, traits = {}, ...children) {
  /** @type {any} */
  const element = document.createElementNS(svgSpace, name);
  for (const [trait, value] of Object.entries(traits)) {
    if (trait === "text") element.textContent = value;
    else if (value !== null && value !== undefined) element.setAttribute(trait, value);
  }
  element.append(...children);
  return element;
}

/** One sign from icons.svg; decoration only, hidden from screen readers. */
export function icon(name) {
  const use = draw("use", { href: `/shared/icons.svg#${name}` });
  return draw("svg", { class: "icon", "aria-hidden": "true" }, use);
}
