// This device offers its microphone for the rehearsal. Whoever may, chooses it here too.
import { ask } from "/shared/api.js";
import { Awake } from "/shared/awake.js";
import { find, make, mark, write } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { knownProblem, listMicrophones } from "/shared/microphone.js";
import { ShowMicrophone } from "/shared/showmicrophone.js";
import { goToSignIn } from "/shared/signin.js";

const nameKept = "baton-device-name"; // in this browser
const words = {
  off: ["Off", "In a rehearsal, Baton can hear this device instead of the microphone of the hall. Offer it here; an "
    + "operator chooses it on the console, under “Programme”."],
  offered: ["Offered: not heard yet", "An operator sees this device on the console, under “Programme”."],
  chosen: ["The show hears this device", "Place it where it hears the music well, and leave this page open."],
  away: ["The server does not answer", "Trying again. The show hears silence until then."],
};

const awake = new Awake(say);
const microphone = new ShowMicrophone({ state: show, level: showLevel });

function say(sentence) {
  write(find("say"), sentence);
  find("say").hidden = sentence === "";
}

function show(state, sentence) {
  mark(find("state-box"), "data-state", state);
  const [title, advice] = words[state];
  write(find("state"), title);
  write(find("advice"), advice);
  if (sentence) say(sentence);
  find("choice").hidden = state !== "off";
  find("running").hidden = state === "off";
  find("choose").hidden = state === "chosen";
  find("own").hidden = state !== "chosen";
  awake.want(state !== "off");
}

function showLevel({ peak, power }) {
  find("level").value = Math.max(-60, power);
  write(find("level-words"), peak > -0.5 ? "Too loud" : power > -50 ? "Good" : power > -65 ? "Soft"
    : "Hardly a sound");
}

async function readDevices() {
  const list = (await listMicrophones()).filter(({ name }) => name !== "");
  find("device-row").hidden = list.length < 2;
  find("device").replaceChildren(...list.map(({ id, name }) => make("option", { value: id, text: name })));
}

find("choice").addEventListener("submit", async (event) => {
  event.preventDefault();
  say("");
  find("start").disabled = true;
  const name = find("name").value.trim();
  keep(nameKept, name);
  try {
    await microphone.start({ name, device: find("device").value || undefined });
    find("warnings").replaceChildren(...microphone.warnings.map((text) => make("li", { text })));
    find("stop").focus();
  } catch (refusal) {
    if (refusal.status === 401) goToSignIn();
    say(refusal.message);
  }
  find("start").disabled = false;
  readDevices();
});

find("stop").addEventListener("click", async () => {
  await microphone.stop();
  find("start").focus();
});

async function change(options) {
  say("");
  try {
    await ask("/api/microphone", options);
  } catch (refusal) {
    say(refusal.message);
  }
}

find("choose").addEventListener("click", () => change({ method: "PUT", json: { id: microphone.id } }));
find("own").addEventListener("click", () => change({ method: "DELETE" }));

find("name").value = readKept(nameKept) ?? "";
// Whoever has no right to choose gets the server's sentence; the button is for operators and leaders of rooms.
find("choosing").hidden = false;
const problem = knownProblem();
if (problem) {
  say(problem.message);
  find("start").disabled = true;
}
await readDevices();
