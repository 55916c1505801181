// Light, dark, or as the system has it.

import { button, h, replace } from "./dom";
import { keep, kept } from "./keeping";
import { dark, light } from "./palette";
import type { Palette } from "./palette";

type Theme = "auto" | "light" | "dark";
const KEY = "radar-theme";
const WORDS: Record<Theme, string> = { auto: "Auto", light: "Light", dark: "Dark" };
const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

export class Themes {
  private theme: Theme;
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private watchers: (() => void)[] = [];

  constructor() {
    const chosen = kept("localStorage", KEY);
    this.theme = chosen === "light" || chosen === "dark" ? chosen : "auto";
    this.apply();
    this.system.addEventListener("change", () => this.apply());
  }

  get palette(): Palette {
    return this.theme === "dark" || (this.theme === "auto" && this.system.matches) ? dark : light;
  }

  watch(watcher: () => void): void {
    this.watchers.push(watcher);
  }

  /** A button that goes from one theme to the next. */
  control(): HTMLButtonElement {
    const made = button(
      "",
      () => {
        this.theme = NEXT[this.theme];
        keep("localStorage", KEY, this.theme);
        this.apply();
        say();
      },
      { class: "quiet", id: "theme" },
    );
    const say = () => {
      replace(made, "◐", h("span", { class: "roomy" }, ` ${WORDS[this.theme]}`));
      made.setAttribute("aria-label", `Theme: ${WORDS[this.theme]}. Change to ${WORDS[NEXT[this.theme]]}`);
    };
    say();
    return made;
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.theme;
    for (const watcher of this.watchers) watcher();
  }
}
