// Schedule or table, below the map.

import { patterns } from "./bar";
import { button, h, show } from "./dom";
import type { Schedule } from "./schedule";
import { planShown } from "./state";
import type { Desk } from "./state";
import type { Table } from "./table";

export function dock(desk: Desk, schedule: Schedule, table: Table): HTMLElement {
  const panes = [
    { id: "schedule", label: "Schedule", content: schedule.element, chosen: () => (table.open = false) },
    { id: "table", label: "Table", content: table.element, chosen: () => (table.open = true) },
  ];
  const tabs = panes.map(({ id, label }) =>
    button(label, () => choose(id), { role: "tab", id: `tab-${id}`, "aria-controls": `pane-${id}` }),
  );
  const bodies = panes.map(({ id, content }) =>
    h("div", { role: "tabpanel", id: `pane-${id}`, "aria-labelledby": `tab-${id}`, class: "pane" }, content),
  );
  const choose = (id: string) => {
    for (const [index, pane] of panes.entries()) {
      const chosen = pane.id === id;
      tabs[index]!.setAttribute("aria-selected", String(chosen));
      tabs[index]!.tabIndex = chosen ? 0 : -1;
      show(bodies[index]!, chosen);
      if (chosen) pane.chosen();
    }
  };
  const list = h("div", { role: "tablist", "aria-label": "Plan as", class: "tabs" }, ...tabs);
  list.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const next = tabs.find((tab) => tab.getAttribute("aria-selected") !== "true");
    next?.click();
    next?.focus();
  });
  const help = h(
    "p",
    { class: "small faint help" },
    "Drag a stop, or focus it and press Alt with an arrow key; Delete takes it out",
  );
  const element = h(
    "section",
    { class: "dock", "aria-label": "Routes" },
    h("div", { class: "dock-head" }, list, help),
    patterns(),
    ...bodies,
  );
  choose("schedule");
  desk.on(["edits", "live", "job", "problem"], (state) => show(element, planShown(state) !== null));
  return element;
}
