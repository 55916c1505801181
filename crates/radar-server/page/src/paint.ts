// Draws a scene on the map's canvas.

import type { Leg } from "./hit";
import { label, shortened } from "./labels";
import type { Palette } from "./palette";
import type { Scene } from "./scene";
import type { Point, Size } from "./view";

export interface Drag {
  node: number;
  at: Point;
  /** Where it would go: lines to both neighbours are shown. */
  between: [number, number | null] | null;
  words: string;
}

export interface Picture {
  context: CanvasRenderingContext2D;
  size: Size;
  palette: Palette;
  pixels: Point[];
  /** How much larger than when everything just fits. */
  zoom: number;
  scene: Scene;
  drag: Drag | null;
}

/** Discs are as large as the room for each node and the zoom allow. */
export function radius(nodes: number, size: Size, zoom: number): number {
  const room = Math.sqrt((size.width * size.height) / Math.max(1, nodes));
  const base = Math.max(3, Math.min(9, 0.15 * room));
  return Math.max(base, Math.min(10, base * Math.sqrt(zoom)));
}

export function paint(picture: Picture): void {
  const { scene, drag } = picture;
  const bright = scene.visits.get(scene.selected ?? -1)?.route ?? null;
  if (scene.arcs.length > 0) trust(picture);
  for (const [route] of scene.plan.entries()) if (route !== bright) way(picture, route, bright !== null);
  if (bright !== null) way(picture, bright, false);
  const size = radius(picture.pixels.length, picture.size, picture.zoom);
  for (let node = picture.pixels.length - 1; node > 0; node -= 1) mark(picture, node, size);
  if (picture.pixels.length > 0) depot(picture);
  label(picture, size);
  if (drag) ghost(picture, drag, size);
}

/** A grid for points that are placed by hand. */
export function grid(
  context: CanvasRenderingContext2D,
  size: Size,
  palette: Palette,
  origin: Point,
  step: number,
): void {
  context.strokeStyle = palette.grid;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = ((origin[0] % step) + step) % step; x < size.width; x += step) {
    context.moveTo(Math.round(x) + 0.5, 0);
    context.lineTo(Math.round(x) + 0.5, size.height);
  }
  for (let y = ((origin[1] % step) + step) % step; y < size.height; y += step) {
    context.moveTo(0, Math.round(y) + 0.5);
    context.lineTo(size.width, Math.round(y) + 0.5);
  }
  context.stroke();
}

/** The network's confidence in arcs: the surer, the stronger. */
function trust({ context, palette, pixels, scene }: Picture): void {
  context.strokeStyle = palette.trust;
  context.lineWidth = 4;
  for (const [from, to, p] of scene.arcs) {
    const [start, end] = [pixels[from], pixels[to]];
    if (!start || !end) continue;
    context.globalAlpha = 0.5 * p;
    context.beginPath();
    context.moveTo(...start);
    context.lineTo(...end);
    context.stroke();
  }
  context.globalAlpha = 1;
}

function way({ context, palette, pixels, scene, drag }: Picture, route: number, dim: boolean): void {
  const own = scene.legs.filter((leg) => leg.place.route === route);
  const strong = scene.visits.get(scene.selected ?? -1)?.route === route;
  const hue = scene.hue(route);
  context.strokeStyle = palette.route(hue);
  context.fillStyle = palette.route(hue);
  context.lineWidth = strong ? 3.2 : 2;
  context.lineJoin = "round";
  context.setLineDash([...palette.dashes(hue)]);
  // Ways from and to the depot are fainter: around it there are many.
  for (const depot of [true, false]) {
    context.globalAlpha = (dim ? (scene.plan.length > 20 ? 0.15 : 0.4) : 0.9) * (depot && !scene.tour ? 0.55 : 1);
    context.beginPath();
    for (const leg of own) {
      if ((leg.from === 0 || leg.to === 0) !== depot) continue;
      const [from, to] = [pixels[leg.from], pixels[leg.to]];
      if (!from || !to || drag?.node === leg.from || drag?.node === leg.to) continue;
      context.moveTo(...from);
      context.lineTo(...to);
    }
    context.stroke();
  }
  context.setLineDash([]);
  context.globalAlpha = dim ? (scene.plan.length > 20 ? 0.15 : 0.5) : 1;
  // With many routes the ways at the depot are too close for tips.
  const bare = (leg: Leg) => scene.plan.length > 20 && (leg.from === 0 || leg.to === 0) && !strong;
  for (const leg of own)
    if (drag?.node !== leg.from && drag?.node !== leg.to && !bare(leg)) arrow(context, pixels, leg);
  context.globalAlpha = 1;
}

/** A tip in the middle of a leg that is long enough to carry one. */
function arrow(context: CanvasRenderingContext2D, pixels: Point[], leg: Leg): void {
  const [from, to] = [pixels[leg.from], pixels[leg.to]];
  if (!from || !to) return;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 30) return;
  const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const corner = (ahead: number, aside: number): [number, number] => [
    x + dx * ahead - dy * aside,
    y + dy * ahead + dx * aside,
  ];
  context.beginPath();
  context.moveTo(...corner(6, 0));
  context.lineTo(...corner(-4.5, 4.5));
  context.lineTo(...corner(-4.5, -4.5));
  context.closePath();
  context.fill();
}

/** A disc with the number of the visit; a triangle for pickups, a cross for who is left out. */
function mark({ context, palette, pixels, scene, drag }: Picture, node: number, size: number): void {
  const [x, y] = pixels[node] ?? [0, 0];
  if (drag?.node === node) return;
  const visit = scene.visits.get(node);
  ring(context, palette, scene, node, [x, y], size);
  if (scene.unserved.has(node)) return cross(context, palette, [x, y], Math.max(5, size * 0.75));
  context.beginPath();
  if (scene.pickups.has(node)) {
    context.moveTo(x, y - 1.35 * size);
    context.lineTo(x + 1.25 * size, y + 0.9 * size);
    context.lineTo(x - 1.25 * size, y + 0.9 * size);
    context.closePath();
  } else context.arc(x, y, size, 0, 7);
  context.fillStyle = visit ? palette.route(scene.hue(visit.route)) : palette.faint;
  context.fill();
  context.lineWidth = size > 5 ? 1.5 : 0.8;
  context.strokeStyle = palette.rim;
  context.stroke();
  if (size < 7 || !visit) return;
  context.fillStyle = palette.on(scene.hue(visit.route));
  context.font = `600 ${visit.position >= 99 ? 8 : size < 8 ? 9 : 10}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(String(visit.position + 1), x, y + 0.5);
}

function ring(
  context: CanvasRenderingContext2D,
  palette: Palette,
  scene: Scene,
  node: number,
  [x, y]: Point,
  size: number,
): void {
  const wrong = scene.wrong.has(node);
  const chosen = scene.selected === node || scene.hovered === node;
  if (!wrong && !chosen) return;
  context.beginPath();
  context.arc(x, y, size + 4.5, 0, 7);
  context.lineWidth = wrong ? 3.5 : 2.5;
  context.strokeStyle = wrong ? palette.wrong : palette.mark;
  context.stroke();
  if (wrong && chosen) {
    context.beginPath();
    context.arc(x, y, size + 8.5, 0, 7);
    context.lineWidth = 2;
    context.strokeStyle = palette.mark;
    context.stroke();
  }
}

function cross(context: CanvasRenderingContext2D, palette: Palette, [x, y]: Point, size: number): void {
  context.beginPath();
  context.moveTo(x - size, y - size);
  context.lineTo(x + size, y + size);
  context.moveTo(x - size, y + size);
  context.lineTo(x + size, y - size);
  context.lineWidth = 5.5;
  context.strokeStyle = palette.rim;
  context.stroke();
  context.lineWidth = 2.5;
  context.strokeStyle = palette.wrong;
  context.stroke();
}

function depot({ context, palette, pixels, scene }: Picture): void {
  const [x, y] = pixels[0] ?? [0, 0];
  ring(context, palette, scene, 0, [x, y], 9);
  context.fillStyle = palette.depot;
  context.strokeStyle = palette.rim;
  context.lineWidth = 2;
  context.fillRect(x - 8, y - 8, 16, 16);
  context.strokeRect(x - 8, y - 8, 16, 16);
}

function ghost({ context, palette, pixels, scene, size: room }: Picture, drag: Drag, size: number): void {
  const [x, y] = drag.at;
  context.strokeStyle = palette.mark;
  context.lineWidth = 2;
  context.setLineDash([5, 4]);
  for (const end of drag.between ?? []) {
    const to = end === null ? undefined : pixels[end];
    if (!to) continue;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(...to);
    context.stroke();
  }
  context.setLineDash([]);
  context.beginPath();
  context.arc(x, y, Math.max(8, size) + 1, 0, 7);
  context.fillStyle = drag.between ? palette.mark : palette.faint;
  context.fill();
  context.strokeStyle = palette.rim;
  context.stroke();
  context.font = "600 12px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.lineWidth = 4;
  context.strokeStyle = palette.rim;
  const words = `${shortened(scene.names[drag.node] ?? "")} ${drag.words}`;
  const wide = context.measureText(words).width;
  const left = x + 16 + wide > room.width ? x - 16 - wide : x + 16;
  const middle = Math.max(10, y - 14);
  context.strokeText(words, left, middle);
  context.fillStyle = palette.ink;
  context.fillText(words, left, middle);
}
