// The plan as a file, the problem as a file.

import type { Api } from "./api";
import { button, h, show } from "./dom";
import { geographical } from "./geography";
import { toWire } from "./plan";
import { refusalOf } from "./refusal";
import { edited, planShown, running, subject } from "./state";
import type { Desk } from "./state";

const FORMS = ["json", "geojson", "csv", "sol", "svg"] as const;
const WORDS = { json: "JSON", sol: "SOL", geojson: "GeoJSON", csv: "CSV", svg: "SVG" };

export function downloads(desk: Desk, api: Api): HTMLElement {
  const answers = FORMS.map((form) =>
    button(WORDS[form], () => void fetchPlan(desk, api, form), { id: `download-${form}` }),
  );
  const problem = button("Problem", () => saveProblem(desk), { id: "download-problem", title: "The problem as JSON" });
  const element = h(
    "section",
    { class: "panel", "aria-label": "Download" },
    h("h2", {}, "Download"),
    h("div", { class: "row" }, ...answers, problem),
  );
  desk.on(["job", "edits", "solved"], (state) => {
    show(element, state.solved !== null && !running(state));
    const points = state.solved?.points;
    for (const [index, form] of FORMS.entries()) {
      const made = answers[index]!;
      const grounded = form !== "geojson" || (points != null && geographical(points));
      made.disabled = state.edits === null || !grounded;
      made.title = grounded ? "" : "GeoJSON needs points in degrees";
    }
  });
  return element;
}

async function fetchPlan(desk: Desk, api: Api, form: (typeof FORMS)[number]): Promise<void> {
  const { state } = desk;
  const plan = planShown(state);
  const asked = subject(state);
  if (!state.job || !asked || !plan) return;
  desk.set({ busy: "Fetching…" });
  try {
    const file = edited(state)
      ? await api.planFile({ ...asked, plan: toWire(plan, asked.problem.kind) }, form)
      : await api.answerFile(state.job.id, form);
    save(file, `${stem(state.title)}-routes.${form}`);
    desk.set({ status: `${WORDS[form]} saved` });
  } catch (error) {
    desk.set({ refusal: refusalOf(error) });
  } finally {
    desk.set({ busy: null });
  }
}

function saveProblem(desk: Desk): void {
  const { solved, title } = desk.state;
  if (!solved) return;
  save(new Blob([JSON.stringify(solved)], { type: "application/json" }), `${stem(title)}.json`);
}

/** A title as the beginning of a file's name. */
export function stem(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "") || "radar"
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
