// What the browser keeps for the page. Storage may be full or forbidden: the page then forgets on reload, which is all
// that is lost.

type Place = "localStorage" | "sessionStorage";

export function keep(place: Place, key: string, text: string): void {
  try {
    globalThis[place].setItem(key, text);
  } catch {
    // Forgotten.
  }
}

export function kept(place: Place, key: string): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null;
  }
}
