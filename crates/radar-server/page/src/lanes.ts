// Windows below a time bar: one bracket per window, however many stops share it, and none over another.

export interface Bracket {
  open: number;
  close: number;
  lane: number;
  /** Stops that have this window. */
  nodes: number[];
}

/** More lanes than this are not drawn; later brackets then lie over others. */
export const MOST_LANES = 5;

/** Windows that say something within the span, each in the first lane that is free. */
export function lanes(
  windows: readonly { node: number; open: number; close: number }[],
  start: number,
  end: number,
): Bracket[] {
  const brackets = new Map<string, Bracket>();
  for (const { node, open, close } of windows) {
    if (open <= start && close >= end) continue;
    const key = `${open} ${close}`;
    const known = brackets.get(key);
    if (known) known.nodes.push(node);
    else brackets.set(key, { open, close, lane: 0, nodes: [node] });
  }
  const ordered = [...brackets.values()].sort((one, other) => one.open - other.open || one.close - other.close);
  const free: number[] = [];
  for (const bracket of ordered) {
    // Windows that touch would read as one.
    const lane = free.findIndex((until) => until < bracket.open);
    bracket.lane = (lane >= 0 ? lane : free.length) % MOST_LANES;
    free[lane >= 0 ? lane : free.length] = bracket.close;
  }
  return ordered;
}
