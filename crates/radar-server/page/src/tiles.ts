// A layer of map tiles under the routes, only where the operator names one.

import type { Size, View } from "./view";

const SIDE = 256;
const MOST = 300;
const DEEPEST = 19;

export interface Tile {
  zoom: number;
  column: number;
  row: number;
  /** Left upper corner and side, in pixels. */
  x: number;
  y: number;
  side: number;
}

/** The tiles that cover the window; the world is the unit square. */
export function covering(view: View, size: Size): Tile[] {
  const zoom = Math.max(0, Math.min(DEEPEST, Math.round(Math.log2(view.scale / SIDE))));
  const across = 2 ** zoom;
  const side = view.scale / across;
  const first = (offset: number) => Math.max(0, Math.floor(-offset / side));
  const last = (offset: number, pixels: number) => Math.min(across - 1, Math.floor((pixels - offset) / side));
  const tiles: Tile[] = [];
  for (let row = first(view.y); row <= last(view.y, size.height); row += 1) {
    for (let column = first(view.x); column <= last(view.x, size.width); column += 1) {
      tiles.push({ zoom, column, row, x: view.x + column * side, y: view.y + row * side, side });
    }
  }
  return tiles;
}

export class TileLayer {
  private readonly images = new Map<string, HTMLImageElement>();

  constructor(
    private readonly template: string,
    private readonly loaded: () => void,
  ) {}

  draw(context: CanvasRenderingContext2D, view: View, size: Size, alpha: number): void {
    context.globalAlpha = alpha;
    for (const tile of covering(view, size)) {
      const image = this.image(tile);
      if (!image.complete || image.naturalWidth === 0) continue;
      // Whole pixels, so that no seams show.
      const [left, top] = [Math.round(tile.x), Math.round(tile.y)];
      context.drawImage(image, left, top, Math.round(tile.x + tile.side) - left, Math.round(tile.y + tile.side) - top);
    }
    context.globalAlpha = 1;
  }

  private image({ zoom, column, row }: Tile): HTMLImageElement {
    const url = this.template.replace("{z}", String(zoom)).replace("{x}", String(column)).replace("{y}", String(row));
    const kept = this.images.get(url);
    // Put last again: the first in the map are those not used for longest.
    if (kept) this.images.delete(url);
    const image = kept ?? new Image();
    if (!kept) {
      image.addEventListener("load", this.loaded);
      image.src = url;
    }
    this.images.set(url, image);
    for (const old of this.images.keys()) {
      if (this.images.size <= MOST) break;
      this.images.delete(old);
    }
    return image;
  }
}
