/**
 * The tests in a real browser, against the real server, two files at a time. On a busy machine they take longer.
 *
 * `npm run browser` leaves out those that are tagged `nightly`: further windows, languages and cases of what another test promises.
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["browser/**/*.test.ts"],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    tags: [{ name: "nightly", description: "further cases: `npm run nightly` runs them" }],
    // The files share a browser.
    isolate: false,
  },
});
