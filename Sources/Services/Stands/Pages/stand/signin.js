// Signing in: several users share a device, one at a time.
import { find, make } from "/shared/dom.js";
import { insecureNote } from "/shared/secure.js";
import { submitSignIn } from "/shared/signin.js";

/** Shows the sign-in; `entered(home)` is called once somebody is in, with null if the server did not answer. */
export function showSignIn(device, entered, sentence = "") {
  const [login, password, say, submit] = ["login", "password", "sign-in-say", "enter"].map(find);
  say.textContent = sentence;
  password.value = "";
  const known = device.known.map((user) => {
    const button = make("button", { type: "button", class: "plain", text: user.name });
    button.addEventListener("click", () => {
      login.value = user.login;
      password.focus();
    });
    return button;
  });
  find("known").replaceChildren(...known);
  const note = document.getElementById("insecure") ? null : insecureNote();
  if (note) find("sign-in-form").append(note);
  find("known").hidden = known.length === 0;
  if (login.value === "" && device.known.length === 1) login.value = device.known[0].login;
  find("sign-in-form").onsubmit = async (event) => {
    event.preventDefault();
    await submitSignIn({ name: login, password, submit, say }, "Write both name and password.", async (...words) => {
      submit.textContent = "Signing in …";
      try {
        const home = await device.signIn(...words, (sentence) => {
          say.textContent = sentence;
        });
        login.value = password.value = "";
        entered(home);
      } finally {
        submit.textContent = "Sign in";
      }
    });
  };
  (login.value === "" ? login : password).focus();
}
