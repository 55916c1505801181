import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Api } from "../../src/api";
import { Refusal } from "../../src/refusal";
import type { Problem } from "../../src/wire";

const problem: Problem = { version: 1, kind: "atsp", distance: [[0]] };

interface Call {
  url: string;
  key: string | null;
  body: Record<string, unknown>;
}
const calls: Call[] = [];

/** Answers each call with a status; what succeeds says `{}`. */
function serve(status: (call: Call) => number): void {
  globalThis.fetch = async (url, init = {}) => {
    const call = {
      url: String(url),
      key: new Headers(init.headers).get("Authorization"),
      body: JSON.parse(String(init.body ?? "{}")) as Record<string, unknown>,
    };
    calls.push(call);
    await new Promise((resolve) => setTimeout(resolve, calls.length));
    return new Response("{}", { status: status(call) });
  };
}

/** What was sent since the last look. */
const bodies = () => calls.splice(0).map(({ body }) => body);

beforeEach(() => void (calls.length = 0));

test("calls that need a key at once share one question, and one more when it was wrong", async () => {
  const asked: boolean[] = [];
  const api = new Api(async (wrong) => {
    asked.push(wrong);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return wrong ? "right" : "mistyped";
  });
  serve(({ key }) => (key === "Bearer right" ? 200 : 401));
  await Promise.all([api.about(), api.job("a"), api.problem("a")]);
  assert.deepEqual(asked, [false, true]);
  await api.about();
  assert.equal(calls.at(-1)?.key, "Bearer right", "kept, even where the browser stores nothing");
});

test("without a key every call is refused, and may be tried again", async () => {
  let asked = 0;
  const api = new Api(async () => {
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return null;
  });
  serve(() => 401);
  const ends = await Promise.allSettled([api.about(), api.job("a")]);
  assert.equal(asked, 1);
  for (const end of ends) {
    assert.ok(end.status === "rejected" && end.reason instanceof Refusal && end.reason.status === 401);
    assert.ok(end.reason.offering(() => {}).again);
  }
  await assert.rejects(api.about());
  assert.equal(asked, 2, "the next attempt asks again");
});

test("the server gets the problem itself only when it no longer has the job", async () => {
  const api = new Api(() => assert.fail("no key is needed"));
  const question = { job: "a", problem, plan: [[0]] };
  serve(() => 200);
  await api.check(question);
  assert.deepEqual(bodies(), [{ job: "a", plan: [[0]] }]);
  serve(({ body }) => (body["job"] ? 404 : 200));
  await api.start({ job: "a", problem, options: { time: 1 } });
  assert.deepEqual(bodies(), [
    { job: "a", options: { time: 1 } },
    { problem, options: { time: 1 } },
  ]);
  serve(() => 422);
  await assert.rejects(api.check(question));
  assert.equal(calls.length, 1, "other refusals stand");
});

test("an answer that is cut off within is as good as none", async () => {
  const cut = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"feasible": tr'));
      controller.error(new TypeError("network error"));
    },
  });
  globalThis.fetch = async () => new Response(cut, { status: 200 });
  const api = new Api(async () => null);
  await assert.rejects(api.check({ problem, plan: [] }), (error) => error instanceof Refusal && error.code === "unreachable");
});
