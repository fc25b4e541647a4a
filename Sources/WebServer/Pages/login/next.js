// Where to go after signing in.

/** The path to go to next: only a path of this server, never another site. Musicians have their stands alone. */
export function nextPath(search, role) {
  const home = role === "musician" ? "/stand" : "/console";
  const wanted = new URLSearchParams(search).get("next") ?? home;
  let address;
  try {
    address = new URL(wanted, location.origin);
  } catch {
    return home;
  }
  const own = wanted.startsWith("/") && address.origin === location.origin && address.pathname !== "/login";
  return own ? address.pathname + address.search : home;
}
