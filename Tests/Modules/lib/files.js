import { readFileSync } from "node:fs";

import { fileOf } from "./addresses.js";

/** Cases that other tests hold against the server's own code. */
export function vectors(name) {
  return JSON.parse(readFileSync(new URL(`../../Vectors/${name}`, import.meta.url), "utf8"));
}

/** The text of a file of the pages, by its address. */
export function sourceOf(address) {
  return readFileSync(fileOf(address), "utf8");
}
