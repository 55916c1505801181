import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST, begin, pushed, redone, undone } from "../../src/history";

test("what is undone can be done again, until something new is done", () => {
  let history = pushed(pushed(begin("a"), "b"), "c");
  history = undone(history);
  assert.equal(history.present, "b");
  assert.equal(redone(history).present, "c");
  assert.equal(undone(history).present, "a");
  history = pushed(history, "d");
  assert.deepEqual([history.present, history.future], ["d", []]);
  assert.equal(undone(undone(history)).present, "a");
});

test("at either end nothing happens", () => {
  const history = begin(1);
  assert.equal(undone(history), history);
  assert.equal(redone(history), history);
});

test("the oldest steps are forgotten", () => {
  let history = begin(0);
  for (let step = 1; step <= MOST + 10; step += 1) history = pushed(history, step);
  assert.equal(history.past.length, MOST);
  assert.equal(history.past[0], 10);
});
