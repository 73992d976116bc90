/** The tests in a real browser, against the real server, one file after the other. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["browser/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false },
});
