// Where a sign-in leads.
import { test } from "node:test";

import { equal } from "./lib/equal.js";
import { nextPath } from "/login/next.js";

test("sign in leads only to pages of this server", () => {
  equal([
    "", "?next=/report", "?next=//evil.example", "?next=https://evil.example/", "?next=/%5Cevil.example",
    "?next=/login", "?next=javascript:alert(1)"
  ].map((search) => nextPath(search, "technician")), [
    "/console", "/report", "/console", "/console", "/console", "/console", "/console"
  ]);
});

test("sign in leads to where the role begins", () => {
  const roles = ["musician", "editor", "technician", "administrator"];
  equal([
    roles.map((role) => nextPath("", role)), roles.map((role) => nextPath("?next=//evil.example", role)),
    roles.map((role) => nextPath("?next=/account", role))
  ], [
    ["/stand", "/library", "/console", "/console"], ["/stand", "/library", "/console", "/console"],
    ["/account", "/account", "/account", "/account"]
  ]);
});

test("sign in leads back to the very place", () => {
  equal([
    nextPath("?next=" + encodeURIComponent("/edit?x=1#/3/track/abc"), "editor"),
    nextPath("?next=/edit", "editor", "#/3/words"),
    nextPath("?next=" + encodeURIComponent("/edit#/3"), "editor", "#/4"),
    nextPath("?next=//evil.example", "editor", "#/3")
  ], ["/edit?x=1#/3/track/abc", "/edit#/3/words", "/edit#/3", "/library"]);
});
