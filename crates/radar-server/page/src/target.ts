// Where a stop that is dragged over the map would go.

import { legAt, nodeAt } from "./hit";
import { find } from "./plan";
import type { Place } from "./plan";
import type { Scene } from "./scene";
import { minimised, problemShown } from "./state";
import type { State } from "./state";
import type { Point } from "./view";
import { change, costUnit } from "./words";

export interface Target {
  place: Place;
  /** The neighbours it would have; null where an open route ends. */
  between: [number, number | null];
  words(state: State): string;
}

/** On the depot: a route of its own. On a stop: before or after it, whichever costs less. Near a leg: on that leg. */
export function target(
  scene: Scene,
  pixels: Point[],
  at: Point,
  node: number,
  cost: (place: Place) => number | null,
): Target | null {
  const over = nodeAt(pixels, at, 14, node);
  const places = over === null ? onLeg(scene, pixels, at, node) : onNode(scene, over);
  const priced = places.map((place) => ({ place, more: cost(place) }));
  priced.sort((one, other) => (one.more ?? Infinity) - (other.more ?? Infinity));
  const [best] = priced;
  if (!best) return null;
  const visits = scene.plan[best.place.route]?.filter((other) => other !== node) ?? [];
  const own = find(scene.plan, node);
  const shift = own && own.route === best.place.route && own.position < best.place.position ? 1 : 0;
  const position = best.place.position - shift;
  const closes = scene.legs.some((leg) => leg.to === 0);
  return {
    place: best.place,
    between: [visits[position - 1] ?? 0, visits[position] ?? (closes ? 0 : null)],
    words: (state) => {
      const route = scene.tour
        ? ""
        : best.place.route >= scene.plan.length
          ? "new route "
          : `→ route ${best.place.route + 1} `;
      return route + (best.more === null ? "(no way)" : change(best.more, unitOf(state)));
    },
  };
}

function unitOf(state: State): string | null {
  const problem = problemShown(state);
  return problem && costUnit(problem, minimised(state));
}

function onNode(scene: Scene, over: number): Place[] {
  if (over === 0) return scene.tour ? [] : [{ route: scene.plan.length, position: 0 }];
  const place = find(scene.plan, over);
  return place ? [place, { ...place, position: place.position + 1 }] : [];
}

function onLeg(scene: Scene, pixels: Point[], at: Point, node: number): Place[] {
  const leg = legAt(scene.legs, pixels, at, 26, node);
  return leg ? [leg.place] : [];
}
