// Listeners get another concert, or none: only after somebody has read what changes for them.
import { ask, Refusal } from "/shared/api.js";
import { sure } from "./dialog.js";

/** Asks what would change, shows it, and does it where it is confirmed. Gives back whether it was done. */
export async function serveConcert(concert) {
  const path = `/api/edit/concerts/${concert}/serve`;
  const plan = await ask(path, { patience: 10_000 });
  if (plan.refused) throw new Refusal(plan.refused.sentence, 409, plan.refused.code);
  if (!(await sure(`Serve “${plan.title || "Untitled concert"}” to listeners?`, plan.sentence, "Serve"))) return false;
  await ask(path, { method: "POST", json: { confirm: plan.confirm }, patience: 10_000 });
  return true;
}

/** Asks, and stops serving a concert. Gives back whether it was done. */
export async function stopServing({ id, title }) {
  const said = "Listeners who come find no concert until one is served. What phones have loaded stays readable.";
  if (!(await sure(`Stop serving “${title || "Untitled concert"}”?`, said, "Stop serving"))) return false;
  await ask(`/api/edit/concerts/${id}/serve`, { method: "DELETE", patience: 10_000 });
  return true;
}
