// Fingers, mouse, wheel and keys on the map, told apart: tap, pan, pinch, and dragging what is under the pointer.

import type { Point } from "./view";

export interface Moves {
  /** Whether what is at this point can be dragged. */
  grab(at: Point, coarse: boolean): boolean;
  drag(at: Point): void;
  drop(at: Point): void;
  cancel(): void;
  tap(at: Point, coarse: boolean): void;
  hover(at: Point | null): void;
  pan(dx: number, dy: number): void;
  pinch(before: [Point, Point], after: [Point, Point]): void;
  zoom(at: Point, factor: number): void;
}

/** A pointer that moves less than this has not moved. */
const STILL = 5;

type Mode = "none" | "press" | "grabbed" | "drag" | "pan" | "pinch";

export function listen(canvas: HTMLCanvasElement, moves: Moves): void {
  const fingers = new Map<number, Point>();
  let mode: Mode = "none";
  let start: Point = [0, 0];

  const place = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const two = (): [Point, Point] => [...fingers.values()].slice(0, 2) as [Point, Point];

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const at = place(event);
    fingers.set(event.pointerId, at);
    canvas.setPointerCapture(event.pointerId);
    if (fingers.size === 2) {
      if (mode === "drag") moves.cancel();
      mode = "pinch";
    } else if (fingers.size === 1) {
      start = at;
      mode = moves.grab(at, event.pointerType === "touch") ? "grabbed" : "press";
    }
  });

  canvas.addEventListener("pointermove", (event) => {
    const at = place(event);
    const last = fingers.get(event.pointerId);
    if (!last) return event.pointerType === "mouse" ? moves.hover(at) : undefined;
    const before = fingers.size === 2 ? two() : null;
    fingers.set(event.pointerId, at);
    if (mode === "pinch" && before) return moves.pinch(before, two());
    const far = Math.hypot(at[0] - start[0], at[1] - start[1]) > STILL;
    if (mode === "grabbed" && far) mode = "drag";
    if (mode === "press" && far) mode = "pan";
    if (mode === "drag") moves.drag(at);
    if (mode === "pan") moves.pan(at[0] - last[0], at[1] - last[1]);
  });

  const release = (event: PointerEvent, done: boolean) => {
    if (!fingers.delete(event.pointerId)) return;
    const at = place(event);
    if (mode === "drag") done ? moves.drop(at) : moves.cancel();
    else if (done && (mode === "press" || mode === "grabbed")) moves.tap(at, event.pointerType === "touch");
    // After a pinch the finger that stays does nothing until it is lifted.
    mode = "none";
  };
  canvas.addEventListener("pointerup", (event) => release(event, true));
  canvas.addEventListener("pointercancel", (event) => release(event, false));
  canvas.addEventListener("pointerleave", () => moves.hover(null));

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      moves.zoom(place(event), Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0015)));
    },
    { passive: false },
  );

  canvas.addEventListener("keydown", (event) => {
    const middle: Point = [canvas.clientWidth / 2, canvas.clientHeight / 2];
    const pans: Record<string, Point> = {
      ArrowLeft: [60, 0],
      ArrowRight: [-60, 0],
      ArrowUp: [0, 60],
      ArrowDown: [0, -60],
    };
    const pan = pans[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (pan) moves.pan(...pan);
    else if (event.key === "+" || event.key === "=") moves.zoom(middle, 1.3);
    else if (event.key === "-") moves.zoom(middle, 1 / 1.3);
    else if (event.key === "Enter") moves.tap(middle, false);
    else if (event.key === "Escape" && mode === "drag") {
      mode = "none";
      moves.cancel();
    } else return;
    event.preventDefault();
  });
}
