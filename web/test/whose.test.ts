/** Which of the lists at the head of all games a filter is of. */
import { expect, test } from "vitest";
import { NO_FILTER, parametersOf } from "../src/state/gameFilter";
import { listOf, wholeLike, wholeOf } from "../src/view/archive/whose";
import { BLACK } from "./scene";

const GUEST = { account: BLACK, name: "Guest-X7K2" };
const KNOWN = { account: BLACK, name: "Late_Bloomer" };

test("each list has an address, and is the one of that address", () => {
  for (const own of [GUEST, KNOWN])
    for (const list of ["all", "own", "imported"] as const) expect(listOf(wholeOf(list, own), own)).toBe(list);
  expect(parametersOf(wholeOf("imported", null))).toBe("origin=imported");
});

test("one's own games are found by the name, those of a guest by the account", () => {
  expect(wholeOf("own", GUEST).player).toBe(BLACK);
  expect(wholeOf("own", KNOWN).player).toBe("Late_Bloomer");
  expect(listOf({ ...NO_FILTER, player: " late_bloomer" }, KNOWN)).toBe("own");
  expect(listOf({ ...NO_FILTER, player: BLACK }, KNOWN)).toBe("own");
  expect(listOf({ ...NO_FILTER, player: BLACK }, null)).toBe("all");
  expect(wholeOf("own", null)).toEqual(NO_FILTER);
});

test("a list without its conditions keeps whose it is, as it was named", () => {
  const filter = { ...NO_FILTER, player: "LATE_bloomer", fate: "won" } as const;
  expect(wholeLike(filter, KNOWN)).toEqual({ ...NO_FILTER, player: "LATE_bloomer" });
  expect(wholeLike({ ...NO_FILTER, player: "Somebody", origin: "imported" }, KNOWN)).toEqual({
    ...NO_FILTER,
    origin: "imported",
  });
  expect(wholeLike(filter, null)).toEqual(NO_FILTER);
});
