// Runs the unit tests: node takes no TypeScript, so each test is bundled first.

import { build } from "esbuild";
import { spawn } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const page = dirname(dirname(fileURLToPath(import.meta.url)));
const tests = (await readdir(join(page, "tests/unit"))).filter((name) => name.endsWith(".test.ts"));
const outdir = join(page, "node_modules/.cache/unit");
await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: tests.map((name) => join(page, "tests/unit", name)),
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  sourcemap: "inline",
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
});
const run = spawn(process.execPath, ["--test", outdir], { stdio: "inherit" });
run.on("exit", (code) => (process.exitCode = code ?? 1));
