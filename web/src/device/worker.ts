/** Installs the service worker, after the page has loaded, and opens what a player follows from its notifications. */

/** `open` gets the path of the page that the player wants to see. */
export function installWorker(open: (path: string) => void): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ readonly open?: unknown }>) => {
    if (typeof data.open === "string") open(data.open);
  });
  // A browser that forbids it, as in a private window, has the page all the same.
  const install = (): void =>
    void navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => undefined);
  if (document.readyState === "complete") install();
  else addEventListener("load", install, { once: true });
}
