// Chooses the page to open after signing in.
import { homeOf } from "/shared/signin.js";

/**
 * The path to go to next: only a path of this server, never another site. Without one, it is where the
 * role begins.
 * `hash` is that of the sign-in's own address: browsers carry it along from the page that sent them here.
 */
export function nextPath(search, role, hash = "") {
  const home = homeOf(role);
  const wanted = new URLSearchParams(search).get("next") ?? home;
  let address;
  try {
    address = new URL(wanted, location.origin);
  } catch {
    return home;
  }
  const own = wanted.startsWith("/") && address.origin === location.origin && address.pathname !== "/login";
  return own ? address.pathname + address.search + (address.hash || hash) : home;
}
