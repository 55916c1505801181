// The stop that is selected: when, why, and where else it could go.

import { button, h, replace, show } from "./dom";
import type { Editing } from "./editing";
import { find } from "./plan";
import { planShown, problemShown, running, scheduleShown, violations } from "./state";
import type { Desk, State } from "./state";
import { figure, name, sentence, tongue } from "./words";

/** What is known about a node, line by line. */
export function facts(state: State, node: number): [string, string][] {
  const problem = problemShown(state);
  if (!problem) return [];
  const say = tongue(problem);
  const plan = planShown(state);
  const place = plan && find(plan, node);
  const stop = place && scheduleShown(state)?.[place.route]?.stops.find((visit) => visit.node === node);
  const list: [string, string][] = [];
  if (node === 0) list.push(["This is", problem.kind === "atsp" ? "the start" : "the depot"]);
  else if (place)
    list.push([
      "Visit",
      problem.kind === "atsp" ? String(place.position + 1) : `${place.position + 1} of route ${place.route + 1}`,
    ]);
  else if (plan) list.push(["Visit", "not served"]);
  if (stop && node !== 0) {
    list.push(["Arrives", say.time(stop.arrival) + (stop.wait > 0 ? `, waits ${say.lasting(stop.wait)}` : "")]);
    if (stop.leave > stop.start) list.push(["Service", `${say.time(stop.start)} to ${say.time(stop.leave)}`]);
  }
  const window = problem.windows?.[node];
  if (window)
    list.push(["Window", `${say.time(window[0])} to ${window[1] === null ? "any time" : say.time(window[1])}`]);
  const [demand, backhaul] = [problem.demand?.[node] ?? 0, problem.backhaul?.[node] ?? 0];
  if (demand > 0) list.push(["Receives", figure(demand)]);
  if (backhaul > 0) list.push(["Hands over", figure(backhaul)]);
  if (stop && node !== 0 && problem.capacity != null)
    list.push(["Load on leaving", `${figure(stop.load)} of ${figure(problem.capacity)}`]);
  return list;
}

export function factList(state: State, node: number): HTMLElement {
  return h(
    "dl",
    { class: "figures" },
    ...facts(state, node).flatMap(([term, words]) => [h("dt", {}, term), h("dd", {}, words)]),
  );
}

export function stopCard(desk: Desk, editing: Editing): HTMLElement {
  const title = h("h3", {});
  const body = h("div", {});
  const element = h(
    "section",
    { class: "stop-card", "aria-label": "Selected stop" },
    h(
      "div",
      { class: "headline" },
      title,
      button("×", () => desk.set({ selected: null }), { class: "quiet", "aria-label": "Deselect" }),
    ),
    body,
  );
  desk.on(["selected", "edits", "live", "job", "verdict", "answer", "solved", "problem", "sketch"], (state) => {
    const { selected } = state;
    const problem = problemShown(state);
    const shown =
      selected !== null && problem !== null && selected < problem.distance.length && !(state.sketch && !state.job);
    show(element, shown);
    if (!shown) return;
    title.textContent = name(problem, selected);
    const words = violations(state).filter((violation) => violation.node === selected);
    replace(
      body,
      factList(state, selected),
      ...words.map((violation) => h("p", { class: "wrong small" }, sentence(violation.text))),
      actions(state, editing, selected),
    );
  });
  return element;
}

function actions(state: State, editing: Editing, node: number): Node | null {
  const plan = planShown(state);
  if (node === 0 || !plan || running(state) || !state.edits) return null;
  const place = find(plan, node);
  const last = place ? (plan[place.route]?.length ?? 0) - 1 : 0;
  const row = h("div", { class: "row", role: "group", "aria-label": "Move this stop" });
  if (place) {
    row.append(
      button("Earlier", () => editing.step(node, -1), { title: "Alt+←", disabled: place.position === 0 }),
      button("Later", () => editing.step(node, 1), { title: "Alt+→", disabled: place.position === last }),
    );
  }
  if (state.solved?.kind === "vrp") {
    const select = h(
      "select",
      { "aria-label": "Move to another route, where it costs least", id: "to-route" },
      h("option", { value: "" }, place ? "To route…" : "Serve on…"),
    );
    for (const route of plan.keys())
      if (route !== place?.route) select.append(h("option", { value: route }, `Route ${route + 1}`));
    if (!place || last > 0) select.append(h("option", { value: plan.length }, "New route"));
    select.addEventListener("change", () => select.value !== "" && editing.send(node, Number(select.value)));
    row.append(select);
    if (place) row.append(button("Take out", () => editing.unserve(node), { title: "Delete" }));
  }
  if (!place && state.solved?.kind === "atsp") row.append(button("Put in", () => editing.send(node, 0)));
  if (!place) row.append(button("Why?", () => void editing.explain(node)));
  return row;
}
