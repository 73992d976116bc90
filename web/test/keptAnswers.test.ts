/** Answers that are kept for a while: which of them goes when there are too many. */
import { expect, test } from "vitest";
import { KeptAnswers } from "../src/net/keptAnswers";

test("the answer that was kept first goes when there are too many, and one that is kept again is a new one", () => {
  const kept = new KeptAnswers<number>(2);
  for (const [key, answer] of [
    ["a", 1],
    ["b", 2],
    ["a", 3],
    ["c", 4],
  ] as const)
    kept.keep(key, answer);
  expect(["a", "b", "c"].map((key) => kept.find(key))).toEqual([3, null, 4]);
});
