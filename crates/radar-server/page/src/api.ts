// The service's interface, call by call.

import { Refusal, unreachable } from "./refusal";
import { EventReader } from "./stream";
import type { ServerEvent } from "./stream";
import type { About, Check, Confidence, Explanation, Given, Job, PlanQuestion, Problem, SolveRequest } from "./wire";

const KEY = "radar-key";

export class Api {
  /** The way to a key when the server wants one; null when nobody gives any. */
  constructor(private readonly askKey: (wrong: boolean) => Promise<string | null>) {}

  about(): Promise<About> {
    return this.json("/v1/about");
  }

  example(id: string): Promise<Problem> {
    return this.json(`/v1/examples/${encodeURIComponent(id)}`);
  }

  /** Reads a file of any known format. */
  convert(file: Blob, fileName: string, given: Given): Promise<Problem> {
    const query = new URLSearchParams({ to: "json", name: fileName });
    if (given.kind) query.set("kind", given.kind);
    return this.json(`/v1/convert?${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: file,
    });
  }

  /** Reads a table together with the stops that go with it. */
  combine(problem: string | Problem, given: Given): Promise<Problem> {
    return this.json("/v1/convert?to=json", post({ problem, given }));
  }

  start(request: SolveRequest): Promise<Job> {
    return this.json("/v1/jobs", post(request));
  }

  job(id: string): Promise<Job> {
    return this.json(path(id));
  }

  problem(id: string): Promise<Problem> {
    return this.json(`${path(id)}/problem`);
  }

  stop(id: string): Promise<Job> {
    return this.json(path(id), { method: "DELETE" });
  }

  check(question: PlanQuestion, signal?: AbortSignal): Promise<Check> {
    return this.json("/v1/check", { ...post(question), ...(signal && { signal }) });
  }

  explain(question: PlanQuestion): Promise<Explanation[]> {
    return this.json("/v1/explain", post(question));
  }

  confidence(question: PlanQuestion & { options?: { model: string } }): Promise<Confidence> {
    return this.json("/v1/confidence", post(question));
  }

  /** A job's answer as a file. */
  async answerFile(id: string, form: string): Promise<Blob> {
    return (await this.send(`${path(id)}/answer?to=${form}`)).blob();
  }

  /** Any plan with its schedule as a file. */
  async planFile(question: PlanQuestion, form: string): Promise<Blob> {
    return (await this.send(`/v1/check?to=${form}`, post(question))).blob();
  }

  /** What a job tells of itself, until the server ends the stream. */
  async *events(id: string, signal: AbortSignal): AsyncGenerator<ServerEvent> {
    const answer = await this.send(`${path(id)}/events`, { signal, headers: { Accept: "text/event-stream" } });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    const events = new EventReader();
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) return;
      yield* events.push(part.value);
    }
  }

  private async json<T>(url: string, init: RequestInit = {}): Promise<T> {
    return (await this.send(url, init)).json() as Promise<T>;
  }

  private async send(url: string, init: RequestInit = {}): Promise<Response> {
    for (let asked = false; ; asked = true) {
      const headers = new Headers(init.headers);
      const key = sessionStorage.getItem(KEY);
      if (key) headers.set("Authorization", `Bearer ${key}`);
      const answer = await fetch(url, { ...init, headers }).catch((error: unknown) => {
        throw init.signal?.aborted ? error : unreachable();
      });
      if (answer.ok) return answer;
      if (answer.status !== 401) throw await Refusal.of(answer);
      const given = await this.askKey(asked || key !== null);
      if (given === null) throw await Refusal.of(answer);
      sessionStorage.setItem(KEY, given);
    }
  }
}

function path(id: string): string {
  return `/v1/jobs/${encodeURIComponent(id)}`;
}

function post(body: object): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}
