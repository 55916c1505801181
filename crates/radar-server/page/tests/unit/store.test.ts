import assert from "node:assert/strict";
import { test } from "node:test";
import { keep, kept } from "../../src/keeping";
import { Store } from "../../src/store";

test("a watcher that throws is reported and does not keep the others from what has changed", async () => {
  const reported: unknown[] = [];
  globalThis.reportError = (error) => void reported.push(error);
  const store = new Store({ count: 0, other: 0 });
  const seen: number[] = [];
  const wrong = new Error("wrong");
  store.watch(() => {
    throw wrong;
  });
  store.on(["count"], ({ count }) => seen.push(count));
  store.set({ count: 1 });
  store.set({ count: 2 });
  await Promise.resolve();
  store.set({ other: 5 });
  await Promise.resolve();
  assert.deepEqual(seen, [0, 2]);
  assert.deepEqual(reported, [wrong, wrong]);
});

test("storage that is forbidden loses nothing but memory", () => {
  const forbidden = {
    get: () => {
      throw new Error("forbidden");
    },
    configurable: true,
  };
  Object.defineProperty(globalThis, "localStorage", forbidden);
  keep("localStorage", "key", "value");
  assert.equal(kept("localStorage", "key"), null);
  const items = new Map<string, string>();
  const storage = {
    setItem: (key: string, text: string) => items.set(key, text),
    getItem: (key: string) => items.get(key) ?? null,
  };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  keep("localStorage", "key", "value");
  assert.equal(kept("localStorage", "key"), "value");
});
