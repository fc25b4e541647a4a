// Tells the ink of a system from that of the systems above and below it, which share the paper between them.
// Calculation only, but for `withoutForeign`.

const dark = 150; // of 255
const mostColumns = 800; // of the picture that is looked at
const edge = 2; // pixels of grey around ink
const near = 3; // pixels within which ink is one thing: the letters of a word, a dot and its note

/** The shapes of a picture: for each pixel the number of its shape from 1, 0 for paper; and their number. Pixels within
    `reach` of each other are one shape. Joins rows of ink, not pixels: the time grows with the rows of ink alone. */
function shapesOf(isInk, { width, height }, reach) {
  const runs = []; // row, first and last column, one after the other
  const parent = [];
  const root = (run) => {
    let top = run;
    while (parent[top] !== top) top = parent[top] = parent[parent[top]];
    return top;
  };
  const firstOf = []; // of each row, its first run
  for (let row = 0; row < height; row += 1) {
    firstOf.push(parent.length);
    let end = -1;
    for (let column = 0; column < width; column += 1) {
      if (!isInk(row * width + column)) continue;
      if (end >= 0 && column - end <= reach) runs[runs.length - 1] = column;
      else {
        parent.push(parent.length);
        runs.push(row, column, column);
      }
      end = column;
    }
    joinAbove(row);
  }
  firstOf.push(parent.length);

  /** Joins the runs of a row with those of the rows above within reach. */
  function joinAbove(row) {
    const ends = parent.length;
    for (let other = Math.max(row - reach, 0); other < row; other += 1) {
      let above = firstOf[other];
      const last = firstOf[other + 1];
      for (let run = firstOf[row]; run < ends; run += 1) {
        const [left, right] = [runs[3 * run + 1] - reach, runs[3 * run + 2] + reach];
        while (above < last && runs[3 * above + 2] < left) above += 1;
        for (let at = above; at < last && runs[3 * at + 1] <= right; at += 1) {
          const [one, two] = [root(run), root(at)];
          if (one !== two) parent[Math.max(one, two)] = Math.min(one, two);
        }
      }
    }
  }

  const shapes = new Uint32Array(width * height);
  const numbers = new Uint32Array(parent.length);
  let count = 0;
  for (let run = 0; run < parent.length; run += 1) {
    const top = root(run);
    if (numbers[top] === 0) numbers[top] = count += 1;
    const [row, left, right] = [runs[3 * run], runs[3 * run + 1], runs[3 * run + 2]];
    for (let at = row * width + left; at <= row * width + right; at += 1) if (isInk(at)) shapes[at] = numbers[top];
  }
  return { shapes, count };
}

/** The pixels of other systems: `[index]`. `ink` holds 1 for ink, row by row; `own` and the neighbours `above` and
    `below` (null without one) are `[top, bottom]`, in pixels. Ink that touches a system is that system's; what touches
    none is of the system on whose side of the middle more of it lies. */
export function foreignInk(ink, { width, height }, { own, above, below }) {
  const ends = [above ? (above[1] + own[0]) / 2 : -1, below ? (own[1] + below[0]) / 2 : height];
  const foreign = [];
  const judge = (isInk, reach, isLast) => {
    const { shapes, count } = shapesOf(isInk, { width, height }, reach);
    const facts = Array.from({ length: count + 1 }, () => ({ own: false, other: false, beyond: 0, all: 0 }));
    for (let at = 0; at < shapes.length; at += 1) {
      if (shapes[at] === 0) continue;
      const y = Math.floor(at / width);
      const fact = facts[shapes[at]];
      fact.all += 1;
      if (y < ends[0] || y > ends[1]) fact.beyond += 1;
      if (y >= own[0] && y <= own[1]) fact.own = true;
      if ((above && y <= above[1]) || (below && y >= below[0])) fact.other = true;
    }
    const unsure = new Uint8Array(shapes.length);
    let hasUnsure = false;
    for (let at = 0; at < shapes.length; at += 1) {
      const fact = facts[shapes[at]];
      if (shapes[at] === 0 || (fact.own && !fact.other)) continue;
      const y = Math.floor(at / width);
      if (!fact.own) {
        if (fact.other || fact.beyond * 2 > fact.all) foreign.push(at);
      } else if (!isLast) {
        hasUnsure = true;
        unsure[at] = 1;
      } else if (y < ends[0] || y > ends[1]) foreign.push(at);
    }
    // What joins two systems may be two things that lie close together.
    if (hasUnsure) judge((at) => unsure[at] === 1, 1, true);
  };
  judge((at) => ink[at] === 1, near, false);
  return foreign;
}

/** The value in the middle of all counted ones: that of the paper itself, not of the grey edges of ink. */
export function middleOf(counts) {
  const half = counts.reduce((sum, count) => sum + count, 0) / 2;
  let [value, below] = [0, counts[0]];
  while (below < half) below += counts[value += 1];
  return value;
}

/** Takes the ink of the neighbours out of a row of music. `canvas` shows the page from `span[0]` to `span[1]`, in
    shares of its height, as are the systems. */
export function withoutForeign(canvas, [top, bottom], { own, above, below }) {
  const width = Math.min(canvas.width, mostColumns);
  const height = Math.max(Math.round((canvas.height * width) / canvas.width), 1);
  const small = document.createElement("canvas");
  Object.assign(small, { width, height });
  const brush = small.getContext("2d", { willReadFrequently: true });
  brush.drawImage(canvas, 0, 0, width, height);
  const { data } = brush.getImageData(0, 0, width, height);
  const ink = new Uint8Array(width * height);
  const paper = [0, 1, 2].map(() => new Uint32Array(256)); // of each channel, how many pixels have which value
  for (let at = 0; at < ink.length; at += 1) {
    const [red, green, blue] = [data[at * 4], data[at * 4 + 1], data[at * 4 + 2]];
    if (Math.min(red, green, blue) < dark) ink[at] = 1;
    else {
      paper[0][red] += 1;
      paper[1][green] += 1;
      paper[2][blue] += 1;
    }
  }
  const rows = (system) => system?.map((share) => ((share - top) / (bottom - top)) * height) ?? null;
  const foreign = foreignInk(ink, { width, height }, { own: rows(own), above: rows(above), below: rows(below) });
  if (foreign.length === 0) return;
  const isForeign = new Uint8Array(ink.length);
  for (const at of foreign) isForeign[at] = 1;
  // With the grey edge around it, unless that is the row's own ink.
  const isCleared = new Uint8Array(ink.length);
  for (const at of foreign) {
    const [x, y] = [at % width, Math.floor(at / width)];
    for (let row = Math.max(y - edge, 0); row <= Math.min(y + edge, height - 1); row += 1) {
      for (let column = Math.max(x - edge, 0); column <= Math.min(x + edge, width - 1); column += 1) {
        const next = row * width + column;
        if (ink[next] === 0 || isForeign[next]) isCleared[next] = 1;
      }
    }
  }
  const fresh = canvas.getContext("2d");
  fresh.fillStyle = `rgb(${paper.map(middleOf).join(" ")})`;
  const [across, down] = [canvas.width / width, canvas.height / height];
  for (let at = 0; at < isCleared.length; at += 1) {
    if (isCleared[at] === 0) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    let end = x + 1;
    while (end < width && isCleared[y * width + end]) end += 1;
    const [left, upper] = [Math.floor(x * across), Math.floor(y * down)];
    fresh.fillRect(left, upper, Math.ceil(end * across) - left, Math.ceil((y + 1) * down) - upper);
    at = y * width + end - 1;
  }
}
