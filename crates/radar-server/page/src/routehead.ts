// What a route is, beside its time bar: name, figures, load against capacity.

import { h } from "./dom";
import { problemShown, violations } from "./state";
import type { State } from "./state";
import type { RouteSchedule } from "./wire";
import { count, figure, sentence, tongue } from "./words";

export function routeHead(
  state: State,
  index: number,
  out: boolean,
  fresh: boolean,
  visits: readonly number[],
  times: RouteSchedule | null,
): HTMLElement {
  const problem = problemShown(state);
  const title = out ? "Not served" : fresh ? "New route" : problem?.kind === "atsp" ? "Tour" : `Route ${index + 1}`;
  const head = h(
    "div",
    { class: "route-head" },
    h(
      "h3",
      {},
      h("span", { class: "swatch" }),
      title,
      visits.length > 0 && h("span", { class: "faint" }, ` ${count(visits.length, "stop")}`),
    ),
  );
  if (!problem || !times || visits.length === 0) return head;
  const say = tongue(problem);
  const span = say.clocks
    ? `${say.time(round(times.departure))}–${say.time(round(times.end))}`
    : `ends ${say.time(times.end)}`;
  // Where lengths are the times as well, one of them says it all.
  const timed = problem.duration != null || problem.windows != null || problem.service != null;
  head.append(
    h("p", { class: "small" }, [figure(times.distance, say.distance), timed && span].filter(Boolean).join(" · ")),
  );
  const late = latest(times, say.time);
  if (late) head.append(h("p", { class: "small faint" }, late));
  if (problem.capacity != null && problem.demand && (times.delivered > 0 || times.picked_up === 0))
    head.append(load("load", times.delivered, problem.capacity));
  if (problem.capacity != null && times.picked_up > 0) head.append(load("pickup", times.picked_up, problem.capacity));
  const broken = violations(state).filter(({ route, node }) => route === index && node === null);
  for (const { text } of broken) head.append(h("p", { class: "small wrong" }, sentence(text)));
  return head;
}

/** To the minute, as dispatchers read it; the table has the seconds. */
function round(time: number): number {
  return Math.round(time / 60) * 60;
}

/** A later departure that does no harm is worth knowing when there is one. */
function latest(times: RouteSchedule, say: (time: number) => string): string | null {
  const latest = times.latest_departure;
  return latest !== null && latest > times.departure ? `may leave by ${say(Math.floor(latest / 60) * 60)}` : null;
}

function load(word: string, amount: number, capacity: number): HTMLElement {
  const share = capacity > 0 ? Math.min(1, amount / capacity) : 1;
  const level = h("span", { class: "level" });
  level.style.width = `${100 * share}%`;
  return h(
    "div",
    { class: amount > capacity ? "load wrong" : "load" },
    h("span", { class: "trough", "aria-hidden": "true" }, level),
    h("span", { class: "small" }, `${word} ${figure(amount)}/${figure(capacity)}`),
  );
}
