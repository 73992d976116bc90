/** What is slow and seldom breaks: the tests with a covering set, with all of it, and a game in another browser. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: [
      "browser/{analysis,calls,challenge,language,layout,network,ownPages,result}.test.ts",
      "browser/*.nightly.ts",
    ],
    env: { ZEITNOT_COVER_ALL: "1" },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    fileParallelism: false,
    isolate: false,
  },
});
