// Placing points by hand: the edits of the sketch.

import type { Opening } from "./opening";
import { added, blank, demanding, removed, shifted } from "./sketch";
import type { Sketch } from "./sketch";
import type { Desk } from "./state";

export class Sketching {
  constructor(
    private readonly desk: Desk,
    private readonly opening: Opening,
  ) {}

  begin(): void {
    this.opening.sketch(blank());
    this.desk.set({ status: "Click on the ground: the first point is the depot" });
  }

  /** Back to the points after solving. */
  resume(): void {
    const { sketch } = this.desk.state;
    if (sketch) this.opening.sketch(sketch);
  }

  add(x: number, y: number): void {
    this.change((sketch) => added(sketch, x, y));
    const count = this.desk.state.sketch?.spots.length ?? 0;
    this.desk.set({ selected: null, status: count === 1 ? "Depot placed" : `Stop ${count - 1} placed` });
  }

  shift(index: number, x: number, y: number): void {
    this.change((sketch) => shifted(sketch, index, x, y));
  }

  demand(index: number, amount: number): void {
    this.change((sketch) => demanding(sketch, index, amount));
  }

  remove(index: number): void {
    this.change((sketch) => removed(sketch, index));
    this.desk.set({ selected: null, status: "Point removed" });
  }

  set(change: Partial<Sketch>): void {
    this.change((sketch) => ({ ...sketch, ...change }));
  }

  private change(make: (sketch: Sketch) => Sketch): void {
    const { sketch } = this.desk.state;
    if (sketch) this.desk.set({ ...(this.desk.state.refusal && { refusal: null }), sketch: make(sketch) });
  }
}

/** Whether the ground is being sketched, rather than a plan of it shown. */
export function sketchingNow({ sketch, job }: { sketch: Sketch | null; job: unknown }): boolean {
  return sketch !== null && job === null;
}
