// A message to every phone: templates, writing, how the phone will show it, sending, withdrawing.
import { make, mark, write } from "/shared/dom.js";

/** The first rule a message breaks, as a sentence, or null (spec/broadcast.md). */
export function messageMistake({ title, body, style, buttonText }) {
  for (const [name, text] of [["title", title], ["text", body], ["button", buttonText]]) {
    if (text.includes("|")) return `The ${name} holds a “|”, which ends a field on the wire. Write it without.`;
    if (/[\r\n\u0085\u2028\u2029]/.test(text)) return `The ${name} holds a line break. Write it in one line.`;
  }
  if (title === "" && body === "") return "The message is empty.";
  if (title === "Link") {
    let address = null;
    try {
      address = new URL(buttonText);
    } catch {
      address = null;
    }
    if (!address || !/^https?:$/.test(address.protocol)) {
      return `“${buttonText}” is no web address. A message titled Link needs one, beginning with https://.`;
    }
  }
  if (style === "BUTTON" && buttonText === "") return "A message with a button needs the button’s text.";
  const bytes = new TextEncoder().encode(`PUSH|${title}|${body}|${style}|${buttonText}|`).length;
  if (bytes > 1200) return `The message has ${bytes} bytes; a packet carries 1,200. Shorten it.`;
  return null;
}

export function buildMessages({ desk, send }) {
  const field = (name, traits = {}) => make(name === "body" ? "textarea" : "input", { name, ...traits });
  const title = field("title", { maxlength: 120 });
  const body = field("body", { rows: 3, maxlength: 900 });
  const buttonText = field("buttonText", { maxlength: 300 });
  const style = make("select", { name: "style" }, make("option", { value: "AUTO", text: "Closes by itself after 4 s" }),
    make("option", { value: "BUTTON", text: "Stays until the button is pressed" }));
  const say = make("p", { class: "say", role: "status" });
  const templates = make("div", { class: "row templates", role: "group", "aria-label": "Templates" });
  const content = make("div", { class: "row templates", role: "group", "aria-labelledby": "messages-content" });
  const ready = make("div", { class: "stack", hidden: true },
    make("h3", { id: "messages-content", text: "From the content" }), content);
  const buttonWord = make("span", { text: "Button" });
  const buttonLabel = make("label", {}, buttonWord, buttonText);
  const submit = make("button", { type: "submit", class: "primary" }, "Send to all phones");
  const form = make("form", { class: "stack", novalidate: true },
    make("label", {}, "Title", title), make("label", {}, "Text, one line", body), make("label", {}, "Style", style),
    buttonLabel,
    make("div", { class: "row" }, submit), say);

  const shownTitle = make("p", { class: "phone-title" });
  const shownBody = make("p", { class: "phone-body" });
  const shownButtons = make("div", { class: "phone-buttons" });
  const phone = make("figure", { class: "phone", "aria-label": "How the phone shows it" },
    make("div", { class: "phone-card" }, shownTitle, shownBody, shownButtons),
    make("figcaption", { text: "As the phone shows it" }));

  const currentText = make("p");
  const withdraw = make("button", { type: "button", class: "danger", onclick: () => send("withdraw") }, "Withdraw");
  const current = make("div", { class: "current", hidden: true },
    make("div", {}, make("h3", { text: "On the phones now" }), currentText), withdraw);
  const element = make("div", { class: "stack" }, current, ready, templates,
    make("div", { class: "compose" }, form, phone));

  const written = () => ({ title: title.value.trim(), body: body.value.trim(), style: style.value,
    buttonText: buttonText.value.trim() });

  function preview() {
    const message = written();
    const link = message.title === "Link";
    write(shownTitle, message.title || "Title");
    write(shownBody, message.body || "Text");
    const buttons = link ? ["Ignore", "Take me there"] : message.style === "BUTTON"
      ? [message.buttonText || "Button"] : [];
    shownButtons.replaceChildren(...buttons.map((text) => make("span", { class: "phone-button", text })));
    if (buttons.length === 0) shownButtons.append(make("span", { class: "phone-hint", text: "closes after 4 s" }));
    buttonLabel.hidden = !link && message.style === "AUTO";
    write(buttonWord, link ? "Web address" : "Button");
    const empty = message.title === "" && message.body === "";
    const mistake = empty ? null : messageMistake(message);
    write(say, mistake ?? "");
    mark(say, "data-bad", Boolean(mistake));
    submit.disabled = empty || Boolean(mistake);
  }

  function take(template) {
    title.value = template.title;
    body.value = template.body;
    style.value = template.style.toUpperCase() === "AUTO" ? "AUTO" : "BUTTON";
    buttonText.value = template.buttonText ?? "";
    preview();
  }

  form.addEventListener("input", preview);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const message = written();
    if (messageMistake(message)) return;
    if (await send("message", message.title, message.body, message.style,
      message.style === "AUTO" && message.title !== "Link" ? "" : message.buttonText)) {
      form.reset();
      preview();
      write(say, "Sent. Each phone shows it once.");
    }
  });

  const offer = (template) =>
    make("button", { type: "button", text: template.title === "Link" ? `Link: ${template.body}` : template.title
      || template.body, onclick: () => take(template) });

  desk.on("message", ({ current: now, templates: given = [], content: made = [] }) => {
    current.hidden = !now;
    if (now) write(currentText, `${now.title}: ${now.body}`);
    templates.replaceChildren(...given.map(offer));
    ready.hidden = made.length === 0;
    content.replaceChildren(...made.map(offer));
  });
  preview();
  return { element };
}
