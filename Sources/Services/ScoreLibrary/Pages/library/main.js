// The librarian's page: which view is shown, and what belongs to all of them.
import { find, mark } from "/shared/dom.js";
import { tellWhyLocked } from "/shared/locked.js";
import { goToSignIn } from "/shared/signin.js";
import { closeArranging, isUnlaid, showArranging } from "./arrange.js";
import { list } from "./store.js";
import { drawList, wireSearch } from "./list.js";
import { showScore } from "./score.js";
import { closeMarking, isUnsaved, showMarking } from "./marking.js";
import { wireUploads } from "./uploads.js";
import { closeCover, isCoverUnsaved } from "./writtencover.js";
import { complain, say } from "./say.js";

/** `#/score/ID`, `#/score/ID/part/0/page/3` or `#/score/ID/part/0/pages`; everything else is the list. */
function wanted() {
  const parts = location.hash.split("/").slice(1);
  if (parts[0] !== "score" || !parts[1]) return { view: "list" };
  if (parts[2] !== "part") return { view: "score", id: parts[1] };
  if (parts[4] === "pages") return { view: "arranging", id: parts[1], part: Number(parts[3]) || 0 };
  return { view: "marking", id: parts[1], part: Number(parts[3]) || 0, page: Number(parts[5]) || 0 };
}

let shown = "";

async function show() {
  const place = wanted();
  if (shown.startsWith("marking") && isUnsaved() && place.view !== "marking"
    && !confirm("The marked measures are not saved. Leave them?")) {
    history.replaceState(null, "", `#/${shown.slice(8)}`);
    return;
  }
  if (shown.startsWith("arranging") && isUnlaid() && place.view !== "arranging"
    && !confirm("The pages are not saved as they are laid here. Leave them?")) {
    history.replaceState(null, "", `#/${shown.slice(10)}`);
    return;
  }
  const stays = place.view === "score" && shown === `score/${place.id}`;
  if (!stays && isCoverUnsaved() && !confirm("What you wrote on the cover is not saved. Leave it?")) {
    history.replaceState(null, "", `#/${shown}`);
    return;
  }
  if (!stays) closeCover();
  shown = place.view === "score" ? `score/${place.id}`
    : place.view === "arranging" ? `arranging/score/${place.id}/part/${place.part}/pages`
    : place.view === "marking" ? `marking/score/${place.id}/part/${place.part}/page/${place.page}` : place.view;
  document.body.dataset.view = place.view;
  find("marking").hidden = place.view !== "marking";
  find("arranging").hidden = place.view !== "arranging";
  find("shelf").hidden = ["marking", "arranging"].includes(place.view);
  if (place.view !== "marking") closeMarking();
  if (place.view !== "arranging") closeArranging();
  find("score").hidden = place.view !== "score";
  find("nothing").hidden = place.view === "score";
  for (const item of document.querySelectorAll("#scores a")) {
    mark(item, "aria-current", item.dataset.id === place.id ? "true" : null);
  }
  try {
    if (place.view === "score") await showScore(place.id);
    if (place.view === "marking") await showMarking(place.id, place.part, place.page);
    if (place.view === "arranging") await showArranging(place.id, place.part);
  } catch (refusal) {
    complain(refusal);
    if (refusal.status === 404) location.hash = "#/";
  }
}

async function begin() {
  tellWhyLocked((why) => say(why));
  wireSearch();
  wireUploads();
  addEventListener("hashchange", show);
  addEventListener("beforeunload", (event) => {
    if (isUnsaved() || isUnlaid() || isCoverUnsaved()) event.preventDefault();
  });
  for (;;) {
    try {
      await list.read();
      break;
    } catch (refusal) {
      if (refusal.status === 401) return goToSignIn();
      complain(refusal);
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
  say("");
  drawList();
  await show();
}

begin();
