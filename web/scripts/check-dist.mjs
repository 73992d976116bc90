// Builds the page anew beside web/dist and compares: what is committed and embedded is what the sources make.
//
// Compressed files are compared by what they hold, as their octets may differ from one zlib to the next.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

const list = (dir) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .sort();
const read = (dir, name) => {
  const raw = readFileSync(join(dir, name));
  if (name.endsWith(".br")) return brotliDecompressSync(raw);
  return name.endsWith(".gz") ? gunzipSync(raw) : raw;
};

const fresh = mkdtempSync(join(tmpdir(), "zeitnot-dist-"));
const build = spawnSync("npm", ["run", "--silent", "build"], {
  env: { ...process.env, ZEITNOT_WEB_OUT: fresh },
  stdio: ["ignore", "inherit", "inherit"],
});
const wrong = build.status === 0 ? [] : ["the build failed"];
if (build.status === 0) {
  const names = new Set([...list("dist"), ...list(fresh)]);
  for (const name of names) {
    if (!list("dist").includes(name)) wrong.push(`${name} is missing in web/dist`);
    else if (!list(fresh).includes(name)) wrong.push(`${name} is in web/dist and is not built`);
    else if (!read("dist", name).equals(read(fresh, name))) wrong.push(`${name} differs`);
  }
}
rmSync(fresh, { recursive: true });
if (wrong.length) {
  console.error(`web/dist is stale; npm run build in web/:\n  ${wrong.join("\n  ")}`);
  process.exit(1);
}
console.log("web/dist is what the sources make");
