// Stops that no route serves: why, and the least that would help.

import { button, h, replace, show } from "./dom";
import type { Editing } from "./editing";
import { same } from "./plan";
import { edited, planShown, running, unserved } from "./state";
import type { Desk, State } from "./state";
import type { Explanation } from "./wire";
import { count, name, sentence, spelled } from "./words";

const MOST = 50;

export function leftOut(desk: Desk, editing: Editing): HTMLElement {
  const title = h("h2", {});
  const list = h("ul", { class: "left-out" });
  const element = h("section", { class: "panel", "aria-label": "Not served", id: "unserved" }, title, list);
  desk.on(["edits", "answer", "job", "explained", "solved"], (state) => {
    const nodes = running(state) || !state.edits ? [] : unserved(state);
    show(element, nodes.length > 0);
    if (nodes.length === 0) return;
    title.textContent = `${count(nodes.length, "stop")} not served`;
    replace(
      list,
      ...nodes.slice(0, MOST).map((node) => item(state, desk, editing, node)),
      nodes.length > MOST && h("li", {}, `and ${nodes.length - MOST} more`),
    );
  });
  return element;
}

function item(state: State, desk: Desk, editing: Editing, node: number): HTMLElement {
  const known = explained(state, node);
  const reasons =
    known ?? (edited(state) ? [] : (state.answer?.unserved.find((stop) => stop.node === node)?.reasons ?? []));
  const row = h(
    "li",
    {},
    button(state.solved ? name(state.solved, node) : String(node), () => desk.set({ selected: node }), {
      class: "link name",
    }),
  );
  if (reasons.length > 0)
    row.append(
      h(
        "ul",
        {},
        ...reasons.map((words) =>
          h("li", { class: words.startsWith("enough") ? "enough" : "" }, spelled(sentence(words))),
        ),
      ),
    );
  if (!known && !reasons.some((words) => words.startsWith("enough")))
    row.append(
      " ",
      button("Why, and what would be enough?", () => void editing.explain(node), { class: "link why" }),
    );
  return row;
}

function explained(state: State, node: number): string[] | null {
  const plan = planShown(state);
  const { explained: known } = state;
  if (!known || !plan || known.about !== String(node) || !same(known.plan, plan)) return null;
  return known.list.flatMap(sentences);
}

/** An explanation or a finding, line by line. */
export function sentences(item: Explanation): string[] {
  const advice = typeof item.do === "string" ? [item.do] : (item.do ?? []);
  const lines = [
    item.headline,
    ...(item.blocked ?? []).map((words) => `blocked: ${words}`),
    ...(item.enough ?? []).map((words) => `enough: ${words}`),
    ...advice.map((words) => `do: ${words}`),
    item.cause,
    item.action && `do: ${item.action}`,
  ];
  return lines.filter((words) => typeof words === "string" && words !== "") as string[];
}
