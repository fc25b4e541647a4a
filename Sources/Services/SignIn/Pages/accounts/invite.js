// The form that invites people: a role, their names, and the address that goes into the link.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { showLinks } from "./links.js";
import { isOwnMachineOnly, originOf, roles } from "./words.js";

const addressKey = "baton.accounts.address";

/** The address for links: the one chosen before, else that of this page. */
export const linkAddress = () => originOf(find("address").value) ?? location.origin;

/** Offers the roles that this person may give. */
export function fillForm(overview) {
  const group = find("roles");
  if (group.childElementCount > 0) return;
  group.append(...overview.roles.map((role, index) => {
    const input = make("input", { type: "radio", name: "role", value: role, id: `role-${role}` });
    input.checked = index === 0;
    return make("label", { class: "role" }, input, make("span", {}, make("strong", { text: roles[role].name }),
      make("small", { text: roles[role].does })));
  }));
}

/** `done()` is called when links were made. */
export function listenToForm(done) {
  const address = find("address");
  address.value = readKept(addressKey) ?? location.origin;
  const judge = () => {
    const note = find("address-note");
    note.textContent = isOwnMachineOnly(address.value)
      ? "Other devices cannot open this address: write the one that they use, such as http://192.168.1.9:8080."
      : address.value.trim().startsWith("http:")
        ? "Without https, their microphone, offline copy and installing will not work." : "";
  };
  address.addEventListener("input", judge);
  judge();
  find("invite").addEventListener("submit", async (event) => {
    event.preventDefault();
    const fault = find("invite-fault");
    fault.textContent = "";
    const origin = originOf(address.value);
    if (!origin) {
      fault.textContent = "Write the address with http:// or https:// at its beginning.";
      return address.focus();
    }
    keep(addressKey, origin === location.origin ? null : origin);
    const names = find("names").value.split("\n").map((name) => name.trim()).filter(Boolean);
    const role = find("invite").querySelector("input[name=role]:checked").value;
    find("make").disabled = true;
    try {
      const { invitations } = await ask("/api/invitations",
        { method: "POST", json: { role, names, address: origin }, patience: 10_000 });
      find("names").value = "";
      showLinks(invitations, `Invite: ${roles[role].name}`);
      done();
    } catch (refusal) {
      fault.textContent = refusal.message;
    } finally {
      find("make").disabled = false;
    }
  });
}
