// Puts a .br and a .gz beside every built file that gets smaller by it, and weighs what is loaded first.
//
// What the page loads only when it is used is listed too, and has no limit. Reads the bundler's manifest and removes it:
// the server serves all of `dist`.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { firstFiles } from "./first-files.mjs";

/** Octets with gzip before one can play: under a second at 1.6 Mbit/s, as a slow phone has. */
const BUDGET = 150 * 1024;
/** Every further one may wait for a round trip. */
const MOST_REQUESTS = 10;

const dist = process.env.ZEITNOT_WEB_OUT ?? "dist";
const manifest = join(dist, ".vite", "manifest.json");
const read = (name) => readFileSync(join(dist, name));
const first = new Set(
  firstFiles(JSON.parse(readFileSync(manifest, "utf8")), read("index.html").toString(), (name) => read(name).length),
);
rmSync(join(dist, ".vite"), { recursive: true });
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.(br|gz)$/u.test(entry.name))
  .map((entry) => relative(dist, join(entry.parentPath, entry.name)))
  .sort();

let total = 0;
for (const name of files) {
  const file = join(dist, name);
  const raw = read(name);
  const br = brotliCompressSync(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  });
  const gz = gzipSync(raw, { level: 9 });
  if (br.length < raw.length) writeFileSync(`${file}.br`, br);
  if (gz.length < raw.length) writeFileSync(`${file}.gz`, gz);
  if (first.has(name)) total += Math.min(raw.length, gz.length);
  const figures = [raw, gz, br].map(({ length }) => String(length).padStart(8)).join(" ");
  console.log(`${figures} ${first.has(name) ? "first" : "later"} ${name}`);
}
console.log(`${total} of ${BUDGET} octets (gzip) and ${first.size} of ${MOST_REQUESTS} requests come first`);
if (total > BUDGET || first.size > MOST_REQUESTS) throw new Error("the page is over its budget");
