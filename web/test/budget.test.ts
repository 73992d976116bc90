/** The budget of the page: what counts as loaded first. */
import { expect, test } from "vitest";
import { firstFiles } from "../scripts/first-files.mjs";

const MANIFEST = {
  "_index.js": { file: "index.js", css: ["index.css"], assets: ["wood.svg"], imports: ["_shared.js"] },
  "src/style/textures/wood.svg": { file: "wood.svg" },
  "_shared.js": { file: "shared.js", imports: ["_deep.js"] },
  "_deep.js": { file: "deep.js", imports: ["_shared.js"] },
  "src/text/de/index.ts": { file: "de.js", isDynamicEntry: true, imports: ["_plural.js", "_shared.js"] },
  "src/text/fr/index.ts": { file: "fr.js", isDynamicEntry: true },
  "_plural.js": { file: "plural.js" },
  "src/view/analysis/Analysis.tsx": { file: "analysis.js", isDynamicEntry: true, css: ["analysis.css"] },
};
const DOCUMENT = '<link href="/icon.svg" /><script src="/index.js"></script><link href="/index.css" />';
const OWN = ["index.html", "icon.svg", "index.js", "index.css", "shared.js", "deep.js"];

test("the document, what it names, and everything these import come first; what is loaded on demand does not", () => {
  const { "src/text/de/index.ts": _, "src/text/fr/index.ts": __, ...others } = MANIFEST;
  expect(firstFiles(others, DOCUMENT, () => 1)).toEqual(OWN);
});

test("of the languages the largest counts, with what only it imports", () => {
  const sizes: Record<string, number> = { "de.js": 10, "plural.js": 5, "fr.js": 14 };
  expect(firstFiles(MANIFEST, DOCUMENT, (file) => sizes[file] ?? 1)).toEqual([...OWN, "de.js", "plural.js"]);
  expect(firstFiles(MANIFEST, DOCUMENT, (file) => (file === "fr.js" ? 100 : 1))).toEqual([...OWN, "fr.js"]);
});
