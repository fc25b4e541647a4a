// Where to go after signing in.

/** The path to go to next: only a path of this server, never another site. */
export function nextPath(search) {
  const wanted = new URLSearchParams(search).get("next") ?? "/console";
  let address;
  try {
    address = new URL(wanted, location.origin);
  } catch {
    return "/console";
  }
  const own = wanted.startsWith("/") && address.origin === location.origin && address.pathname !== "/login";
  return own ? address.pathname + address.search : "/console";
}
