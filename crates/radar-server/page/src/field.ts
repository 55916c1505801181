// A field for a number, with what is wrong about it said beside it.

import { h, show } from "./dom";
import { read } from "./settings";
import type { Rule } from "./settings";

export interface NumberField {
  input: HTMLInputElement;
  unit: HTMLElement;
  row: HTMLElement;
  /** What is wrong, in words; within the row unless it is put elsewhere. */
  fault: HTMLElement;
  /** Shows a value. What is wrong in the field stays until it is corrected, or another value comes. */
  put(value: number | null, anew?: boolean): void;
  /** Looks again, as the rule may have changed. */
  check(): void;
}

/** Tells of every number that is right; of none while it is wrong. */
export function numberField(
  id: string,
  label: string,
  rule: () => Rule,
  set: (value: number | null) => void,
  told: "change" | "input" = "change",
): NumberField {
  const { whole, empty } = rule();
  const input = h("input", {
    id,
    type: "number",
    min: 0,
    step: whole ? 1 : "any",
    inputmode: whole ? "numeric" : "decimal",
    placeholder: empty ?? null,
    autocomplete: "off",
    "aria-describedby": `${id}-fault`,
  });
  const unit = h("span", { class: "unit" });
  const fault = h("p", { class: "small wrong fault", id: `${id}-fault`, role: "alert", hidden: true });
  let shown: number | null | undefined;
  const look = () => {
    const found = read(input.validity.badInput ? "?" : input.value, rule());
    const words = "fault" in found ? found.fault : "";
    if (words) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    fault.textContent = words;
    show(fault, words !== "");
    return found;
  };
  input.addEventListener("input", () => {
    // While it is being typed nothing is called wrong, but what was is looked at again.
    if (told === "input" || input.hasAttribute("aria-invalid")) look();
  });
  input.addEventListener(told, () => {
    const found = look();
    if ("fault" in found) return;
    shown = found.value;
    set(found.value);
  });
  const put = (value: number | null, anew = false) => {
    if (value === shown && !anew) return;
    shown = value;
    input.value = value === null ? "" : String(value);
    look();
  };
  const row = h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    h("span", { class: "with-unit" }, input, unit),
    fault,
  );
  return { input, unit, row, fault, put, check: () => void look() };
}

/** The first field within that is wrong and matters: of those that are not hidden, but perhaps folded away. */
export function faulty(within: HTMLElement): HTMLInputElement | null {
  const wrong = [...within.querySelectorAll<HTMLInputElement>("[aria-invalid=true]")];
  return wrong.find((input) => input.closest("[hidden]") === null) ?? null;
}

/** Brings a field before the eyes. */
export function attend(input: HTMLInputElement): void {
  const folded = input.closest("details");
  if (folded) folded.open = true;
  input.focus();
  input.select();
}
