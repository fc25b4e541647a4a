// QR codes, byte mode, error correction M, versions 1 to 10 (up to 213 bytes), after ISO/IEC 18004.

// Per version at level M: error correction bytes per block, then [blocks, data bytes] groups.
const blocksOf = [
  null,
  [10, [1, 16]], [16, [1, 28]], [26, [1, 44]], [18, [2, 32]], [24, [2, 43]],
  [16, [4, 27]], [18, [4, 31]], [22, [2, 38], [2, 39]], [22, [3, 36], [2, 37]], [26, [4, 43], [1, 44]],
];
const alignmentOf = [
  null, [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
];

const exponents = new Uint8Array(512);
const logarithms = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  exponents[power] = exponents[power + 255] = value;
  logarithms[value] = power;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}
const times = (a, b) => (a && b ? exponents[logarithms[a] + logarithms[b]] : 0);

/** Reed-Solomon remainder of `data` with `count` bytes. */
function correction(data, count) {
  let generator = [1];
  for (let root = 0; root < count; root += 1) {
    const next = new Array(generator.length + 1).fill(0);
    generator.forEach((factor, place) => {
      next[place] ^= factor;
      next[place + 1] ^= times(factor, exponents[root]);
    });
    generator = next;
  }
  const rest = new Array(count).fill(0);
  for (const byte of data) {
    const lead = byte ^ rest.shift();
    rest.push(0);
    for (let place = 0; place < count; place += 1) rest[place] ^= times(generator[place + 1], lead);
  }
  return rest;
}

const capacity = (version) =>
  blocksOf[version].slice(1).reduce((sum, [blocks, bytes]) => sum + blocks * bytes, 0);

/** All code words in the order they are drawn: data and correction of the blocks, interleaved. */
function codeWords(bytes, version) {
  const room = capacity(version);
  const bits = [];
  const put = (value, width) => {
    for (let at = width - 1; at >= 0; at -= 1) bits.push((value >> at) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let at = 0; at < bits.length; at += 8) data.push(bits.slice(at, at + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);

  const [count, ...groups] = blocksOf[version];
  const blocks = [];
  let from = 0;
  for (const [number, length] of groups) {
    for (let block = 0; block < number; block += 1, from += length) blocks.push(data.slice(from, from + length));
  }
  const corrections = blocks.map((block) => correction(block, count));
  const words = [];
  for (let at = 0; at <= blocks[blocks.length - 1].length; at += 1) {
    for (const block of blocks) if (at < block.length) words.push(block[at]);
  }
  for (let at = 0; at < count; at += 1) for (const block of corrections) words.push(block[at]);
  return words;
}

const masks = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (r, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** A square with finder, timing and alignment patterns; null where data goes. */
function frame(version) {
  const size = 17 + version * 4;
  const grid = Array.from({ length: size }, () => new Array(size).fill(null));
  const square = (row, column, reach, dark) => {
    for (let r = -reach; r <= reach; r += 1) {
      for (let c = -reach; c <= reach; c += 1) {
        if (grid[row + r]?.[column + c] !== undefined) {
          grid[row + r][column + c] = dark(Math.max(Math.abs(r), Math.abs(c)));
        }
      }
    }
  };
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) {
    square(row, column, 4, (distance) => distance !== 2 && distance !== 4);
  }
  for (const row of alignmentOf[version]) {
    for (const column of alignmentOf[version]) {
      if (grid[row][column] === null) square(row, column, 2, (distance) => distance !== 1);
    }
  }
  for (let at = 8; at < size - 8; at += 1) grid[6][at] = grid[at][6] = at % 2 === 0;
  format(grid, 0);
  if (version >= 7) {
    let rest = version;
    for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let at = 0; at < 18; at += 1) {
      const dark = Boolean((bits >> at) & 1);
      grid[Math.floor(at / 3)][size - 11 + (at % 3)] = dark;
      grid[size - 11 + (at % 3)][Math.floor(at / 3)] = dark;
    }
  }
  return grid;
}

/** Draws the format bits (level M is 00) of a mask, twice, and the dark module. */
function format(grid, mask) {
  const size = grid.length;
  let rest = mask;
  for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  for (let at = 0; at < 15; at += 1) {
    const dark = Boolean((bits >> at) & 1);
    if (at < 6) grid[at][8] = dark;
    else if (at < 8) grid[at + 1][8] = dark;
    else if (at === 8) grid[8][7] = dark;
    else grid[8][14 - at] = dark;
    if (at < 8) grid[8][size - 1 - at] = dark;
    else grid[size - 15 + at][8] = dark;
  }
  grid[size - 8][8] = true;
}

/** Lays the code words in zigzag, then applies a mask. */
function fill(empty, words, mask) {
  const size = empty.length;
  const grid = empty.map((row) => row.slice());
  let bit = 0;
  for (let right = size - 1, upward = true; right > 0; right -= 2, upward = !upward) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const row = upward ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (grid[row][column] !== null) continue;
        const dark = Boolean((words[bit >> 3] >> (7 - (bit & 7))) & 1);
        grid[row][column] = dark !== masks[mask](row, column);
        bit += 1;
      }
    }
  }
  format(grid, mask);
  return grid;
}

/** The standard's four penalties: runs, squares, finder look-alikes, imbalance. */
function penalty(grid) {
  const size = grid.length;
  let sum = 0;
  let dark = 0;
  const lookAlike = [[1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1]];
  for (const at of [(i, j) => grid[i][j], (i, j) => grid[j][i]]) {
    for (let i = 0; i < size; i += 1) {
      let run = 0;
      for (let j = 0; j < size; j += 1) {
        run = j > 0 && at(i, j) === at(i, j - 1) ? run + 1 : 1;
        if (run === 5) sum += 3;
        else if (run > 5) sum += 1;
        if (j + 11 <= size) {
          for (const pattern of lookAlike) if (pattern.every((bit, k) => at(i, j + k) === Boolean(bit))) sum += 40;
        }
      }
    }
  }
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j < size; j += 1) {
      if (grid[i][j]) dark += 1;
      if (i && j && grid[i][j] === grid[i - 1][j] && grid[i][j] === grid[i][j - 1]
        && grid[i][j] === grid[i - 1][j - 1]) {
        sum += 3;
      }
    }
  }
  return sum + Math.floor(Math.abs((dark * 100) / (size * size) - 50) / 5) * 10;
}

/**
 * The square of a text as rows of booleans (true is dark), without the quiet zone.
 * Throws where the text has more than 213 bytes of UTF-8. `mask` is chosen by the standard's penalties unless given.
 */
export function qrSquare(text, mask = null) {
  const bytes = new TextEncoder().encode(text);
  let version = 1;
  while (version <= 10 && bytes.length + (version < 10 ? 2 : 3) > capacity(version)) version += 1;
  if (version > 10) throw new RangeError(`${bytes.length} bytes are too many for a QR code; 213 fit.`);
  const words = codeWords(bytes, version);
  const empty = frame(version);
  if (mask !== null) return fill(empty, words, mask);
  const squares = masks.map((_, number) => fill(empty, words, number));
  const scores = squares.map(penalty);
  return squares[scores.indexOf(Math.min(...scores))];
}

/** The dark modules as one SVG path with a quiet zone of four; `size` is the side in modules. */
export function qrPath(text) {
  const grid = qrSquare(text);
  let path = "";
  grid.forEach((row, r) => row.forEach((dark, c) => {
    if (dark) path += `M${c + 4} ${r + 4}h1v1h-1z`;
  }));
  return { path, size: grid.length + 8 };
}
