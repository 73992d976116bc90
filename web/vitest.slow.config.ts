/** Measurements of minutes, by hand: npm run slow. They say their figures and fail when a promise is not kept. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["browser/*.slow.ts"],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
