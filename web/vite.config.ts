/**
 * How the page is built: one script and one for each further language, one style sheet, names with a hash; nothing is
 * inlined, as the CSP forbids it. With `--mode embed` a game in a frame on another site is built beside it, which loads
 * nothing of the page.
 */
import { defineConfig } from "vite";

/** A language is a file of its own, named by its tag. */
const nameOf = (module: string | null): string => {
  const language = /\/src\/text\/([^/]+)\/index\.ts$/u.exec(module ?? "")?.[1];
  return language ? `text-${language}` : "[name]";
};

export default defineConfig(({ mode }) => ({
  resolve: { tsconfigPaths: true },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: process.env.ZEITNOT_WEB_OUT ?? "dist",
    emptyOutDir: mode !== "embed",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: mode === "embed" ? "embed.html" : "index.html",
      output: {
        chunkFileNames: ({ facadeModuleId }) => `assets/${nameOf(facadeModuleId)}-[hash].js`,
        // The notices of what others drew go along with it.
        comments: { legal: true },
        // What comes first stays one file, however much of it the parts that are loaded later import too.
        codeSplitting: { groups: [{ name: mode === "embed" ? "embed" : "first", tags: ["$initial"] }] },
      },
    },
    manifest: mode !== "embed",
  },
  // The server rejects what another origin sends, so the host stays the one that the browser asks.
  server: {
    proxy: {
      "/ws": { target: "http://127.0.0.1:8080", ws: true },
      "/api": { target: "http://127.0.0.1:8080", changeOrigin: false },
    },
  },
}));
