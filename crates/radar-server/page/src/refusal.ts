// What the server refuses, with its cause and what to do.

import type { Finding, Trouble } from "./wire";

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly action: string;
  readonly findings: Finding[];
  /** Does the same once more. */
  again: (() => void) | null = null;

  constructor(trouble: Trouble) {
    super(trouble.detail || trouble.title || "the server refused without a word");
    this.status = trouble.status ?? 0;
    this.code = trouble.code ?? "";
    this.action = trouble.action ?? "";
    this.findings = trouble.findings ?? [];
  }

  static async of(answer: Response): Promise<Refusal> {
    const trouble = (await answer.json().catch(() => ({}))) as Trouble;
    const wait = answer.headers.get("Retry-After");
    const action = trouble.action || (wait ? `try again in ${wait} s` : "");
    const detail = trouble.detail || trouble.title || `the server answered ${answer.status}`;
    return new Refusal({ ...trouble, status: answer.status, detail, action });
  }

  /** With a way to try again, where that may end better: no key was given, nobody was there, or there was no room. */
  offering(again: () => void): this {
    if (this.passing || this.status === 401) this.again = again;
    return this;
  }

  /** Whether the same may succeed a little later: nobody was there, or there was no room. */
  get passing(): boolean {
    return this.code === "unreachable" || [429, 502, 503, 504].includes(this.status);
  }

  /** Its own code and those of its findings. */
  get codes(): string[] {
    return [this.code, ...this.findings.map(({ code }) => code)];
  }

  /** Nodes that any of the findings is about. */
  get nodes(): number[] {
    return [...new Set(this.findings.flatMap((finding) => finding.nodes ?? []))];
  }

  /** Whether the rest could be served if some stops may be left out. */
  get mayLeaveOut(): boolean {
    const hard = this.findings.filter((finding) => finding.severity !== "warning");
    return hard.length > 0 && hard.every((finding) => finding.severity !== "error");
  }
}

export function unreachable(): Refusal {
  return new Refusal({
    code: "unreachable",
    detail: "the server does not answer",
    action: "see whether `radar serve` is still running, then try again",
  });
}

/** The server wants a key and nobody has given one that it takes. */
export function locked(): Refusal {
  const [detail, action] = ["this server asks for a key", "get one from its operator, then try again"];
  return new Refusal({ status: 401, code: "key-missing", detail, action });
}

/** Anything thrown, as something to show. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal({ code: "page", detail: error instanceof Error ? error.message : String(error) });
}
