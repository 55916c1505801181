// Jobs: begun, followed, stopped, and found again after a reload.

import type { Api } from "./api";
import { ended, news } from "./following";
import { begin } from "./history";
import type { Judge } from "./judge";
import { arranged, fromWire, missing, seats, toWire, trimmed } from "./plan";
import type { Plan } from "./plan";
import { Refusal, refusalOf } from "./refusal";
import { address, jobInAddress, remembered, takeReleased } from "./session";
import { differs, restated, ruled, settingsOf } from "./settings";
import type { Asked } from "./settings";
import { cleared, running } from "./state";
import type { Desk } from "./state";
import type { Job, SolveRequest } from "./wire";
import { count, description, figure, percent, seconds, sentence } from "./words";

/** Progress may come in bursts; it is shown no more often than this, in milliseconds. */
const BREATH = 80;
/** How often the place in the queue is asked for, in milliseconds. */
const QUEUE = 1500;

export class Solving {
  private following: AbortController | null = null;
  /** When the job began to run, by the page's clock. */
  private began: number | null = null;
  private latest: Partial<Job> = {};
  private showing = 0;

  constructor(
    private readonly desk: Desk,
    private readonly api: Api,
    private readonly judge: Judge,
  ) {}

  /** Solves afresh, or from a plan; in the place of the job before, or after it in the browser's history. */
  async start(warm?: Plan, inPlace = false): Promise<void> {
    const { problem, settings, job, solved } = this.desk.state;
    if (!problem || running(this.desk.state)) return;
    const { time, seed, minimise, allowUnserved } = settings;
    const request: SolveRequest = {
      problem: ruled(problem, settings),
      options: { time, seed, minimise, allow_unserved: allowUnserved },
    };
    if (job && solved && !restated(solved, settings)) request.job = job.id;
    if (warm) request.warm = toWire(trimmed(warm), problem.kind);
    const best = job && solved && !differs(solved, job.asked, settings) ? this.desk.state.best : null;
    // Something else may be opened before the server answers.
    const current = () => this.desk.state.problem === problem;
    this.desk.set({ busy: "Starting…", refusal: null });
    try {
      const begun = await this.api.start(request);
      if (!current()) return void (await this.api.stop(begun.id));
      history[inPlace ? "replaceState" : "pushState"](null, "", address(begun.id));
      const { selected } = this.desk.state;
      this.desk.set({ ...cleared, best, selected, solved: request.problem, status: "Solving" });
      this.take(begun, { time, minimise }, true);
    } catch (error) {
      if (!current()) return;
      const refusal = refusalOf(error).offering(() => void this.start(warm, inPlace));
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
      const stopped = await this.api.stop(job.id);
      // The stream of events may have said so first.
      if (this.shows(job.id) && running(this.desk.state) && ended(stopped.state)) this.end(stopped);
    } catch (error) {
      if (this.shows(job.id)) this.desk.set({ refusal: refusalOf(error) });
    }
  }

  /** Shows a job that the address names. */
  async load(id: string): Promise<void> {
    if (this.shows(id)) this.leave();
    else this.abandon();
    this.desk.set({ ...cleared, busy: "Opening…" });
    // The browser may go elsewhere in the meantime.
    const current = () => jobInAddress(location.hash) === id;
    try {
      const released = takeReleased(id);
      // The word to stop it may still be on its way.
      const asking = released ? this.api.stop(id) : this.api.job(id);
      const [job, problem] = await Promise.all([asking, this.api.problem(id)]);
      if (!current()) return;
      const memory = remembered(id);
      const before = this.desk.state.settings;
      const { time = null, minimise = "distance" } = job.options ?? memory?.asked ?? before;
      const allowUnserved = job.options?.allow_unserved ?? before.allowUnserved;
      const settings = settingsOf(problem, { ...before, minimise, allowUnserved });
      this.desk.set({
        problem,
        solved: problem,
        settings,
        title: memory?.title ?? "Earlier job",
        best: memory?.best ?? null,
        sketch: memory?.sketch ?? null,
        status: description(problem),
      });
      this.take(job, { time, minimise: settings.minimise }, memory?.mine === true);
      if (released && job.state === "cancelled")
        return await this.start(job.plan ? fromWire(job.plan) : undefined, true);
      if (memory?.edits && this.desk.state.answer) {
        this.desk.set({ edits: memory.edits, hues: memory.hues ?? [] });
        this.judge.ask(memory.edits.present);
      }
    } catch (error) {
      if (!current()) return;
      const refusal = refusalOf(error).offering(() => void this.load(id));
      const shown = refusal.status === 404 ? gone(refusal, "open a problem and solve it") : refusal;
      this.desk.set({ ...cleared, problem: null, sketch: null, refusal: shown, status: sentence(shown.message) });
    } finally {
      this.desk.set({ busy: null });
    }
  }

  /** Turns to something else: a job that this tab began ends with that. */
  abandon(): void {
    const { job } = this.desk.state;
    if (job?.mine && running(this.desk.state)) this.api.release(job.id);
    this.leave();
  }

  /** Hears no more of the job; it goes on at the server. */
  private leave(): void {
    this.following?.abort();
  }

  /** Whether the page still shows this job. */
  private shows(id: string): boolean {
    return this.desk.state.job?.id === id;
  }

  private take(job: Job, asked: Asked, mine: boolean): void {
    const { id, state, position } = job;
    this.desk.set({ job: { id, state, position, asked, mine }, progress: job.progress ?? [] });
    if (ended(state)) return this.end(job);
    this.desk.set({ live: job.plan && fromWire(job.plan) });
    void this.follow(id);
  }

  private async follow(id: string): Promise<void> {
    this.leave();
    const control = new AbortController();
    this.following = control;
    this.began = null;
    this.latest = {};
    const ticking = setInterval(() => this.tick(), 200);
    const queueing = setInterval(() => void this.queue(id), QUEUE);
    try {
      for await (const heard of news(this.api, id, control.signal)) {
        if (control.signal.aborted || !this.shows(id)) return;
        if (heard instanceof Refusal) {
          this.lose(heard);
          continue;
        }
        if (this.desk.state.lost) this.desk.set({ lost: false, status: "The server answers again" });
        if (ended(heard.state)) return this.end(heard as Job);
        this.hear(heard);
      }
    } catch (error) {
      if (control.signal.aborted || !this.shows(id)) return;
      const refusal = refusalOf(error).offering(() => void this.load(id));
      if (refusal.status !== 404) return this.desk.set({ refusal });
      this.desk.set({ refusal: gone(refusal, "solve the problem again"), job: null, lost: false });
    } finally {
      clearInterval(ticking);
      clearInterval(queueing);
    }
  }

  /** Nobody answers: the time that passes now is not the job's. */
  private lose({ message }: Refusal): void {
    this.began = null;
    const words = sentence(message);
    if (!this.desk.state.lost) this.desk.set({ lost: true, status: `Connection lost. ${words} Trying again…` });
  }

  /** A job that waits moves up without an event. */
  private async queue(id: string): Promise<void> {
    if (this.desk.state.job?.state !== "queued" || this.desk.state.lost) return;
    const asked = await this.api.job(id).catch(() => null);
    const { job } = this.desk.state;
    if (asked?.state !== "queued" || job?.id !== id || job.state !== "queued") return;
    this.latest.position = asked.position;
    if (job.position !== asked.position) this.desk.set({ job: { ...job, position: asked.position } });
  }

  /** Time passes between the steps of progress, too. */
  private tick(): void {
    if (this.desk.state.job?.state !== "running" || this.desk.state.lost) return;
    const elapsed = this.reckon(0);
    const cost = this.desk.state.progress.at(-1)?.cost;
    // Now and then in words, for those who do not see the figures.
    const spoken = cost !== undefined && Math.floor(elapsed / 5) > Math.floor(this.desk.state.elapsed / 5);
    this.desk.set({ elapsed, ...(spoken && { status: `Solving: cost ${figure(cost)} after ${seconds(elapsed)}` }) });
  }

  private hear(heard: Partial<Job>): void {
    this.latest = { ...this.latest, ...heard };
    const elapsed = heard.progress?.at(-1)?.elapsed;
    if (elapsed !== undefined) this.reckon(elapsed);
    this.showing ||= window.setTimeout(() => this.show(), BREATH);
  }

  /** The job's time in seconds, at least what is known of it: what has been shown is not taken back. */
  private reckon(known: number): number {
    const now = performance.now();
    const begun = now - 1000 * Math.max(known, this.desk.state.elapsed);
    this.began = Math.min(this.began ?? Infinity, begun);
    return (now - this.began) / 1000;
  }

  private show(): void {
    this.showing = 0;
    const { state, position, progress, plan } = this.latest;
    const { job, live: before } = this.desk.state;
    // What was heard of a job that has ended, or is no longer shown, says nothing about this one.
    if (!job || !running(this.desk.state) || this.following?.signal.aborted) return;
    this.desk.set({ job: { ...job, state: state ?? job.state, position: position ?? job.position } });
    if (progress) this.desk.set({ progress: [...progress] });
    if (!plan) return;
    const live = arranged(fromWire(plan), before ?? []);
    this.desk.set({ live });
    this.judge.glance(live);
  }

  private end(job: Job): void {
    this.leave();
    const { best, solved, progress, live, job: shown } = this.desk.state;
    const { answer } = job;
    const refusal = job.error && new Refusal(job.error);
    this.desk.set({
      job: shown && { ...shown, state: job.state, position: null },
      progress: job.progress?.length ? job.progress : progress,
      lost: false,
      live: null,
      answer,
      verdict: null,
      refusal,
    });
    if (!answer) {
      const end = job.state === "cancelled" ? "Stopped" : "Not solved";
      return this.desk.set({ status: `${end}. ${sentence(refusal?.message ?? "there was no plan yet")}` });
    }
    const plan = fromWire(answer.routes);
    const left = solved ? missing(plan, solved.distance.length).length : 0;
    const better =
      best === null || (answer.cost !== null && answer.cost < best.cost) || leftOut(best.plan, solved) > left;
    this.desk.set({
      edits: begin(plan),
      // The answer numbers the routes in an order of its own: they keep the colours that they had so far.
      hues: live ? seats(plan, live) : [],
      best: better && answer.cost !== null ? { plan, cost: answer.cost } : best,
      status: summary(job),
    });
  }
}

function gone({ status, code }: Refusal, action: string): Refusal {
  return new Refusal({ status, code, detail: "the job is not known to this server, or no longer", action });
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
