// Lets the tests import the pages' modules by the addresses that the server gives them; `node --import` loads this.
import { register } from "node:module";

import "./browser.js";

register("./addresses.js", import.meta.url);
