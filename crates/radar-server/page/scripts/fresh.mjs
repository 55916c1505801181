// Fails when the committed files are not what the sources give.

import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./build.mjs";

const dist = new URL("../dist/", import.meta.url);
const fresh = await mkdtemp(join(tmpdir(), "radar-page-"));
try {
  await bundle(fresh);
  const [committed, built] = [await readdir(dist), await readdir(fresh)];
  const names = [...new Set([...committed, ...built])].sort();
  const stale = [];
  for (const name of names) {
    const same =
      committed.includes(name) &&
      built.includes(name) &&
      (await readFile(new URL(name, dist))).equals(await readFile(join(fresh, name)));
    if (!same) stale.push(name);
  }
  if (stale.length > 0) {
    console.error(`dist is not what the sources give: ${stale.join(", ")}; run \`npm run build\``);
    process.exitCode = 1;
  }
} finally {
  await rm(fresh, { recursive: true });
}
