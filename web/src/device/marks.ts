/** The marks of a page that waits for its player: its icon in the tab, and a number on the installed app. */
import marked from "../icon-marked.svg";

let plain: string | null = null;

/** `count`: how many things wait; 0 takes the marks away. */
export function markPage(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  plain ??= icon?.href ?? null;
  const href = count > 0 ? marked : plain;
  if (icon && href !== null && icon.href !== new URL(href, location.href).href) icon.href = href;
  // Only an installed app has a badge; elsewhere this fails.
  const badge = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  void badge?.catch(() => undefined);
}
