// All routes along one time axis, each with its visits. Rows in sight are filled at once, the others when time allows.

import { along, axisOf } from "./axis";
import type { Axis } from "./axis";
import { timeBar } from "./bar";
import { chipList, neighbour } from "./chips";
import type { ChipOptions } from "./chips";
import { dragChips } from "./chipdrag";
import { draw, h, replace, show, tint, untint } from "./dom";
import type { Editing } from "./editing";
import { find } from "./plan";
import type { Plan } from "./plan";
import { routeHead } from "./routehead";
import { hue, planShown, problemShown, running, scheduleShown, unserved, violations } from "./state";
import type { Desk, State } from "./state";
import type { Themes } from "./theme";
import type { RouteSchedule } from "./wire";
import { name, sentence, tongue } from "./words";

/** How long the rows out of sight may keep everything else waiting, in milliseconds. */
const SLICE = 8;

interface Row {
  element: HTMLElement;
  /** What it showed when it was filled. */
  filled: unknown[] | null;
  fill(): void;
}

export class Schedule {
  readonly element = h("div", { class: "schedule" });
  private readonly marks = h("p", { class: "key" });
  private readonly scale = draw("svg", { class: "scale", "aria-hidden": "true" });
  private readonly list = h("div", { class: "rows" });
  private readonly rows: Row[] = [];
  private readonly seen = new Set<Element>();
  private readonly watcher: IntersectionObserver;
  private axis: Axis = { start: 0, end: 1, ticks: [] };
  private catching = false;
  private focused: number | null = null;

  constructor(
    private readonly desk: Desk,
    private readonly editing: Editing,
    private readonly themes: Themes,
  ) {
    this.element.append(h("div", { class: "scale-row" }, this.marks, this.scale), this.list);
    this.watcher = new IntersectionObserver((entries) => this.sight(entries), { rootMargin: "300px" });
    dragChips(this.element, {
      possible: () => editing.possible,
      drop: (node, to) => (to === "out" ? editing.unserve(node) : editing.move(node, to)),
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("focusin", (event) => this.focus(event));
    desk.on(["live", "edits", "answer", "verdict", "job", "selected", "solved", "problem", "sketch"], () =>
      this.update(),
    );
    themes.watch(() => this.update(true));
    desk.on(["selected"], ({ selected }) => selected !== null && this.reveal(selected));
  }

  private update(anew = false): void {
    const { state } = this.desk;
    const [plan, problem] = [planShown(state), problemShown(state)];
    const schedule = scheduleShown(state);
    show(this.element, plan !== null && problem !== null);
    if (!plan || !problem) return;
    const narrow = this.element.clientWidth < 600;
    // While a route is being checked the axis stays as it is.
    if (schedule?.every((route) => route !== null))
      this.axis = axisOf(schedule, tongue(problem).clocks, narrow ? 4 : 9);
    replace(this.scale, ...this.ticks(state));
    this.marks.textContent = problem.windows ? "hatched: waiting, bracket: window" : "";
    const left = running(state) ? [] : unserved(state);
    const heads = plan.map((_, route) => String(route));
    if (left.length > 0) heads.push("out");
    if (problem.kind === "vrp" && !running(state)) heads.push(String(plan.length));
    this.arrange(heads, plan.length);
    const wrong = new Map<number, string>();
    for (const { node, text } of violations(state)) if (node !== null) wrong.set(node, sentence(text));
    const say = JSON.stringify([this.axis.start, this.axis.end]);
    for (const [index, row] of this.rows.entries()) {
      const visits = heads[index] === "out" ? left : (plan[index] ?? []);
      const times = schedule?.[index] ?? null;
      const troubles = violations(state).filter(
        ({ route, node }) => route === index || (node !== null && visits.includes(node)),
      );
      const chosen = state.selected !== null && visits.includes(state.selected) ? state.selected : null;
      const content = [
        anew ? {} : 0,
        heads[index],
        hue(state, index),
        visits.join(),
        JSON.stringify(times),
        chosen,
        say,
        troubles.map(({ text }) => text).join(),
        running(state),
      ];
      if (row.filled && row.filled.every((part, at) => part === content[at])) continue;
      row.filled = null;
      row.fill = () => {
        row.filled = content;
        this.fill(state, row.element, heads[index] ?? "", visits, times, wrong);
      };
      // A row that holds the focus, or will, is filled even out of sight.
      const held =
        (this.focused !== null && visits.includes(this.focused)) || row.element.contains(document.activeElement);
      if (held || this.seen.has(row.element)) row.fill();
      // What it showed belongs to another plan: nothing is better, for those who search or listen.
      else replace(row.element);
    }
    this.catchUp();
    this.keepFocus(plan, left);
  }

  /** Fills the rows out of sight a few at a time, once the plan stands. */
  private catchUp(): void {
    if (this.catching || running(this.desk.state) || this.rows.every(({ filled }) => filled)) return;
    this.catching = true;
    setTimeout(() => {
      this.catching = false;
      const plan = planShown(this.desk.state);
      if (!plan || running(this.desk.state)) return;
      const until = performance.now() + SLICE;
      for (const row of this.rows) {
        if (performance.now() > until) break;
        if (!row.filled) row.fill();
      }
      this.catchUp();
      this.rove(plan.flat());
    });
  }

  /** One element per row, in order. */
  private arrange(heads: string[], routes: number): void {
    while (this.rows.length > heads.length) {
      const row = this.rows.pop()!;
      this.watcher.unobserve(row.element);
      this.seen.delete(row.element);
      row.element.remove();
    }
    while (this.rows.length < heads.length) {
      const element = h("div", { class: "route" });
      this.rows.push({ element, filled: null, fill: () => {} });
      this.list.append(element);
      this.watcher.observe(element);
    }
    for (const [index, head] of heads.entries()) {
      const { element } = this.rows[index]!;
      element.dataset["row"] = head;
      element.className = head === "out" ? "route out" : Number(head) >= routes ? "route fresh" : "route";
    }
  }

  private sight(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) {
        this.seen.delete(target);
        continue;
      }
      this.seen.add(target);
      const row = this.rows.find(({ element }) => element === target);
      if (row && !row.filled) row.fill();
    }
    const plan = planShown(this.desk.state);
    if (plan) this.rove(plan.flat());
  }

  private fill(
    state: State,
    element: HTMLElement,
    head: string,
    visits: readonly number[],
    times: RouteSchedule | null,
    wrong: Map<number, string>,
  ): void {
    const problem = problemShown(state);
    if (!problem) return;
    const index = head === "out" ? -1 : Number(head);
    const fresh = index >= (planShown(state)?.length ?? 0);
    const { palette } = this.themes;
    const colour = hue(state, index);
    // A row may have been a route before.
    if (index >= 0) tint(element, palette.route(colour), palette.on(colour));
    else untint(element);
    const say = tongue(problem);
    const options: ChipOptions = {
      names: (node) => name(problem, node),
      say,
      selected: state.selected,
      wrong,
      select: (node) => this.desk.set({ selected: this.desk.state.selected === node ? null : node }),
      hover: (node) => this.desk.set({ hovered: node }),
    };
    const bar =
      times && visits.length > 0
        ? timeBar(times, {
            problem,
            axis: this.axis,
            say,
            wrong: new Set(wrong.keys()),
            selected: state.selected,
            select: options.select,
          })
        : null;
    const chips = chipList(visits, head === "out" ? null : index, times, options);
    const hint = fresh
      ? "Drop a stop here for a route of its own"
      : visits.length === 0
        ? "Empty: drop a stop here"
        : null;
    replace(
      element,
      routeHead(state, index, head === "out", fresh, visits, times),
      h("div", { class: "route-body" }, bar, visits.length > 0 && chips, hint && h("p", { class: "hint" }, hint)),
    );
  }

  private ticks(state: State): Node[] {
    const problem = problemShown(state);
    if (!problem || !scheduleShown(state)) return [];
    const say = tongue(problem);
    return this.axis.ticks.map((tick) => {
      const share = along(this.axis, tick);
      const anchor = share < 0.04 ? "start" : share > 0.96 ? "end" : "middle";
      return draw("text", { x: `${100 * share}%`, y: 12, "text-anchor": anchor }, say.time(tick));
    });
  }

  private chip(node: number): HTMLElement | null {
    const chip = this.element.querySelector<HTMLElement>(`[data-node="${node}"]`);
    if (chip) return chip;
    // Out of sight: its row is filled now.
    for (const row of this.rows) if (!row.filled) row.fill();
    return this.element.querySelector<HTMLElement>(`[data-node="${node}"]`);
  }

  /** Scrolls to a stop, where the schedule scrolls by itself; never the page away from the map. */
  private reveal(node: number): void {
    const pane = this.element.parentElement;
    if (!pane || pane.scrollHeight <= pane.clientHeight) return;
    const row = this.rows.find(
      ({ element }) => element.dataset["row"] === String(find(planShown(this.desk.state) ?? [], node)?.route ?? "out"),
    );
    row?.element.scrollIntoView({ block: "nearest" });
  }

  private focus(event: FocusEvent): void {
    const chip = (event.target as Element).closest<HTMLElement>("[data-node]");
    this.focused = chip ? Number(chip.dataset["node"]) : null;
    if (this.focused !== null) this.rove([this.focused]);
  }

  /** Exactly one chip is in the order of the tab key: the focused, the selected, or the first. */
  private rove(order: readonly number[]): void {
    const wanted = [this.focused, this.desk.state.selected, ...order].find(
      (node) => node !== null && this.element.querySelector(`[data-node="${node}"]`),
    );
    for (const chip of this.element.querySelectorAll<HTMLElement>("[data-node]"))
      chip.tabIndex = Number(chip.dataset["node"]) === wanted ? 0 : -1;
  }

  private keepFocus(plan: Plan, left: number[]): void {
    this.rove([...plan.flat(), ...left]);
    // A row that is filled anew loses the focus: it goes back to the same stop, wherever it is now.
    if (this.focused !== null && document.activeElement === document.body) this.chip(this.focused)?.focus();
  }

  private key(event: KeyboardEvent): void {
    const chip = (event.target as Element).closest<HTMLElement>("[data-node]");
    const plan = planShown(this.desk.state);
    if (!chip || !plan || event.ctrlKey || event.metaKey) return;
    const node = Number(chip.dataset["node"]);
    if (event.altKey || event.key === "Delete") {
      if (!this.editing.possible) return;
      if (event.key === "ArrowLeft") this.editing.step(node, -1);
      else if (event.key === "ArrowRight") this.editing.step(node, 1);
      else if (event.key === "ArrowUp") this.editing.hop(node, -1);
      else if (event.key === "ArrowDown") this.editing.hop(node, 1);
      else if (event.key === "Delete") this.editing.unserve(node);
      else return;
    } else {
      const to = neighbour([...plan, unserved(this.desk.state)], node, event.key);
      if (to === null) return;
      this.chip(to)?.focus();
    }
    event.preventDefault();
  }
}
