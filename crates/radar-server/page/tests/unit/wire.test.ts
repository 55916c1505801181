import assert from "node:assert/strict";
import { test } from "node:test";
import { binary, looksLikeStops } from "../../src/files";
import { Refusal, refusalOf } from "../../src/refusal";
import { address, jobInAddress } from "../../src/session";
import { EventReader } from "../../src/stream";
import { sentences } from "../../src/leftout";
import { stem } from "../../src/download";

test("events come out whole, however the text is cut", () => {
  const text = ': hello\n\nevent: progress\ndata: {"cost":1}\n\nevent: end\r\ndata: a\r\ndata: b\r\n\r\ndata:x\n\n';
  const whole = new EventReader().push(text);
  assert.deepEqual(whole, [
    { name: "progress", data: '{"cost":1}' },
    { name: "end", data: "a\nb" },
    { name: "message", data: "x" },
  ]);
  for (let cut = 1; cut < text.length; cut += 1) {
    const reader = new EventReader();
    assert.deepEqual([...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))], whole, `cut at ${cut}`);
  }
});

test("a list of stops is told from a table", () => {
  assert.ok(looksLikeStops("id,lat,lon,demand\ndepot,41,-8,0"));
  assert.ok(looksLikeStops('\ufeff"ID";"Ready"\n1;2'));
  assert.ok(!looksLikeStops("0,1,2\n1,0,3"));
  assert.ok(!looksLikeStops("depot,a,b\n0,1,2"));
  assert.ok(!looksLikeStops('{"demand":[1,2]}'));
  assert.ok(!looksLikeStops(""));
});

test("an archive is told from text", () => {
  assert.ok(binary(new Uint8Array([0x50, 0x4b, 3, 4])));
  assert.ok(binary(new Uint8Array([65, 0, 66])));
  assert.ok(!binary(new TextEncoder().encode("NAME : x")));
});

test("a refusal keeps its cause, its action and its nodes", async () => {
  const body = {
    code: "infeasible",
    detail: "two stops do not fit",
    action: "use larger vehicles",
    findings: [
      { severity: "blocker", code: "demand-above-capacity", cause: "a", action: "b", nodes: [3] },
      { severity: "blocker", code: "demand-above-capacity", cause: "c", action: "d", nodes: [3, 5] },
      { severity: "warning", code: "values-rounded", cause: "e", action: "f", nodes: [] },
    ],
  };
  const refusal = await Refusal.of(new Response(JSON.stringify(body), { status: 422 }));
  assert.deepEqual(
    [refusal.status, refusal.code, refusal.message, refusal.action],
    [422, "infeasible", "two stops do not fit", "use larger vehicles"],
  );
  assert.deepEqual(refusal.nodes, [3, 5]);
  assert.ok(refusal.mayLeaveOut);
  assert.ok(
    !new Refusal({ findings: [{ severity: "error", code: "", cause: "", action: "", nodes: [] }] }).mayLeaveOut,
  );
  assert.ok(!new Refusal({}).mayLeaveOut);
});

test("an answer without words still says something", async () => {
  const busy = await Refusal.of(new Response("", { status: 503, headers: { "Retry-After": "7" } }));
  assert.equal(busy.message, "the server answered 503");
  assert.equal(busy.action, "try again in 7 s");
  assert.equal(refusalOf(new Error("odd")).message, "odd");
});

test("the address names the job", () => {
  assert.equal(jobInAddress(address("a b&c")), "a b&c");
  assert.equal(jobInAddress(address(null)), null);
  assert.equal(jobInAddress(""), null);
});

test("explanations and findings are read line by line", () => {
  assert.deepEqual(sentences({ headline: "no", blocked: ["x"], enough: ["y"], do: [] }), [
    "no",
    "blocked: x",
    "enough: y",
  ]);
  assert.deepEqual(sentences({ cause: "c", action: "a" }), ["c", "do: a"]);
});

test("a title becomes the beginning of a file's name", () => {
  assert.equal(stem("Porto, 60 stops"), "porto-60-stops");
  assert.equal(stem("…"), "radar");
});
