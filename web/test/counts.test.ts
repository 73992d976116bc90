/** How often the server is asked to count a player's games. */
import { afterEach, expect, test, vi } from "vitest";
import { NO_FILTER, bySide } from "../src/state/gameFilter";
import { countOf, countsOf } from "../src/view/archive/games";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("two parts of a page that ask for the same counts have one answer, and a later one asks again", async () => {
  vi.useFakeTimers();
  const counts = { games: 3, white_wins: 1, black_wins: 1, draws: 1, others: 0 };
  const fetched = vi.fn(() => Promise.resolve(Response.json(counts)));
  vi.stubGlobal("fetch", fetched);
  const sides = bySide("Account", NO_FILTER);
  const [each, all] = await Promise.all([countsOf(sides), countOf(sides)]);
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(each?.map(({ color }) => color)).toEqual(["white", "black"]);
  expect([all?.games, all?.won, all?.drawn]).toEqual([6, 2, 2]);
  // Also the part that asks when the other one has its answer.
  await countOf(sides);
  expect(fetched).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(2_000);
  await countOf(sides);
  expect(fetched).toHaveBeenCalledTimes(4);
});

test("counts that were not answered are asked for again at once", async () => {
  const fetched = vi.fn(() => Promise.reject(new Error("no server")));
  vi.stubGlobal("fetch", fetched);
  const sides = bySide("Unanswered", NO_FILTER);
  expect([await countOf(sides), await countOf(sides)]).toEqual([null, null]);
  expect(fetched).toHaveBeenCalledTimes(4);
});
