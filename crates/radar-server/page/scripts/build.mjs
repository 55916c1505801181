// Bundles the page into the four files that the server embeds.

import { build } from "esbuild";
import { cp, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const page = dirname(dirname(fileURLToPath(import.meta.url)));

/** Writes index.html, app.js, app.css and icon.svg into the folder. */
export async function bundle(folder) {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [
      { in: join(page, "src/main.ts"), out: "app" },
      { in: join(page, "src/style/app.css"), out: "app" },
    ],
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["chrome123", "firefox120", "safari17.5"],
    legalComments: "none",
    logLevel: "warning",
  });
  for (const name of ["index.html", "icon.svg"]) await cp(join(page, "assets", name), join(folder, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(join(page, "dist"));
