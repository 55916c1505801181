// Edits of the plan by hand, and what the checker and the explainer say to them.

import type { Api } from "./api";
import { change, cheapest } from "./cost";
import { pushed, redone, undone } from "./history";
import type { Judge } from "./judge";
import { beside, find, moved, nextRoute, same, toWire, without } from "./plan";
import type { Place, Plan } from "./plan";
import { refusalOf } from "./refusal";
import { minimised, planShown, running, subject } from "./state";
import type { Desk } from "./state";
import { name } from "./words";

export class Editing {
  constructor(
    private readonly desk: Desk,
    private readonly api: Api,
    private readonly judge: Judge,
  ) {}

  /** Whether the plan may be changed now. */
  get possible(): boolean {
    return !running(this.desk.state) && this.desk.state.edits !== null;
  }

  move(node: number, to: Place): void {
    const plan = planShown(this.desk.state);
    if (plan) this.put(moved(plan, node, to), `${this.name(node)} moved to ${this.where(to.route)}`);
  }

  unserve(node: number): void {
    const plan = planShown(this.desk.state);
    if (plan && find(plan, node)) this.put(without(plan, node), `${this.name(node)} taken out`);
  }

  /** One visit earlier or later. */
  step(node: number, by: -1 | 1): void {
    const plan = planShown(this.desk.state);
    const to = plan && beside(plan, node, by);
    if (plan && to) this.put(moved(plan, node, to), `${this.name(node)} one visit ${by < 0 ? "earlier" : "later"}`);
    else this.desk.set({ status: `${this.name(node)} is already ${by < 0 ? "first" : "last"}` });
  }

  /** To the neighbouring route, where it costs least there. */
  hop(node: number, by: -1 | 1): void {
    const { solved } = this.desk.state;
    const plan = planShown(this.desk.state);
    if (!plan || !solved) return;
    const route = nextRoute(plan, node, by, solved.kind === "vrp");
    if (route === null) this.desk.set({ status: `No ${by < 0 ? "earlier" : "further"} route` });
    else this.send(node, route);
  }

  /** To a route, where it costs least there. */
  send(node: number, route: number): void {
    const { state } = this.desk;
    const plan = planShown(state);
    if (plan && state.solved) this.move(node, cheapest(state.solved, minimised(state), plan, node, route));
  }

  /** What a move would change of the cost, by the matrix. */
  preview(node: number, to: Place): number | null {
    const { state } = this.desk;
    const plan = planShown(state);
    return plan && state.solved ? change(state.solved, minimised(state), plan, node, to) : null;
  }

  undo(): void {
    this.travel(undone, "Undone");
  }

  redo(): void {
    this.travel(redone, "Done again");
  }

  backToBest(): void {
    const { best } = this.desk.state;
    if (best) this.put(best.plan, "Back to the best plan");
  }

  /** Why a stop has no place, or the plan is refused, and the least that would help. */
  async explain(stop?: number): Promise<void> {
    const asked = subject(this.desk.state);
    const plan = planShown(this.desk.state);
    if (!asked || !plan) return;
    const stops = stop === undefined ? {} : { stops: [stop] };
    this.desk.set({ busy: "Asking why…" });
    try {
      const list = await this.api.explain({ ...asked, plan: toWire(plan, asked.problem.kind), ...stops });
      this.desk.set({ explained: { plan, about: stop === undefined ? "plan" : String(stop), list } });
    } catch (error) {
      this.desk.set({ refusal: refusalOf(error) });
    } finally {
      this.desk.set({ busy: null });
    }
  }

  private put(plan: Plan, status: string): void {
    const { edits } = this.desk.state;
    if (!edits || !this.possible || same(edits.present, plan)) return;
    this.desk.set({ edits: pushed(edits, plan), status, explained: null });
    this.judge.ask(plan);
  }

  private travel(way: typeof undone<Plan>, status: string): void {
    const { edits } = this.desk.state;
    if (!edits || !this.possible) return;
    const next = way(edits);
    if (next === edits) return this.desk.set({ status: "Nothing more" });
    this.desk.set({ edits: next, status, explained: null });
    this.judge.ask(next.present);
  }

  private name(node: number): string {
    const { solved } = this.desk.state;
    return solved ? name(solved, node) : String(node);
  }

  private where(route: number): string {
    const plan = planShown(this.desk.state);
    if (this.desk.state.solved?.kind === "atsp") return "another place";
    return plan && route >= plan.length ? "a new route" : `route ${route + 1}`;
  }
}
