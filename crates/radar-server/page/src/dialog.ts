// Questions that must be answered before anything goes on.

import { button, h } from "./dom";
import type { Kind, Unit } from "./wire";

function ask<T>(title: string, fill: (close: (value: T | null) => void) => Node[]): Promise<T | null> {
  return new Promise((resolve) => {
    let result: T | null = null;
    const close = (value: T | null) => {
      result = value;
      dialog.close();
    };
    const dialog: HTMLDialogElement = h("dialog", { "aria-label": title }, h("h2", {}, title));
    dialog.append(...fill(close));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(result);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A table does not say what is wanted of it. */
export function askKind(): Promise<Kind | null> {
  return ask<Kind>("Tour or routes?", (close) => [
    h("p", {}, "The file holds a table and does not say what is wanted."),
    h(
      "div",
      { class: "choices" },
      choice("One tour", "through all nodes and back to the first", () => close("atsp")),
      choice("Routes", "from a depot, the first node", () => close("vrp")),
    ),
    h(
      "div",
      { class: "row end" },
      button("Cancel", () => close(null)),
    ),
  ]);
}

/** Times of day, and a table that does not say what it counts in. */
export function askUnit(): Promise<Unit | null> {
  return ask<Unit>("Seconds, minutes or hours?", (close) => [
    h("p", {}, "The stops have times of day, and the table does not say what its travel times are counted in."),
    h(
      "div",
      { class: "choices" },
      choice("Seconds", "as routing engines count", () => close("s")),
      choice("Minutes", "", () => close("min")),
      choice("Hours", "", () => close("h")),
    ),
    h(
      "div",
      { class: "row end" },
      button("Cancel", () => close(null)),
    ),
  ]);
}

function choice(title: string, words: string, press: () => void): HTMLButtonElement {
  const made = button("", press, { class: "choice" });
  made.append(h("strong", {}, title), h("span", {}, words));
  return made;
}

/** True when a plan that was edited may be left. */
export function askLeave(): Promise<boolean | null> {
  return ask<boolean>("Leave the edited plan?", (close) => [
    h("p", {}, "The plan was changed by hand. Until this tab is closed, the browser’s Back leads to it again."),
    h(
      "div",
      { class: "row end" },
      button("Stay", () => close(false), { id: "stay" }),
      button("Leave it", () => close(true), { class: "primary", id: "leave" }),
    ),
  ]);
}

export function askKey(wrong: boolean): Promise<string | null> {
  return ask<string>("Key", (close) => {
    const field = h("input", { type: "password", id: "key", autocomplete: "off", required: true });
    const form = h(
      "form",
      {
        submit: (event: Event) => {
          event.preventDefault();
          close(field.value.trim());
        },
      },
      h(
        "p",
        {},
        wrong ? "The server did not take that key." : "This server asks for a key. It is kept until the tab is closed.",
      ),
      h("label", { for: "key" }, "Key"),
      field,
      h(
        "div",
        { class: "row end" },
        button("Cancel", () => close(null)),
        h("button", { class: "primary" }, "Use it"),
      ),
    );
    return [form];
  });
}

/** A text to be pasted. */
export function askText(): Promise<string | null> {
  return ask<string>("Paste a file", (close) => {
    const field = h("textarea", { id: "pasted", rows: 12, spellcheck: "false", required: true });
    return [
      h(
        "form",
        {
          submit: (event: Event) => {
            event.preventDefault();
            close(field.value);
          },
        },
        h("label", { for: "pasted" }, "A matrix, a table of a routing engine, TSPLIB, VRPLIB, VROOM or JSON"),
        field,
        h(
          "div",
          { class: "row end" },
          button("Cancel", () => close(null)),
          h("button", { class: "primary" }, "Open"),
        ),
      ),
    ];
  });
}
