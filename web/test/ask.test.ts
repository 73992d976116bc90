/** Asking the server for as long as it says later. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Answer, keepAsking } from "../src/net/ask";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Gives the answers one after the other, and then none. */
function answering(...answers: Answer<number>[]) {
  return vi.fn((_: AbortSignal) => Promise.resolve<Answer<number>>(answers.shift() ?? { kind: "failed" }));
}

describe("asking", () => {
  test("begins after a while, and goes on as late as the server says until there is an answer", async () => {
    const ask = answering({ kind: "later", seconds: 2 }, { kind: "failed" }, { kind: "there", value: 7 });
    const kinds: string[] = [];
    keepAsking(500, ask, ({ kind }) => kinds.push(kind));
    await vi.advanceTimersByTimeAsync(499);
    expect(ask).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(kinds).toEqual(["later"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(kinds).toEqual(["later", "failed"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(kinds).toEqual(["later", "failed", "there"]);
  });

  test("takes no for an answer", async () => {
    const ask = answering({ kind: "rejected", code: "bad_fen", message: "", ply: null, reason: null });
    keepAsking(0, ask, () => undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("ends where it is left: before it began, while it asks, and while it waits", async () => {
    const never = answering({ kind: "failed" });
    keepAsking(500, never, () => undefined)();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(never).not.toHaveBeenCalled();

    let answer: (answer: Answer<number>) => void = () => undefined;
    const open = vi.fn((_: AbortSignal) => new Promise<Answer<number>>((found) => (answer = found)));
    const answered = vi.fn();
    const leave = keepAsking(0, open, answered);
    await vi.advanceTimersByTimeAsync(0);
    leave();
    answer({ kind: "there", value: 7 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([open.mock.calls[0]?.[0].aborted, answered.mock.calls.length]).toEqual([true, 0]);

    const later = answering({ kind: "later", seconds: 2 });
    const waiting = keepAsking(0, later, () => undefined);
    await vi.advanceTimersByTimeAsync(0);
    waiting();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(later).toHaveBeenCalledTimes(1);
  });
});
