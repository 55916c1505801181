// Colours. Routes keep those of the pictures the program writes: people with any colour vision can tell them apart.

const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#332288", "#882255", "#56b4e9", "#777733"];

/** The same hues, light enough for a dark ground. */
const DARK = ["#4ba3db", "#f58442", "#2ec497", "#e09bc3", "#f0b93a", "#9a8ff0", "#d9749f", "#8fd0f7", "#b8b85c"];

/** When colours repeat, dashes tell routes apart. */
const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 4], [10, 4, 2, 4]];

export interface Palette {
  dark: boolean;
  ground: string;
  grid: string;
  ink: string;
  faint: string;
  rim: string;
  depot: string;
  wrong: string;
  mark: string;
  trust: string;
  route(index: number): string;
  /** What can be read on a route's colour. */
  on(index: number): string;
  dashes(index: number): readonly number[];
}

function luminance(colour: string): number {
  const channel = (at: number) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

/** The contrast of two colours by WCAG. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function palette(dark: boolean, rest: Omit<Palette, "dark" | "route" | "on" | "dashes">): Palette {
  const colours = dark ? DARK : LIGHT;
  const route = (index: number) => colours[index % colours.length] ?? "#777777";
  return {
    dark,
    ...rest,
    route,
    on: (index) => (contrast(route(index), "#ffffff") >= contrast(route(index), "#101418") ? "#ffffff" : "#101418"),
    dashes: (index) => DASHES[Math.floor(index / colours.length) % DASHES.length] ?? [],
  };
}

export const light = palette(false, {
  ground: "#f7f8f6",
  grid: "#e4e7e3",
  ink: "#20262b",
  faint: "#5c666e",
  rim: "#ffffff",
  depot: "#111111",
  wrong: "#c0182b",
  mark: "#111111",
  trust: "#5b2a86",
});

export const dark = palette(true, {
  ground: "#14181c",
  grid: "#20262b",
  ink: "#e8ebed",
  faint: "#9aa5ad",
  rim: "#14181c",
  depot: "#f2f4f5",
  wrong: "#ff6b74",
  mark: "#ffffff",
  trust: "#c9a4f0",
});
