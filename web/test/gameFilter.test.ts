/** The search for finished games as a query of the server's. */
import { describe, expect, test } from "vitest";
import { NO_FILTER, conditionsOf, queryOf } from "../src/state/gameFilter";
import { BLACK } from "./scene";

describe("a search for finished games", () => {
  test("without a condition asks for all games of the player", () => {
    expect([queryOf(BLACK, NO_FILTER, []).toString(), conditionsOf(NO_FILTER)]).toEqual([`player=${BLACK}`, 0]);
  });

  test("has a parameter for each condition, and the last day counts", () => {
    const filter = {
      opponent: " Morphy ",
      color: "white",
      result: "1-0",
      reason: "checkmate",
      category: "blitz",
      rated: "true",
      since: "2026-02-01",
      until: "2026-02-28",
      opening: "1. e4 e5",
    } as const;
    const query = Object.fromEntries(queryOf(BLACK, filter, ["e2e4", "e7e5"]));
    expect(query).toEqual({
      player: BLACK,
      opponent: "Morphy",
      color: "white",
      result: "1-0",
      reason: "checkmate",
      category: "blitz",
      rated: "true",
      since: "2026-02-01",
      until: "2026-03-01",
      moves: "e2e4,e7e5",
    });
    expect(conditionsOf(filter)).toBe(9);
  });

  test("sends a day that is none as it is: the server names it", () => {
    expect(queryOf(BLACK, { ...NO_FILTER, until: "soon" }, []).get("until")).toBe("soon");
  });
});
