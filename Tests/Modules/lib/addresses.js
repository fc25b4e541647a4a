// Finds the files of the pages by their addresses: as the server does, it joins all folders `Pages` into one. As node's
// hook it lets modules be imported so.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folders = foldersIn(fileURLToPath(new URL("../../../Sources", import.meta.url)));

function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory()).flatMap(({ name }) => {
    const inner = path.join(folder, name);
    return name === "Pages" ? [inner] : foldersIn(inner);
  });
}

/** The file at an address such as /shared/epoch.js. */
export function fileOf(address) {
  const file = folders.map((folder) => folder + address).find(existsSync);
  if (!file) throw new Error(`No folder of pages has ${address}.`);
  return file;
}

/** The address of a module of the pages; null for another file. */
function addressOf(url) {
  if (!url?.startsWith("file:")) return null;
  const file = fileURLToPath(url);
  const folder = folders.find((each) => file.startsWith(each + path.sep));
  return folder ? file.slice(folder.length) : null;
}

export function resolve(name, context, next) {
  const importer = addressOf(context.parentURL);
  if (name[0] !== "/" && !(importer && name[0] === ".")) return next(name, context);
  const file = fileOf(path.posix.resolve(path.posix.dirname(importer ?? "/"), name));
  return { url: pathToFileURL(file).href, format: "module", shortCircuit: true };
}
