// How problems come in: a shipped city, files, pasted text, points placed by hand.

import type { Api } from "./api";
import { askKind, askLeave, askUnit } from "./dialog";
import { binary, looksLikeStops } from "./files";
import { Refusal, refusalOf } from "./refusal";
import { address } from "./session";
import { settingsOf } from "./settings";
import type { Solving } from "./solving";
import { problemOf } from "./sketch";
import type { Sketch } from "./sketch";
import { cleared, edited } from "./state";
import type { Desk } from "./state";
import type { Given, Problem } from "./wire";
import { description, sentence } from "./words";

export class Opening {
  constructor(
    private readonly desk: Desk,
    private readonly api: Api,
    private readonly solving: Pick<Solving, "abandon">,
  ) {}

  async example(id: string, title: string): Promise<void> {
    await this.during("Opening…", async () => this.open(await this.api.example(id), title));
  }

  async text(text: string): Promise<void> {
    await this.files([new File([text], "pasted")]);
  }

  /** One file, or a table and the stops that go with it. */
  async files(files: readonly File[]): Promise<void> {
    if (!(await this.mayLeave())) return;
    await this.during("Reading…", async () => {
      const read = await Promise.all(
        files.map(async (file) => ({ file, bytes: new Uint8Array(await file.arrayBuffer()) })),
      );
      const texts = read.map(({ bytes }) => (binary(bytes) ? null : new TextDecoder().decode(bytes)));
      const stops = texts.findIndex((text) => text !== null && looksLikeStops(text));
      const tables = read.filter((_, index) => index !== stops);
      const [table] = tables;
      if (!table) throw wrong("there is a list of stops and no table", "drop the table of travel costs along with it");
      if (tables.length > 1) {
        throw wrong(`there are ${tables.length} tables`, "drop one problem, or one table and one CSV of its stops");
      }
      const list = stops >= 0 ? texts[stops] : null;
      const text = texts[read.indexOf(table)];
      const problem = await this.asking(async (given) => {
        if (list == null) return this.api.convert(table.file, table.file.name, given);
        if (text != null) return this.api.combine(text, { ...given, stops: list });
        const bare = await this.api.convert(table.file, table.file.name, { kind: "vrp", ...given });
        return this.api.combine(bare, { ...given, stops: list });
      });
      if (problem) this.open(problem, table.file.name === "pasted" ? "Pasted" : table.file.name.replace(/\.\w+$/, ""));
    });
  }

  sketch(sketch: Sketch): void {
    this.solving.abandon();
    history.replaceState(null, "", address(null));
    this.desk.set({ ...cleared, problem: null, title: "Placed by hand", sketch });
  }

  /** The problem of the points that were placed. */
  adopt(): Problem | null {
    const { sketch, settings } = this.desk.state;
    if (!sketch) return null;
    const problem = problemOf(sketch);
    this.desk.set({
      problem,
      settings: {
        ...settingsOf(problem, settings),
        vehicles: settings.vehicles,
        open: settings.open,
        limit: settings.limit,
        maxDuration: settings.maxDuration,
      },
    });
    return problem;
  }

  /** Back to the choice of a problem, on demand. */
  async fresh(): Promise<void> {
    if (await this.mayLeave()) this.close();
  }

  /** Edits are the work of a person: they are not dropped without a word. */
  private async mayLeave(): Promise<boolean> {
    return !edited(this.desk.state) || (await askLeave()) === true;
  }

  /** Back to the choice of a problem; the browser may be there already. */
  close(there = false): void {
    this.solving.abandon();
    if (!there) history.pushState(null, "", address(null));
    this.desk.set({ ...cleared, problem: null, title: "", sketch: null, status: "" });
  }

  private open(problem: Problem, title: string): void {
    this.solving.abandon();
    const settings = settingsOf(problem, this.desk.state.settings);
    history.pushState(null, "", address(null));
    this.desk.set({ ...cleared, problem, title, settings, sketch: null, status: `${title}: ${description(problem)}` });
  }

  /** Reads, and asks for what the file does not say: whether a tour or routes are wanted, what its times are counted in. */
  private async asking(read: (given: Given) => Promise<Problem>, said: Given = {}): Promise<Problem | null> {
    try {
      return await read(said);
    } catch (error) {
      const code = error instanceof Refusal ? error.code : null;
      if (code === "kind-not-declared" && !said.kind) {
        const kind = await askKind();
        return kind && this.asking(read, { ...said, kind });
      }
      if (code === "clock-without-unit" && !said.unit) {
        const unit = await askUnit();
        return unit && this.asking(read, { ...said, unit });
      }
      throw error;
    }
  }

  private async during(busy: string, work: () => Promise<void>): Promise<void> {
    this.desk.set({ busy, refusal: null });
    try {
      await work();
    } catch (error) {
      const refusal = refusalOf(error).offering(() => void this.during(busy, work));
      this.desk.set({ refusal, status: `Not opened. ${sentence(refusal.message)}` });
    } finally {
      this.desk.set({ busy: null });
    }
  }
}

function wrong(detail: string, action: string): Refusal {
  return new Refusal({ code: "files", detail, action });
}
