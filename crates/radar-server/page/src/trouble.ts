// A refusal in words: what is wrong and what to do, finding by finding.

import { button, h } from "./dom";
import type { Refusal } from "./refusal";
import type { Finding } from "./wire";
import { count, sentence } from "./words";

/** Beyond this many findings of one kind, the rest is counted. */
const MOST = 12;

export interface TroubleActions {
  select(node: number): void;
  name(node: number): string;
  leaveOut(): void;
}

export function troubleBox(refusal: Refusal, actions: TroubleActions | null): HTMLElement {
  const hard = refusal.findings.filter((finding) => finding.severity !== "warning");
  const box = h("div", { class: "trouble", role: "alert" });
  if (hard.length > 1) {
    box.append(h("strong", {}, `${count(hard.length, "thing")} in the way`));
    const list = h("ul", {});
    for (const finding of hard.slice(0, MOST)) list.append(h("li", {}, ...lines(finding, actions)));
    if (hard.length > MOST) list.append(h("li", {}, `and ${hard.length - MOST} more`));
    box.append(list);
  } else {
    box.append(h("strong", {}, sentence(refusal.message)));
    if (refusal.action) box.append(h("p", {}, sentence(refusal.action)));
    box.append(...hard.flatMap((finding) => reference(finding, actions)));
  }
  if (actions && refusal.mayLeaveOut)
    box.append(button("Solve, leaving stops out", () => actions.leaveOut(), { class: "primary" }));
  const { again } = refusal;
  if (again) box.append(button("Try again", again, { class: "primary again" }));
  if (refusal.code)
    box.append(h("p", { class: "code" }, [...new Set([refusal.code, ...hard.map(({ code }) => code)])].join(", ")));
  return box;
}

function lines(finding: Finding, actions: TroubleActions | null): (Node | string)[] {
  return [
    sentence(finding.cause),
    h("span", { class: "do" }, ` ${sentence(finding.action)} `),
    ...reference(finding, actions),
  ];
}

/** A way to the stop that a finding is about. */
function reference(finding: Finding, actions: TroubleActions | null): Node[] {
  const node = finding.nodes?.[0];
  if (!actions || node === undefined || node === 0) return [];
  return [button(`Show ${actions.name(node)}`, () => actions.select(node), { class: "link" })];
}
