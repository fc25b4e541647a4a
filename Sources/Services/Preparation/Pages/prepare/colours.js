// The colours of the stage, from the page's style, dark or light.

const names = {
  ground: "--ground", panel: "--panel", raised: "--raised", line: "--line", strong: "--line-strong", ink: "--ink",
  soft: "--ink-soft", faint: "--ink-faint", accent: "--accent", warn: "--warn", good: "--good", bad: "--bad",
  head: "--head", wave: "--wave", bar: "--bar", tap: "--tap",
};

/** The style's colours by name. */
export function stageColours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(Object.entries(names).map(([name, property]) =>
    [name, style.getPropertyValue(property).trim()]));
}

const contrast = 1.8; // above 1 quiet sounds stay in the ground's colour

// From silence to loud, as red, green, blue.
const scales = {
  dark: [[8, 10, 14], [20, 26, 52], [46, 44, 108], [104, 58, 134], [176, 74, 118], [228, 120, 84], [250, 196, 110],
    [255, 246, 214]],
  light: [[251, 251, 250], [231, 238, 244], [196, 215, 232], [146, 184, 216], [96, 142, 190], [66, 94, 152],
    [52, 54, 108], [32, 26, 62]],
};

/** 256 colours for the spectrum, as pixels of an image. */
export function spectrumTable(theme) {
  const scale = scales[theme] ?? scales.dark;
  return Uint32Array.from({ length: 256 }, (_, value) => {
    const at = (value / 255) ** contrast * (scale.length - 1);
    const low = Math.min(Math.floor(at), scale.length - 2);
    const [red, green, blue] = scale[low].map((part, index) => part + (scale[low + 1][index] - part) * (at - low));
    return ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
  });
}
