// The window onto the plane: world coordinates to pixels and back.

export type Point = readonly [number, number];

export interface View {
  /** Pixels per unit of the world. */
  scale: number;
  /** Where the world's origin is, in pixels. */
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export function toScreen(view: View, [x, y]: Point): [number, number] {
  return [x * view.scale + view.x, y * view.scale + view.y];
}

export function toWorld(view: View, [x, y]: Point): [number, number] {
  return [(x - view.x) / view.scale, (y - view.y) / view.scale];
}

/** Shows all places, with a margin in pixels and more of it above. */
export function fit(places: readonly Point[], size: Size, margin: number, above = 0): View {
  const high = size.height - above;
  let [west, east, top, low] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of places) {
    [west, east, top, low] = [Math.min(west, x), Math.max(east, x), Math.min(top, y), Math.max(low, y)];
  }
  if (!Number.isFinite(west)) return { scale: 1, x: size.width / 2, y: above + high / 2 };
  const room = (extent: number, pixels: number) => (extent > 0 ? Math.max(20, pixels - 2 * margin) / extent : Infinity);
  const scale = Math.min(room(east - west, size.width), room(low - top, high));
  const finite = Number.isFinite(scale) ? scale : 1;
  return {
    scale: finite,
    x: size.width / 2 - ((west + east) / 2) * finite,
    y: above + high / 2 - ((top + low) / 2) * finite,
  };
}

/** Zooms so that what is under the pixel stays there. */
export function zoomed(view: View, [x, y]: Point, factor: number): View {
  return { scale: view.scale * factor, x: x + (view.x - x) * factor, y: y + (view.y - y) * factor };
}

export function panned(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** Two fingers that were there are here now. */
export function pinched(view: View, before: readonly [Point, Point], after: readonly [Point, Point]): View {
  const apart = ([one, other]: readonly [Point, Point]) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const middle = ([one, other]: readonly [Point, Point]): [number, number] => [
    (one[0] + other[0]) / 2,
    (one[1] + other[1]) / 2,
  ];
  const [from, to] = [middle(before), middle(after)];
  const factor = apart(before) > 0 ? apart(after) / apart(before) : 1;
  return panned(zoomed(view, from, factor), to[0] - from[0], to[1] - from[1]);
}

/** Keeps the zoom within reason of what shows everything. */
export function bounded(view: View, whole: View, at: Point): View {
  const [least, most] = [whole.scale / 8, whole.scale * 400];
  const scale = Math.max(least, Math.min(most, view.scale));
  return scale === view.scale ? view : zoomed(view, at, scale / view.scale);
}
