// The service's interface, call by call.

import { keep, kept } from "./keeping";
import { locked, Refusal, unreachable } from "./refusal";
import { EventReader } from "./stream";
import type { ServerEvent } from "./stream";
import type { About, Check, Confidence, Explanation, Given, Job, PlanQuestion, Problem } from "./wire";
import type { SolveRequest, Subject } from "./wire";

const KEY = "radar-key";

export class Api {
  private key = kept("sessionStorage", KEY);
  private unlocking: Promise<boolean> | null = null;

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
    if (given.unit) query.set("unit", given.unit);
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
    return this.ask("/v1/jobs", request);
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

  /** Stops a job when the page may be gone before the answer comes. */
  release(id: string): void {
    const headers = this.key ? { Authorization: `Bearer ${this.key}` } : {};
    void fetch(path(id), { method: "DELETE", keepalive: true, headers }).catch(() => {});
  }

  check(question: PlanQuestion): Promise<Check> {
    return this.ask("/v1/check", question);
  }

  explain(question: PlanQuestion): Promise<Explanation[]> {
    return this.ask("/v1/explain", question);
  }

  confidence(question: PlanQuestion): Promise<Confidence> {
    return this.ask("/v1/confidence", question);
  }

  /** A job's answer as a file. */
  async answerFile(id: string, form: string): Promise<Blob> {
    return whole((await this.send(`${path(id)}/answer?to=${form}`)).blob());
  }

  /** Any plan with its schedule as a file. */
  async planFile(question: PlanQuestion, form: string): Promise<Blob> {
    return whole((await this.put(`/v1/check?to=${form}`, question)).blob());
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

  /** A problem that the server may still have from a job: a large table goes out only when it has not. */
  private async put(url: string, { job, problem, ...rest }: Subject): Promise<Response> {
    try {
      return await this.send(url, post(job === undefined ? { problem, ...rest } : { job, ...rest }));
    } catch (error) {
      if (job === undefined || !(error instanceof Refusal) || error.status !== 404) throw error;
      return this.send(url, post({ problem, ...rest }));
    }
  }

  private async ask<T>(url: string, subject: Subject): Promise<T> {
    return whole((await this.put(url, subject)).json() as Promise<T>);
  }

  private async json<T>(url: string, init: RequestInit = {}): Promise<T> {
    return whole((await this.send(url, init)).json() as Promise<T>);
  }

  private async send(url: string, init: RequestInit = {}): Promise<Response> {
    for (;;) {
      const headers = new Headers(init.headers);
      const { key } = this;
      if (key) headers.set("Authorization", `Bearer ${key}`);
      const answer = await fetch(url, { ...init, headers }).catch((error: unknown) => {
        throw init.signal?.aborted ? error : unreachable();
      });
      if (answer.ok) return answer;
      if (answer.status !== 401) throw await Refusal.of(answer);
      // Another call may have got a key in the meantime.
      if (key === this.key && !(await this.unlock(key !== null))) throw locked();
    }
  }

  /** One question, however many calls wait for a key; false when nobody gives any. */
  private unlock(wrong: boolean): Promise<boolean> {
    this.unlocking ??= this.askKey(wrong)
      .then((given) => {
        if (given === null) return false;
        this.key = given;
        keep("sessionStorage", KEY, given);
        return true;
      })
      .finally(() => (this.unlocking = null));
    return this.unlocking;
  }
}

/** What an answer holds: one that is cut off within is as good as none. */
function whole<T>(body: Promise<T>): Promise<T> {
  return body.catch(() => {
    throw unreachable();
  });
}

function path(id: string): string {
  return `/v1/jobs/${encodeURIComponent(id)}`;
}

function post(body: object): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}
