/** What is done again and again while the page is seen. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whileSeen } from "../src/device/whileSeen";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("nothing is done on a page that nobody sees; when it is seen again or the network is back, at once", () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" as DocumentVisibilityState });
  const turn = (state: DocumentVisibilityState): void => {
    page.visibilityState = state;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  const act = vi.fn();
  const network = new EventTarget();
  const stop = whileSeen(act, 1000, page, network);
  expect(act).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(2500);
  expect(act).toHaveBeenCalledTimes(2);
  turn("hidden");
  vi.advanceTimersByTime(10_000);
  network.dispatchEvent(new Event("online"));
  expect(act).toHaveBeenCalledTimes(2);
  turn("visible");
  network.dispatchEvent(new Event("online"));
  expect(act).toHaveBeenCalledTimes(4);
  stop();
  turn("visible");
  network.dispatchEvent(new Event("online"));
  vi.advanceTimersByTime(10_000);
  expect(act).toHaveBeenCalledTimes(4);
});
