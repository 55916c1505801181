// What the map shows, gathered from the state: plain data for the painter and for hit tests.

import { closed } from "./cost";
import { legs } from "./hit";
import type { Leg } from "./hit";
import type { Plan } from "./plan";
import { hue, problemShown, planShown, unserved, violations } from "./state";
import type { State } from "./state";
import { name } from "./words";

export interface Scene {
  plan: Plan;
  legs: Leg[];
  /** The colour of a route, by its number in the palette. */
  hue(route: number): number;
  /** Route and visit of each node that is served. */
  visits: Map<number, { route: number; position: number }>;
  unserved: Set<number>;
  /** Nodes that a violation or a finding is about. */
  wrong: Set<number>;
  pickups: Set<number>;
  selected: number | null;
  hovered: number | null;
  arcs: [number, number, number][];
  names: string[];
  tour: boolean;
  sketching: boolean;
}

export function sceneOf(state: State): Scene {
  const problem = problemShown(state);
  const plan = planShown(state) ?? [];
  const visits = new Map<number, { route: number; position: number }>();
  for (const [route, list] of plan.entries())
    for (const [position, node] of list.entries()) visits.set(node, { route, position });
  const wrong = new Set(state.refusal?.nodes ?? []);
  for (const violation of violations(state)) if (violation.node !== null) wrong.add(violation.node);
  const sketching = state.sketch !== null && state.job === null;
  const nodes = sketching ? (state.sketch?.spots.length ?? 0) : (problem?.distance.length ?? 0);
  return {
    plan,
    legs: problem ? legs(plan, closed(problem)) : [],
    hue: (route) => hue(state, route),
    visits,
    unserved: new Set(planShown(state) ? unserved(state) : []),
    wrong,
    pickups: new Set((problem?.backhaul ?? []).flatMap((amount, node) => (amount > 0 ? [node] : []))),
    selected: state.selected,
    hovered: state.hovered,
    arcs: state.confidence?.arcs ?? [],
    names: Array.from({ length: nodes }, (_, node) =>
      sketching ? (node === 0 ? "depot" : String(node)) : problem ? name(problem, node) : String(node),
    ),
    tour: problem?.kind === "atsp",
    sketching,
  };
}
