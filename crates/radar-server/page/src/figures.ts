// The plan in figures: cost, bound, gap, the verdict, and what can be done with it.

import { button, h, replace, show } from "./dom";
import type { Editing } from "./editing";
import { missing, same } from "./plan";
import type { Plan } from "./plan";
import { checkShown, edited, minimised, planShown, running, unserved, violations } from "./state";
import type { Desk, State } from "./state";
import { change, costUnit, count, figure, percent, seconds, sentence, spelled } from "./words";

export interface FigureActions {
  reoptimise(): void;
}

export function figures(desk: Desk, editing: Editing, actions: FigureActions): HTMLElement {
  const cost = h("p", { class: "cost", id: "cost" });
  const badge = h("span", { class: "badge", id: "badge" });
  const lines = h("dl", { class: "figures" });
  const verdict = h("div", { id: "verdict" });
  const undo = button("Undo", () => editing.undo(), { id: "undo", title: "Ctrl+Z" });
  const redo = button("Redo", () => editing.redo(), { id: "redo", title: "Ctrl+Shift+Z" });
  const back = button("Back to best", () => editing.backToBest(), { id: "back" });
  const again = button("Re-optimise from this plan", () => actions.reoptimise(), { id: "reoptimise" });
  const advice = h("p", { class: "small faint" });
  const tools = h("div", { class: "edits", role: "group", "aria-label": "Edits" }, undo, redo, back, again);
  const element = h(
    "section",
    { class: "panel", "aria-label": "Plan" },
    h("div", { class: "headline" }, cost, badge),
    lines,
    verdict,
    tools,
    advice,
  );

  desk.on(
    ["job", "live", "answer", "edits", "verdict", "judging", "progress", "elapsed", "best", "explained", "lost"],
    (state) => {
      show(element, running(state) || state.answer !== null);
      const problem = state.solved;
      if (!problem) return;
      const unit = costUnit(problem, minimised(state));
      const value = costOf(state);
      cost.textContent = value === null ? (state.judging ? "…" : "–") : figure(value, unit);
      const [words, tone] = standing(state);
      badge.textContent = words;
      badge.className = `badge ${tone}`;
      replace(lines, ...(running(state) || state.answer ? rows(state, unit) : []));
      replace(verdict, verdictBox(state, desk, editing));
      show(tools, !running(state) && state.edits !== null);
      undo.disabled = !state.edits?.past.length;
      redo.disabled = !state.edits?.future.length;
      const plan = planShown(state);
      back.disabled = !plan || !state.best || same(plan, state.best.plan);
      again.classList.toggle("primary", edited(state));
      advice.textContent =
        running(state) && state.lost
          ? "The server cannot be reached. Trying again every few seconds."
          : edited(state) && checkShown(state)?.feasible === false
            ? "This plan breaks rules: re-optimising takes it only as a start."
            : edited(state)
              ? "Re-optimising never comes back worse than this plan."
              : "";
    },
  );
  return element;
}

function costOf(state: State): number | null {
  if (running(state)) return state.progress.at(-1)?.cost ?? null;
  return edited(state) ? (checkShown(state)?.cost ?? null) : (state.answer?.cost ?? null);
}

function boundOf(state: State): number | null {
  return running(state) ? (state.progress.at(-1)?.bound ?? null) : (state.answer?.bound ?? null);
}

/** The plan's standing in a word or two. */
export function standing(state: State): [string, "good" | "bad" | "busy" | "plain"] {
  if (running(state) && state.lost) return ["no connection", "bad"];
  if (state.job?.state === "queued")
    return [state.job.position ? `waiting, ${state.job.position} before it` : "waiting, next in line", "busy"];
  if (running(state)) return ["solving", "busy"];
  if (!state.answer) return [state.job?.state ?? "", "bad"];
  const left = unserved(state).length;
  if (!edited(state))
    return state.answer.optimal
      ? ["proved optimal", "good"]
      : left > 0
        ? [`${count(left, "stop")} left out`, "bad"]
        : [state.job?.state === "cancelled" ? "stopped, valid" : "valid", "good"];
  const check = checkShown(state);
  if (!check) return state.lost ? ["not checked", "bad"] : ["checking", "busy"];
  if (check.feasible) return ["edited, valid", "good"];
  const broken = violations(state).length;
  return [broken > 0 ? `${count(broken, "rule")} broken` : `${count(left, "stop")} left out`, "bad"];
}

function complete({ solved }: State, plan: Plan): boolean {
  return solved !== null && missing(plan, solved.distance.length).length === 0;
}

function rows(state: State, unit: string | null): Node[] {
  const [value, bound] = [costOf(state), boundOf(state)];
  const plan = planShown(state) ?? [];
  const served = plan.flat().length;
  const list: [string, string][] = [];
  // A bound, and any other plan, is for those that serve every stop.
  const whole = complete(state, plan);
  if (bound !== null && whole) list.push(["Lower bound", figure(bound, unit)]);
  const valid = !edited(state) || checkShown(state)?.feasible === true;
  if (bound !== null && value !== null && valid && whole && value > 0)
    list.push(["Gap", percent(Math.max(0, (value - bound) / value))]);
  if (edited(state) && state.best && value !== null && whole && complete(state, state.best.plan))
    list.push(["Against best", change(value - state.best.cost, unit)]);
  if (state.solved?.kind === "vrp") list.push(["Routes", String(plan.filter((visits) => visits.length > 0).length)]);
  if (state.solved?.kind === "vrp")
    list.push(["Stops served", `${served} of ${(state.solved?.distance.length ?? 1) - 1}`]);
  const last = state.progress.at(-1);
  const budget = state.job?.asked.time ?? null;
  if (state.job?.state === "running")
    list.push(["Elapsed", seconds(state.elapsed) + (budget ? ` of ${seconds(budget)}` : "")]);
  const method = running(state) ? last?.method : edited(state) ? "hand" : state.answer?.method;
  if (method)
    list.push(["By", [method, !running(state) && !edited(state) && state.answer?.model].filter(Boolean).join(", ")]);
  return list.flatMap(([term, words]) => [h("dt", {}, term), h("dd", {}, words)]);
}

function verdictBox(state: State, desk: Desk, editing: Editing): Node | null {
  const broken = violations(state);
  if (running(state) || broken.length === 0) return null;
  const list = h("ul", {});
  for (const violation of broken.slice(0, 20)) {
    const { node } = violation;
    list.append(
      h(
        "li",
        {},
        node
          ? button(sentence(violation.text), () => desk.set({ selected: node }), { class: "link" })
          : sentence(violation.text),
      ),
    );
  }
  if (broken.length > 20) list.append(h("li", {}, `and ${broken.length - 20} more`));
  const plan = planShown(state);
  const known =
    state.explained?.about === "plan" && plan && same(state.explained.plan, plan) ? state.explained.list : null;
  const enough = [...new Set((known ?? []).flatMap((item) => item.enough ?? []))];
  return h(
    "div",
    { class: "trouble" },
    list,
    known
      ? h(
          "div",
          {},
          h("strong", {}, enough.length > 0 ? "Enough would be" : "No single change was found that admits this plan"),
          h("ul", {}, ...enough.map((words) => h("li", {}, spelled(sentence(words))))),
        )
      : button("What would admit it?", () => void editing.explain(), { class: "link" }),
  );
}
