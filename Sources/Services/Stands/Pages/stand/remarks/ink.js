// Colours: as they are stored, by name, and as they look on inverted paper.

export const colours = [
  { name: "Blue", value: "#1a4fd6" }, { name: "Red", value: "#c8191e" }, { name: "Pencil", value: "#2b2b33" },
  { name: "Green", value: "#0b7a3e" }, { name: "Violet", value: "#7a2bbf" }, { name: "Orange", value: "#d96500" },
  { name: "Yellow", value: "#ffd21f" }, { name: "Pink", value: "#ff7ab8" },
];

const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const curved = (part) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

/** The colour with the same hue that stands out from black as well as it does from white; worked out in Oklab. */
export function inverted(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  // Ink is lifted, so that the darkest becomes the lightest; what is light already stays so.
  const lifted = Math.max(lightness, 1 - lightness * 0.45);
  const [u, v, w] = [
    lifted + 0.3963377774 * a + 0.2158037573 * c,
    lifted - 0.1055613458 * a - 0.0638541728 * c,
    lifted - 0.0894841775 * a - 1.291485548 * c,
  ].map((part) => part ** 3);
  return "#" + [
    4.0767416621 * u - 3.3077115913 * v + 0.2309699292 * w,
    -1.2684380046 * u + 2.6097574011 * v - 0.3413193965 * w,
    -0.0041960863 * u - 0.7034186147 * v + 1.707614701 * w,
  ].map((part) => Math.round(255 * curved(Math.min(1, Math.max(0, part)))).toString(16).padStart(2, "0")).join("");
}

/**
 * True if remarks over a page have black paper below: the page is dark, and they are not inverted along with it by
 * a filter around both.
 */
export function isOnBlack(element) {
  const dark = element.closest('[data-paper="dark"], [data-paper="inverted"]');
  if (!dark) return false;
  for (let each = element; each; each = each.parentElement) {
    if (getComputedStyle(each).filter.includes("invert")) return false;
  }
  return true;
}
