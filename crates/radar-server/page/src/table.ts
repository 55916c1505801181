// The routes as a table: the same as the map and the bars, for those who read rather than look.

import { button, h, replace } from "./dom";
import { find } from "./plan";
import type { Place } from "./plan";
import { planShown, problemShown, scheduleShown, unserved, violations } from "./state";
import type { Desk, State } from "./state";
import type { Problem, StopSchedule } from "./wire";
import { figure, name, sentence, tongue } from "./words";

interface Column {
  head: string;
  cell(visit: Visit): string;
}

interface Visit {
  state: State;
  problem: Problem;
  node: number;
  place: Place | null;
  stop: StopSchedule | undefined;
}

/** Columns that say something about this problem; the stop's name stands between the second and the third. */
function columns(problem: Problem): Column[] {
  const say = tongue(problem);
  const time = (of: (stop: StopSchedule) => number) => (visit: Visit) => (visit.stop ? say.time(of(visit.stop)) : "");
  const all: (Column | false)[] = [
    { head: "Route", cell: ({ place }) => (place ? String(place.route + 1) : "–") },
    { head: "Visit", cell: ({ place }) => (place ? String(place.position + 1) : "–") },
    { head: "Arrives", cell: time((stop) => stop.arrival) },
    problem.windows != null && {
      head: "Waits",
      cell: ({ stop }) => (stop && stop.wait > 0 ? say.lasting(stop.wait) : ""),
    },
    problem.windows != null && { head: "Starts", cell: time((stop) => stop.start) },
    problem.service != null && { head: "Leaves", cell: time((stop) => stop.leave) },
    problem.windows != null && { head: "Window", cell: ({ node }) => opening(problem, node) },
    problem.capacity != null && { head: "Load", cell: ({ stop }) => (stop ? figure(stop.load) : "") },
    { head: "Remark", cell: ({ state, node, place }) => remark(state, node) || (place ? "" : "not served") },
  ];
  return all.filter((column) => column !== false);
}

function opening(problem: Problem, node: number): string {
  const window = problem.windows?.[node];
  const say = tongue(problem);
  return window ? `${say.time(window[0])}–${window[1] === null ? "" : say.time(window[1])}` : "";
}

function remark(state: State, node: number): string {
  return violations(state)
    .filter((violation) => violation.node === node)
    .map(({ text }) => sentence(text))
    .join(" ");
}

export class Table {
  readonly element = h("div", { class: "table-box", tabindex: 0, role: "region", "aria-label": "Routes as a table" });
  private shown = false;

  constructor(private readonly desk: Desk) {
    desk.on(["edits", "answer", "verdict", "job", "live"], () => this.update());
    desk.on(["selected"], () => this.mark());
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("focusin", () => this.mark());
  }

  /** Built only while it is looked at. */
  set open(open: boolean) {
    this.shown = open;
    this.update();
  }

  private update(): void {
    const { state } = this.desk;
    const plan = planShown(state);
    if (!this.shown || !plan) return replace(this.element);
    const problem = problemShown(state);
    if (!problem) return;
    const shown = columns(problem);
    const body = h("tbody", {});
    for (const node of [...plan.flat(), ...unserved(state)]) {
      const place = find(plan, node);
      const stop = place ? scheduleShown(state)?.[place.route]?.stops.find((visit) => visit.node === node) : undefined;
      body.append(this.row(shown, { state, problem, node, place, stop }));
    }
    const heads = shown.map(({ head }) => h("th", { scope: "col" }, head));
    heads.splice(2, 0, h("th", { scope: "col" }, "Stop"));
    const held = this.focused?.dataset["stop"];
    replace(
      this.element,
      h("table", {}, h("caption", {}, "Every visit in order"), h("thead", {}, h("tr", {}, ...heads)), body),
    );
    // A table that is built anew loses the focus: it goes back to the same stop.
    if (held !== undefined) this.names.find(({ dataset }) => dataset["stop"] === held)?.focus();
    this.mark();
  }

  /** The stops' names, in the order of the rows: buttons, so that a row can be chosen without a mouse. */
  private get names(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>("[data-stop]")];
  }

  private get focused(): HTMLElement | undefined {
    return this.names.find((name) => name === document.activeElement);
  }

  /** Shows the row that is selected. One name is in the order of the tab key: the focused, the selected or the first. */
  private mark(): void {
    const { names } = this;
    const selected = names.find(({ dataset }) => Number(dataset["stop"]) === this.desk.state.selected);
    const reached = this.focused ?? selected ?? names[0];
    for (const name of names) {
      name.tabIndex = name === reached ? 0 : -1;
      name.setAttribute("aria-pressed", String(name === selected));
      name.closest("tr")?.classList.toggle("selected", name === selected);
    }
  }

  private key(event: KeyboardEvent): void {
    const { names, focused } = this;
    const at = focused ? names.indexOf(focused) : -1;
    const ways: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: names.length - 1 };
    const to = ways[event.key];
    if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    names[to]?.focus();
  }

  private row(shown: Column[], visit: Visit): HTMLElement {
    const { state, node, problem } = visit;
    const cells: HTMLElement[] = shown.map(({ cell }) => h("td", {}, cell(visit)));
    if (remark(state, node) !== "") cells.at(-1)?.classList.add("wrong");
    const choose = () => this.desk.set({ selected: node });
    const chooser = button(name(problem, node), choose, { class: "bare", "data-stop": node });
    cells.splice(2, 0, h("th", { scope: "row" }, chooser));
    return h("tr", { click: choose }, ...cells);
  }
}
