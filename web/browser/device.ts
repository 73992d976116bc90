/**
 * A device around the page that writes down what the page asks of it: notifications, badge, screen, vibration, hidden.
 *
 * Takes the place of the browser's own, before the page's scripts run.
 */
import type { BrowserContext, Page } from "playwright-core";

export interface Told {
  readonly asked: number;
  readonly notifications: readonly { readonly title: string; readonly body: string; readonly tag: string }[];
  readonly badge: number;
  readonly screens: number;
  readonly vibrations: number;
}

/** `permission`: what the player has answered before. */
export async function withDevice(context: BrowserContext, permission: NotificationPermission): Promise<void> {
  await context.addInitScript((given) => {
    const told = { asked: 0, notifications: [] as unknown[], badge: 0, screens: 0, vibrations: 0 };
    let isHidden = false;
    class Notified {
      static permission = given;
      static requestPermission(): Promise<string> {
        told.asked += 1;
        Notified.permission = "granted";
        return Promise.resolve("granted");
      }
      onclick: (() => void) | null = null;
      constructor(title: string, { body, tag }: NotificationOptions) {
        told.notifications.push({ title, body, tag });
        Object.assign(window, { lastNotification: this });
      }
      close(): void {}
    }
    Object.assign(window, {
      told,
      Notification: Notified,
      hide: (hidden: boolean) => {
        isHidden = hidden;
        document.dispatchEvent(new Event("visibilitychange"));
      },
    });
    Object.defineProperty(document, "visibilityState", { get: () => (isHidden ? "hidden" : "visible") });
    const badge = (count: number) => {
      told.badge = count;
      return Promise.resolve();
    };
    const screen = () => {
      told.screens += 1;
      const lock = {
        released: false,
        release: () => {
          told.screens -= 1;
          lock.released = true;
          return Promise.resolve();
        },
      };
      return Promise.resolve(lock);
    };
    const own = {
      setAppBadge: badge,
      clearAppBadge: () => badge(0),
      vibrate: () => {
        told.vibrations += 1;
        return true;
      },
      wakeLock: { request: screen },
    };
    for (const [name, value] of Object.entries(own)) Object.defineProperty(navigator, name, { value });
  }, permission);
}

export function told(page: Page): Promise<Told> {
  return page.evaluate(() => (window as unknown as { told: Told }).told);
}

export async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((is) => (window as unknown as { hide(is: boolean): void }).hide(is), hidden);
}

/** Follows the last notification. */
export async function follow(page: Page): Promise<void> {
  await page.evaluate(() =>
    (window as unknown as { lastNotification: Notification }).lastNotification.onclick?.(new Event("click")),
  );
}
