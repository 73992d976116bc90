// Builds the service worker as dist/sw.js: one plain script, with the version of the page and the name of its style sheet.
//
// The version is a hash of all that was built before, so every change of the page makes another worker.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "vite";

const dist = process.env.ZEITNOT_WEB_OUT ?? "dist";
const manifest = JSON.parse(readFileSync(join(dist, ".vite", "manifest.json"), "utf8"));
const hash = createHash("sha256");
const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort())
  hash.update(relative(dist, file)).update(readFileSync(file));

await build({
  configFile: false,
  logLevel: "warn",
  define: {
    VERSION: JSON.stringify(hash.digest("hex").slice(0, 12)),
    STYLE: JSON.stringify(`/${manifest["index.html"].css[0]}`),
  },
  build: {
    target: "es2022",
    outDir: dist,
    emptyOutDir: false,
    copyPublicDir: false,
    reportCompressedSize: false,
    lib: { entry: "src/worker/sw.ts", formats: ["iife"], name: "worker", fileName: () => "sw.js" },
  },
});
