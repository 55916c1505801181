// The network's confidence in arcs, as a layer that can be switched on.

import type { Api } from "./api";
import { h, replace, show } from "./dom";
import { refusalOf } from "./refusal";
import { running } from "./state";
import type { Desk } from "./state";

export function layers(desk: Desk, api: Api): HTMLElement {
  const input = h("input", { type: "checkbox", id: "confidence" });
  const model = h("select", { "aria-label": "Network", id: "model" });
  const element = h(
    "section",
    { class: "panel layers", "aria-label": "Layers" },
    h("label", { class: "check" }, input, "Edge confidence of the network (violet)"),
    model,
  );
  const fetchArcs = async () => {
    const { job, solved } = desk.state;
    if (!input.checked || !job || !solved) return desk.set({ confidence: null });
    desk.set({ busy: "Asking the network…" });
    try {
      const options = model.value ? { options: { model: model.value } } : {};
      const confidence = await api.confidence({ job: job.id, problem: solved, ...options });
      if (desk.state.job?.id === job.id)
        desk.set({ confidence, status: `Confidence of ${confidence.model}: ${confidence.arcs.length} arcs` });
    } catch (error) {
      input.checked = false;
      desk.set({ confidence: null, refusal: refusalOf(error) });
    } finally {
      desk.set({ busy: null });
    }
  };
  input.addEventListener("change", () => void fetchArcs());
  model.addEventListener("change", () => void fetchArcs());
  desk.on(["about"], ({ about }) => {
    const names = (about?.models ?? []).map((name) => h("option", { value: name }, name));
    replace(model, h("option", { value: "" }, "the one that suits"), ...names);
    show(model, (about?.models.length ?? 0) > 1);
  });
  desk.on(["about", "job", "confidence"], (state) => {
    show(element, (state.about?.models.length ?? 0) > 0 && state.job !== null && !running(state));
    input.checked = state.confidence !== null;
  });
  return element;
}
