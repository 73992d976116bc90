/** The analysis on a phone: what stands near the board, and what opens there. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { atBoard } from "./analysisSteps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PHONE = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true };

/** Whether all of what a selector finds is within the window. */
const isInWindow = (page: Page, selector: string) =>
  page.locator(selector).evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    return left >= 0 && top >= 0 && right <= clientWidth && bottom <= clientHeight;
  });

test("the list of what goes out opens within every window", async () => {
  const { page } = await atBoard(server, PHONE);
  const share = page.getByRole("button", { name: "Share and save" });
  for (const [width, height] of [
    [390, 740],
    [320, 568],
    [568, 320],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    await share.click();
    await page.getByRole("button", { name: "Copy PGN" }).waitFor();
    expect(await isInWindow(page, ".steps .menu-items"), `at ${width}x${height}`).toBe(true);
    await page.keyboard.press("Escape");
  }
});
