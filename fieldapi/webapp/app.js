// @ts-check
/** Starts the app: language, worker, the strip, the first screen. The page loads nothing else. */

import { begin } from "./ui/router.js";
import { speakAsChosen } from "./ui/words.js";
import * as home from "./ui/home.js";

await speakAsChosen();
await begin([[/^\/$/, async () => home]], (path) => path);
if (document.documentElement.dataset.worker === "on" && "serviceWorker" in navigator) {
  await navigator.serviceWorker.register("/app/sw.js", { updateViaCache: "none" });
}
