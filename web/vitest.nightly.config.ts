/** All tests of the page: those tagged `nightly` too, each covering set whole, and a game in another browser. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["browser/*.{test,nightly}.ts"],
    tags: [{ name: "nightly", description: "further cases: `npm run nightly` runs them" }],
    env: { ZEITNOT_COVER_ALL: "1" },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    isolate: false,
  },
});
