// Signing in: the form of the sign-in page and of a music stand, and the way to the sign-in page and back.

const homes = { musician: "/stand", editor: "/library", technician: "/console", administrator: "/console" };

/** The page at which somebody with this role begins. */
export const homeOf = (role) => homes[role] ?? "/stand";

/** The sign-in page, which leads back to this very place. */
export function signInAddress() {
  const { pathname, search, hash } = location;
  return `/login?next=${encodeURIComponent(pathname + search + hash)}`;
}

/** Leaves this page for the sign-in page. */
export const goToSignIn = () => location.assign(signInAddress());

/**
 * Sends what is written in a sign-in form: `enter(name, password)` signs in, and throws a Refusal where the server
 * does not agree; its sentence is shown. `unfilled` is shown where something was left empty.
 */
export async function submitSignIn({ name, password, submit, say }, unfilled, enter) {
  if (name.value.trim() === "" || password.value === "") {
    say.textContent = unfilled;
    return;
  }
  submit.disabled = true;
  say.textContent = "";
  try {
    await enter(name.value.trim(), password.value);
  } catch (refusal) {
    say.textContent = refusal.message;
    password.select();
  } finally {
    submit.disabled = false;
  }
}
