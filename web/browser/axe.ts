/** Looks at a page with axe-core and wants nothing found, in either colour scheme. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The small build: it is sent to every document that is looked at. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

interface Runner {
  run(options: axe.RunOptions): Promise<{ readonly violations: readonly Finding[] }>;
}

async function findings(page: Page, options: axe.RunOptions): Promise<string[]> {
  const found = await page.evaluate(async (wanted) => {
    const runner = (window as unknown as { axe: Runner }).axe;
    return (await runner.run(wanted)).violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }));
  }, options);
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.html}\n  ${node.failureSummary}`).join("\n")}`,
  );
}

/** Of the other colour scheme only the contrast is looked at: nothing else that axe-core reads depends on it. */
export async function isClean(page: Page, name: string): Promise<void> {
  // It is large, and stays as long as the document.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  for (const [colorScheme, options] of [
    ["light", { resultTypes: ["violations"] }],
    ["dark", { runOnly: ["color-contrast"] }],
  ] as ["light" | "dark", axe.RunOptions][]) {
    await page.emulateMedia({ colorScheme });
    expect(await findings(page, options), `${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}
