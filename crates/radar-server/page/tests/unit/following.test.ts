import assert from "node:assert/strict";
import { test } from "node:test";
import { news } from "../../src/following";
import type { News } from "../../src/following";
import { Refusal, unreachable } from "../../src/refusal";
import type { ServerEvent } from "../../src/stream";
import type { Job } from "../../src/wire";

const job: Job = { id: "a", state: "running", position: null, progress: [], plan: null, answer: null, error: null };
const done: Job = { ...job, state: "done" };
const step = { elapsed: 1, cost: 5, bound: null, gap: null, routes: 1, unserved: 0, method: "search" };
const event = (name: string, data: object): ServerEvent => ({ name, data: JSON.stringify(data) });

/** A server that plays streams and jobs one after the other; a refusal is thrown. */
function server(streams: (ServerEvent | Refusal)[][], jobs: (Job | Refusal)[]) {
  const next = <T>(all: T[]): T => all.shift() ?? assert.fail("asked once too often");
  return {
    async *events() {
      for (const part of next(streams)) {
        if (part instanceof Refusal) throw part;
        yield part;
      }
    },
    async job() {
      const answer = next(jobs);
      if (answer instanceof Refusal) throw answer;
      return answer;
    },
  };
}

async function heard(
  streams: (ServerEvent | Refusal)[][],
  jobs: (Job | Refusal)[],
  signal = new AbortController().signal,
): Promise<News[]> {
  const list: News[] = [];
  for await (const part of news(server(streams, jobs), "a", signal, 0)) list.push(part);
  assert.deepEqual([streams, jobs], [[], []], "everything is asked for");
  return list;
}

test("events are told as changes of the job, the last is the job itself", async () => {
  const list = await heard(
    [[event("state", { state: "running" }), event("progress", { ...step, plan: [[1]] }), event("end", done)]],
    [],
  );
  assert.deepEqual(list, [{ state: "running" }, { state: "running", progress: [step], plan: [[1]] }, done]);
});

test("without room for a listener the job is asked until it has ended", async () => {
  const full = () => [new Refusal({ status: 503, code: "too-many-listeners" })];
  const later = { ...job, progress: [step], plan: [[1]] };
  assert.deepEqual(await heard([full(), full(), full()], [job, later, done]), [job, later, done]);
});

test("a stream that breaks off is taken up again from the beginning", async () => {
  const lost = unreachable();
  const list = await heard(
    [[event("progress", step), lost], [event("progress", step), event("progress", step), event("end", done)]],
    [lost],
  );
  assert.deepEqual(list[1], lost);
  assert.deepEqual(list[3], { state: "running", progress: [step, step] });
  assert.deepEqual(list[4], done);
});

test("a job that the server has forgotten, or that wants a key, is asked for no longer", async () => {
  for (const status of [404, 401]) {
    const refusal = new Refusal({ status });
    await assert.rejects(heard([[refusal]], [refusal]), refusal);
  }
});

test("who has left hears and asks nothing more", async () => {
  const control = new AbortController();
  const left: News[] = [];
  for await (const part of news(server([[event("progress", step), unreachable()]], []), "a", control.signal, 0)) {
    left.push(part);
    control.abort();
  }
  assert.equal(left.length, 1);
});
