// The bytes of a large file, of which only a window is held in memory.
const window = 1 << 20; // bytes

export class FileBytes {
  file;
  #from = 0;
  #view = new DataView(new ArrayBuffer(0));

  constructor(file) {
    this.file = file;
  }

  /** A view of `count` bytes from a place on; shorter at the end of the file. */
  async at(from, count) {
    if (from < this.#from || from + count > this.#from + this.#view.byteLength) {
      const bytes = await this.file.slice(from, from + Math.max(count, window)).arrayBuffer();
      [this.#from, this.#view] = [from, new DataView(bytes)];
    }
    const start = from - this.#from;
    return new DataView(this.#view.buffer, start, Math.min(count, this.#view.byteLength - start));
  }
}

export const joined = (parts) => new Blob(parts).arrayBuffer();
