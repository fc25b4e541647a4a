// The prepared pieces: what can be put on the programme and practised. A removed one is kept aside and can be had
// back.
import { icon, make } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { duration } from "/shared/numbers.js";
import { complain, tried } from "/shared/saved.js";
import { counted } from "./bars.js";
import { sure } from "./questions.js";
import { models as fetchModels, putBackModel, removeModel } from "./server.js";

export class ModelList {
  element;
  #list = make("ul", { class: "models-list", "aria-label": "Prepared pieces" });
  #shown = "";

  constructor() {
    this.element = make("section", { class: "models", hidden: true },
      make("h2", { class: "list-title", text: "Prepared" }),
      make("p", { class: "hint", text: "They can be put on the programme and practised. Open one to see all it has." }),
      this.#list);
  }

  async update() {
    try {
      const models = await fetchModels();
      const key = JSON.stringify(models);
      if (key === this.#shown) return;
      this.#shown = key;
      this.element.hidden = models.length === 0;
      this.#list.replaceChildren(...models.map((model) => this.#row(model, models)));
    } catch (refusal) {
      complain(refusal);
    }
  }

  #row(model, models) {
    const isTwice = models.some((other) => other !== model && other.name === model.name);
    const facts = [model.folder, counted(model.bars, "bar"), duration(model.seconds),
      counted(model.recordings, "recording"), isTwice ? "another one has the same name" : null].filter(Boolean)
      .join(" · ");
    return make("li", { class: "model-card", "data-folder": model.folder },
      make("a", { class: "piece-link", href: `#/piece/${encodeURIComponent(model.folder)}` },
        make("strong", { text: model.name }), make("span", { class: "hint", text: facts })),
      model.isOnProgramme ? make("span", { class: "badge", "data-tone": "good", text: "On the programme" }) : null,
      make("button", { type: "button", class: "plain", "aria-label": `Remove ${model.name}, ${model.folder}`,
        onclick: () => this.#remove(model) }, icon("trash")));
  }

  async #remove(model) {
    const isSure = await sure(`Remove ${model.name}?`, `The prepared piece “${model.folder}” goes: it can no longer be `
      + "put on a programme, shown with titles or practised. Its recordings stay, and so does the piece in preparation "
      + "if there is one.", "Remove");
    if (!isSure) return;
    await tried(async () => {
      const { kept } = await removeModel(model.folder);
      this.update();
      notice(`“${model.name}” was removed.`, { seconds: 15, action: "Undo", act: () => tried(async () => {
        await putBackModel(kept);
        this.update();
      }) });
    });
  }
}
