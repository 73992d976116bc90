// The page's message types are the protocol crate's, to the octet. `--copy` copies them.
import { copyFileSync, readFileSync } from "node:fs";

const ours = "src/protocol/protocol.ts";
const theirs = "../protocol/bindings/protocol.ts";
if (process.argv.includes("--copy")) copyFileSync(theirs, ours);
if (!readFileSync(ours).equals(readFileSync(theirs))) {
  console.error(`web/${ours} is not equal to protocol/bindings/protocol.ts: npm run protocol`);
  process.exit(1);
}
