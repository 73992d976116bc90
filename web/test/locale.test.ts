/** Dates as people write them. */
import { expect, test } from "vitest";
import { ENGLISH } from "../src/text";
import { showKnownDay } from "../src/view/locale";

test("a day of PGN is told as far as it is known", () => {
  const told = ["1972.07.11", "1972.07.??", "1972.??.??", "????.??.??", undefined].map((date) =>
    showKnownDay(ENGLISH, date),
  );
  expect(told).toEqual(["11 Jul 1972", "July 1972", "1972", undefined, undefined]);
});
