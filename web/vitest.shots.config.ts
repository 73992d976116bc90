/** Not tests: pictures to look at. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: { include: ["browser/*.shots.ts"], testTimeout: 240_000, hookTimeout: 60_000, fileParallelism: false },
});
