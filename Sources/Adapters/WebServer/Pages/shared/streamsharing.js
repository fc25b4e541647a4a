// Opens event streams so that few connections are held, however many pages of this server a browser shows: a worker
// for all of them (streamworker.js) gives each stream a connection of its own, or a place on a shared one.

const patience = 1_000; // ms for a word of the worker; then it is taken for dead
const questionEvery = 5_000; // ms between two of the worker's questions
const retryAfter = 10_000; // ms until a worker that never answered is tried again

/** The reason with which a stream's signal is aborted if nothing came on it. */
export const silent = "silent";

/** True if pages can share connections. Without it, a page gives its stream up while nobody sees it. */
export const canShare = "SharedWorker" in globalThis;

let port = null; // to the worker
let isProven = false; // it has answered
let heardAt = 0; // ms of the page's clock, when it said something
let askedAt = null; // ms of the page's clock, since when an answer of it is owed
let failedAt = -Infinity; // ms of the page's clock
let newest = 0;
const waiting = new Map(); // by the streams' keys: { origin, take } of those without a place yet
const direct = new Map(); // by the streams' keys: { origin, moved } of those with a connection of their own
const carried = new Map(); // by the streams' keys: the controllers of what is read from a shared connection

function connect() {
  if (!canShare || port || performance.now() - failedAt < retryAfter) return;
  try {
    const worker = new SharedWorker("/shared/streamworker.js", { name: "baton-streams-1" });
    const own = worker.port;
    worker.onerror = () => lose(own);
    own.onmessage = ({ data }) => own === port && hear(data);
    [port, isProven, askedAt, heardAt] = [own, false, null, performance.now()];
  } catch {
    failedAt = performance.now(); // a page that may keep nothing may have no workers either
  }
  // A new worker does not know the connections that are there.
  for (const [key, { origin }] of port ? direct : []) ask(key, origin);
}

function ask(key, origin) {
  askedAt ??= performance.now();
  port.postMessage({ open: key, origin });
}

function hear({ key, place, status = 0, text, isOver, isAsked }) {
  [isProven, askedAt, heardAt] = [true, null, performance.now()];
  if (isAsked) port.postMessage({});
  else if (text !== undefined) carried.get(key)?.enqueue(new TextEncoder().encode(text));
  else if (isOver) endCarried(key);
  else if (place !== undefined && waiting.has(key)) waiting.get(key).take({ place, status });
  else if (place) direct.get(key)?.moved();
}

function endCarried(key) {
  carried.get(key)?.close();
  carried.delete(key);
}

/** The worker is gone: its streams end. Another is asked for; without one, streams get connections of their own. */
function lose(own) {
  if (own !== port) return;
  port = null;
  if (!isProven) failedAt = performance.now();
  for (const key of [...carried.keys()]) endCarried(key);
  connect();
  for (const [key, { origin, take }] of waiting) {
    if (port) ask(key, origin);
    else take({ place: "" });
  }
}

function look() {
  const now = performance.now();
  const isSilent = askedAt !== null && now - askedAt > patience
    || carried.size > 0 && now - heardAt > 3 * questionEvery;
  if (port && isSilent) lose(port);
  else if (direct.size > 0) connect();
}

connect();
setInterval(look, patience / 4);

/** Asks the worker for a place: "" for a connection of its own, null if the server cannot be reached. */
function askForPlace(key, origin) {
  connect();
  if (!port) return Promise.resolve({ place: "" });
  return new Promise((done) => {
    const take = (answer) => {
      waiting.delete(key);
      done(answer);
    };
    waiting.set(key, { origin, take });
    ask(key, origin);
  });
}

/**
 * Opens a stream. Gives `{ response, release }`; release() must be called when it is over. `early` is a response that
 * is already coming. moved() is called if this browser has too many connections for the one it has, so that it must be
 * opened anew.
 */
export async function openStream(path, signal, { early = null, moved }) {
  const key = (newest += 1);
  const { origin } = new URL(path, location.href);
  let isReleased = false;
  const release = () => {
    if (isReleased) return;
    isReleased = true;
    waiting.get(key)?.take({ place: null });
    direct.delete(key);
    endCarried(key);
    port?.postMessage({ close: key, isSilent: signal.reason === silent });
  };
  signal.addEventListener("abort", release);
  try {
    if (early) {
      direct.set(key, { origin, moved });
      askForPlace(key, origin).then(({ place }) => place && moved());
      return { response: await early, release };
    }
    const { place, status = 0 } = await askForPlace(key, origin);
    // The other server of a pair may be out of the worker's reach, whose permissions are older than the page's.
    const isHere = origin === location.origin;
    if (isReleased || place === null && status === 0 && isHere) throw new TypeError("no connection");
    if (place) return { response: await carry(key, path, place, signal), release };
    // A server without shared connections refuses them with a status.
    direct.set(key, { origin, moved });
    return { response: await request(path, signal), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Asks for a stream on a connection of its own. */
export const request = (path, signal) => fetch(path,
  { headers: { Accept: "text/event-stream" }, cache: "no-store", credentials: "same-origin", signal });

async function carry(key, path, place, signal) {
  const body = new ReadableStream({ start: (controller) => carried.set(key, controller) });
  const answer = await request(`${path}${path.includes("?") ? "&" : "?"}carrier=${place}`, signal);
  const isLost = answer.status === 409 && (await answer.clone().json().catch(() => null))?.code === "no-carrier";
  if (isLost) throw new TypeError("the shared connection has ended");
  return answer.ok ? new Response(body) : answer;
}
