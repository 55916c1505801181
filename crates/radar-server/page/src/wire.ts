// What goes over the wire, as the service's interface and the two JSON schemas state it.

export type Kind = "atsp" | "vrp";
export type Matrix = (number | null)[][];

export interface Units {
  distance?: string | null;
  duration?: string | null;
}

/** A problem; node 0 is the depot and every list has one entry per node. */
export interface Problem {
  version: 1;
  kind: Kind;
  distance: Matrix;
  duration?: Matrix | null;
  demand?: number[] | null;
  backhaul?: number[] | null;
  capacity?: number | null;
  windows?: [number, number | null][] | null;
  service?: number[] | null;
  limit?: number | null;
  max_duration?: number | null;
  open?: boolean | null;
  vehicles?: number | null;
  priority?: number[] | null;
  points?: [number, number][] | null;
  ids?: string[] | null;
  units?: Units | null;
}

export interface StopSchedule {
  node: number;
  id: string;
  arrival: number;
  wait: number;
  start: number;
  leave: number;
  load: number;
}

export interface RouteSchedule {
  departure: number;
  latest_departure: number | null;
  return: number | null;
  end: number;
  distance: number;
  duration: number;
  cost: number | null;
  delivered: number;
  picked_up: number;
  stops: StopSchedule[];
}

export interface Unserved {
  node: number;
  id: string;
  reasons: string[];
}

export interface Answer {
  cost: number | null;
  bound: number | null;
  gap: number | null;
  optimal: boolean;
  routes: number[][];
  schedule: RouteSchedule[];
  unserved: Unserved[];
  method: string;
  model: string | null;
  seed: number;
  timings: Record<string, number>;
  warnings: { code: string; text: string }[];
}

export interface Progress {
  elapsed: number;
  cost: number;
  bound: number | null;
  gap: number | null;
  routes: number;
  unserved: number;
  method: string;
  plan?: number[][];
}

export interface Finding {
  severity: "error" | "blocker" | "warning" | "unserved";
  code: string;
  cause: string;
  action: string;
  nodes: number[];
}

/** A refusal of the server, as problem+json. */
export interface Trouble {
  title?: string;
  status?: number;
  code?: string;
  detail?: string;
  action?: string;
  findings?: Finding[];
  request?: string;
}

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

export interface Job {
  id: string;
  state: JobState;
  position: number | null;
  progress: Progress[];
  plan: number[][] | null;
  answer: Answer | null;
  error: Trouble | null;
  /** What was asked; absent where the server does not say. */
  options?: Partial<Options> | null;
}

export interface Violation {
  clause: string;
  route: number | null;
  position: number | null;
  node: number | null;
  excess: number;
  text: string;
}

export interface Check {
  feasible: boolean;
  cost: number | null;
  violations: Violation[];
  schedule: RouteSchedule[];
}

/** Why something does not fit and what would be enough; a finding stands there when nothing could. */
export interface Explanation {
  subject?: string;
  fits?: boolean;
  headline?: string;
  blocked?: string[];
  enough?: string[];
  do?: string[] | string;
  cause?: string;
  action?: string;
}

export interface Confidence {
  model: string;
  arcs: [number, number, number][];
}

export interface About {
  name: string;
  version: string;
  limits: { body?: number; nodes?: number; time?: number; solve_time?: number; jobs?: number; queue?: number };
  examples: { id: string; title: string; kind: Kind; stops: number }[];
  models: string[];
  tiles: { url: string; attribution: string } | null;
  formats: { read: string[]; write: string[]; answer: string[] };
  keys: boolean;
}

/** What a file leaves open. */
export interface Given {
  kind?: Kind;
  unit?: Unit;
  stops?: string;
}

/** What travel times are counted in. */
export type Unit = "s" | "min" | "h";

export type Measure = "distance" | "duration";

export interface Options {
  time: number | null;
  seed: number;
  minimise: Measure;
  allow_unserved: boolean;
  model: string | null;
}

/** A problem, and the job from which the server may have it. */
export interface Subject {
  problem: Problem;
  job?: string;
  options?: Partial<Options>;
}

export interface SolveRequest extends Subject {
  warm?: number[][];
}

export interface PlanQuestion extends Subject {
  plan?: number[][];
  stops?: number[];
}
