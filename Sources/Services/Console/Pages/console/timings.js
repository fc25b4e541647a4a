// For measuring only (/console?timings): when each new bar arrived and when it was painted, in wall-clock ms.
/** @param {import("./desk.js").Desk} desk */
export function keepTimings(desk) {
  const timings = [];
  globalThis.batonTimings = timings;
  let shown = null;
  desk.on("position", (position) => {
    if (position.played === shown) return;
    shown = position.played;
    const wall = () => performance.timeOrigin + performance.now();
    const entry = { played: position.played, sent: position.sentAt ?? null, arrived: wall(), painted: null };
    timings.push(entry);
    if (timings.length > 1000) timings.shift();
    // A message posted from the frame's callback runs after that frame was painted.
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        entry.painted = wall();
      };
      channel.port2.postMessage(null);
    });
  });
}
