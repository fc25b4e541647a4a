// The signs put with one tap. Each is drawn in a square of 1,000 around its middle, y downwards, and as high as its
// ink is wide. Pages printed on the server draw the same paths (ScorePages, StampDrawing.swift): change both.

const dot = (x, y, width) => ({ d: `M${x} ${y}L${x} ${y}`, width });
const line = (width, d) => ({ d, width });
const lens = (x) =>
  `M${x - 200} 60C${x - 200} -51 ${x - 111} -140 ${x} -140C${x + 111} -140 ${x + 200} -51 ${x + 200} 60`
  + `C${x + 200} 171 ${x + 111} 260 ${x} 260C${x - 111} 260 ${x - 200} 171 ${x - 200} 60Z`;
/** Letters in the slant of printed dynamics: `size` is their height in the square, `x` their middle. */
const letters = (text, size, half, x = 0) => ({ letters: { text, size, x }, half: [half, 420] });

/**
 * name (as a room calls it), title, what is stroked (lines), filled (fills) or written (letters), half width and
 * height.
 */
export const stamps = [
  { name: "down-bow", title: "Down-bow", half: [420, 460], lines: [line(80, "M-360 440L-360 -400L360 -400L360 440")],
    fills: ["M-360 -400L360 -400L360 -110L-360 -110Z"] },
  { name: "up-bow", title: "Up-bow", half: [340, 520], lines: [line(85, "M-280 -480L0 480L280 -480")] },
  { name: "slur", title: "Slur", half: [900, 260], lines: [line(20, "M-900 240C-500 -260 500 -260 900 240")],
    fills: ["M-900 240C-500 -260 500 -260 900 240C500 -140 -500 -140 -900 240Z"] },
  { name: "pizzicato", title: "Pizzicato", ...letters("pizz.", 720, 980) },
  { name: "arco", title: "Arco", ...letters("arco", 720, 920) },
  { name: "mute", title: "With mute", ...letters("con sord.", 720, 1920) },
  { name: "breath", title: "Breath", half: [220, 420],
    fills: ["M-60 -330C60 -400 190 -310 170 -130C150 80 20 260 -130 360C-20 220 50 80 40 -30C-60 0 -150 -70 -150 " +
      "-170C-150 -250 -110 -300 -60 -330Z"] },
  { name: "caesura", title: "Caesura", half: [380, 520],
    lines: [line(80, "M-310 480L-30 -480"), line(80, "M30 480L310 -480")] },
  { name: "fermata", title: "Fermata", half: [520, 360],
    fills: ["M-500 240C-500 -480 500 -480 500 240L450 240C410 -290 -410 -290 -450 240Z"], lines: [dot(0, 130, 190)] },
  { name: "accent", title: "Accent", half: [500, 280], lines: [line(80, "M-450 -230L450 0L-450 230")] },
  { name: "staccato", title: "Staccato", half: [220, 220], lines: [dot(0, 0, 260)] },
  { name: "tenuto", title: "Tenuto", half: [480, 160], lines: [line(110, "M-420 0L420 0")] },
  { name: "marcato", title: "Marcato", half: [340, 440], lines: [line(95, "M-260 380L0 -390L260 380")] },
  { name: "trill", title: "Trill", half: [800, 440],
    lines: [line(75,
      "M-120 30C-60 -110 20 -110 90 0C160 110 240 110 310 0C380 -110 460 -110 530 0C600 110 670 110 740 -10")],
    letters: { text: "tr", size: 860, x: -430 } },
  { name: "pp", title: "Pianissimo", ...letters("pp", 1000, 720) },
  { name: "p", title: "Piano", ...letters("p", 1000, 380) },
  { name: "mp", title: "Mezzopiano", ...letters("mp", 1000, 880) },
  { name: "mf", title: "Mezzoforte", ...letters("mf", 1000, 800) },
  { name: "f", title: "Forte", ...letters("f", 1000, 320) },
  { name: "ff", title: "Fortissimo", ...letters("ff", 1000, 560) },
  { name: "sfz", title: "Sforzato", ...letters("sfz", 1000, 820) },
  { name: "crescendo", title: "Crescendo", half: [1000, 320], lines: [line(60, "M950 -280L-950 0L950 280")] },
  { name: "diminuendo", title: "Diminuendo", half: [1000, 320], lines: [line(60, "M-950 -280L950 0L-950 280")] },
  { name: "sharp", title: "Sharp", half: [330, 540],
    lines: [line(60, "M-120 -400L-120 500"), line(60, "M120 -500L120 400"), line(125, "M-240 -100L240 -200"),
      line(125, "M-240 200L240 100")] },
  { name: "flat", title: "Flat", half: [280, 580], lines: [line(60, "M-190 -560L-190 420")],
    fills: ["M-190 -20C-60 -150 230 -160 230 50C230 210 20 320 -190 450L-190 340C-50 250 90 160 90 60C90 -60 -70 -40 " +
      "-190 90Z"] },
  { name: "natural", title: "Natural", half: [280, 580],
    lines: [line(60, "M-170 -520L-170 230"), line(60, "M170 -230L170 520"), line(125, "M-140 -140L140 -210"),
      line(125, "M-140 210L140 140")] },
  { name: "glasses", title: "Glasses: look up", half: [620, 320],
    lines: [line(75, lens(-270)), line(75, lens(270)), line(75, "M-70 30C-40 -40 40 -40 70 30"),
      line(75, "M-470 30L-570 -190"), line(75, "M470 30L570 -190")] },
  { name: "attention", title: "Attention", half: [560, 500],
    lines: [line(80, "M0 -430L500 400L-500 400Z"), line(100, "M0 -150L0 130"), dot(0, 270, 110)] },
];

const byName = new Map(stamps.map((stamp) => [stamp.name, stamp]));

/** A stamp of a newer version than this page's is shown as one that calls for attention. */
export const stampNamed = (name) => byName.get(name) ?? byName.get("attention");
