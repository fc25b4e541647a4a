// The lists of open invitations and of people.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { linkAddress } from "./invite.js";
import { showLinks } from "./links.js";
import { act, confirm, notice } from "./say.js";
import { roles, written } from "./words.js";

const states = { used: "used", expired: "too old", void: "no longer valid" };

/** Fills the list of invitations; `changed()` is called after a change. */
export function paintInvitations(list, { invitations }, changed) {
  const rows = invitations.map((one) => {
    const title = one.kind === "reset" ? `New passphrase for ${one.name}` : one.name || "Somebody";
    const by = one.by ? ` · by ${one.by}` : "";
    const fate = one.state === "open" ? `ends in ${written(one.secondsLeft)}` : states[one.state];
    const end = one.mayWithdraw && one.state === "open" ? act("Withdraw", async () => {
      await ask(`/api/invitations/${one.id}`, { method: "DELETE", json: {} });
      await changed();
    }, { "aria-label": `Withdraw: ${title}` }) : null;
    return make("li", { class: "row", "data-state": one.state, "data-invitation": one.id },
      make("div", { class: "what" }, make("strong", { text: title }),
        make("small", { text: `${roles[one.role].name} · ${fate}${by}` })), end);
  });
  const open = rows.filter((row) => row.dataset.state === "open");
  const others = rows.filter((row) => row.dataset.state !== "open");
  const wasOpen = list.querySelector("details.earlier")?.open;
  const earlier = others.length === 0 ? null : make("li", {},
    make("details", { class: "earlier", open: wasOpen }, make("summary", { text: `Earlier: ${others.length}` }),
      make("ul", {}, ...others)));
  list.replaceChildren(
    ...(open.length > 0 ? open : [make("li", { class: "hint", text: "There are no open invitations." })]),
    ...(earlier ? [earlier] : []));
}

/** Fills the list of people whose name holds `wanted`. */
export function paintPeople(list, { accounts, you, mayManage }, wanted, changed) {
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const rows = accounts.filter(({ name }) => plain(name).includes(plain(wanted.trim()))).map((one) => {
    const isOwn = one.id === you;
    const role = mayManage && !isOwn ? roleChoice(one, changed)
      : make("small", { text: roles[one.role].name });
    const what = make("div", { class: "what" }, make("strong", { text: one.name }),
      one.isSuspended ? make("small", { class: "suspended", text: "suspended" }) : null,
      isOwn ? make("small", { text: "you" }) : null);
    return make("li", { class: "row", "data-account": one.id, "data-suspended": one.isSuspended }, what, role,
      mayManage && !isOwn ? actions(one, changed) : null);
  });
  list.replaceChildren(...(rows.length > 0 ? rows : [make("li", { class: "hint", text: "Nobody has this name." })]));
}

function roleChoice(one, changed) {
  const select = make("select", { "aria-label": `What ${one.name} may do` },
    ...Object.entries(roles).map(([role, { name }]) => make("option", { value: role, text: name })));
  select.value = one.role;
  select.addEventListener("change", async () => {
    try {
      await ask(`/api/accounts/${one.id}`, { method: "PUT", json: { role: select.value } });
      notice(`${one.name}: ${roles[select.value].name}.`);
    } catch (refusal) {
      notice(refusal.message);
    }
    changed();
  });
  return select;
}

function actions(one, changed) {
  const change = async (fields) => {
    await ask(`/api/accounts/${one.id}`, { method: "PUT", json: fields });
    await changed();
  };
  const forgot = act("Forgot the passphrase", async () => {
    const made = await ask(`/api/accounts/${one.id}/reset`, { method: "POST", json: { address: linkAddress() } });
    showLinks([made], `New passphrase for ${one.name}`);
    changed();
  }, { class: "plain" });
  const suspend = one.isSuspended ? act("Let in again", () => change({ isSuspended: false }), { class: "plain" })
    : act("Suspend", () => confirm(`Suspend ${one.name}?`,
      `${one.name} is signed out everywhere and cannot sign in until you let them in again. Nothing is deleted.`,
      "Suspend", () => change({ isSuspended: true })), { class: "plain" });
  const remove = act("Remove", () => confirm(`Remove ${one.name}?`,
    "The account, its sign-ins and its tabs are deleted. Remarks in rooms stay. This cannot be undone.", "Remove",
    async () => {
      await ask(`/api/accounts/${one.id}`, { method: "DELETE", json: {} });
      await changed();
    }), { class: "plain" });
  return make("details", { class: "more" }, make("summary", { text: "⋯", "aria-label": `More for ${one.name}` }),
    make("div", { class: "buttons" }, one.isSuspended ? null : forgot, suspend, remove));
}
