// Numbers, times and amounts for people.

import type { Measure, Problem } from "./wire";

const NARROW = "\u202f";

/** A number with as many digits as it deserves, grouped by threes, and its unit. */
export function figure(value: number, unit?: string | null): string {
  const size = Math.abs(value);
  const digits = size >= 10000 ? 0 : size >= 10 ? 1 : 3;
  const rounded = Number(value.toFixed(digits));
  const [whole = "0", part] = String(Math.abs(rounded)).includes("e")
    ? [String(Math.abs(rounded))]
    : String(Math.abs(rounded)).split(".");
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, NARROW) : whole;
  const number = `${rounded < 0 ? "−" : ""}${grouped}${part ? `.${part}` : ""}`;
  return unit ? `${number}${NARROW}${unit}` : number;
}

/** A change, with its sign. */
export function change(value: number, unit?: string | null): string {
  if (Number(value.toFixed(3)) === 0) return `±${figure(0, unit)}`;
  return `${value > 0 ? "+" : ""}${figure(value, unit)}`;
}

export function percent(fraction: number): string {
  return `${(100 * fraction).toFixed(fraction < 0.1 ? 2 : 1)}${NARROW}%`;
}

/** Seconds as a time of day, `8:05` or `8:05:30`; days beyond the first are counted. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const day = Math.floor(whole / 86400);
  const [hour, minute, second] = [
    Math.floor((whole - day * 86400) / 3600),
    Math.floor((whole % 3600) / 60),
    whole % 60,
  ];
  const two = (value: number) => String(value).padStart(2, "0");
  const time = `${hour}:${two(minute)}${second ? `:${two(second)}` : ""}`;
  return day > 0 ? `${time} +${day}d` : time;
}

/** Seconds as a length of time. */
export function span(seconds: number): string {
  if (seconds < 60) return `${figure(seconds)}${NARROW}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}${NARROW}min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)}${NARROW}h${rest ? ` ${rest}${NARROW}min` : ""}`;
}

/** Seconds as people count them while they wait. */
export function seconds(value: number): string {
  return value < 10 ? `${value.toFixed(1)}${NARROW}s` : `${Math.round(value)}${NARROW}s`;
}

/** Lengths of time in a message, as hours, minutes and seconds beside the server's own words. */
export function spelled(text: string): string {
  return text.replace(/\b(\d+(?:\.\d+)?) s\b/g, (words, amount: string) => {
    const whole = Math.round(Number(amount));
    if (whole < 60) return words;
    const two = (value: number) => String(value).padStart(2, "0");
    return `${words} (${Math.floor(whole / 3600)}:${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)})`;
  });
}

export interface Tongue {
  distance: string | null;
  /** A point in time. */
  time(value: number): string;
  /** A length of time. */
  lasting(value: number): string;
  /** Whether times are times of day. */
  clocks: boolean;
}

/** How a problem's lengths and times are written: its own units, seconds as clock times. */
export function tongue(problem: Problem): Tongue {
  const distance = problem.units?.distance ?? null;
  const unit = problem.units?.duration ?? (problem.duration ? null : distance);
  const clocks = unit === "s";
  return {
    distance,
    clocks,
    time: (value) => (clocks ? clock(value) : figure(value)),
    lasting: (value) => (clocks ? span(value) : figure(value, unit)),
  };
}

export function count(number: number, noun: string): string {
  return `${figure(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** The unit of what is minimised. */
export function costUnit(problem: Problem, minimise: Measure): string | null {
  const { distance, duration } = problem.units ?? {};
  return (minimise === "duration" && problem.duration ? duration : distance) ?? null;
}

/** The name of a node; its number where it has none, or a blank one. */
export function name(problem: Problem, node: number): string {
  return problem.ids?.[node]?.trim() || (node > 0 ? String(node) : problem.kind === "atsp" ? "start" : "depot");
}

/** What a problem is, in a few words. */
export function description(problem: Problem): string {
  if (problem.kind === "atsp") return `one tour, ${count(problem.distance.length, "node")}`;
  const stops = count(problem.distance.length - 1, "stop");
  const features = [
    problem.open && "open routes",
    problem.capacity != null && `capacity ${figure(problem.capacity)}`,
    problem.vehicles != null && `at most ${count(problem.vehicles, "vehicle")}`,
    problem.backhaul?.some((amount) => amount > 0) && "pickups",
    problem.windows && "time windows",
    problem.limit != null && "length limit",
    problem.max_duration != null && "shift limit",
  ].filter((feature) => typeof feature === "string");
  return ["routes", stops, ...features].join(", ");
}

/** A message of the server as a sentence: a capital, a full stop, and quotes instead of marks for code. */
export function sentence(text: string): string {
  const plain = text.trim().replace(/`([^`]*)`/g, "‘$1’");
  const capital = plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.!?…]$/.test(capital) || capital === "" ? capital : `${capital}.`;
}
