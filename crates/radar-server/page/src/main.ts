// Puts the page together.

import { Api } from "./api";
import { curve } from "./curve";
import { askKey } from "./dialog";
import { dock } from "./dock";
import { h, replace, show } from "./dom";
import { downloads } from "./download";
import { Editing } from "./editing";
import { attend, faulty } from "./field";
import { figures } from "./figures";
import { solveForm } from "./form";
import { header } from "./header";
import { Judge } from "./judge";
import { layers } from "./layers";
import { leftOut } from "./leftout";
import { MapView } from "./map";
import { notes } from "./notes";
import { Opening } from "./opening";
import { refusalOf } from "./refusal";
import { releasing } from "./releasing";
import { Schedule } from "./schedule";
import { jobInAddress, remember, rememberSettings, rememberedSettings } from "./session";
import { shortcuts, dropping } from "./shortcuts";
import { Sketching, sketchingNow } from "./sketching";
import { sketchPanel } from "./sketchpanel";
import { Solving } from "./solving";
import { startPanel } from "./start";
import { emptyDesk, planShown, problemShown, running } from "./state";
import { factList, stopCard } from "./stopcard";
import { Table } from "./table";
import { Themes } from "./theme";
import { troubleBox } from "./trouble";
import { name } from "./words";

const desk = emptyDesk();
const themes = new Themes();
const api = new Api(askKey);
const judge = new Judge(desk, api);
const solving = new Solving(desk, api, judge);
const opening = new Opening(desk, api, solving);
const editing = new Editing(desk, api, judge);
const sketching = new Sketching(desk, opening);
desk.set({ settings: { ...desk.state.settings, ...rememberedSettings() } });

/** Nothing is solved while a field holds what it cannot: the first of them gets the focus. */
function ready(): boolean {
  const wrong = faulty(side);
  if (!wrong) return true;
  desk.set({ status: "Not solved. One of the fields holds what it cannot" });
  attend(wrong);
  return false;
}

function solve(): void {
  if (!ready()) return;
  if (sketchingNow(desk.state)) opening.adopt();
  void solving.start();
}

function reoptimise(): void {
  const plan = planShown(desk.state);
  if (plan && ready()) void solving.start(plan);
}

const map = new MapView(desk, editing, sketching, themes);
const trouble = h("div", {});
desk.on(["refusal"], ({ refusal }) => {
  const actions = {
    select: (node: number) => desk.set({ selected: node }),
    name: (node: number) => {
      const problem = problemShown(desk.state);
      return problem ? name(problem, node) : String(node);
    },
    leaveOut: () => {
      desk.set({ settings: { ...desk.state.settings, allowUnserved: true } });
      solve();
    },
  };
  replace(trouble, refusal && troubleBox(refusal, actions));
  // What is missing can be said right here.
  const wanted = refusal?.codes.includes("capacity-missing") && document.querySelector<HTMLInputElement>("#capacity");
  if (wanted && wanted.closest("[hidden]") === null) attend(wanted);
});
desk.on(["hovered", "verdict", "edits", "live"], (state) => {
  const problem = problemShown(state);
  if (state.hovered === null || !problem || state.hovered >= problem.distance.length) return replace(map.tip);
  replace(map.tip, h("strong", {}, name(problem, state.hovered)), factList(state, state.hovered));
});

const side = h(
  "aside",
  { class: "side", "aria-label": "Problem and plan" },
  solveForm(desk, { solve, stop: () => void solving.stop() }),
  trouble,
  sketchPanel(desk, sketching),
  figures(desk, editing, { reoptimise }),
  curve(desk),
  leftOut(desk, editing),
  notes(desk),
  layers(desk, api),
  downloads(desk, api),
  stopCard(desk, editing),
);
const work = h("main", { class: "work", id: "work" }, map.element);
const lower = dock(desk, new Schedule(desk, editing, themes), new Table(desk));
const start = h("div", { class: "start-box" }, startPanel(desk, opening, sketching));
const status = h("div", { class: "status", role: "status", "aria-live": "polite", id: "status" });
document.body.append(header(desk, opening, themes), start, work, side, lower, status);

let begun = false;
/** What had the focus is gone: it goes to what comes next, as soon as that can be used. */
let astray = false;
desk.on(["problem", "sketch", "job", "busy"], (state) => {
  const before = begun;
  begun = state.problem !== null || state.sketch !== null || state.job !== null;
  if (begun !== before)
    astray = !begun || document.activeElement === document.body || start.contains(document.activeElement);
  document.body.classList.toggle("begun", begun);
  for (const part of [work, side]) show(part, begun);
  show(start, !begun);
  if (!astray || state.busy !== null) return;
  astray = false;
  const next = begun ? "#solve:enabled, canvas" : ".start h2";
  const found = [...document.querySelectorAll<HTMLElement>(next)].at(-1);
  found?.focus({ preventScroll: true });
});
desk.on(["status", "busy"], (state) => {
  status.textContent = state.busy ?? state.status;
});
desk.on(["settings"], ({ settings }) => rememberSettings(settings));
desk.on(["edits", "best", "title", "job", "sketch"], (state) => {
  const { job, title, best, sketch, hues } = state;
  const edits = running(state) ? null : state.edits;
  if (job) remember(job.id, { title, edits, best, sketch, hues, asked: job.asked, mine: job.mine });
});
desk.on(["title"], ({ title }) => (document.title = title ? `${title} · RADAR` : "RADAR"));

shortcuts(desk, editing);
dropping(
  (files) => void opening.files(files),
  (text) => void opening.text(text),
);

function follow(): void {
  const id = jobInAddress(location.hash);
  if (id && id !== desk.state.job?.id) void solving.load(id);
  else if (!id && desk.state.job) opening.close(true);
}
addEventListener("popstate", follow);
releasing(desk, api, (id) => void solving.load(id));

/** First what the server offers, and with it the key that it may want; then what the address names. */
async function connect(): Promise<void> {
  desk.set({ refusal: null });
  try {
    desk.set({ about: await api.about() });
    follow();
  } catch (error) {
    desk.set({ refusal: refusalOf(error).offering(() => void connect()) });
  }
}
void connect();
