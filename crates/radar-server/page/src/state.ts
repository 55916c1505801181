// Everything the page knows, and what follows from it.

import type { History } from "./history";
import { missing, same } from "./plan";
import type { Plan } from "./plan";
import type { Refusal } from "./refusal";
import { defaults, ruled } from "./settings";
import type { Asked, Settings } from "./settings";
import type { Sketch } from "./sketch";
import { Store } from "./store";
import type {
  About,
  Answer,
  Check,
  Confidence,
  Explanation,
  JobState,
  Measure,
  PlanQuestion,
  Problem,
  Progress,
  RouteSchedule,
  Violation,
} from "./wire";

export interface State {
  about: About | null;
  /** What was opened; the form's answers are not in it. */
  problem: Problem | null;
  title: string;
  settings: Settings;
  /** Points being placed by hand. */
  sketch: Sketch | null;
  /** `mine`: this tab began it, and takes it along when it goes. */
  job: { id: string; state: JobState; position: number | null; asked: Asked; mine: boolean } | null;
  /** The server does not answer at present. */
  lost: boolean;
  /** The problem of the job. */
  solved: Problem | null;
  progress: Progress[];
  /** Seconds since the job began to run, while it runs. */
  elapsed: number;
  /** The best plan while the job runs. */
  live: Plan | null;
  answer: Answer | null;
  /** The best plan known for the problem of the job. */
  best: { plan: Plan; cost: number } | null;
  edits: History<Plan> | null;
  /** Colours of the routes where they differ from their order: those they had while the job ran. */
  hues: readonly number[];
  /** The checker on a plan that is shown. */
  verdict: { plan: Plan; check: Check } | null;
  judging: boolean;
  selected: number | null;
  hovered: number | null;
  refusal: Refusal | null;
  explained: { plan: Plan; about: string; list: Explanation[] } | null;
  confidence: Confidence | null;
  busy: string | null;
  status: string;
}

export type Desk = Store<State>;

export function emptyDesk(): Desk {
  return new Store<State>({
    about: null,
    problem: null,
    title: "",
    settings: defaults,
    sketch: null,
    job: null,
    lost: false,
    solved: null,
    progress: [],
    elapsed: 0,
    live: null,
    answer: null,
    best: null,
    edits: null,
    hues: [],
    verdict: null,
    judging: false,
    selected: null,
    hovered: null,
    refusal: null,
    explained: null,
    confidence: null,
    busy: null,
    status: "",
  });
}

/** What has to go when another problem or job comes. */
export const cleared: Partial<State> = {
  job: null,
  lost: false,
  solved: null,
  progress: [],
  elapsed: 0,
  live: null,
  answer: null,
  best: null,
  edits: null,
  hues: [],
  verdict: null,
  judging: false,
  selected: null,
  hovered: null,
  refusal: null,
  explained: null,
  confidence: null,
};

export function running(state: State): boolean {
  return state.job?.state === "queued" || state.job?.state === "running";
}

/** The problem that plans on the page belong to. */
export function problemShown(state: State): Problem | null {
  if (state.solved) return state.solved;
  return state.problem && ruled(state.problem, state.settings);
}

/** What the costs on the page are sums of. */
export function minimised({ job, settings }: State): Measure {
  return job?.asked.minimise ?? settings.minimise;
}

/** What every question about a plan of the job is asked with. */
export function subject({ job, solved }: State): PlanQuestion | null {
  return job && solved && { job: job.id, problem: solved, options: { minimise: job.asked.minimise } };
}

export function hue(state: State, route: number): number {
  return state.hues[route] ?? route;
}

export function planShown(state: State): Plan | null {
  return running(state) ? state.live : (state.edits?.present ?? null);
}

/** Whether a person has changed what the solver answered. */
export function edited(state: State): boolean {
  return !running(state) && state.edits !== null && state.answer !== null && !same(state.edits.present, planOf(state));
}

/** The plan of the answer. */
export function planOf(state: State): Plan {
  return state.answer ? state.answer.routes.map((route) => route.filter((node) => node !== 0)) : [];
}

/** The checker's word on the plan that is shown, as soon as it is there. */
export function checkShown(state: State): Check | null {
  const plan = planShown(state);
  return plan && state.verdict && same(plan, state.verdict.plan) ? state.verdict.check : null;
}

/** The schedule of the plan that is shown. While the checker is at work, routes that stay as they were keep theirs. */
export function scheduleShown(state: State): (RouteSchedule | null)[] | null {
  const plan = planShown(state);
  if (!plan) return null;
  if (state.answer && !running(state) && !edited(state)) return state.answer.schedule;
  const check = checkShown(state);
  if (check) return check.schedule;
  const before = state.verdict ?? (state.answer && { plan: planOf(state), check: state.answer });
  if (!before) return null;
  return plan.map((visits, route) => {
    const was = before.plan[route];
    return was && same([visits], [was]) ? (before.check.schedule[route] ?? null) : null;
  });
}

/** Violations other than stops that are left out, which are shown on their own. */
export function violations(state: State): Violation[] {
  return (checkShown(state)?.violations ?? []).filter((violation) => violation.clause !== "missing-stop");
}

export function unserved(state: State): number[] {
  const [plan, problem] = [planShown(state), problemShown(state)];
  return plan && problem ? missing(plan, problem.distance.length) : [];
}
