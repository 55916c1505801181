// Dragging a chip: at once with a mouse, after a moment's hold with a finger, so that lists still scroll.

import { h } from "./dom";

export type Drop = { route: number; position: number } | "out";

export interface ChipDrag {
  possible(): boolean;
  drop(node: number, to: Drop): void;
}

const STILL = 5;
const HOLD = 350;
const EDGE = 36;

export function dragChips(root: HTMLElement, drag: ChipDrag): void {
  let node: number | null = null;
  let start: [number, number] = [0, 0];
  let ghost: HTMLElement | null = null;
  let timer = 0;
  /** Pixels that the list goes on by with each frame, while a chip is held at its edge. */
  let nudge = 0;
  let scrolling = 0;

  const chipUnder = (x: number, y: number) => document.elementFromPoint(x, y);
  const clear = () => {
    for (const marked of root.querySelectorAll(".before, .after, .into"))
      marked.classList.remove("before", "after", "into");
  };
  const lift = (x: number, y: number) => {
    const chip = root.querySelector<HTMLElement>(`[data-node="${node}"]`);
    if (!chip) return;
    ghost = h("div", { class: "chip ghost", "aria-hidden": "true" }, chip.dataset["name"] ?? "");
    document.body.append(ghost);
    chip.classList.add("lifted");
    follow(x, y);
    // A chip that is lifted at the edge rests there; the list goes on once one is carried to it.
    nudge = 0;
  };
  const follow = (x: number, y: number) => {
    if (!ghost) return;
    ghost.style.left = `${x + 10}px`;
    ghost.style.top = `${y + 10}px`;
    clear();
    mark(chipUnder(x, y), x);
    nudge = edge(root, y);
    if (nudge !== 0 && scrolling === 0) scrolling = requestAnimationFrame(scroll);
  };
  const scroll = () => {
    scrolling = 0;
    if (!ghost || nudge === 0) return;
    scroller(root).scrollBy(0, nudge);
    scrolling = requestAnimationFrame(scroll);
  };
  const finish = (event: PointerEvent | null) => {
    clearTimeout(timer);
    const to = ghost && event && placeAt(chipUnder(event.clientX, event.clientY), event.clientX);
    const dropped = node;
    const lifted = ghost !== null;
    ghost?.remove();
    [ghost, node] = [null, null];
    clear();
    for (const chip of root.querySelectorAll(".lifted")) chip.classList.remove("lifted");
    // The click that follows a drag selects nothing.
    if (lifted) addEventListener("click", swallow, { capture: true, once: true });
    if (lifted) setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
    if (to && dropped !== null) drag.drop(dropped, to);
  };

  root.addEventListener("pointerdown", (event) => {
    const chip = (event.target as Element).closest<HTMLElement>("[data-node]");
    if (!chip || event.button !== 0 || !drag.possible()) return;
    node = Number(chip.dataset["node"]);
    start = [event.clientX, event.clientY];
    clearTimeout(timer);
    if (event.pointerType !== "mouse") timer = window.setTimeout(() => lift(...start), HOLD);
  });
  addEventListener("pointermove", (event) => {
    if (node === null) return;
    const far = Math.hypot(event.clientX - start[0], event.clientY - start[1]) > STILL;
    if (!ghost && far && event.pointerType === "mouse") lift(event.clientX, event.clientY);
    else if (!ghost && far) finish(null);
    else if (ghost) follow(event.clientX, event.clientY);
  });
  addEventListener("pointerup", (event) => node !== null && finish(event));
  addEventListener("pointercancel", () => node !== null && finish(null));
  addEventListener("keydown", (event) => event.key === "Escape" && ghost && finish(null));
  // A lifted chip must not scroll the page.
  root.addEventListener("touchmove", (event) => ghost && event.preventDefault(), { passive: false });
  root.addEventListener("contextmenu", (event) => ghost && event.preventDefault());
}

/** What scrolls when the list does: its pane, or on a phone the page. */
function scroller(root: HTMLElement): Element {
  const pane = root.parentElement;
  return pane && pane.scrollHeight > pane.clientHeight ? pane : (document.scrollingElement ?? document.body);
}

function edge(root: HTMLElement, y: number): number {
  const list = scroller(root);
  const whole = list === document.scrollingElement;
  const [top, low] = whole
    ? [60, innerHeight - 30]
    : [list.getBoundingClientRect().top, list.getBoundingClientRect().bottom];
  return y > low - EDGE ? 9 : y < top + EDGE && y > top - EDGE ? -9 : 0;
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}

function half(chip: Element, x: number): boolean {
  const box = chip.getBoundingClientRect();
  return x > box.left + box.width / 2;
}

function mark(under: Element | null, x: number): void {
  const chip = under?.closest("[data-node]");
  if (chip) chip.classList.add(half(chip, x) ? "after" : "before");
  else under?.closest("[data-row]")?.classList.add("into");
}

function placeAt(under: Element | null, x: number): Drop | null {
  const row = under?.closest<HTMLElement>("[data-row]");
  if (!row) return null;
  if (row.dataset["row"] === "out") return "out";
  const route = Number(row.dataset["row"]);
  const chip = under?.closest<HTMLElement>("[data-node]");
  const chips = [...row.querySelectorAll("[data-node]")];
  if (!chip) return { route, position: chips.length };
  return { route, position: chips.indexOf(chip) + (half(chip, x) ? 1 : 0) };
}
