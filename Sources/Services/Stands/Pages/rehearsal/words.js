// Numbers of a rehearsal as people say them.

/** A share of the reference's tempo in words: 1.04 → "4 % faster". */
export function tempo(ratio) {
  const percent = Math.round((ratio - 1) * 100);
  if (percent === 0) return "as the reference";
  return `${Math.abs(percent)} % ${percent > 0 ? "faster" : "slower"} than the reference`;
}

export const day = (milliseconds) => new Date(milliseconds)
  .toLocaleString("en-GB", { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });
export const hour = (milliseconds) => new Date(milliseconds)
  .toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Retakes of the same bars as one line: how often from where to where, and when first. */
export function gatherRetakes(retakes) {
  const lines = new Map();
  for (const retake of retakes) {
    const key = `${retake.movement} ${retake.to}`;
    const line = lines.get(key) ?? { movement: retake.movement, to: retake.to, farthest: retake.from, times: 0,
      pinpointed: 0, at: [] };
    line.farthest = Math.max(line.farthest, retake.from);
    line.times += 1;
    line.pinpointed += retake.isPinpointed ? 1 : 0;
    line.at.push(retake.at);
    lines.set(key, line);
  }
  return [...lines.values()].sort((a, b) => b.times - a.times || a.to - b.to);
}
