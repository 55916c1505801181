// Telling a table from the stops that go with it.

/** Columns that only a list of stops has. */
const COLUMNS = new Set([
  "lat",
  "latitude",
  "lon",
  "lng",
  "longitude",
  "demand",
  "delivery",
  "backhaul",
  "pickup",
  "open",
  "tw_start",
  "ready",
  "close",
  "tw_end",
  "due",
  "service",
  "service_time",
  "priority",
]);

/** Whether a text is a CSV with one row per stop: its first line names at least one such column. */
export function looksLikeStops(text: string): boolean {
  const line =
    text
      .replace(/^\ufeff/, "")
      .trimStart()
      .split(/\r?\n/, 1)[0] ?? "";
  if (line.startsWith("{") || line.startsWith("[")) return false;
  const delimiter = line.includes("\t") ? "\t" : line.includes(";") ? ";" : ",";
  const cells = line.split(delimiter).map((cell) => cell.trim().replace(/^"|"$/g, "").toLowerCase());
  return cells.length > 1 && cells.some((cell) => COLUMNS.has(cell));
}

/** Whether bytes are an archive such as npz, which no text format is. */
export function binary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 4096).includes(0) || (bytes[0] === 0x50 && bytes[1] === 0x4b);
}
