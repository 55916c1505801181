// What a job tells of itself until it has ended: by events, and by being asked where there are none to be had.

import type { Api } from "./api";
import { Refusal, refusalOf } from "./refusal";
import type { ServerEvent } from "./stream";
import type { Job, JobState, Progress } from "./wire";

/** How long after a stream that ended or was refused the next attempt is made, in milliseconds. */
const PAUSE = 2000;

/** What has changed of a job; or, when nobody answers, why. */
export type News = Partial<Job> | Refusal;

export function ended(state: JobState | undefined): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}

/** The last of the news is the whole job, ended. Throws when the server does not know the job or wants a key. */
export async function* news(
  api: Pick<Api, "events" | "job">,
  id: string,
  signal: AbortSignal,
  pause = PAUSE,
): AsyncGenerator<News> {
  while (!signal.aborted) {
    try {
      // A listener gets all progress from the beginning.
      const heard: Progress[] = [];
      for await (const event of api.events(id, signal)) {
        yield told(event, heard);
        if (event.name === "end") return;
      }
    } catch {
      // The stream broke off, or there is no room for one more listener: the job itself says where it stands.
    }
    if (signal.aborted) return;
    const asked = await api.job(id).catch(refusalOf);
    if (asked instanceof Refusal) {
      if (asked.status === 401 || asked.status === 404) throw asked;
      yield asked;
    } else {
      yield asked;
      if (ended(asked.state)) return;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function told({ name, data }: ServerEvent, heard: Progress[]): Partial<Job> {
  if (name !== "progress") return name === "state" || name === "end" ? (JSON.parse(data) as Partial<Job>) : {};
  const { plan, ...figures } = JSON.parse(data) as Progress;
  heard.push(figures);
  return { state: "running", progress: heard, ...(plan && { plan }) };
}
