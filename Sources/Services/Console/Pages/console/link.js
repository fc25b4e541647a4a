// Watches whether the page still hears the server; if not, the page says that its content is old.
import { find, make, mark, write } from "/shared/dom.js";

const lateWords = "This network holds back live data: what you see is up to 2 s old. Commands are sent. Use another "
  + "network, or https.";

/** @param {import("./desk.js").Desk} desk */
export function showLink(desk) {
  const [state, cut] = ["link-state", "cut"].map(find);
  const words = make("span");
  const door = make("a", { class: "button", hidden: true });
  cut.append(words, door);

  desk.on("link", ({ linked, ageMs, distrusted, refused, term, isHeldBack }) => {
    mark(document.body, "data-cut", linked ? null : "true");
    write(state, linked ? "Connected" : distrusted ? "Old server" : "Reconnecting …");
    mark(state, "data-linked", linked);
    cut.hidden = linked && !isHeldBack;
    mark(cut, "data-late", linked);
    if (linked) {
      door.hidden = true;
      return write(words, isHeldBack ? lateWords : "");
    }
    const seconds = Math.floor(ageMs / 1000);
    const old = seconds > 0 ? ` What you see is ${seconds} s old.` : "";
    write(words, distrusted
      ? `The server that answers has an older term than ${term}, so its values are not shown. ` +
        `Waiting for the newer server.${old}`
      : `${refused || "Connection lost, reconnecting."}${old} Commands are not sent and not kept.`);
    const { role, backup: other } = desk.get("show")?.server ?? {};
    door.hidden = !/^https?:\/\//.test(other?.address ?? "");
    if (!door.hidden) {
      mark(door, "href", `${other.address}/console`);
      write(door, `Open the ${role === "backup" ? "main server" : "backup"}’s console: ${new URL(other.address).host}`);
    }
  });
}
