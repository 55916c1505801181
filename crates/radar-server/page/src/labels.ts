// Names beside their nodes, on the first side where they cover no other.

import type { Picture } from "./paint";
import type { Size } from "./view";

/** More names than this would hide the routes. */
const MOST = 70;

interface Box {
  left: number;
  top: number;
  right: number;
  low: number;
}

function crosses(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.low && other.top < one.low;
}

/** Boxes on the four sides of a node, the right one first. */
export function sides([x, y]: readonly [number, number], away: number, wide: number, high: number): Box[] {
  return [
    { left: x + away, top: y - high / 2, right: x + away + wide, low: y + high / 2 },
    { left: x - away - wide, top: y - high / 2, right: x - away, low: y + high / 2 },
    { left: x - wide / 2, top: y - away - high, right: x + wide / 2, low: y - away },
    { left: x - wide / 2, top: y + away, right: x + wide / 2, low: y + away + high },
  ];
}

export function label({ context, palette, pixels, scene, size, drag }: Picture, radius: number): void {
  const inside = pixels.flatMap(([x, y], node) =>
    x > -20 && y > -20 && x < size.width + 20 && y < size.height + 20 && node !== drag?.node ? [node] : [],
  );
  const chosen = inside.filter((node) => node === scene.selected || node === scene.hovered);
  const named = inside.length <= MOST ? [...chosen, ...inside.filter((node) => !chosen.includes(node))] : chosen;
  const taken: Box[] =
    inside.length <= MOST ? inside.map((node) => around(pixels[node]!, node === 0 ? 9 : radius)) : [];
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const node of named) {
    const words = shortened(scene.names[node] ?? "");
    const wide = context.measureText(words).width;
    const boxes = sides(pixels[node]!, (node === 0 ? 9 : radius) + 4, wide, 12).filter((box) => within(box, size));
    const free = boxes.find((box) => !taken.some((other) => crosses(box, other)));
    const box = free ?? (chosen.includes(node) ? boxes[0] : undefined);
    if (!box) continue;
    taken.push(box);
    context.lineWidth = 3.5;
    context.strokeStyle = palette.rim;
    context.strokeText(words, box.left, (box.top + box.low) / 2);
    context.fillStyle = scene.wrong.has(node) ? palette.wrong : palette.ink;
    context.fillText(words, box.left, (box.top + box.low) / 2);
  }
}

/** Whether nothing of it is cut off. */
export function within(box: Box, { width, height }: Size): boolean {
  return box.left >= 2 && box.top >= 2 && box.right <= width - 2 && box.low <= height - 2;
}

function around([x, y]: readonly [number, number], radius: number): Box {
  return { left: x - radius, top: y - radius, right: x + radius, low: y + radius };
}

/** A name that leaves room for others. */
export function shortened(words: string): string {
  return words.length > 18 ? `${words.slice(0, 17)}…` : words;
}
