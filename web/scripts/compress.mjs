// Puts a .br and a .gz beside every built file that gets smaller by it, and says what the page weighs.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const BUDGET = 120 * 1024;
const dist = process.env.ZEITNOT_WEB_OUT ?? "dist";
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.(br|gz)$/u.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();

let total = 0;
for (const file of files) {
  const raw = readFileSync(file);
  const br = brotliCompressSync(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  });
  const gz = gzipSync(raw, { level: 9 });
  if (br.length < raw.length) writeFileSync(`${file}.br`, br);
  if (gz.length < raw.length) writeFileSync(`${file}.gz`, gz);
  total += Math.min(raw.length, gz.length);
  console.log(
    `${String(raw.length).padStart(8)} raw ${String(gz.length).padStart(7)} gz ${String(br.length).padStart(7)} br  ${file}`,
  );
}
console.log(`${String(total).padStart(8)} of ${BUDGET} octets, gzip`);
if (total > BUDGET) throw new Error("the page is over its budget");
