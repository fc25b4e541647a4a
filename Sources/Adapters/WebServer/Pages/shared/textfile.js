// The text of a file that a person chose: UTF-8 or UTF-16, as the server's own readers take it.

/** The encoding of some bytes; without a mark, UTF-16 is known by a first character of ASCII. */
function encodingOf(bytes) {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first && second === 0 && third && fourth === 0) return "utf-16le";
  if (first === 0 && second && third === 0 && fourth) return "utf-16be";
  return "utf-8";
}

/** The text of a file, without its byte order mark. Throws if it is neither, because letters would be lost silently. */
export async function readText(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`“${file.name}” is neither UTF-8 nor UTF-16 text; save it with one of these encodings.`);
  }
}
