// The names of roles and times.

export const roles = {
  musician: { name: "Musician", does: "stands and rooms" },
  "title-operator": { name: "Title operator", does: "opens and runs titles" },
  technician: { name: "Technician", does: "runs the concert" },
  editor: { name: "Editor", does: "scores and content" },
  administrator: { name: "Administrator", does: "everything, and accounts" },
};

/** “6 days”, “3 hours”, “20 minutes”. */
export function written(seconds) {
  const [count, unit] = seconds >= 2 * 86_400 ? [Math.round(seconds / 86_400), "day"]
    : seconds >= 2 * 3_600 ? [Math.round(seconds / 3_600), "hour"] : [Math.max(1, Math.round(seconds / 60)), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** True for an address that only the server's own machine can reach. */
export function isOwnMachineOnly(address) {
  try {
    const { hostname } = new URL(address);
    return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]"
      || hostname.startsWith("127.");
  } catch {
    return false;
  }
}

/** Scheme, host and port of what was written; null if it is no address. */
export function originOf(text) {
  try {
    const { protocol, origin } = new URL(text.trim());
    return protocol === "http:" || protocol === "https:" ? origin : null;
  } catch {
    return null;
  }
}
