/**
 * Notifications of the browser: whether they are allowed, asking for it, showing a call, and taking it back.
 *
 * Shows nothing while the page is seen, and nothing without permission; never asks by itself. A browser that has a
 * service worker for this page shows them by it, as phones show no others.
 */
import type { Call } from "../state/calls";

const ICON = "/icon-192.png";

/** What the browser says; null if it has no notifications. */
export function permission(): NotificationPermission | null {
  return typeof Notification === "undefined" ? null : Notification.permission;
}

/** To be called when a button was pressed. */
export async function askPermission(): Promise<NotificationPermission | null> {
  return typeof Notification === "undefined" ? null : Notification.requestPermission();
}

/** `open` shows what the call is about, after the player has followed it. */
export function showCall({ id, title, text }: Call, open: () => void): void {
  if (document.visibilityState !== "hidden" || permission() !== "granted") return;
  const options: NotificationOptions = { body: text, tag: id, icon: ICON, data: { path: `/${id}` } };
  void worker().then((registration) => {
    if (registration) return registration.showNotification(title, options);
    const notification = new Notification(title, options);
    shown.add(notification);
    notification.onclick = () => {
      focus();
      notification.close();
      open();
    };
    return undefined;
  });
}

const shown = new Set<Notification>();

/** The page is seen again: what it shows need not be notified. */
export function dismissCalls(): void {
  for (const notification of shown) notification.close();
  shown.clear();
  void worker().then(async (registration) => {
    for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
  });
}

async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  return registration?.active ? registration : undefined;
}
