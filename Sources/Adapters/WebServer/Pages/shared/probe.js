// Finds out whether requests are answered, and closes connections of the browser that lead nowhere.

const patience = 1_000; // ms

/**
 * Asks the server of an address for nothing, by several requests at once; true if it answered. After a network has lost
 * its state (an access point that restarted), the browser's idle connections lead nowhere, and it would try them one
 * after another: these requests occupy them all, and those on which no answer comes are closed.
 */
export async function probe(count, address = "/", signal = null) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience);
  signal?.addEventListener("abort", () => stop.abort());
  const answers = Array.from({ length: count }, () => fetch(`${new URL(address, location.href).origin}/api/streams`,
    { method: "HEAD", cache: "no-store", credentials: "same-origin", signal: stop.signal }));
  const isAnswered = await Promise.any(answers).then(() => true, () => false);
  // An answer that is on its way shows a connection that works.
  if (isAnswered) await Promise.race([Promise.allSettled(answers), new Promise((done) => setTimeout(done, 150))]);
  clearTimeout(timer);
  stop.abort();
  return isAnswered;
}
