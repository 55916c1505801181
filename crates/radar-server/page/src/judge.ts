// The checker's word on whatever plan is shown. One question at a time; while it is out, only the latest plan waits.

import type { Api } from "./api";
import { same, toWire } from "./plan";
import type { Plan } from "./plan";
import { refusalOf } from "./refusal";
import type { Refusal } from "./refusal";
import { planShown, running, subject } from "./state";
import type { Desk } from "./state";

/** Live plans of larger problems are not judged: the answer comes with its schedule. */
const MOST_LIVE = 400;
/** How long after a question that nobody answered it is asked again, in milliseconds. */
const PAUSE = 1500;

export class Judge {
  private asking = false;
  private waiting: Plan | null = null;
  /** What is shown while nobody answers. */
  private unheard: Refusal | null = null;

  constructor(
    private readonly desk: Desk,
    private readonly api: Api,
  ) {}

  /** Asks about a plan of the present job. */
  ask(plan: Plan): void {
    const { verdict } = this.desk.state;
    if (verdict && same(verdict.plan, plan)) return;
    this.waiting = plan;
    if (!this.asking) void this.work();
  }

  /** Asks about a plan that comes by while the solver runs, unless it would be a burden. */
  glance(plan: Plan): void {
    if (!this.asking && (this.desk.state.solved?.distance.length ?? 0) <= MOST_LIVE) this.ask(plan);
  }

  private async work(): Promise<void> {
    this.asking = true;
    this.desk.set({ judging: true });
    while (this.waiting) {
      const plan = this.waiting;
      this.waiting = null;
      const about = subject(this.desk.state);
      if (!about) break;
      // Another job may come while the checker is at work.
      const current = () => this.desk.state.job?.id === about.job;
      try {
        const check = await this.api.check({ ...about, plan: toWire(plan, about.problem.kind) });
        const shown = planShown(this.desk.state);
        if (current() && shown && same(shown, plan)) this.desk.set({ verdict: { plan, check } });
        if (this.unheard) this.heard();
      } catch (error) {
        const refusal = refusalOf(error);
        // A plan that comes by is not worth a word.
        if (!current() || (refusal.passing && running(this.desk.state))) continue;
        if (!refusal.passing) {
          this.desk.set({ refusal });
          continue;
        }
        // It is asked again until somebody answers, unless another plan or job has come by then.
        this.unheard ??= refusal;
        this.desk.set({ refusal: this.unheard, lost: refusal.code === "unreachable" });
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        if (current() && !running(this.desk.state)) this.waiting ??= plan;
      }
    }
    if (this.unheard) this.heard();
    this.asking = false;
    this.desk.set({ judging: false });
  }

  private heard(): void {
    if (this.desk.state.refusal === this.unheard) this.desk.set({ refusal: null });
    this.unheard = null;
    if (!running(this.desk.state)) this.desk.set({ lost: false });
  }
}
