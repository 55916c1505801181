// What the server refuses, with its cause and what to do.

import type { Finding, Trouble } from "./wire";

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly action: string;
  readonly findings: Finding[];

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

/** Anything thrown, as something to show. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal({ code: "page", detail: error instanceof Error ? error.message : String(error) });
}
