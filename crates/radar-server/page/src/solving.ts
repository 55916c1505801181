// Jobs: begun, followed, stopped, and found again after a reload.

import type { Api } from "./api";
import { begin } from "./history";
import type { Judge } from "./judge";
import { arranged, fromWire, missing, toWire, trimmed } from "./plan";
import type { Plan } from "./plan";
import { Refusal, refusalOf } from "./refusal";
import { address, jobInAddress, remembered } from "./session";
import { differs, ruled, settingsOf } from "./settings";
import { cleared, running } from "./state";
import type { Desk } from "./state";
import type { Job, Progress, SolveRequest } from "./wire";
import { count, description, figure, percent, seconds, sentence } from "./words";

/** Progress may come in bursts; it is shown no more often than this, in milliseconds. */
const BREATH = 80;

export class Solving {
  private following: AbortController | null = null;
  /** When the job began to run, by the page's clock. */
  private began: number | null = null;
  private latest: { heard: Progress[]; plan: number[][] | null } | null = null;
  private showing = 0;

  constructor(
    private readonly desk: Desk,
    private readonly api: Api,
    private readonly judge: Judge,
  ) {}

  /** Solves afresh, or from a plan. */
  async start(warm?: Plan): Promise<void> {
    const { problem, settings, job, solved } = this.desk.state;
    if (!problem || running(this.desk.state)) return;
    const { time, seed, minimise, allowUnserved } = settings;
    const request: SolveRequest = { options: { time, seed, minimise, allow_unserved: allowUnserved } };
    // The server still has the problem of the last job: no need to send a large table again.
    if (job && solved && !differs(solved, settings)) request.job = job.id;
    else request.problem = ruled(problem, settings);
    if (warm) request.warm = toWire(trimmed(warm), problem.kind);
    const best = request.job ? this.desk.state.best : null;
    const asked = ruled(problem, settings);
    this.desk.set({ busy: "Starting…", refusal: null });
    try {
      const begun = await this.api.start(request);
      history.pushState(null, "", address(begun.id));
      this.desk.set({ ...cleared, best, selected: this.desk.state.selected, solved: asked, status: "Solving" });
      this.take(begun);
      void this.follow(begun.id);
    } catch (error) {
      const refusal = refusalOf(error);
      this.desk.set({ refusal, status: `Not solved. ${sentence(refusal.message)}` });
    } finally {
      this.desk.set({ busy: null });
    }
  }

  /** Ends the work and keeps the best plan. */
  async stop(): Promise<void> {
    const { job } = this.desk.state;
    if (!job) return;
    try {
      const ended = await this.api.stop(job.id);
      if (ended.state !== "queued" && ended.state !== "running") this.end(ended);
    } catch (error) {
      this.desk.set({ refusal: refusalOf(error) });
    }
  }

  /** Shows a job that the address names. */
  async load(id: string): Promise<void> {
    this.following?.abort();
    this.desk.set({ ...cleared, busy: "Opening…" });
    try {
      const [job, problem] = await Promise.all([this.api.job(id), this.api.problem(id)]);
      // The browser may have gone elsewhere in the meantime.
      if (jobInAddress(location.hash) !== id) return;
      const memory = remembered(id);
      this.desk.set({
        problem,
        solved: problem,
        settings: settingsOf(problem, this.desk.state.settings),
        title: memory?.title ?? "Earlier job",
        best: memory?.best ?? null,
        sketch: memory?.sketch ?? null,
        status: description(problem),
      });
      this.take(job);
      if (running(this.desk.state)) void this.follow(id);
      else if (memory?.edits && this.desk.state.answer) {
        this.desk.set({ edits: memory.edits });
        this.judge.ask(memory.edits.present);
      }
    } catch (error) {
      const refusal = refusalOf(error);
      const shown = refusal.status === 404 ? gone(refusal) : refusal;
      this.desk.set({ ...cleared, problem: null, sketch: null, refusal: shown, status: sentence(shown.message) });
    } finally {
      this.desk.set({ busy: null });
    }
  }

  /** Leaves the job alone; it goes on at the server. */
  leave(): void {
    this.following?.abort();
  }

  private take(job: Job): void {
    if (job.state === "queued" || job.state === "running") {
      const live = job.plan && fromWire(job.plan);
      this.desk.set({
        job: { id: job.id, state: job.state, position: job.position },
        progress: job.progress ?? [],
        live,
      });
    } else this.end(job);
  }

  private async follow(id: string): Promise<void> {
    this.following?.abort();
    const control = new AbortController();
    this.following = control;
    this.began = null;
    this.latest = null;
    const ticking = setInterval(() => this.tick(), 200);
    control.signal.addEventListener("abort", () => clearInterval(ticking));
    while (!control.signal.aborted) {
      try {
        // A listener gets all progress from the beginning.
        const heard: Progress[] = [];
        for await (const event of this.api.events(id, control.signal)) {
          if (control.signal.aborted) return;
          if (event.name === "end") return this.end(JSON.parse(event.data) as Job);
          if (event.name === "state") this.become(JSON.parse(event.data) as Partial<Job>);
          if (event.name === "progress") this.hear(heard, JSON.parse(event.data) as Progress);
        }
        const job = await this.api.job(id);
        if (job.state !== "queued" && job.state !== "running") return this.end(job);
      } catch (error) {
        if (control.signal.aborted) return;
        const refusal = refusalOf(error);
        this.desk.set({ status: `Connection lost: ${refusal.message}` });
        if (refusal.status === 404 || refusal.status === 401) return this.desk.set({ refusal, job: null });
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  private become(change: Partial<Job>): void {
    const { job } = this.desk.state;
    if (job) this.desk.set({ job: { ...job, state: change.state ?? job.state, position: change.position ?? null } });
  }

  /** Time passes between the steps of progress, too. */
  private tick(): void {
    if (this.desk.state.job?.state !== "running") return;
    this.began ??= performance.now();
    const elapsed = (performance.now() - this.began) / 1000;
    const cost = this.desk.state.progress.at(-1)?.cost;
    // Now and then in words, for those who do not see the figures.
    const spoken = cost !== undefined && Math.floor(elapsed / 5) > Math.floor(this.desk.state.elapsed / 5);
    this.desk.set({ elapsed, ...(spoken && { status: `Solving: cost ${figure(cost)} after ${seconds(elapsed)}` }) });
  }

  private hear(heard: Progress[], progress: Progress): void {
    const { plan, ...figures } = progress;
    heard.push(figures);
    this.latest = { heard, plan: plan ?? this.latest?.plan ?? null };
    this.began = Math.min(this.began ?? Infinity, performance.now() - 1000 * progress.elapsed);
    this.showing ||= window.setTimeout(() => this.show(), BREATH);
  }

  private show(): void {
    this.showing = 0;
    const { latest } = this;
    if (!latest || !running(this.desk.state)) return;
    this.desk.set({ progress: [...latest.heard] });
    this.become({ state: "running" });
    if (!latest.plan) return;
    const live = arranged(fromWire(latest.plan), this.desk.state.live ?? []);
    this.desk.set({ live });
    this.judge.glance(live);
  }

  private end(job: Job): void {
    this.following?.abort();
    const { best, solved, progress } = this.desk.state;
    const { answer } = job;
    this.desk.set({
      job: { id: job.id, state: job.state, position: null },
      progress: job.progress?.length ? job.progress : progress,
      live: null,
      answer,
      verdict: null,
      refusal: job.error && new Refusal(job.error),
    });
    if (!answer)
      return this.desk.set({
        status: job.error ? `Not solved. ${sentence(job.error.detail ?? "")}` : "Stopped before a plan was found",
      });
    const plan = fromWire(answer.routes);
    const left = solved ? missing(plan, solved.distance.length).length : 0;
    const better =
      best === null || (answer.cost !== null && answer.cost < best.cost) || leftOut(best.plan, solved) > left;
    this.desk.set({
      edits: begin(plan),
      best: better && answer.cost !== null ? { plan, cost: answer.cost } : best,
      status: summary(job),
    });
  }
}

function gone({ status, code }: Refusal): Refusal {
  const detail = "the job in the address is not known to this server";
  return new Refusal({ status, code, detail, action: "open a problem and solve it again" });
}

function leftOut(plan: Plan, problem: { distance: unknown[] } | null): number {
  return problem ? missing(plan, problem.distance.length).length : 0;
}

function summary(job: Job): string {
  const answer = job.answer;
  if (!answer) return "";
  const end = job.state === "cancelled" ? "Stopped" : "Done";
  const cost = answer.cost === null ? "" : `cost ${figure(answer.cost)}`;
  const routes = count(answer.routes.filter((route) => route.length > 0).length, "route");
  const gap = answer.optimal ? "proved optimal" : answer.gap === null ? "" : `gap ${percent(answer.gap)}`;
  const left = answer.unserved.length > 0 ? `${count(answer.unserved.length, "stop")} not served` : "";
  const total = answer.timings["total"];
  return [end, cost, routes, left, gap, total === undefined ? "" : `in ${seconds(total)}`].filter(Boolean).join(" · ");
}
