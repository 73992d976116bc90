/** The fast tests: pure state and the connection with a scripted socket. No browser, no network. */
import { defineConfig } from "vitest/config";

export default defineConfig({ resolve: { tsconfigPaths: true }, test: { include: ["test/**/*.test.ts"] } });
