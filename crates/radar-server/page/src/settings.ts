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
  maxDuration: number | null;
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
  maxDuration: null,
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
    maxDuration: problem.max_duration ?? null,
    open: problem.open === true,
  };
}

/** The problem as the form states it. */
export function ruled(problem: Problem, settings: Settings): Problem {
  if (problem.kind === "atsp") return problem;
  const { capacity, vehicles, limit, maxDuration, open } = settings;
  return { ...problem, capacity, vehicles, limit, max_duration: maxDuration, open };
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
      (problem.max_duration ?? null) !== settings.maxDuration ||
      (problem.open ?? false) !== settings.open)
  );
}

/** What a field takes. */
export interface Rule {
  /** The least it may be; or what it must be above. */
  least?: number;
  above?: number;
  most?: number;
  whole?: boolean;
  /** What an empty field means; without it there must be a number. */
  empty?: string;
  unit?: string;
}

/** A number typed by a person, or what is wrong with it. */
export function read(text: string, rule: Rule): { value: number | null } | { fault: string } {
  const plain = text.trim().replace(",", ".");
  const { empty, whole = false } = rule;
  if (plain === "" && empty !== undefined) return { value: null };
  const value = Number(plain);
  const fits =
    plain !== "" &&
    Number.isFinite(value) &&
    (!whole || Number.isInteger(value)) &&
    value >= (rule.least ?? -Infinity) &&
    value > (rule.above ?? -Infinity) &&
    value <= (rule.most ?? Infinity);
  return fits ? { value } : { fault: wanted(rule) };
}

function wanted({ least, above, most, whole, empty, unit }: Rule): string {
  const bounds = [
    least !== undefined && `at least ${least}`,
    above !== undefined && `above ${above}`,
    most !== undefined && most < Number.MAX_SAFE_INTEGER && `at most ${most}`,
  ].filter(Boolean);
  const number = `${whole ? "A whole number" : "A number"} ${bounds.join(", ")}`.trim();
  return `${number}${unit ? ` ${unit}` : ""}${empty === undefined ? "" : `, or empty for ${empty}`}.`;
}
