import assert from "node:assert/strict";
import { test } from "node:test";
import { contrast, dark, light } from "../../src/palette";

const ROUTES = Array.from({ length: 9 }, (_, index) => index);

test("every route shows on its ground, and its number can be read", () => {
  for (const palette of [light, dark]) {
    for (const route of ROUTES) {
      assert.ok(contrast(palette.route(route), palette.ground) >= 2, `route ${route}`);
      assert.ok(contrast(palette.route(route), palette.on(route)) >= 4.5, `number of route ${route}`);
    }
    for (const colour of [palette.ink, palette.faint, palette.wrong])
      assert.ok(contrast(colour, palette.ground) >= 4.5);
  }
});

test("when colours repeat, dashes do not", () => {
  assert.equal(light.route(0), light.route(9));
  assert.notDeepEqual(light.dashes(0), light.dashes(9));
});
