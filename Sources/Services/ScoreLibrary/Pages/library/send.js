// One file on its way to the server.

const mostBytes = 200_000_000;
const endings = /\.(pdf|musicxml|xml|mxl)$/i;

/** A sentence about a file that cannot be sent; null if it can. */
export function faultOf(file) {
  if (!endings.test(file.name)) {
    return `“${file.name}” is neither a PDF nor MusicXML (.musicxml, .xml, .mxl) nor a photograph; export the score ` +
      "as one of these.";
  }
  if (file.size === 0) return `“${file.name}” is empty; export it again.`;
  if (file.size > mostBytes) {
    return `“${file.name}” has ${Math.ceil(file.size / 1e6)} MB; scores of up to 200 MB are taken. Scan it with ` +
      `fewer dots per inch, or split it by movements.`;
  }
  return null;
}

/** The title a file's name suggests; one that stands in MusicXML goes before it. */
export const titleOf = (file) => file.name.replace(/\.[^.]*$/, "").replace(/[_\s]+/g, " ").trim().slice(0, 200);

/**
 * Sends a file; `watch` hears the share that has arrived, 0…1.
 * Gives back { answer, cancel }; the answer is refused with a sentence.
 */
export function send(path, file, watch) {
  const request = new XMLHttpRequest();
  const answer = new Promise((done, refuse) => {
    request.upload.addEventListener("progress", (event) => event.lengthComputable && watch(event.loaded / event.total));
    request.addEventListener("load", () => {
      let value = null;
      try {
        value = JSON.parse(request.responseText);
      } catch {
        value = null;
      }
      if (request.status === 200 && value) done(value);
      else refuse(new Error(value?.error ?? `The server refused (${request.status}).`));
    });
    request.addEventListener("error",
      () => refuse(new Error("The server does not answer; the file was not taken. Try again.")));
    request.addEventListener("abort", () => refuse(new Error("Cancelled.")));
  });
  request.open("POST", path);
  request.setRequestHeader("X-Baton", "1");
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
  return { answer, cancel: () => request.abort() };
}
