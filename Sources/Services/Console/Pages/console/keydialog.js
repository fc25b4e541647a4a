// All keys at a glance; each can be changed here, conflicts are refused.
import { make, mark, write } from "/shared/dom.js";
import { groups } from "./actions.js";
import { keyLabel } from "./keymap.js";

export function buildKeys(console) {
  const { keymap, actions } = console;
  const say = make("p", { class: "say", role: "status" });
  const lists = make("div", { class: "key-groups" });
  let asking = null;

  function stop() {
    console.keys.capture = null;
    if (asking) mark(asking, "data-asking", null);
    asking = null;
  }

  function askFor(id, button) {
    const again = asking === button;
    stop();
    paint();
    if (again) return write(say, "");
    const now = lists.querySelector(`[data-bind="${id}"]`);
    asking = now;
    mark(now, "data-asking", true);
    write(now, "Press a key");
    mark(say, "data-bad", null);
    write(say, `Press the new key for “${actions[id].title}”. Tab or a click leaves it as it is.`);
    now.focus();
    console.keys.capture = (name) => {
      stop();
      const refused = keymap.bind(id, name);
      mark(say, "data-bad", Boolean(refused));
      write(say, refused ?? `“${actions[id].title}” is now ${keyLabel(name)}. Kept in this browser.`);
      if (!refused) console.keys.keep();
      paint();
      lists.querySelector(`[data-bind="${id}"]`).focus();
    };
  }

  function paint() {
    lists.replaceChildren(...groups.map((group) => make("section", { class: "key-group" }, make("h3", { text: group }),
      make("ul", {}, ...Object.entries(actions).filter(([, action]) => action.group === group).map(([id, action]) => {
        const [first, ...others] = keymap.keys(id);
        return make("li", {},
          make("span", { class: "key-title", text: action.title }),
          ...others.map((key) => make("kbd", { text: keyLabel(key) })),
          make("button", { type: "button", class: "bind", "data-bind": id,
            "aria-label": `${action.title}: ${keyLabel(first)}. Change`, text: keyLabel(first),
            onclick: (event) => askFor(id, event.currentTarget) }));
      })))));
    console.buttons?.relabel();
  }

  const reset = make("button", { type: "button", onclick: () => {
    stop();
    keymap.reset();
    console.keys.keep();
    paint();
    mark(say, "data-bad", null);
    write(say, "All keys are as they were at first.");
  } }, "Reset all keys");

  const fixed = make("ul", { class: "key-notes" },
    make("li", {}, make("kbd", { text: "0–9" }), " then ", make("kbd", { text: "Enter" }),
      " go to a bar: 57, 57/2 (its second time), C (letter), p:60 (played index). Nothing happens before Enter; Esc " +
        "leaves the field."),
    make("li", {}, "When lost, ", make("kbd", { text: "1" }), " ", make("kbd", { text: "2" }), " ",
      make("kbd", { text: "3" }),
      " choose a place after 0.6 s, at once with Enter. Another digit within that time makes it a bar number: 214 " +
        "Enter still goes to bar 214."),
    make("li", {}, make("kbd", { text: "Enter" }),
      " presses the focused button, ticks a box and opens a list; Space is always GO and does none of these."),
    make("li", {},
      "In a text field no key fires. Esc leaves the field, the next Esc closes an open panel; with nothing open Esc " +
        "is panic."),
    make("li", {}, "A held key does not repeat, except for moving the standby."));

  paint();
  return {
    element: make("div", { class: "stack" }, make("p", { class: "hint", text: "Choose a key to change it." }), say,
      lists, fixed, make("div", { class: "row" }, reset)),
    opened: () => write(say, ""),
    closed() {
      stop();
      paint();
    },
  };
}
