// Elements, briefly. No markup is ever parsed: text stays text.

type Child = Node | string | null | false | undefined;
type Listener = (event: never) => void;
type Value = string | number | boolean | null | undefined | Listener;

function dress(element: Element, attributes: Record<string, Value>): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value as unknown as EventListener);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

function fill(element: Element, children: Child[]): void {
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

/** An element; attributes that are functions are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  dress(element, attributes);
  fill(element, children);
  return element;
}

/** An element of a drawing. */
export function draw<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  dress(element, attributes);
  fill(element, children);
  return element;
}

export function button(
  label: string,
  press: (event: MouseEvent) => void,
  attributes: Record<string, Value> = {},
): HTMLButtonElement {
  return h("button", { type: "button", ...attributes, click: press as Listener }, label);
}

/** Exchanges what is in an element. */
export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  fill(element, children);
}

export function show(element: HTMLElement, shown: boolean): void {
  element.hidden = !shown;
}

/** Sets a custom property through the object model, as the page's policy allows no inline styles. */
export function tint(element: HTMLElement, colour: string, on?: string): void {
  element.style.setProperty("--route", colour);
  if (on) element.style.setProperty("--on-route", on);
}

export function untint(element: HTMLElement): void {
  for (const property of ["--route", "--on-route"]) element.style.removeProperty(property);
}
