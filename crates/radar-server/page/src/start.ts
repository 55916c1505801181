// The first thing a visitor sees: three ways to begin.

import { askText } from "./dialog";
import { button, h, replace, show } from "./dom";
import type { Opening } from "./opening";
import type { Sketching } from "./sketching";
import type { Desk } from "./state";
import { troubleBox } from "./trouble";

export function startPanel(desk: Desk, opening: Opening, sketching: Sketching): HTMLElement {
  const cities = h("div", { class: "stack" });
  const formats = h("p", { class: "faint small" });
  const picker = h("input", {
    type: "file",
    multiple: true,
    id: "files",
    class: "unseen",
    change: () => {
      void opening.files([...(picker.files ?? [])]);
      picker.value = "";
    },
  });
  const box = h("div", {});
  const panel = h(
    "section",
    { class: "start", "aria-label": "Begin" },
    h("h2", { tabindex: -1 }, "A table of travel costs in, checked routes out"),
    h(
      "p",
      { class: "lead" },
      "Real costs differ by direction. RADAR works on the bare table, proves a lower bound, and says why when a stop cannot be served. Nothing leaves this server.",
    ),
    box,
    h(
      "div",
      { class: "ways" },
      card("Open a real city", "Shipped with the program.", cities),
      card(
        "Bring your own",
        "Drop a file anywhere on this page: a matrix, a routing engine's table, VRPLIB, VROOM, JSON, npz. A CSV of stops may come along.",
        h(
          "div",
          { class: "row" },
          picker,
          h("label", { for: "files", class: "button" }, "Choose files"),
          button("Paste text", () => void paste(opening)),
        ),
        formats,
      ),
      card(
        "Place points by hand",
        "On empty ground, with straight-line costs and invented one-way penalties. For trying things out.",
        button("Place points", () => sketching.begin()),
      ),
    ),
  );
  desk.on(["about", "refusal"], ({ about, refusal }) => {
    replace(
      cities,
      ...(about?.examples ?? []).map(({ id, title }) =>
        button(title, () => void opening.example(id, title.split(/[:,]/)[0] ?? id), { class: "city" }),
      ),
      about || refusal ? null : h("span", { class: "faint" }, "Asking the server…"),
    );
    formats.textContent = about ? `Formats: ${about.formats.read.join(", ")}` : "";
  });
  desk.on(["refusal"], ({ refusal }) => replace(box, refusal && troubleBox(refusal, null)));
  desk.on(["problem", "sketch", "job"], ({ problem, sketch, job }) => show(panel, !problem && !sketch && !job));
  return panel;
}

async function paste(opening: Opening): Promise<void> {
  const text = await askText();
  if (text) await opening.text(text);
}

function card(title: string, words: string, ...rest: Node[]): HTMLElement {
  return h("div", { class: "way" }, h("h3", {}, title), h("p", {}, words), ...rest);
}
