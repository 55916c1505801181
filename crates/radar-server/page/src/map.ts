// The map: a canvas with the routes on their ground, and what can be done on it.

import { button, h } from "./dom";
import type { Editing } from "./editing";
import { layout, provenance } from "./geography";
import type { Layout } from "./geography";
import { listen } from "./gestures";
import { nodeAt } from "./hit";
import { grid, paint, radius } from "./paint";
import type { Drag } from "./paint";
import { sceneOf } from "./scene";
import type { Scene } from "./scene";
import { caveat } from "./sketch";
import type { Sketching } from "./sketching";
import { problemShown } from "./state";
import type { Desk } from "./state";
import { target } from "./target";
import type { Target } from "./target";
import type { Themes } from "./theme";
import { TileLayer } from "./tiles";
import { bounded, fit, panned, pinched, toScreen, toWorld, zoomed } from "./view";
import type { Point, Size, View } from "./view";

/** What an empty ground shows at first: ten kilometres, away from where metres could pass for degrees. */
const EMPTY: Point[] = [
  [1000, -9000],
  [11000, -1000],
];
const MARGIN = 44;

export class MapView {
  readonly element: HTMLElement;
  readonly tip = h("div", { class: "tip", hidden: true });
  private readonly canvas = h("canvas", {
    tabindex: 0,
    // An application, not an image: keys move it.
    role: "application",
    "aria-roledescription": "map",
    class: "map",
  });
  private readonly note = h("p", { class: "ground-note", id: "caveat" });
  private readonly credit = h("p", { class: "credit" });
  private readonly legend = h("p", { class: "legend", "aria-hidden": "true" });
  private ground: Layout = { ground: "plane", places: [] };
  private scene: Scene;
  private view: View = { scale: 1, x: 0, y: 0 };
  private whole: View = this.view;
  private size: Size = { width: 0, height: 0 };
  private drag: (Drag & { target: Target | null }) | null = null;
  private grabbed: number | null = null;
  private touched = false;
  private waiting = false;
  private tiles: TileLayer | null = null;
  /** What the present places were made from. */
  private points: unknown = null;
  private matrix: unknown = null;

  constructor(
    private readonly desk: Desk,
    private readonly editing: Editing,
    private readonly sketching: Sketching,
    private readonly themes: Themes,
  ) {
    this.scene = sceneOf(desk.state);
    const tools = h(
      "div",
      { class: "map-tools" },
      button("+", () => this.zoom(this.middle, 1.4), { "aria-label": "Zoom in" }),
      button("−", () => this.zoom(this.middle, 1 / 1.4), { "aria-label": "Zoom out" }),
      button("⤢", () => this.fitAll(), { "aria-label": "Show everything", title: "Show everything" }),
    );
    this.element = h("div", { class: "ground" }, this.canvas, tools, this.note, this.legend, this.credit, this.tip);
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    themes.watch(() => this.refresh());
    this.listen();
    desk.on(["problem", "solved", "sketch", "job"], () => this.settle());
    desk.watch(() => {
      this.scene = sceneOf(desk.state);
      this.describe();
      this.refresh();
    });
    desk.on(["about"], ({ about }) => {
      this.tiles = about?.tiles ? new TileLayer(about.tiles.url, () => this.refresh()) : null;
      this.refresh();
    });
  }

  /** Draws with the next frame, once, however often it is asked. */
  refresh(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  fitAll(): void {
    this.touched = false;
    this.whole = fit(
      this.ground.places.length > 1 && !this.scene.sketching ? this.ground.places : [...EMPTY, ...this.ground.places],
      this.size,
      MARGIN,
      this.covered,
    );
    this.view = this.whole;
    this.refresh();
  }

  /** Where the nodes are now, whatever was painted last. */
  private get pixels(): Point[] {
    return this.ground.places.map((place) => toScreen(this.view, place));
  }

  /** How much of the top lies under the note. */
  private get covered(): number {
    return Math.min(this.note.offsetHeight, this.size.height / 3);
  }

  private get middle(): Point {
    return [this.size.width / 2, this.size.height / 2];
  }

  /** New places, seen whole unless only a sketch has changed. */
  private settle(): void {
    const { state } = this.desk;
    const sketched = this.scene.sketching;
    this.scene = sceneOf(state);
    const problem = problemShown(state);
    const sketch = this.scene.sketching ? state.sketch : null;
    const known = problem !== null && this.points === (problem.points ?? null) && this.matrix === problem.distance;
    if (sketch) this.ground = { ground: "plane", places: sketch.spots.map(({ x, y }) => [x, -y]) };
    else if (!problem) this.ground = { ground: "plane", places: [] };
    else if (!known) this.ground = layout(problem);
    if (!sketch) [this.points, this.matrix] = [problem?.points ?? null, problem?.distance ?? null];
    // Before the places are fitted in, as they keep clear of it.
    this.say(state.sketch ? caveat(state.sketch) : problem ? provenance(this.ground.ground) : null);
    if (sketch ? !sketched && sketch.spots.length === 0 : problem && (sketched || (!known && !state.sketch)))
      this.fitAll();
    this.refresh();
  }

  private say(words: string | null): void {
    this.note.textContent = words ?? "";
    this.note.hidden = words === null;
  }

  private resize(): void {
    const ratio = devicePixelRatio || 1;
    this.size = { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
    this.canvas.width = Math.round(this.size.width * ratio);
    this.canvas.height = Math.round(this.size.height * ratio);
    if (!this.touched) this.fitAll();
    // At once: a canvas that has been resized is empty, and would flash.
    this.paint();
  }

  private paint(): void {
    const context = this.canvas.getContext("2d");
    if (!context || this.size.width === 0) return;
    const { palette } = this.themes;
    const ratio = this.canvas.width / this.size.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, this.size.width, this.size.height);
    const tiled = this.tiles !== null && this.ground.ground === "degrees" && this.ground.places.length > 0;
    if (tiled) this.tiles?.draw(context, this.view, this.size, palette.dark ? 0.45 : 0.75);
    this.credit.textContent = tiled ? (this.desk.state.about?.tiles?.attribution ?? "") : "";
    if (this.scene.sketching) grid(context, this.size, palette, [this.view.x, this.view.y], 1000 * this.view.scale);
    const zoom = this.view.scale / this.whole.scale;
    paint({ context, size: this.size, palette, pixels: this.pixels, zoom, scene: this.scene, drag: this.drag });
    if (this.scene.sketching && document.activeElement === this.canvas && this.canvas.matches(":focus-visible"))
      this.crosshair(context);
  }

  /** Where the Enter key puts a point. */
  private crosshair(context: CanvasRenderingContext2D): void {
    const [x, y] = this.middle;
    context.strokeStyle = this.themes.palette.mark;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x - 12, y);
    context.lineTo(x + 12, y);
    context.moveTo(x, y - 12);
    context.lineTo(x, y + 12);
    context.stroke();
  }

  private describe(): void {
    const { scene } = this;
    const routes = scene.plan.filter((visits) => visits.length > 0).length;
    const words = scene.sketching
      ? `Empty ground with ${scene.names.length} points. Arrow keys move it, Enter puts a point in the middle.`
      : `Map of ${scene.names.length} nodes${routes ? ` and ${routes} routes` : ""}. The schedule and the table hold the same. Arrow keys move it, plus and minus zoom.`;
    const marks = [
      scene.names.length > 0 && (scene.tour ? "■ start" : "■ depot"),
      scene.names.length > 1 && "● stop",
      scene.pickups.size > 0 && "▲ pickup",
      scene.unserved.size > 0 && "× not served",
      scene.wrong.size > 0 && "◯ in the way",
    ];
    this.legend.textContent = marks.filter(Boolean).join("  ");
    if (this.canvas.getAttribute("aria-label") !== words) this.canvas.setAttribute("aria-label", words);
  }

  private move(view: View, at: Point): void {
    this.touched = true;
    this.view = bounded(view, this.whole, at);
    this.tip.hidden = true;
    this.refresh();
  }

  private zoom(at: Point, factor: number): void {
    this.move(zoomed(this.view, at, factor), at);
  }

  private under(at: Point, coarse: boolean): number | null {
    return nodeAt(
      this.pixels,
      at,
      Math.max(radius(this.ground.places.length, this.size, this.view.scale / this.whole.scale) + 4, coarse ? 22 : 9),
    );
  }

  private listen(): void {
    this.canvas.addEventListener("focus", () => this.refresh());
    this.canvas.addEventListener("blur", () => this.refresh());
    listen(this.canvas, {
      grab: (at, coarse) => {
        this.grabbed = this.under(at, coarse);
        if (this.grabbed === null) return false;
        return this.scene.sketching || (this.grabbed !== 0 && this.editing.possible);
      },
      drag: (at) => this.dragTo(at),
      drop: (at) => {
        this.dragTo(at);
        const { drag } = this;
        this.drag = null;
        if (drag?.target) {
          this.editing.move(drag.node, drag.target.place);
          this.desk.set({ selected: drag.node });
        }
        this.refresh();
      },
      cancel: () => {
        this.drag = null;
        this.refresh();
      },
      tap: (at, coarse) => {
        const node = this.under(at, coarse);
        if (this.scene.sketching && node === null) this.sketching.add(...this.metres(at));
        else this.desk.set({ selected: node });
      },
      hover: (at) => this.hover(at),
      pan: (dx, dy) => this.move(panned(this.view, dx, dy), this.middle),
      pinch: (before, after) => this.move(pinched(this.view, before, after), after[0]),
      zoom: (at, factor) => this.zoom(at, factor),
    });
  }

  private metres(at: Point): [number, number] {
    const [x, y] = toWorld(this.view, at);
    return [Math.round(x), Math.round(-y)];
  }

  private dragTo(at: Point): void {
    if (this.grabbed === null) return;
    this.tip.hidden = true;
    if (this.scene.sketching) return this.sketching.shift(this.grabbed, ...this.metres(at));
    const found = target(this.scene, this.pixels, at, this.grabbed, (place) =>
      this.editing.preview(this.grabbed!, place),
    );
    const words = found ? found.words(this.desk.state) : "";
    this.drag = { node: this.grabbed, at, between: found?.between ?? null, words, target: found };
    this.refresh();
  }

  private hover(at: Point | null): void {
    const node = at && this.under(at, false);
    this.canvas.classList.toggle("over", node !== null && node !== 0 && this.editing.possible);
    if (node !== this.desk.state.hovered) this.desk.set({ hovered: node });
    if (!at || node === null || this.scene.sketching) return void (this.tip.hidden = true);
    this.tip.hidden = false;
    this.tip.style.left = `${Math.min(at[0] + 14, this.size.width - 210)}px`;
    this.tip.style.top = `${at[1] + 14}px`;
  }
}
