/** How the page is built: one script, one style sheet, names with a hash; nothing is inlined, as the CSP forbids it. */
import { defineConfig } from "vite";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: process.env.ZEITNOT_WEB_OUT ?? "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
  },
  server: { proxy: { "/ws": { target: "http://127.0.0.1:8080", ws: true }, "/api": "http://127.0.0.1:8080" } },
});
