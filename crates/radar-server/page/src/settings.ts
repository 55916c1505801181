// What the form asks, and a problem with the answers put in.

import type { Measure, Options, Problem } from "./wire";

export interface Settings {
  time: number;
  seed: number;
  minimise: Measure;
  allowUnserved: boolean;
  capacity: number | null;
  vehicles: number | null;
  limit: number | null;
  open: boolean;
}

export const defaults: Settings = {
  time: 5,
  seed: 0,
  minimise: "distance",
  allowUnserved: false,
  capacity: null,
  vehicles: null,
  limit: null,
  open: false,
};

/** What a job was asked, whatever the form says by now. */
export type Asked = Pick<Options, "time" | "minimise">;

/** The problem's own values where it has them; how to solve stays as it was. */
export function settingsOf(problem: Problem, before: Settings): Settings {
  return {
    ...before,
    minimise: problem.duration ? before.minimise : "distance",
    capacity: problem.capacity ?? null,
    vehicles: problem.vehicles ?? null,
    limit: problem.limit ?? null,
    open: problem.open === true,
  };
}

/** The problem as the form states it. */
export function ruled(problem: Problem, settings: Settings): Problem {
  if (problem.kind === "atsp") return problem;
  const { capacity, vehicles, limit, open } = settings;
  return { ...problem, capacity, vehicles, limit, open };
}

/** Whether the form asks for something else than the job was asked. */
export function differs(problem: Problem, asked: Asked, settings: Settings): boolean {
  return asked.minimise !== settings.minimise || restated(problem, settings);
}

/** Whether the form asks for another problem than this one. */
export function restated(problem: Problem, settings: Settings): boolean {
  return (
    problem.kind === "vrp" &&
    ((problem.capacity ?? null) !== settings.capacity ||
      (problem.vehicles ?? null) !== settings.vehicles ||
      (problem.limit ?? null) !== settings.limit ||
      (problem.open ?? false) !== settings.open)
  );
}

/** A number typed by a person; null when the field is empty or holds none. */
export function typed(text: string, whole: boolean): number | null {
  const value = Number(text.trim().replace(",", "."));
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) return null;
  return whole ? Math.round(value) : value;
}
