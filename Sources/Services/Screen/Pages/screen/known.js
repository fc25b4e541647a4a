// The mark by which both servers know this screen again: a screen that was here before gets a place before strangers.
import { keep, readKept } from "/shared/kept.js";

const key = "baton-screen-known";
let mark = readKept(key);

/** What follows an address to show the mark. */
export const knownQuery = () => (mark ? `?known=${mark}` : "");

/** Keeps the mark that the server has just given; nothing if it gave none. */
export function keepMark(given) {
  if (typeof given !== "string" || !/^[0-9a-f]{2,256}$/.test(given)) return;
  mark = given;
  keep(key, mark);
}
