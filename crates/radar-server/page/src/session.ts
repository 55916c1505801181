// What survives a reload: the job in the address, edits and the form in the session.

import type { History } from "./history";
import { keep, kept } from "./keeping";
import type { Plan } from "./plan";
import type { Asked, Settings } from "./settings";
import type { Sketch } from "./sketch";

const PREFIX = "radar-";

/** Kept beside a job: its name, and what a person made of its plan. */
export interface Memory {
  title: string;
  edits: History<Plan> | null;
  best: { plan: Plan; cost: number } | null;
  sketch?: Sketch | null;
  asked?: Asked;
  hues?: readonly number[];
  /** Whether this tab began the job. */
  mine?: boolean;
}

function store(key: string, value: unknown): void {
  keep("sessionStorage", PREFIX + key, JSON.stringify(value));
}

function recall<T>(key: string): T | null {
  try {
    return JSON.parse(kept("sessionStorage", PREFIX + key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

export function remember(job: string, memory: Memory): void {
  store(`job-${job}`, memory);
}

export function remembered(job: string): Memory | null {
  return recall<Memory>(`job-${job}`);
}

/** That a job was stopped because its page went away. */
export function markReleased(job: string): void {
  store("released", job);
}

/** Whether this job was; asked once. */
export function takeReleased(job: string): boolean {
  const released = recall<string>("released") === job;
  if (released) store("released", null);
  return released;
}

export function rememberSettings(settings: Settings): void {
  store("settings", settings);
}

export function rememberedSettings(): Partial<Settings> {
  return recall<Partial<Settings>>("settings") ?? {};
}

/** The job that the address names. */
export function jobInAddress(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("job");
}

export function address(job: string | null): string {
  return job === null ? "#" : `#${new URLSearchParams({ job })}`;
}
