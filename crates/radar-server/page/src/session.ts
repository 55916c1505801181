// What survives a reload: the job in the address, edits and the form in the session.

import type { History } from "./history";
import type { Plan } from "./plan";
import type { Settings } from "./settings";
import type { Sketch } from "./sketch";

const PREFIX = "radar-";

/** Kept beside a job: its name, and what a person made of its plan. */
export interface Memory {
  title: string;
  edits: History<Plan> | null;
  best: { plan: Plan; cost: number } | null;
  sketch?: Sketch | null;
}

function store(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Full or forbidden: the page then forgets on reload, which is all that is lost.
  }
}

function recall<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key) ?? "null") as T | null;
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
