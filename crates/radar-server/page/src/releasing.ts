// A job goes with the tab that began it: nobody would see its end, and others wait behind it.

import type { Api } from "./api";
import { markReleased } from "./session";
import { running } from "./state";
import type { Desk } from "./state";

/**
 * Lets go of the job when the page is left, but not when it is loaded anew. A browser does not say which of the two it
 * is: keys that reload tell, and where they do not, the mark in the session lets the next page take up the work again.
 */
export function releasing(desk: Desk, api: Api, load: (job: string) => void): void {
  let reloading = false;
  addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey } = event;
    reloading = key === "F5" || ((ctrlKey || metaKey) && key.toLowerCase() === "r");
  });
  for (const touch of ["pointerdown", "pointermove"] as const) addEventListener(touch, () => (reloading = false));
  addEventListener("pagehide", () => {
    const { job } = desk.state;
    if (!job?.mine || !running(desk.state) || reloading) return;
    markReleased(job.id);
    api.release(job.id);
  });
  addEventListener("pageshow", ({ persisted }) => {
    const { job } = desk.state;
    if (persisted && job && running(desk.state)) load(job.id);
  });
}
