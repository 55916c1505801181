// Server-sent events out of a stream of text. EventSource would do, but it cannot send a key.

export interface ServerEvent {
  name: string;
  data: string;
}

/** Takes text as it comes and gives the events that are complete. */
export class EventReader {
  private rest = "";

  push(text: string): ServerEvent[] {
    // A carriage return at the very end may be half of a line end.
    const all = (this.rest + text).replace(/\r\n|\r(?!$)/g, "\n");
    const blocks = all.split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => parse(block));
  }
}

function parse(block: string): ServerEvent[] {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
  }
  return data.length > 0 ? [{ name, data: data.join("\n") }] : [];
}
